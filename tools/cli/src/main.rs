//! The command `tabia`: build, merge, check and explore opening books. One file a verb, in
//! [`verbs`]; what they share stands beside it.

mod advice;
mod bars;
mod books;
mod command;
mod console;
mod crowded;
mod disk;
mod failure;
mod foreign;
mod games;
mod headings;
mod history;
mod interrupt;
mod limits;
mod made;
mod memory;
mod newfile;
mod numbers;
mod output;
mod place;
mod ratings;
mod reached;
mod reading;
mod textfile;
mod verbs;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    limits::within(|| {
        let done = command::parse().and_then(|command| {
            verbs::run(command.verb, &console::Console { quiet: command.quiet })
        });
        failure::exit_code(done)
    })
}
