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
#[cfg(feature = "chess")]
mod lichess_evals;
mod mcst;
#[cfg(feature = "chess")]
mod polyglot;

pub use command::{Args, run};

use crate::foreign::Facts;
use crate::headings;
use crate::memory::Memory;
use std::path::PathBuf;
use tabia::format::{Keyed, Load, Results, Source};
use tabia::sort::Sorted;
use tabia::{Fact, MoveRow, PositionRow};
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
    /// Replace a book of that name
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// How full the tables are, from 0.5 to 0.98
    ///
    /// Fuller is smaller and slower.
    #[arg(long, default_value = "0.80", help_heading = headings::BOOK)]
    load: Load,
    /// Add a filter, for faster probes of absent positions
    ///
    /// With it most probes for absent positions touch no row; 2 bytes a slot, 20 bits a
    /// position at a load of 0.80.
    #[arg(long, help_heading = headings::BOOK)]
    filter: bool,
    /// Memory to work with
    ///
    /// What doesn't fit is sorted on disk, beside the book.
    #[arg(long, value_name = "SIZE", default_value = "2G", help_heading = headings::MEMORY)]
    memory: Memory,
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
    /// What the book is to say of itself.
    of_book: Vec<Fact>,
}

impl Common {
    /// The most bytes of a file that is read as a whole.
    fn file_limit(&self) -> u64 {
        self.memory.share(1) as u64
    }
}
