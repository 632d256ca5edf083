//! Positions of a book to opening suites, EPD and PGN.

use super::{Args, Written, written_to};
use crate::console::Meter;
use crate::failure::{Done, Failure, told};
use crate::foreign::{Facts, Losses};
use crate::verbs::dump::target::{self, Target};
use tabia::format::Results;
use tabia::{Book, Error};
use tabia_games::{Chess, Known};
use tabia_interop::suite::{self, Found, Order, Plan};
use tabia_play::{Percent, Step};

/// Which positions are taken.
#[derive(clap::Args)]
#[group(skip)]
#[command(next_help_heading = "Opening suites (EPD, PGN)")]
pub(super) struct Options {
    /// How many plies from the start [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=512))]
    plies: Option<u32>,
    /// Take positions in which White scored from LEAST to MOST percent
    #[arg(long, value_name = "LEAST..MOST", value_parser = range)]
    score: Option<(Percent, Percent)>,
    /// Take N positions at most
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Draw them in an order that follows from this number, in place of the most played first
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

fn range(text: &str) -> Result<(Percent, Percent), String> {
    const EXPECTED: &str = "give two percentages, the lesser first, such as 45..55";
    let (least, most) = text.split_once("..").ok_or(EXPECTED)?;
    let percent = |text: &str| text.parse::<Percent>().map_err(|_| EXPECTED);
    let (least, most) = (percent(least)?, percent(most)?);
    if least <= most { Ok((least, most)) } else { Err(EXPECTED.to_owned()) }
}

impl Options {
    /// An option that was given, if one was.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.plies.is_some(), "--plies"),
            (self.score.is_some(), "--score"),
            (self.count.is_some(), "--count"),
            (self.seed.is_some(), "--seed"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

/// The two ways to write a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Epd,
    Pgn,
}

/// Writes the suite.
pub(super) fn write(args: &Args, book: &Book, game: &Known, meter: &Meter, target: Target, kind: Kind) -> Done<Written> {
    let (path, options) = (args.book.display(), &args.suite);
    let Known::Chess(start) = game else {
        return Err(told!("{path}: EPD and PGN are of chess, not of {}", game.name()));
    };
    if options.score.is_some() && book.header().results == Results::Unknown {
        return Err(told!("{path}: it counts games without their results: --score has no meaning there"));
    }
    let plan = Plan { plies: options.plies.unwrap_or(8), min_games: args.min_games.unwrap_or(1) };
    let watch = |reached, ply| walking(meter, reached, ply);
    let mut found = suite::openings(book, start, &plan, watch).map_err(|error| match error {
        suite::Error::Engine(error) => error.into(),
        error => Failure::Told(error.to_string()),
    })?;
    let facts = choose(options, &mut found);
    let openings = &found.openings;
    let (target, ()) = written_to(target, |out, path| {
        let written = match kind {
            Kind::Epd => suite::write_epd(openings, out),
            Kind::Pgn => suite::write_pgn(start, openings, out),
        };
        written.map_err(|error| target::failure(path, error))
    })?;
    Ok(Written { target, facts, losses: Losses::default() })
}

/// Shows how far the walk has come; an error if it is to stop.
fn walking(meter: &Meter, reached: u64, ply: u32) -> tabia::Result<()> {
    if meter.trimming(Step::Walking { reached, ply }).is_break() { Err(Error::Interrupted) } else { Ok(()) }
}

/// Keeps what was asked for; what is told of it.
fn choose(options: &Options, found: &mut Found<Chess>) -> Facts {
    let all = found.openings.len();
    if let Some((least, most)) = options.score {
        found.openings.retain(|opening| least.is_met(opening.counts) && most.is_kept(opening.counts));
    }
    let balanced = found.openings.len();
    suite::choose(&mut found.openings, options.seed.map_or(Order::Games, Order::Drawn), options.count);
    let taken = found.openings.len();
    Facts::default()
        .with("openings", taken as u64)
        .noted("reached", found.reached, "positions on the way, these among them".to_owned())
        .with_any("over", found.over, "positions in which the game is over: left out")
        .with_any("unbalanced", (all - balanced) as u64, "positions with another score: left out")
        .with_any("more", (balanced - taken) as u64, "positions more than were asked for")
}
