//! `tabia mark`: the book maker's word on moves.

mod marked;

use crate::console::Console;
use crate::failure::{Done, Verdict, failure};
use crate::games;
use crate::history::CourseChoice;
use crate::labels;
use crate::numbers::{counted, read_key};
use crate::output::Output;
use crate::stray;
use crate::values::{Named, one_of};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use tabia::{Batch, Book, Counts, Key, Marks, MoveRow, Row, TableKind, WithCells, Writer};
use tabia_games::{Game, WithGame};

/// Mark moves as never or always to be played
///
/// Whatever rule `tabia play` goes by, it never plays a move marked never, and where moves are
/// marked always it plays one of them. Never is stronger. A move that the book doesn't have can be
/// marked too. The mark goes to the book's journal, at once and durably; `clear` takes both words
/// back and leaves annotations (! ? ...) and counts as they are. Where books are merged their marks
/// are united.
///
/// Without a position and a word (`--fen startpos` is the start) all marks of the book are listed, with the lines that lead to them
/// from the start of the game, the shortest first; those that no line leads to, or none within
/// 200,000 positions, by their keys.
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
    at: CourseChoice,
    /// A move in the position; may be repeated
    #[arg(long = "move", value_name = "MOVE")]
    played: Vec<String>,
    /// List at most N marked moves of the book
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The position's key, 16 hexadecimal digits
    #[arg(long, value_name = "KEY", value_parser = read_key, conflicts_with_all = ["fen", "moves", "played"], help_heading = "Games whose rules aren't known")]
    key: Option<Key>,
    /// A move's code, as `tabia get` shows it; may be repeated
    #[arg(
        long,
        value_name = "CODE",
        requires = "key",
        help_heading = "Games whose rules aren't known"
    )]
    code: Vec<u16>,
}

/// The bits of the book maker's word.
const WORD: Marks = Marks::NEVER.union(Marks::ALWAYS);

const WORDS: &[Named<Marks>] = &[
    ("never", Marks::NEVER, "Never play it"),
    ("always", Marks::ALWAYS, "Play no other"),
    ("clear", Marks::empty(), "Neither"),
];

/// A move's marks with this word in place of another one.
fn with_word(marks: Marks, word: Marks) -> Marks {
    (marks - WORD) | word
}

/// Marks them, or shows marks.
pub fn run(args: &Args, console: &Console) -> Done {
    let book = Book::open(&args.book)?;
    let marking = Marking { args, book: &book, console };
    if args.is_about_all() {
        marking.check_table()?;
        return marked::list(&book, &args.book, args, console);
    }
    match args.key {
        Some(key) => marking.at(key, args.code.iter().copied().collect(), &|_| None),
        None => games::of(book.header(), &args.book)?.with(marking),
    }
}

impl Args {
    /// Whether all marks of the book are asked for.
    fn is_about_all(&self) -> bool {
        let has_position = self.at.is_given() || self.key.is_some();
        self.word.is_none() && self.played.is_empty() && !has_position
    }
}

/// Marks to be set or shown.
struct Marking<'a> {
    args: &'a Args,
    book: &'a Book,
    console: &'a Console,
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

impl WithGame for Marking<'_> {
    type Output = Done;

    fn with<G: Game>(self, start: &G) -> Done {
        let history = self.args.at.history(start, self.book.header().keyed)?;
        self.args.at.note_castling(start, self.console);
        let node = history.present();
        let code = |text: &String| {
            node.position
                .parse_move(text)
                .map(|played| node.code(&played))
                .map_err(|error| failure!("--move: {error}"))
        };
        let codes = self.args.played.iter().map(code).collect::<Done<_>>()?;
        self.at(node.key, codes, &|code| {
            node.move_of_code(code).map(|played| node.position.notation(&played))
        })
    }
}

