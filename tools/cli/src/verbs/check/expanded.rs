//! What `tabia check` says of positions flagged `expanded`.

use crate::console::Meter;
use crate::facts::Facts;
use crate::failure::Done;
use crate::games::missing;
use crate::numbers::{counted, grouped};
use tabia::{CheckReport, ReadBook};
use tabia_games::{Game, Known};
use tabia_play::Expanded;
use tabia_play::explore::Numbers;

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
        Some(known) => return look(&known, book, label, meter),
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

fn look(start: &Known, book: &dyn ReadBook, label: &str, meter: &Meter) -> Done<Option<Facts>> {
    let from = std::slice::from_ref(start);
    let found = Expanded::of(book, from, LISTED, &|step| meter.trimming(step))?;
    let Some(found) = found else { return Ok(None) };
    let without = found.without_deviation();
    let examples: Vec<_> = found.incomplete.iter().map(|one| line(start, &one.line)).collect();
    let some = if without == 0 { "none".to_owned() } else { grouped(without) };
    let positions = counted(found.positions, "position");
    let mut text = format!("{label}expanded: {positions}, {some} without a deviation");
    if found.unreached > 0 {
        let unreached = grouped(found.unreached);
        text += &format!(", {unreached} not reached from the start and not looked at");
    }
    if without > 0 {
        let more = if without > examples.len() as u64 { "; ..." } else { "" };
        text += &format!(": {}{more}", examples.join("; "));
    }
    Ok(Some(figures([found.positions, without, found.unreached], &examples).line(text)))
}

fn line(start: &Known, moves: &[String]) -> String {
    if moves.is_empty() {
        return "the start".to_owned();
    }
    Numbers::after(start.side(), 0).line(0, moves)
}
