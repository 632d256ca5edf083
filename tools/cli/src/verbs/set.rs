//! `tabia set`: what a book says of a position or of moves, put there by hand.

use crate::edits::{self, EditChoice, Edited};
use crate::prelude::*;
use tabia::{Batch, BookSet, Counts, Flags, Key, Marks, PositionRow, Row, WithCells};
use tabia_build::edits::{put_evaluated, say_evaluated};
use tabia_play::explore::{PositionRowFacts, labels};

/// Set what a book says of a position, or of moves
///
/// Of a position: its eval, what is proven of it, whether it is expanded, and its counts, as the
/// side to move sees them. Of moves, given by --move: annotations, and counts as the side sees them
/// that plays the move. What isn't said stays as it is. What the book doesn't have yet is made.
///
/// A position that is expanded has all moves worth playing: `negamax` takes its value from them. A
/// proof is taken as it stands. All changes of one command are one batch of the journal, which
/// `tabia undo` takes back; of a set, the shares are told first that evals were set by hand. Whether a move is to be played never or always is said by `tabia mark`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia set masters.tabia --moves \"e4 e5 Qh5\" --eval 60 --depth 20
  tabia set masters.tabia --moves \"e4 e5\" --expanded yes --proof none
  tabia set masters.tabia --moves \"e4 e5\" --move Qh5 --annotation ?!
  tabia set mine.tabia --moves \"e4 e5\" --move Nf3 --counts 10/0/0")]
#[command(group = clap::ArgGroup::new("what").multiple(true).required(true), override_usage = "tabia set [OPTIONS] <BOOK>")]
pub struct Args {
    /// The book, or a set's folder
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    at: EditChoice,
    /// The position's eval, for the side to move
    ///
    /// In the game's unit: centipawns in chess and draughts, discs in Othello.
    #[arg(long, value_name = "N", group = "what", allow_negative_numbers = true, value_parser = clap::value_parser!(i16).range(-32_767..), conflicts_with_all = ["played", "code"])]
    eval: Option<i16>,
    /// How deep that was searched, 0 to 255
    #[arg(
        long,
        value_name = "N",
        requires = "eval",
        default_value_t = 0,
        hide_default_value = true
    )]
    depth: u8,
    /// Take the position's eval away
    #[arg(long, group = "what", conflicts_with_all = ["eval", "played", "code"])]
    no_eval: bool,
    /// What is proven of the position, for the side to move
    #[arg(long, value_parser = one_of(PROOFS), value_name = "WHAT", group = "what", conflicts_with_all = ["played", "code"])]
    proof: Option<Flags>,
    /// Whether opponents know that it is a draw
    #[arg(long, value_parser = one_of(YES_NO), value_name = "WHETHER", group = "what", conflicts_with_all = ["played", "code"])]
    public_draw: Option<bool>,
    /// Whether the position has all moves worth playing
    #[arg(long, value_parser = one_of(YES_NO), value_name = "WHETHER", group = "what", conflicts_with_all = ["played", "code"])]
    expanded: Option<bool>,
    /// Games won, drawn and lost, such as 10/4/2
    #[arg(long, value_name = "W/D/L", group = "what", value_parser = read_counts)]
    counts: Option<Counts>,
    /// The annotation of the moves, in place of others
    #[arg(long, value_parser = one_of(ANNOTATIONS), value_name = "SIGN", group = "what", allow_hyphen_values = true)]
    annotation: Option<Marks>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const PROOFS: &[Named<Flags>] = &[
    ("win", Flags::PROVEN_WIN, "It is won"),
    ("draw", Flags::PROVEN_DRAW, "It is drawn"),
    ("loss", Flags::PROVEN_LOSS, "It is lost"),
    ("none", Flags::empty(), "Nothing is proven"),
];
const YES_NO: &[Named<bool>] = &[("yes", true, "It is"), ("no", false, "It isn't")];
const ANNOTATIONS: &[Named<Marks>] = &[
    ("!", Marks::GOOD, "A good move"),
    ("?", Marks::BAD, "A bad move"),
    ("!!", Marks::BRILLIANT, "A brilliant move"),
    ("??", Marks::BLUNDER, "A blunder"),
    ("!?", Marks::INTERESTING, "An interesting move"),
    ("?!", Marks::DUBIOUS, "A dubious move"),
    ("none", Marks::empty(), "No annotation"),
];
/// The marks that are annotations.
const ANNOTATION: Marks = Marks::NEVER.union(Marks::ALWAYS).complement();

fn read_counts(text: &str) -> Result<Counts, String> {
    let numbers: Vec<u32> =
        text.split('/').map(str::parse).collect::<Result<_, _>>().unwrap_or_default();
    match numbers[..] {
        [wins, draws, losses] => Ok(Counts { wins, draws, losses }),
        _ => Err("give games won, drawn and lost, such as 10/4/2".to_owned()),
    }
}

/// Sets it.
pub fn run(args: &Args, console: &Console) -> Done {
    let opened = edits::open(&args.book, console)?;
    let edited = args.at.of(&opened, console)?;
    if args.annotation.is_some() && edited.moves.is_empty() {
        return Err(failure!(
            "--annotation is of moves: give them by --move, such as --move e4, or by --code with --key"
        ));
    }
    if let OpenBook::Set(set) = &opened
        && args.eval.is_some()
    {
        args.tell_all(set, edited.key, console)?;
    }
    let sequence = edits::change(&edited.file, console, |book, batch| {
        if args.at.has_moves() {
            edited.moves.keys().try_for_each(|&code| args.set_move(book, edited.key, code, batch))
        } else {
            args.set_position(book, edited.key, batch)
        }
    })?;
    let facts = args.said(&edited, sequence).map_err(Failure::after_all)?;
    Output::of_summary(console).facts(args.json, &facts)
}

