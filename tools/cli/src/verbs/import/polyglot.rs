//! Polyglot's books to rows.

use super::{Common, File, Rows, Stopped, failed};
use crate::prelude::*;
use tabia::sort::Sorted;
use tabia::stream::{RowSet, Rows as _};
use tabia_games::Chess;
use tabia_interop::polyglot::{self, Castlings, Learn, Meaning, Read, Weight};

const WEIGHTS: &[Named<Weight>] = &[
    ("games", Weight::Games, "Games, whose results are not known"),
    (
        "points",
        Weight::Points,
        "Two for a win, one for a draw: half of it becomes wins, what is left a draw; no game is lost, so scores mean nothing",
    ),
];
const LEARN: &[Named<Learn>] = &[
    ("ignore", Learn::Ignore, "It is left out"),
    (
        "keep",
        Learn::Keep,
        "It is kept, so that export writes it again (where other books have the score of rated games; don't merge such a book with those)",
    ),
    (
        "results",
        Learn::Results,
        "It holds the games that Polyglot learned from, which become the games of the book in place of the weights",
    ),
];

/// Read a Polyglot book (.bin) of chess
///
/// It becomes the moves of a book keyed by position. A weight of 7 becomes seven games whose results
/// aren't known, so that the book has shares and no scores. Such a book merges with one of games
/// only if `tabia merge` is told what to make of both (--results).
///
/// Castling written as the king's two steps (e1g1), as many books have it, becomes the king's move
/// to its rook, as Polyglot has it. To tell it from a move of a rook or queen the book is walked
/// from the start of the game; at positions that are not reached it is taken for what most such
/// moves of the book are.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia import polyglot performance.bin -o performance.tabia
  tabia import polyglot --learn-fields results --check-legal learned.bin \\
      -o learned.tabia")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
    /// What a weight counts
    #[arg(long, value_parser = one_of(WEIGHTS), value_name = "WHAT", default_value = "games")]
    weight: Weight,
    /// What becomes of the learn field
    #[arg(long, value_parser = one_of(LEARN), value_name = "WHAT", default_value = "ignore")]
    learn_fields: Learn,
    /// Count the legal moves of the new book
    ///
    /// Walks it from the start of the game, and tells how many of its moves are legal, how many are
    /// not, and how many can't be told.
    #[arg(long)]
    check_legal: bool,
    /// Read it even if it doesn't look like a Polyglot book
    ///
    /// Its size doesn't fit, or more than a third of its entries are out of order, or all its moves
    /// at the start of the game are illegal.
    #[arg(long)]
    anyway: bool,
}

pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let common = &args.common;
    let meaning = Meaning { weight: args.weight, learn: args.learn_fields };
    let (folder, memory) = (folder_of(&common.new.output), common.sort.share(1));
    let watch = |entries| meter.loading(entries);
    let read = polyglot::sorted(&mut file.reader, meaning, &meter.env(), folder, memory, watch);
    let (read, moves, lost) =
        read.map_err(|stopped: Stopped| match stopped.downcast::<io::Error>() {
            Ok(error) => Failure::system(&common.file, "read", &error),
            Err(stopped) => failed(common)(stopped),
        })?;
    file.check_whole()?;
    if read.entries == 0 && read.trailing > 0 {
        return Err(failure!("{}: no entry of a Polyglot book is in it", common.file.display()));
    }
    if !args.anyway {
        check_doubts(common, &read, &moves)?;
    }
    let (moves, castlings) = polyglot::respell(moves, &meter.env(), folder, memory, |reached| {
        meter.walking(reached, 0)
    })?;
    // Entries of one move are one row.
    let united = read.entries - moves.rows()?.count()?;
    let (keyed, results, source) = (Keyed::Position, meaning.results(), file.source(0));
    let game = Known::Chess(Chess::start());
    Ok(Rows {
        game,
        keyed,
        results,
        positions: None,
        moves,
        source,
        facts: facts(&read, united, castlings),
        losses: lost,
        of_book: Vec::new(),
        check_legal: args.check_legal,
    })
}

/// Makes sure that nothing speaks against the file's being a Polyglot book.
fn check_doubts(common: &Common, read: &Read, moves: &Sorted<MoveRow>) -> Done<()> {
    let doubt = match read.doubt() {
        Some(doubt) => Some(doubt),
        None => polyglot::doubt_of_moves(moves)?,
    };
    doubt.map_or(Ok(()), |doubt| {
        let path = common.file.display();
        Err(failure!("{path}: it doesn't look like a Polyglot book: {doubt}; --anyway reads it"))
    })
}

fn facts(read: &Read, united: u64, castlings: Castlings) -> Facts {
    let header = read
        .header
        .as_ref()
        .map(|header| one_line(&format!("{}: {}", header.variants.join(", "), header.comment)));
    let facts = Facts::default().with("entries", read.entries);
    let facts = header.into_iter().fold(facts, |facts, header| facts.noted("header", 1, header));
    facts
        .with_any("weightless", read.weightless, "entries of weight 0: moves without games")
        .with_any(
            "united",
            united,
            "entries of a move that another entry has too: their weights were added",
        )
        .with_any("disorders", read.disorders, "entries whose key is less than that before them")
        .with_any(
            "castlings",
            castlings.respelled,
            "castlings written as the king's two steps: now its move to the rook",
        )
        .with_any(
            "guessed",
            castlings.guessed,
            "moves of positions that aren't reached, taken for such castlings as most are",
        )
        .with_any(
            "undecided",
            castlings.undecided,
            "such moves of positions that aren't reached: left as they are",
        )
}
