//! What `tabia check` says of positions flagged `expanded`.

use crate::games::missing;
use crate::numbers::counted;
use crate::prelude::*;
use tabia::{CheckReport, ReadBook};
use tabia_games::Known;
use tabia_play::Expanded;

/// How many of those that are wrong are shown, by the moves that lead there.
const LISTED: usize = 3;

/// Whether a book may have such positions.
pub fn may_be_in(report: &CheckReport) -> bool {
    report.expanded > 0 || report.frames > 0
}

/// What is said of the flagged positions of a sound book, or set of shares: how many there are, how many of them have
/// no deviation, and how many the book's moves don't lead to from the start. None if it has none.
pub fn facts(book: &dyn ReadBook, label: &str, meter: &Meter) -> Done<Option<Facts>> {
    let header = book.header();
    let (game, keys) = (header.game.as_str(), header.keys.as_str());
    let why = match Known::of(game, keys) {
        _ if !book.share().is_whole() => "it is a share of a book".to_owned(),
        Some(known) => {
            let from = std::slice::from_ref(&known);
            let found = Expanded::of(book, from, LISTED, &|step| meter.trimming(step))?;
            return Ok(found.map(|found| {
                let examples = found.examples(&known);
                let counts = [found.positions, found.without_deviation(), found.unreached];
                let said = found.said(&examples);
                figures(counts, &examples).line(format!("{label}expanded: {said}"))
            }));
        }
        None => format!("the rules of {game} {}", missing(game)),
    };
    let positions = Expanded::count(book, &|step| meter.trimming(step))?;
    let line = format!("{label}expanded: {}, not looked at: {why}", counted(positions, "position"));
    let facts = figures([positions, 0, 0], &[]).json("unknown", why).line(line);
    Ok((positions > 0).then_some(facts))
}

fn figures([positions, without_deviation, unreached]: [u64; 3], examples: &[String]) -> Facts {
    Facts::default()
        .json("positions", positions)
        .json("without_deviation", without_deviation)
        .json("unreached", unreached)
        .json("examples", examples)
}
