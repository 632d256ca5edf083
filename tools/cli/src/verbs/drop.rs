//! `tabia drop`: moves out of a book, or a position with all its moves.

use crate::console::Console;
use crate::edits::{self, EditChoice};
use crate::failure::{Done, failure};
use crate::numbers::counted;
use crate::output::Output;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use tabia::{Batch, Book, Flags, Key, TableKind};

/// Drop moves of a position, or the position
///
/// The book doesn't know the moves then; the counts of their position and of those that they lead to
/// stay as they are. What nothing else leads to stays too, until `tabia trim --reachable` leaves it
/// out. A position that was expanded isn't any more: a move is missing.
///
/// All changes of one command are one batch of the journal, which `tabia undo` takes back.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia drop masters.tabia --moves \"e4 e5\" --move Qh5 --move Ba6
  tabia drop masters.tabia --moves \"e4 e5 Qh5\" --everything
  tabia drop masters.tabia --moves \"e4 e5\" --move Qh5 && \\
      tabia trim --reachable masters.tabia -o smaller.tabia")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    at: EditChoice,
    /// Drop the position with all its moves
    #[arg(long, conflicts_with_all = ["played", "code"])]
    everything: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was dropped.
#[derive(Clone, Debug, Default, Serialize)]
struct Dropped {
    key: String,
    /// The journal's frame, if anything was dropped.
    sequence: Option<u64>,
    /// Whether the position's row was.
    position: bool,
    moves: u64,
    /// Moves that were to be dropped and are not in the book.
    absent: Vec<String>,
    /// Whether the position was expanded, and isn't any more.
    not_expanded: bool,
}

/// Drops them.
pub fn run(args: &Args, console: &Console) -> Done {
    if !args.everything && !args.at.has_moves() {
        return Err(failure!(
            "which moves? give them by --move, such as --move e4, or by --code with --key; --everything drops the position"
        ));
    }
    let edited = args.at.of(&Book::open(&args.book)?, console)?;
    let mut dropped = Dropped { key: format!("{:016x}", edited.key), ..Dropped::default() };
    dropped.sequence = edits::change(&args.book, console, |book, batch| {
        let there = codes(book, edited.key)?;
        if args.everything {
            there.iter().for_each(|&code| dropped.drop_move(batch, edited.key, code));
            return dropped.drop_position(book, batch, edited.key);
        }
        for (code, name) in &edited.moves {
            if there.contains(code) {
                dropped.drop_move(batch, edited.key, *code);
            } else {
                dropped.absent.push(name.clone());
            }
        }
        if dropped.moves > 0 { dropped.unexpand(book, batch, edited.key) } else { Ok(()) }
    })?;
    Output::summary(console, args.json, &dropped, Dropped::write)
}

/// The codes of the moves that the book has at a position.
fn codes(book: &Book, key: Key) -> Done<BTreeSet<u16>> {
    if !book.has(TableKind::Moves) {
        return Ok(BTreeSet::new());
    }
    Ok(book.moves(key)?.iter().map(tabia::MoveRow::code).collect())
}

impl Dropped {
    fn drop_move(&mut self, batch: &mut Batch, key: Key, code: u16) {
        batch.delete_move(key, code);
        self.moves += 1;
    }

    fn drop_position(&mut self, book: &Book, batch: &mut Batch, key: Key) -> Done<()> {
        if book.has(TableKind::Positions) && book.position(key)?.is_some() {
            batch.delete_position(key);
            self.position = true;
        }
        Ok(())
    }

    /// A position of which a move was dropped isn't expanded.
    fn unexpand(&mut self, book: &Book, batch: &mut Batch, key: Key) -> Done<()> {
        if !book.has(TableKind::Positions) {
            return Ok(());
        }
        if let Some(row) = book.position(key)?.filter(|row| row.flags().contains(Flags::EXPANDED)) {
            batch.put_position(row.with_flags(row.flags() - Flags::EXPANDED));
            self.not_expanded = true;
        }
        Ok(())
    }

    fn write(&self, out: &mut Output) -> std::io::Result<()> {
        for name in &self.absent {
            writeln!(out, "{name} is not in the book")?;
        }
        if self.sequence.is_none() {
            return writeln!(out, "nothing was dropped");
        }
        let position = if self.position { " and their position" } else { "" };
        writeln!(out, "{}{position} dropped", counted(self.moves, "move"))?;
        if self.not_expanded {
            writeln!(out, "their position is not expanded any more")?;
        }
        edits::write_sequence(out, self.sequence)
    }
}
