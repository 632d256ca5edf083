//! `tabia import`: a book of another program to a book, a subcommand for each format.

#[cfg(feature = "chess")]
mod abk;
mod command;
#[cfg(feature = "chess")]
mod ctg;
#[cfg(feature = "othello")]
mod edax;
mod file;
mod into;
mod mcst;
#[cfg(feature = "chess")]
mod polyglot;

pub use command::{Args, run};

use crate::foreign::Facts;
use crate::memory::Memory;
use std::path::PathBuf;
use tabia::format::{Keyed, Load, Results, Source};
use tabia::sort::Sorted;
use tabia::{MoveRow, PositionRow};
use tabia_games::Known;
use tabia_interop::Losses;

/// What all formats ask for.
#[derive(clap::Args)]
struct Common {
    /// The other program's book; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    /// How full the tables are to be, from 0.5 to 0.98: fuller is smaller and slower
    #[arg(long, default_value = "0.80")]
    load: Load,
    /// Memory to work with; what doesn't fit is sorted on disk, beside the book
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    memory: Memory,
    /// Add a filter, with which most probes for absent positions touch no row: 10 bits a position
    #[arg(long)]
    filter: bool,
    /// Replace a file that has the book's name
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The rows of another book, and the report on it.
struct Rows {
    game: Known,
    keyed: Keyed,
    results: Results,
    positions: Option<Sorted<PositionRow>>,
    moves: Sorted<MoveRow>,
    source: Source,
    facts: Facts,
    losses: Losses,
}

impl Common {
    /// The most bytes of a file that is read as a whole.
    fn file_limit(&self) -> u64 {
        self.memory.share(1) as u64
    }
}