impl Marking<'_> {
    /// Makes sure that there is a place for marks.
    fn check_table(&self) -> Done<()> {
        if self.book.has(TableKind::Moves) {
            return Ok(());
        }
        let path = self.args.book.display();
        Err(failure!(
            "{path}: the book has no moves table, and so no place for marks: build it with moves"
        ))
    }

    /// Marks moves of the position with this key, or shows what is marked there.
    fn at(&self, key: Key, codes: BTreeSet<u16>, name: &dyn Fn(u16) -> Option<String>) -> Done {
        let Self { args, book, .. } = self;
        self.check_table()?;
        let marked = match args.word {
            None => Marked::new(
                book,
                key,
                (0, None),
                |row| codes.contains(&row.code()) || (codes.is_empty() && !row.marks().is_empty()),
                name,
            )?,
            Some(_) if codes.is_empty() => {
                return Err(failure!(
                    "which moves? give them by --move, such as --move e4, or by --code with --key"
                ));
            }
            Some(word) => {
                let done = self.change(key, &codes, word)?;
                Marked::new(
                    &Book::open(&args.book)?,
                    key,
                    done,
                    |row| codes.contains(&row.code()),
                    name,
                )?
            }
        };
        let mut out =
            if args.word.is_some() { Output::of_summary(self.console) } else { Output::new() };
        if args.json {
            out.json(&marked)?;
        } else {
            marked.write(args.word, &mut out)?;
            out.finish()?;
        }
        Ok(Verdict::Fine)
    }

    /// Changes what isn't as it shall be, in one batch; how many moves, and its sequence.
    fn change(&self, key: Key, codes: &BTreeSet<u16>, word: Marks) -> Done<(usize, Option<u64>)> {
        let path = &self.args.book;
        let meter = self.console.meter();
        let mut writer = Writer::open(meter.env(), path)?;
        stray::refuse(path, writer.header().digest)?;
        // Read again: now that it is locked nobody else changes it.
        let book = Book::open(path)?;
        let rows = book.moves_with_cells(key)?;
        let row_of = |code| {
            let found = rows.iter().find(|played| played.row.code() == code).copied();
            found.unwrap_or_else(|| MoveRow::new(key, code, Counts::default()).into())
        };
        let changes: Vec<WithCells<MoveRow>> = codes
            .iter()
            .map(|&code| row_of(code))
            .filter(|played| with_word(played.row.marks(), word) != played.row.marks())
            .collect();
        let mut batch = Batch::new();
        for played in &changes {
            change(&mut batch, played, with_word(played.row.marks(), word));
        }
        let sequence = if batch.is_empty() { None } else { Some(writer.append(&batch)?) };
        Ok((changes.len(), sequence))
    }
}

/// Gives a move these marks. Marks that are added are merged in; to take one away the row is put
/// again without it, or removed if it says nothing more.
fn change(batch: &mut Batch, WithCells { row, cells }: &WithCells<MoveRow>, marks: Marks) {
    let (key, code) = (row.key(), row.code());
    let says_more = row.counts().games() > 0 || cells.as_bytes().iter().any(|&byte| byte != 0);
    if marks.contains(row.marks()) {
        batch.add_move(MoveRow::new(key, code, Counts::default()).with_marks(marks));
    } else if marks.is_empty() && !says_more {
        batch.delete_move(key, code);
    } else {
        batch.put_move_with(row.with_marks(marks), *cells);
    }
}

impl Marked {
    fn new(
        book: &Book,
        key: Key,
        (changed, sequence): (usize, Option<u64>),
        wanted: impl Fn(&MoveRow) -> bool,
        name: &dyn Fn(u16) -> Option<String>,
    ) -> Done<Self> {
        let rows = book.moves(key)?;
        let shown = |row: &MoveRow| MarkedMove {
            code: row.code(),
            san: name(row.code()),
            games: row.counts().games(),
            marks: labels::of_marks(row.marks()),
        };
        let moves = rows.iter().filter(|row| wanted(row)).map(shown).collect();
        Ok(Self { key: format!("{key:016x}"), changed, sequence, moves })
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
            (Some(_), None) => writeln!(out, "nothing to do: it is as you say"),
            (_, Some(sequence)) => writeln!(out, "written as frame {sequence} of the journal"),
            (None, None) => Ok(()),
        }
    }
}
