//! Moves of a book to Polyglot's entries.

use super::{Args, Written, written_to};
use crate::console::Meter;
use crate::disk::Disk;
use crate::failure::{Done, told};
use crate::foreign::{Facts, Losses};
use crate::memory::Memory;
use crate::place;
use crate::reached::{Reach, Reached};
use crate::verbs::dump::target::{self, Target};
use std::cell::Cell;
use std::io::IsTerminal;
use std::path::Path;
use tabia::format::Keyed;
use tabia::{Book, Error, MoveRow, Progress, Row, Stage, TableKind};
use tabia_games::Known;
use tabia_interop::polyglot::{self, EntrySorter, Gathered, Header, Plan, SortedEntries, Weights, WriteError};
use tabia_play::choice::{BadRecipe, By, Policy, RuleSpec};

/// What becomes an entry, and how much it weighs.
#[derive(clap::Args)]
#[group(skip)]
#[command(next_help_heading = "Polyglot")]
pub(super) struct Options {
    /// By what moves are weighed [default: points]
    #[arg(long, value_enum, value_name = "MEASURE")]
    weights: Option<Measure>,
    /// Weigh moves by how likely a rule of `tabia play` is to choose each, such as softmax(t=0.05) or lcb,by=moves; of a rule that draws nothing only the move it plays is
    /// written
    #[arg(long, value_name = "RULE", conflicts_with = "weights", value_parser = rule_of_moves)]
    rule: Option<Policy>,
    /// Leave out moves that weigh less than N [default: 1]
    #[arg(long, value_name = "N")]
    min_weight: Option<u16>,
    /// What becomes of moves of positions to which no legal moves lead from the start, which can't be checked [default: keep]
    #[arg(long, value_enum, value_name = "WHAT")]
    unreached: Option<Unreached>,
    /// Write moves as they stand, without looking at boards: faster, and with less memory
    #[arg(long, conflicts_with = "unreached")]
    unchecked: bool,
    /// Begin the book with a header of the Polyglot extension of 2012 that says this (older programs pass over it)
    #[arg(long, value_name = "COMMENT", value_parser = |text: &str| Header::of_chess(text))]
    header: Option<Header>,
    /// Memory to sort entries with; what doesn't fit is sorted on disk, beside the output [default: 2G]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Memory>,
}

/// By what moves are weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Measure {
    /// Two for a win, one for a draw
    Points,
    /// Games
    Games,
    /// Wins
    Wins,
    /// The score, in hundredths of a percent
    Score,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Unreached {
    /// They are written
    Keep,
    /// They are left out
    Drop,
}

