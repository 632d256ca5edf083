//! Positions of a book to opening suites, EPD and PGN.

use super::{Common, Out, Source, Written};
use crate::newfile::unwritten;
use crate::prelude::*;
use tabia_games::Chess;
use tabia_interop::Losses;
use tabia_interop::suite::{self, FoundOpenings, SuiteOptions, SuiteOrder};
use tabia_play::Percent;

/// Write an opening suite (.epd, .pgn), positions to play test games from
///
/// It has the positions at a ply that have so many games, and for --score a score between two
/// bounds, each once however it is reached: a position a line as EPD, a game a line of play as PGN.
/// Books of chess and its variants have them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia export suite masters.tabia -o openings.epd --plies 8 \\
      --min-games 50 --score 45..55 --count 500 --seed 1
  tabia export suite masters.tabia --format pgn --plies 6 --min-games 1000")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
    /// How to write it
    ///
    /// Without it as the output's name ends, .epd or .pgn.
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Kind>,
    /// How many plies from the start
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(..=512))]
    plies: u32,
    /// Leave out positions of fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// Take positions of this score of White only
    ///
    /// In percent, from LEAST to MOST, such as 45..55.
    #[arg(long, value_name = "LEAST..MOST", value_parser = range)]
    score: Option<(Percent, Percent)>,
    /// Take N positions at most
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Draw them in an order that follows from this number
    ///
    /// Without it the most played come first.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// The two ways to write a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// A position a line
    Epd,
    /// A game a line of play
    Pgn,
}

impl Args {
    /// How it is written: as was said, or as the output's name ends.
    fn kind(&self) -> Done<Kind> {
        let ending = || self.common.output()?.extension()?.to_str();
        let by_name = || Kind::from_str(ending()?, true).ok();
        self.format.or_else(by_name).ok_or_else(|| {
            failure!(
                "a suite is EPD or PGN, and the output's name doesn't tell which: give --format"
            )
        })
    }
}

fn range(text: &str) -> Result<(Percent, Percent), String> {
    const EXPECTED: &str = "give two percentages, the lesser first, such as 45..55";
    let (least, most) = text.split_once("..").ok_or(EXPECTED)?;
    let percent = |text: &str| text.parse::<Percent>().map_err(|_| EXPECTED);
    let (least, most) = (percent(least)?, percent(most)?);
    if least <= most { Ok((least, most)) } else { Err(EXPECTED.to_owned()) }
}

/// Writes the suite.
pub(super) fn write(args: &Args, source: &Source<'_>, out: &mut Out) -> Done<Written> {
    let Source { path, book, game, meter, output } = source;
    let (kind, path) = (args.kind()?, path.display());
    let Known::Chess(start) = game else {
        return Err(failure!("{path}: EPD and PGN are of chess, not of {}", game.name()));
    };
    if args.score.is_some() && book.read().header().results == Results::Unknown {
        return Err(failure!(
            "{path}: it counts games without their results: --score has no meaning there"
        ));
    }
    let options = SuiteOptions { plies: args.plies, min_games: args.min_games };
    let watch = |reached, ply| meter.walking(reached, ply);
    let mut found =
        suite::openings(book.read(), start, &options, watch).map_err(|error| match error {
            suite::Error::Engine(error) => error.into(),
            error => Failure::Message(error.to_string()),
        })?;
    let facts = choose(args, &mut found);
    let openings = &found.openings;
    let written = match kind {
        Kind::Epd => suite::write_epd(openings, out),
        Kind::Pgn => suite::write_pgn(start, openings, out),
    };
    written.map_err(|error| unwritten(*output, error))?;
    Ok((facts, Losses::default()))
}

/// Keeps what was asked for; returns the facts to report.
fn choose(args: &Args, found: &mut FoundOpenings<Chess>) -> Facts {
    let all = found.openings.len();
    if let Some((least, most)) = args.score {
        found
            .openings
            .retain(|opening| least.is_met(opening.counts) && most.is_kept(opening.counts));
    }
    let balanced = found.openings.len();
    suite::choose(
        &mut found.openings,
        args.seed.map_or(SuiteOrder::Games, SuiteOrder::Drawn),
        args.count,
    );
    let taken = found.openings.len();
    Facts::default()
        .with("openings", taken as u64)
        .noted("reached", found.reached, "positions on the way, these among them")
        .with_any("over", found.over, "positions in which the game is over: left out")
        .with_any("unbalanced", (all - balanced) as u64, "positions with another score: left out")
        .with_any("more", (balanced - taken) as u64, "positions more than were asked for")
}
