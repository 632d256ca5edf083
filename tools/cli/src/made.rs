//! The options of verbs that make a book, and the report of the book that was made.

use crate::console::Console;
use crate::crowded;
use crate::failure::Done;
use crate::game_files::GameFileFacts;
use crate::headings;
use crate::layout::Layout;
use crate::numbers::{bytes, grouped};
use crate::place;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabia::format::{Header, Load};
use tabia::{Existing, TableKind};
use tabia_build::whole::MadeBook;

/// The book to make.
#[derive(clap::Args)]
pub struct NewBookArgs {
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    pub output: PathBuf,
    /// Replace a book of that name
    #[arg(long)]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl NewBookArgs {
    /// Makes sure, before hours of work, that a book can be made there and is none of the inputs.
    pub fn check<'a>(&self, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Done<()> {
        place::check_book(&self.output, self.force)?;
        place::check_distinct(&self.output, inputs.into_iter().map(PathBuf::as_path))
    }

    /// What becomes of a book of that name.
    pub fn existing(&self) -> Existing {
        self.force.into()
    }
}

/// How the rows of a new book lie.
#[derive(clap::Args)]
#[command(next_help_heading = headings::BOOK)]
pub struct LayoutArgs {
    /// How full the tables are, from 0.5 to 0.98
    ///
    /// Fuller is smaller and slower. Without it as full as the fullest of what the book is made of,
    /// or 0.80.
    #[arg(long)]
    pub load: Option<Load>,
    /// Add a filter, for faster probes of absent positions
    ///
    /// With it most probes for absent positions touch no row; two bytes a slot, 20 bits a position at
    /// load 0.80. Without it the book has one if what it is made of has one.
    #[arg(long)]
    pub filter: bool,
    /// Pack the book: an eighth to a tenth of the bytes
    ///
    /// A tenth where moves have their games. As `tabia pack` does. Load and filter are then those of the book that `tabia unpack` makes.
    #[arg(long)]
    pub pack: bool,
}

/// How large the book is.
#[derive(Serialize)]
pub struct Made {
    positions: u64,
    moves: u64,
    bytes: u64,
    /// How its rows lie: `tables` or `packed`.
    layout: &'static str,
    digest: String,
}

impl Made {
    /// What this header says.
    pub fn new(header: &Header) -> Self {
        let rows = |kind| header.table(kind).map_or(0, |table| table.shape.rows);
        Self {
            positions: rows(TableKind::Positions),
            moves: rows(TableKind::Moves),
            bytes: header.file_length,
            layout: Layout::of(header).name(),
            digest: header.digest.to_string(),
        }
    }

    /// A plain book of so many bytes.
    #[cfg(test)]
    pub fn of_bytes(bytes: u64) -> Self {
        let layout = Layout::Tables.name();
        Self { positions: 0, moves: 0, bytes, layout, digest: String::new() }
    }

    /// Whether the book is packed.
    pub fn is_packed(&self) -> bool {
        self.layout == Layout::Packed.name()
    }

    /// Bytes of the book.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes it, in lines.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.write_rows(out)?;
        let packed = if self.is_packed() { ", packed" } else { "" };
        writeln!(out, "bytes       {:>14}  {}{packed}", grouped(self.bytes), bytes(self.bytes))
    }

    /// Writes how many rows it has, in lines.
    pub fn write_rows(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "positions   {:>14}", grouped(self.positions))?;
        writeln!(out, "moves       {:>14}", grouped(self.moves))
    }
}

/// A book that was made of rows or other books, and what belongs to it.
#[derive(Serialize)]
pub struct MadeWhole {
    #[serde(flatten)]
    pub made: Made,
    /// The file of games beside the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games_file: Option<GameFileFacts>,
    /// Which share of the hashes it holds, where that is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<String>,
    /// Tables of keys that collide, which are slow to look up.
    crowded: Vec<String>,
}

impl MadeWhole {
    /// A book made of rows alone; with a warning if its tables are crowded.
    pub fn of_rows(header: &Header, path: &Path, console: &Console) -> Self {
        let crowded = crowded::tables(header);
        crowded::warn(console, path, &crowded);
        let crowded = crowded::names(&crowded);
        Self { made: Made::new(header), games_file: None, share: None, crowded }
    }

    /// A book made of others; with warnings, also of what is missing beside it.
    pub fn new(made: &MadeBook, path: &Path, console: &Console) -> Self {
        crate::game_files::note_missing(&made.without_games, path, console);
        let games_file = made.games.as_ref().map(GameFileFacts::new);
        Self { games_file, ..Self::of_rows(&made.header, path, console) }
    }

    /// Writes the line about its games, if there are any, and how long it took.
    pub fn write_end(&self, seconds: f64, out: &mut impl Write) -> io::Result<()> {
        self.games_file.as_ref().map_or(Ok(()), |file| file.write(out))?;
        writeln!(out, "seconds     {seconds:>14.1}")
    }
}