impl Args {
    /// What the book says now of what was set.
    fn said(&self, edited: &Edited, sequence: Option<u64>) -> Done<Facts> {
        let book = Book::open(&edited.file)?;
        let has_moves = self.at.has_moves();
        let rows = if has_moves { book.moves(edited.key)?.into_owned() } else { Vec::new() };
        let position = if has_moves { None } else { book.position(edited.key)? };
        let position = position.map(|row| PositionRowFacts::from(&row));
        let key = format!("{:016x}", edited.key);
        let moves =
            rows.iter().filter_map(|row| Some(said_of_move(row, edited.moves.get(&row.code())?)));
        let moves: Vec<Facts> = moves.collect();
        Ok(Facts::default()
            .json("key", &key)
            .json("sequence", sequence)
            .json("position", &position)
            .json("moves", &moves)
            .lines(position.map(|says| line_of_position(&key, &says)))
            .lines_of(&moves)
            .line(edits::line_of_sequence(sequence)))
    }

    /// Tells all shares of a set that evals were set by hand, if this one is to be: else the share that gets
    /// it would say what the others don't.
    fn tell_all(&self, set: &BookSet, key: Key, console: &Console) -> Done<()> {
        let old = set.position(key)?;
        if !set.has(TableKind::Positions) || old == Some(self.position(key, old)) {
            return Ok(());
        }
        stray::check_all(set.books().iter().map(Book::path), console)?;
        for share in set.books() {
            edits::change(share.path(), console, |book, batch| {
                Ok(say_evaluated(book, batch).map(drop)?)
            })?;
        }
        Ok(())
    }

    /// The row of the position, given that which the book has.
    fn position(&self, key: Key, old: Option<PositionRow>) -> PositionRow {
        let row = old.unwrap_or_else(|| PositionRow::new(key, Counts::default()));
        let mut flags = row.flags();
        if let Some(proof) = self.proof {
            flags = (flags - Flags::PROOFS) | proof;
        }
        for (flag, choice) in
            [(Flags::PUBLIC_DRAW, self.public_draw), (Flags::EXPANDED, self.expanded)]
        {
            flags.set(flag, choice.unwrap_or(flags.contains(flag)));
        }
        let counts = self.counts.unwrap_or_else(|| row.counts());
        let new = PositionRow::new(key, counts).with_flags(flags);
        let eval = match self.eval {
            Some(eval) => Some((eval, self.depth)),
            None => row.eval().filter(|_| !self.no_eval).map(|eval| (eval, row.depth())),
        };
        match eval {
            Some((eval, depth)) => new.with_eval(eval, depth),
            None => new,
        }
    }

    fn set_position(&self, book: &Book, key: Key, batch: &mut Batch) -> Done<()> {
        books::check_table(book, TableKind::Positions)?;
        let old = book.position(key)?;
        let new = self.position(key, old);
        if self.eval.is_some() {
            put_evaluated(book, batch, new)?;
        } else if old != Some(new) {
            batch.put_position(new);
        }
        Ok(())
    }

    fn set_move(&self, book: &Book, key: Key, code: u16, batch: &mut Batch) -> Done<()> {
        books::check_table(book, TableKind::Moves)?;
        let old = book.moves_with_cells(key)?.into_iter().find(|old| old.row.code() == code);
        let WithCells { row, cells } =
            old.unwrap_or_else(|| MoveRow::new(key, code, Counts::default()).into());
        let annotation = self.annotation.unwrap_or(row.marks() & ANNOTATION);
        let marks = (row.marks() - ANNOTATION) | annotation;
        let counts = self.counts.unwrap_or_else(|| row.counts());
        let new = MoveRow::new(key, code, counts).with_marks(marks);
        if old.is_none_or(|old| old.row != new) {
            batch.put_move_with(new, cells);
        }
        Ok(())
    }
}

fn line_of_position(key: &str, says: &PositionRowFacts) -> String {
    let PositionRowFacts { wins, draws, losses, eval, depth, flags } = says;
    let games = [wins, draws, losses].into_iter().map(|&count| u64::from(count)).sum();
    let games = counted(games, "game");
    let eval = eval.map_or("no eval".to_owned(), |eval| format!("eval {eval} at depth {depth}"));
    let flags = if flags.is_empty() { String::new() } else { format!(", {}", flags.join(", ")) };
    format!("position {key}: {games} ({wins}/{draws}/{losses}), {eval}{flags}")
}

fn said_of_move(row: &MoveRow, san: &str) -> Facts {
    let (counts, marks) = (row.counts(), labels::of_marks(row.marks()));
    let Counts { wins, draws, losses } = counts;
    let games = counted(counts.games(), "game");
    let said = if marks.is_empty() { "no marks".to_owned() } else { marks.join(" ") };
    Facts::default()
        .json("code", row.code())
        .json("san", san)
        .json("wins", wins)
        .json("draws", draws)
        .json("losses", losses)
        .json("marks", marks)
        .line(format!("{san:<8} {games} ({wins}/{draws}/{losses}), {said}"))
}
