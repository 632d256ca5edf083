//! `tabia mark`: the book maker's word on moves.

use crate::edits::{self, EditChoice, Edited};
use crate::prelude::*;
use crate::terminal;
use tabia::{Marks, ReadBook, Row};
use tabia_build::edits::mark_moves;
use tabia_play::AllMarked;
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
    /// The book, or a set's folder
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
    let opened = edits::open(&args.book, console)?;
    if !opened.first().has(TableKind::Moves) {
        return Err(failure!(
            "{}: the book has no moves table, and so no place for marks: build it with moves",
            args.book.display()
        ));
    }
    if args.word.is_none() && !args.at.is_given() {
        return list(opened.read(), args, console);
    }
    let edited = args.at.of(&opened, console)?;
    if args.word.is_some() && edited.moves.is_empty() {
        return Err(failure!(
            "which moves? give them by --move, such as --move e4, or by --code with --key"
        ));
    }
    let mut changed = 0;
    let sequence = match args.word {
        Some(word) => edits::change(&edited.file, console, |book, batch| {
            let codes = edited.moves.keys().copied();
            changed = mark_moves(book, batch, edited.key, codes, word)?;
            Ok(())
        })?,
        None => None,
    };
    let shown = || marked(&Book::open(&edited.file)?, &edited, args.word, changed, sequence);
    let (facts, out) = match args.word {
        Some(_) => (shown().map_err(Failure::after_all)?, Output::of_summary(console)),
        None => (shown()?, Output::new()),
    };
    out.facts(args.json, &facts)
}

/// What is marked of the chosen moves or, if none were, of all; and how many marks were changed, in
/// which frame of the journal.
fn marked(
    book: &Book,
    edited: &Edited,
    word: Option<Marks>,
    changed: usize,
    sequence: Option<u64>,
) -> Done<Facts> {
    let rows = book.moves(edited.key)?;
    let wanted = |row: &&MoveRow| {
        if edited.moves.is_empty() {
            !row.marks().is_empty()
        } else {
            edited.moves.contains_key(&row.code())
        }
    };
    let shown = |row: &MoveRow| {
        let (code, games, marks) =
            (row.code(), row.counts().games(), labels::of_marks(row.marks()));
        let name = edited.name(code).map_or_else(|| format!("(code {code})"), str::to_owned);
        let said = if marks.is_empty() { "no marks".to_owned() } else { marks.join(" ") };
        Facts::default()
            .json("code", code)
            // None if the code is no legal move, or the game isn't known.
            .json("san", edited.name(code))
            .json("games", games)
            .json("marks", marks)
            .line(format!("{name:<8} {said:<12} {}", counted(games, "game")))
    };
    let moves: Vec<Facts> = rows.iter().filter(wanted).map(shown).collect();
    let none = word.is_none() && moves.is_empty();
    Ok(Facts::default()
        .json("key", format!("{:016x}", edited.key))
        .json("changed", changed)
        .json("sequence", sequence)
        .json("moves", &moves)
        .lines_of(&moves)
        .lines(none.then_some("no move is marked here"))
        .lines(word.map(|_| edits::line_of_sequence(sequence))))
}

/// Lists all marks of a book, with the lines that lead to them.
fn list(book: &dyn ReadBook, args: &Args, console: &Console) -> Done {
    let all = {
        let meter = console.meter();
        let game = games::of(book.header(), &args.book).ok();
        AllMarked::of(book, game.as_ref(), args.limit, &|step| meter.trimming(step))?
    };
    Output::new().show(args.json, &all, |all, out| all.write(out, terminal::columns()))
}
