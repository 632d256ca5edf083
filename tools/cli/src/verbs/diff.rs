//! `tabia diff`: what changed between two books.

use crate::prelude::*;
use crate::terminal;
use tabia_play::Differing;
use tabia_play::text::Differences;

/// Show what differs between two books
///
/// What differs is listed by the lines that lead there from the start of the game, the shortest
/// first. What only the first book says is marked with -, what only the second says with +; changed
/// rows come as a pair. Rows that no line leads to, or none within 200,000 positions, are listed by
/// their keys, as are those of games whose rules aren't known.
///
/// Exit code 1 if the rows differ, or what the books' columns say of them; the load, which archives
/// the rows come from and how the books were made make no difference.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia diff before.tabia after.tabia --limit 50
  tabia diff before.tabia after.tabia --format rows
  tabia diff before.tabia after.tabia --json > changes.json")]
pub struct Args {
    /// The first book, or a set's folder
    #[arg(value_name = "FIRST")]
    first: PathBuf,
    /// The second book, or a set's folder
    #[arg(value_name = "SECOND")]
    second: PathBuf,
    /// List at most N rows that differ
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// How what differs is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "lines")]
    format: Format,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How what differs is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// By the lines that lead there, in moves
    Lines,
    /// By keys, as rows that `tabia dump` writes, in the order of the books
    Rows,
}

/// Compares them.
pub fn run(args: &Args, console: &Console) -> Done {
    let open = |path| books::open_any(slice::from_ref(path), View::Whole, console);
    let (first, second) = (open(&args.first)?, open(&args.second)?);
    let comparing = Differing { books: [first.read(), second.read()], limit: args.limit };
    let found = {
        let meter = console.meter();
        let game = games::of(first.header(), &args.first).ok();
        match game.filter(|_| args.format == Format::Lines) {
            Some(game) => comparing.by_lines(&game, &meter.env(), &|step| meter.trimming(step))?,
            None => comparing.by_keys(&meter.env())?,
        }
    };
    let found = Differences::new(found);
    Output::new().show(args.json, &found, |found, out| match args.format {
        Format::Lines => found.write_lines(out, terminal::columns()),
        Format::Rows => found.write_rows(out),
    })?;
    Ok(Verdict::found(!found.same))
}
