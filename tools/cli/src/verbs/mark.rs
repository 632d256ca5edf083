//! `tabia mark`: the book maker's word on moves.

mod marked;

use crate::console::Console;
use crate::edits::{self, EditChoice, Edited};
use crate::failure::{Done, Failure, Verdict, failure};
use crate::numbers::counted;
use crate::output::Output;
use crate::values::{Named, one_of};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use tabia::{Book, Marks, MoveRow, Row, TableKind};
use tabia_build::edits::mark_moves;
use tabia_play::explore::labels;

/// Mark moves as never or always to be played
///
/// Whatever rule `tabia play` goes by, it never plays a move marked never, and where moves are
/// marked always it plays one of them. Never is stronger. A move that the book doesn't have can be
/// marked too. The mark goes to the book's journal, at once and durably; `clear` takes both words
/// back and leaves annotations (! ? ...) and counts as they are. Where books are merged their marks
/// are united.
///
/// Without a position and a word (`--fen startpos` is the start) all marks of the book are listed,
/// with the lines that lead to them from the start of the game, the shortest first; those that no
/// line leads to, or none within 200,000 positions, by their keys.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia mark masters.tabia --moves \"e4 e5\" --move Nf3 always
  tabia mark masters.tabia --moves \"e4 e5\" --move Qh5 --move Ba6 never
  tabia mark masters.tabia --moves \"e4 e5\" --move Qh5 clear
  tabia mark masters.tabia --limit 20")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// What to say of these moves; without it marks are shown
    #[arg(value_parser = one_of(WORDS), value_name = "WORD")]
    word: Option<Marks>,
    #[command(flatten)]
    at: EditChoice,
    /// List at most N marked moves of the book
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const WORDS: &[Named<Marks>] = &[
    ("never", Marks::NEVER, "Never play it"),
    ("always", Marks::ALWAYS, "Play no other"),
    ("clear", Marks::empty(), "Neither"),
];

/// Marks them, or shows marks.
pub fn run(args: &Args, console: &Console) -> Done {
    let book = Book::open(&args.book)?;
    if !book.has(TableKind::Moves) {
        return Err(failure!(
            "{}: the book has no moves table, and so no place for marks: build it with moves",
            args.book.display()
        ));
    }
    if args.word.is_none() && !args.at.is_given() {
        return marked::list(&book, &args.book, args, console);
    }
    let edited = args.at.of(&book, console)?;
    if args.word.is_some() && edited.moves.is_empty() {
        return Err(failure!(
            "which moves? give them by --move, such as --move e4, or by --code with --key"
        ));
    }
    let mut changed = 0;
    let sequence = match args.word {
        Some(word) => edits::change(&args.book, console, |book, batch| {
            let codes = edited.moves.keys().copied();
            changed = mark_moves(book, batch, edited.key, codes, word)?;
            Ok(())
        })?,
        None => None,
    };
    let shown = || Marked::new(&Book::open(&args.book)?, &edited, changed, sequence);
    let (marked, mut out) = match args.word {
        Some(_) => (shown().map_err(Failure::after_all)?, Output::of_summary(console)),
        None => (shown()?, Output::new()),
    };
    if args.json {
        out.json(&marked)?;
    } else {
        marked.write(args.word, &mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

/// What is marked at a position, and what was changed there.
#[derive(Serialize)]
struct Marked {
    key: String,
    /// Moves whose marks were changed.
    changed: usize,
    /// The journal's frame, if anything was changed.
    sequence: Option<u64>,
    moves: Vec<MarkedMove>,
}

#[derive(Serialize)]
struct MarkedMove {
    code: u16,
    /// None if the code is no legal move, or the game isn't known.
    san: Option<String>,
    games: u64,
    marks: Vec<&'static str>,
}

impl Marked {
    /// What is marked of the chosen moves or, if none were, of all.
    fn new(book: &Book, edited: &Edited, changed: usize, sequence: Option<u64>) -> Done<Self> {
        let rows = book.moves(edited.key)?;
        let wanted = |row: &&MoveRow| {
            if edited.moves.is_empty() {
                !row.marks().is_empty()
            } else {
                edited.moves.contains_key(&row.code())
            }
        };
        let shown = |row: &MoveRow| MarkedMove {
            code: row.code(),
            san: edited.name(row.code()).map(str::to_owned),
            games: row.counts().games(),
            marks: labels::of_marks(row.marks()),
        };
        let moves = rows.iter().filter(wanted).map(shown).collect();
        Ok(Self { key: format!("{:016x}", edited.key), changed, sequence, moves })
    }

    fn write(&self, word: Option<Marks>, out: &mut impl Write) -> std::io::Result<()> {
        for found in &self.moves {
            let name = found.san.clone().unwrap_or_else(|| format!("(code {})", found.code));
            let marks =
                if found.marks.is_empty() { "no marks".to_owned() } else { found.marks.join(" ") };
            writeln!(out, "{name:<8} {marks:<12} {}", counted(found.games, "game"))?;
        }
        match (word, self.sequence) {
            (None, _) if self.moves.is_empty() => writeln!(out, "no move is marked here"),
            (Some(_), sequence) => edits::write_sequence(out, sequence),
            (None, _) => Ok(()),
        }
    }
}
