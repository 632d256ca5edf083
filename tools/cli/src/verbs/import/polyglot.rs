//! Polyglot's books to rows.

use super::legal::Legality;
use super::{Args, File, Rows};
use crate::console::Meter;
use crate::disk::Disk;
use crate::failure::{Done, Failure, one_line, told};
use crate::foreign::{Facts, Losses};
use crate::place;
use std::io;
use tabia::format::Keyed;
use tabia::sort::{Sorted, Sorter};
use tabia::stream::{Chunk, RowSet, Rows as _};
use tabia::{Book, MoveRow, WithCells};
use tabia_games::Known;
use tabia_interop::polyglot::{self, Entry, Learn, Meaning, Read, Weight};

/// What the fields of entries mean.
#[derive(clap::Args)]
#[group(skip)]
#[command(next_help_heading = "Polyglot")]
pub(super) struct Options {
    /// What a weight counts [default: points]
    #[arg(long, value_enum, value_name = "WHAT")]
    weight: Option<WeightOption>,
    /// What becomes of the learn field [default: ignore]
    #[arg(long, value_enum, value_name = "WHAT")]
    learn: Option<LearnOption>,
    /// Walk the new book from the start of the game, and tell how many of its moves are legal, how many are not, and how many can't be told
    #[arg(long)]
    check_legal: bool,
}

/// What a weight counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum WeightOption {
    /// Two for a win, one for a draw: half of it becomes wins, what is left a draw
    Points,
    /// Games, whose results are not known
    Games,
}

/// What becomes of the learn field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LearnOption {
    /// It is left out
    Ignore,
    /// It is kept, so that export writes it again (where other books have the score of rated games; don't merge such a book with those)
    Keep,
    /// It holds the games that Polyglot learned from, which become the games of the book in place of the weights
    Results,
}

impl Options {
    /// An option that was given, if one was.
    pub fn given(&self) -> Option<&'static str> {
        let given = [(self.weight.is_some(), "--weight"), (self.learn.is_some(), "--learn"), (self.check_legal, "--check-legal")];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    fn meaning(&self) -> Meaning {
        let weight = match self.weight {
            None | Some(WeightOption::Points) => Weight::Points,
            Some(WeightOption::Games) => Weight::Games,
        };
        let learn = match self.learn {
            None | Some(LearnOption::Ignore) => Learn::Ignore,
            Some(LearnOption::Keep) => Learn::Keep,
            Some(LearnOption::Results) => Learn::Results,
        };
        Meaning { weight, learn }
    }
}

/// Why a file wasn't read.
enum Stopped {
    System(io::Error),
    Engine(tabia::Error),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl From<tabia::Error> for Stopped {
    fn from(error: tabia::Error) -> Self {
        Self::Engine(error)
    }
}

/// Reads the file.
pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let game = args.game.game_or(|| Ok("chess"))?;
    if !matches!(game, Known::Chess(_)) {
        return Err(told!("a Polyglot book is of chess, not of {}", game.name()));
    }
    let meaning = args.polyglot.meaning();
    let (read, moves, lost) = sort(args, file, meaning, meter)?;
    file.check_whole()?;
    if read.entries == 0 && read.trailing > 0 {
        return Err(told!("{}: no entry of a Polyglot book is in it", args.file.display()));
    }
    let united = read.entries - count(&moves)?;
    let (keyed, results, source) = (Keyed::Position, meaning.results(), file.source(0));
    Ok(Rows { game, keyed, results, positions: None, moves, source, facts: facts(&read, united), losses: losses(&read, lost) })
}

/// Fields of entries that no row says.
#[derive(Clone, Copy, Default)]
struct Lost {
    weights: u64,
    learned: u64,
    /// Learn fields that aren't what Polyglot would have learned.
    unpaired: u64,
}

impl Lost {
    fn count(&mut self, entry: Entry, meaning: Meaning) {
        let by_results = meaning.learn == Learn::Results;
        self.weights += u64::from(by_results && entry.weight != 0);
        self.learned += u64::from(meaning.learn == Learn::Ignore && entry.learn != 0);
        self.unpaired += u64::from(by_results && Learn::results(entry.learn).is_none());
    }
}

/// Reads the file into rows, in order.
fn sort(args: &Args, file: &mut File, meaning: Meaning, meter: &Meter) -> Done<(Read, Sorted<MoveRow>, Lost)> {
    let folder = place::folder_of(&args.output);
    let mut sorter: Sorter<'_, MoveRow> = Sorter::with_columns(&Disk, folder, args.memory.share(1), meaning.columns());
    let (mut entries, mut lost) = (0u64, Lost::default());
    let read = polyglot::read(file, |entry| -> Result<(), Stopped> {
        entries += 1;
        lost.count(entry, meaning);
        if entries.is_multiple_of(1 << 16) {
            meter.loading(entries)?;
        }
        let WithCells { row, cells } = meaning.row(entry);
        Ok(sorter.push_with(row, &cells)?)
    });
    let read = read.map_err(|stopped| match stopped {
        Stopped::System(error) => Failure::system(&args.file, "read", &error),
        Stopped::Engine(error) => error.into(),
    })?;
    Ok((read, Sorted::join(&meter.env(), vec![sorter.finish()])?, lost))
}

/// How many rows there are once entries of one move are one.
fn count(moves: &Sorted<MoveRow>) -> Done<u64> {
    let (mut rows, mut chunk, mut all) = (moves.rows()?, Chunk::default(), 0);
    loop {
        match rows.skip_chunk(&mut chunk)? {
            0 => return Ok(all),
            some => all += some as u64,
        }
    }
}

fn facts(read: &Read, united: u64) -> Facts {
    let header = read.header.as_ref().map(|header| one_line(&format!("{}: {}", header.variants.join(", "), header.comment)));
    let facts = Facts::default().with("entries", read.entries);
    let facts = header.into_iter().fold(facts, |facts, header| facts.noted("header", 1, header));
    facts
        .with_any("weightless", read.weightless, "entries of weight 0: moves without games")
        .with_any("united", united, "entries of a move that another entry has too: their weights were added")
        .with_any("disorders", read.disorders, "entries whose key is less than that before them")
}

fn losses(read: &Read, lost: Lost) -> Losses {
    Losses::default()
        .expected("learned", lost.learned, "learn fields (--learn keep)")
        .expected("weights", lost.weights, "weights")
        .expected("unpaired", lost.unpaired, "learn fields with more points than their games can have made")
        .expected("repeated", read.repeated, "entries that only repeat those before them")
        .expected("null_moves", read.null_moves, "null moves")
        .expected("key_zero", read.key_zero, "entries with key 0")
        .expected("trailing", read.trailing, "bytes behind the last whole entry")
}

/// What of the new book is legal, if that was asked for.
pub(super) fn check_legal(args: &Args, rows: &mut Rows, meter: &Meter) -> Done<()> {
    if !args.polyglot.check_legal {
        return Ok(());
    }
    let book = args.output.display();
    let found = Legality::of(&Book::open(&args.output)?, &rows.game, meter);
    let Legality { legal, illegal, unreached } = found.map_err(|failure| match failure {
        Failure::Interrupted => told!("interrupted while its moves were checked: {book} is made, and whole"),
        failure => failure,
    })?;
    rows.facts = std::mem::take(&mut rows.facts)
        .noted("legal", legal, "moves of positions that are reached from the start".to_owned())
        .noted("illegal", illegal, "moves that are not legal in such a position".to_owned())
        .noted("unreached", unreached, "moves of positions that aren't reached: they can't be checked".to_owned());
    Ok(())
}