impl Options {
    /// An option that was given, if one was.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.weights.is_some(), "--weights"),
            (self.rule.is_some(), "--rule"),
            (self.min_weight.is_some(), "--min-weight"),
            (self.unreached.is_some(), "--unreached"),
            (self.unchecked, "--unchecked"),
            (self.header.is_some(), "--header"),
            (self.memory.is_some(), "--memory"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    fn weights(&self) -> Weights {
        match self.weights {
            None | Some(Measure::Points) => Weights::Points,
            Some(Measure::Games) => Weights::Games,
            Some(Measure::Wins) => Weights::Wins,
            Some(Measure::Score) => Weights::Score,
        }
    }

    /// What the sorter may hold.
    fn memory(&self) -> usize {
        self.memory.unwrap_or_else(|| "2G".parse().expect("an amount of memory")).share(1)
    }
}

/// A rule that a reader of the book can follow.
fn rule_of_moves(text: &str) -> Result<Policy, String> {
    match text.parse().map_err(|error: BadRecipe| error.to_string())? {
        RuleSpec::Policy(policy) if policy.is_of_moves() => Ok(policy),
        RuleSpec::Policy(policy) if (Policy { by: By::Moves, ..policy }).is_of_moves() => Err(format!(
            "a Polyglot book knows of the moves played at a position and not of the positions behind them: give `{text},by=moves`"
        )),
        _ => Err(
            "a Polyglot book knows of a position's moves and nothing else: give a rule by moves, such as q, best, random or softmax(t=0.1)"
                .to_owned(),
        ),
    }
}

/// Writes the book.
pub(super) fn write(args: &Args, book: &Book, game: &Known, meter: &Meter, target: Target) -> Done<Written> {
    check(args, book, game, &target)?;
    let (entries, gathered, left) = gather(args, book, game, meter, &target)?;
    let watch = |done| step(meter, done, gathered.entries);
    let header = args.polyglot.header.as_ref();
    let (target, _) = written_to(target, |out, path| {
        entries.write(header, out, watch).map_err(|error| match error {
            WriteError::Engine(error) => error.into(),
            WriteError::Io(error) => target::failure(path, error),
        })
    })?;
    Ok(Written { target, facts: facts(&gathered, left), losses: losses(&gathered, book) })
}

/// Makes sure that the book's moves can be entries, and that somebody wants to have them where they go.
fn check(args: &Args, book: &Book, game: &Known, target: &Target) -> Done<()> {
    let path = args.book.display();
    if !matches!(game, Known::Chess(_)) {
        return Err(told!("{path}: a Polyglot book is of chess, not of {}", game.name()));
    }
    if book.header().keyed == Keyed::Line {
        return Err(told!("{path}: it is keyed by line, and a Polyglot book by position: build a book with --keyed position"));
    }
    if !book.has(TableKind::Moves) {
        return Err(Error::NoTable { path: args.book.clone(), table: TableKind::Moves }.into());
    }
    if matches!(target, Target::Output(output) if output.is_terminal()) {
        return Err(told!("standard output is a terminal, and a Polyglot book is not for reading: give -o NAME"));
    }
    Ok(())
}

/// Moves that were left out by what is known of their positions.
#[derive(Clone, Copy, Default)]
struct Left {
    illegal: u64,
    /// Of positions that aren't reached, be they left out or not.
    unreached: u64,
}

/// The entries, sorted.
fn gather(args: &Args, book: &Book, game: &Known, meter: &Meter, target: &Target) -> Done<(SortedEntries, Gathered, Left)> {
    let options = &args.polyglot;
    let reached = if options.unchecked { None } else { Some(Reached::walk(book, game, meter)?) };
    let left = Cell::new(Left::default());
    let keep = |row: &MoveRow| reached.as_ref().is_none_or(|reached| is_kept(reached.of(row), options, &left));
    let weights = options.weights();
    let plan = Plan {
        weigh: &|moves, into| match &options.rule {
            Some(rule) => *into = rule.odds(&moves.iter().map(Row::counts).collect::<Vec<_>>()),
            None => weights.weigh(moves, into),
        },
        min_games: args.min_games.unwrap_or(0),
        min_weight: options.min_weight.unwrap_or(1),
        keep: &keep,
    };
    let folder = target.path().map_or(Path::new("."), place::folder_of);
    let mut sorter = EntrySorter::new(&Disk, folder, options.memory());
    let rows = book.header().table(TableKind::Moves).map_or(0, |table| table.shape.rows);
    let gathered = polyglot::gather(book, &plan, |entry| sorter.push(entry), |done| step(meter, done, rows))?;
    Ok((sorter.finish(&meter.env())?, gathered, left.get()))
}

/// Whether a move is written, by what is known of its position.
fn is_kept(reach: Reach, options: &Options, left: &Cell<Left>) -> bool {
    let mut counted = left.get();
    match reach {
        Reach::Legal => return true,
        Reach::Illegal => counted.illegal += 1,
        Reach::Unreached => counted.unreached += 1,
    }
    left.set(counted);
    reach == Reach::Unreached && options.unreached != Some(Unreached::Drop)
}

/// Tells how far the work has come; an error if it is to stop.
fn step(meter: &Meter, done: u64, total: u64) -> tabia::Result<()> {
    if meter.step(Stage::Writing, done, total) { Ok(()) } else { Err(Error::Interrupted) }
}

fn facts(gathered: &Gathered, left: Left) -> Facts {
    Facts::default()
        .with("entries", gathered.entries)
        .with("positions", gathered.positions)
        .with_any("learned", gathered.learned, "entries with a learn field")
        .with_any("scaled", gathered.scaled, "positions whose weights were scaled down to 16 bits")
        .with_any("unreached", left.unreached, "moves of positions that aren't reached from the start: they can't be checked")
        .with_any("illegal", left.illegal, "moves that are not legal: left out")
        .with_any("unwritable", gathered.unwritable, "null moves, and moves of a position whose key is 0: left out")
        .with_any("never", gathered.never, "moves marked never: left out")
        .with_any("few_games", gathered.few_games, "moves of too few games: left out")
        .with_any("light", gathered.light, "moves that weigh too little: left out")
}

fn losses(gathered: &Gathered, book: &Book) -> Losses {
    let positions = book.header().table(TableKind::Positions).map_or(0, |table| table.shape.rows);
    Losses::default()
        .expected("positions", positions, "positions' own games, evals and flags")
        .expected("marked_moves", gathered.annotated, "moves' annotations")
        .expected("rated_moves", gathered.rated, "moves' ratings")
}
