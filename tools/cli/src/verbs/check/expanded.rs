//! What `tabia check` says of positions flagged `expanded`.

use crate::console::Meter;
use crate::failure::Done;
use crate::games::missing;
use crate::numbers::{counted, grouped};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use tabia::{Book, CheckReport};
use tabia_games::{Game, Known, WithGame};
use tabia_play::Expanded;
use tabia_play::explore::Numbers;

/// How many of those that are wrong are shown.
const LISTED: usize = 3;

/// The positions of a book that are flagged, and those without a deviation.
#[derive(Serialize)]
pub struct ExpandedFacts {
    positions: u64,
    without_deviation: u64,
    /// Those that the book's moves don't lead to from the start.
    unreached: u64,
    /// The moves that lead to the first ones without a deviation.
    examples: Vec<String>,
    /// Why it wasn't looked whether they have deviations.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
}

impl ExpandedFacts {
    /// Looks at a sound book, if it may have such positions; none if it has none.
    pub fn of(path: &Path, report: &CheckReport, meter: &Meter) -> Done<Option<Self>> {
        if !report.ok() || report.expanded == 0 && report.frames == 0 {
            return Ok(None);
        }
        let book = Book::open(path)?;
        let header = book.header();
        let known = Known::of(header.game.as_str(), header.keys.as_str());
        let why = match known {
            _ if !header.share.is_whole() => "it is a share of a book".to_owned(),
            Some(known) => return known.with(Looking { book: &book, meter }),
            None => format!("the rules of {} {}", header.game, missing(header.game.as_str())),
        };
        let positions = Expanded::count(&book, &|step| meter.trimming(step))?;
        let (without_deviation, unreached, examples) = (0, 0, Vec::new());
        Ok((positions > 0).then_some(Self {
            positions,
            without_deviation,
            unreached,
            examples,
            unknown: Some(why),
        }))
    }

    /// For people, in a line.
    pub fn write(&self, label: &str, out: &mut impl Write) -> io::Result<()> {
        let positions = counted(self.positions, "position");
        if let Some(why) = &self.unknown {
            return writeln!(out, "{label}expanded: {positions}, not looked at: {why}");
        }
        let mut text = match self.without_deviation {
            0 => format!("{label}expanded: {positions}, none without a deviation"),
            some => format!("{label}expanded: {positions}, {} without a deviation", grouped(some)),
        };
        if self.unreached > 0 {
            let unreached = grouped(self.unreached);
            text += &format!(", {unreached} not reached from the start and not looked at");
        }
        if self.without_deviation > 0 {
            let more = self.without_deviation - self.examples.len() as u64;
            let more = if more > 0 { "; ..." } else { "" };
            text += &format!(": {}{more}", self.examples.join("; "));
        }
        writeln!(out, "{text}")
    }
}

struct Looking<'a> {
    book: &'a Book,
    meter: &'a Meter,
}

impl WithGame for Looking<'_> {
    type Output = Done<Option<ExpandedFacts>>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let from = std::slice::from_ref(start);
        let found = Expanded::of(self.book, from, LISTED, &|step| self.meter.trimming(step))?;
        Ok(found.map(|found| ExpandedFacts {
            positions: found.positions,
            without_deviation: found.without_deviation(),
            unreached: found.unreached,
            examples: found.incomplete.iter().map(|one| line(start, &one.line)).collect(),
            unknown: None,
        }))
    }
}

/// A line from the start of the game.
fn line<G: Game>(start: &G, moves: &[String]) -> String {
    if moves.is_empty() {
        return "the start".to_owned();
    }
    Numbers::after(start.side(), 0).line(0, moves)
}
