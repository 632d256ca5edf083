//! The command `tabia`: build, merge, check and explore opening books. One file a verb, in
//! [`verbs`]; what they share is beside it.

// With a game off, some of what its verbs share with others has no user.
#![cfg_attr(
    not(all(
        feature = "chess",
        feature = "othello",
        feature = "go",
        feature = "draughts",
        feature = "connect"
    )),
    allow(dead_code, unused_imports, unused_variables)
)]

mod advice;
mod books;
mod command;
mod console;
mod disk;
mod edits;
mod engine_choice;
mod facts;
mod failure;
mod flags;
mod foreign;
mod game_files;
mod games;
mod headings;
mod history;
mod interrupt;
mod limits;
mod made;
mod names;
mod newfile;
mod output;
mod place;
mod platform;
mod prelude;
mod reading;
mod screen;
mod sorting;
mod stray;
mod terminal;
mod textfile;
mod values;
mod verbs;

use std::process::ExitCode;
use tabia_play::text::{layout, numbers};

fn main() -> ExitCode {
    limits::within(|| {
        let done = command::parse().and_then(|command| {
            let console = console::Console { quiet: command.quiet };
            #[cfg(feature = "remote")]
            tabia_remote::register(interrupt::wanted);
            let done = verbs::run(&command.verb, &console);
            #[cfg(feature = "remote")]
            if let tabia_remote::Traffic { requests: requests @ 1.., bytes } =
                tabia_remote::traffic()
            {
                console.note(&format!("read {bytes} bytes from addresses in {requests} requests"));
            }
            done
        });
        failure::exit_code(done)
    })
}
