//! What came of reading archives, for a person and for a program.

use crate::numbers::{grouped, seconds};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;
use tabia_archives::{Filtered, GameCounts, Reason};
use tabia_build::dedup::Copies;
use tabia_build::one_line;

/// What came of the games.
#[derive(Serialize)]
pub struct Summary {
    /// Games found in the archives.
    games_read: u64,
    /// Games that were counted.
    games: u64,
    /// Those whose tags and moves were parted by blank lines.
    joined: u64,
    /// Games read that are variations of others.
    variations: u64,
    /// Variations that were left out.
    variations_left_out: u64,
    /// Those in which something is wrong, by reason.
    skipped: BTreeMap<&'static str, u64>,
    /// Those that weren't wanted, by reason.
    filtered: BTreeMap<&'static str, u64>,
    /// Games that were left out as copies of others, and as the beginnings of others.
    #[serde(flatten)]
    duplicates: Option<Duplicates>,
    /// Plies of the games that were counted.
    plies: u64,
    /// How long it took.
    seconds: f64,
}

impl Summary {
    /// Games that were counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// What these counters say, after this time.
    pub fn new(
        games: &GameCounts,
        copies: Option<&Copies>,
        archives: &[PathBuf],
        time: Duration,
    ) -> Self {
        let duplicates = copies.map(|copies| Duplicates::new(copies, archives));
        Self {
            games_read: games.games_read,
            games: games.games_in,
            joined: games.joined,
            variations: games.variations,
            variations_left_out: games.variations_left_out,
            skipped: Reason::ALL
                .into_iter()
                .map(|reason| (reason.name(), games.skipped(reason)))
                .collect(),
            filtered: Filtered::ALL
                .into_iter()
                .map(|reason| (reason.name(), games.filtered(reason)))
                .collect(),
            duplicates,
            plies: games.plies,
            seconds: seconds(time),
        }
    }

    /// Whether there were games, and all that count are copies of others.
    pub fn is_all_copies(&self) -> bool {
        self.games == 0 && self.duplicates.as_ref().is_some_and(|found| found.copies > 0)
    }

    /// Writes them as lines.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "games read  {:>14}", grouped(self.games_read))?;
        writeln!(out, "games in    {:>14}", grouped(self.games))?;
        for (reason, &games) in self.skipped.iter().filter(|&(_, &games)| games > 0) {
            writeln!(out, "  skipped   {:>14}  {}", grouped(games), label(reason))?;
        }
        for (reason, &games) in self.filtered.iter().filter(|&(_, &games)| games > 0) {
            writeln!(out, "  filtered  {:>14}  {}", grouped(games), words_of_filter(reason))?;
        }
        if self.joined > 0 {
            writeln!(
                out,
                "  joined    {:>14}  tags and moves parted by blank lines",
                grouped(self.joined)
            )?;
        }
        let variations = [
            (self.variations, "of the games read: with the moves that lead to them"),
            (self.variations_left_out, "left out (--variations counts them)"),
        ];
        for (count, what) in variations.into_iter().filter(|&(count, _)| count > 0) {
            writeln!(out, "  variations{:>14}  {what}", grouped(count))?;
        }
        if let Some(duplicates) = &self.duplicates {
            duplicates.write(out)?;
        }
        writeln!(out, "plies       {:>14}", grouped(self.plies))
    }

    /// Writes how long it took.
    pub fn write_time(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "seconds     {:>14.1}", self.seconds)
    }
}

fn label(reason: &str) -> &str {
    match reason {
        "no_result" => "no decided result",
        "no_moves" => "no moves",
        "illegal_move" => "an illegal move",
        "null_move" => "a null move",
        "bad_position" => "a bad starting position",
        "not_chess" => "a variant of chess",
        "broken" => "can't be read",
        "set_up" => "starts from set-up stones",
        "other_game" => "another game, or a board of another size (--game names it)",
        other => other,
    }
}

fn words_of_filter(reason: &str) -> &str {
    match reason {
        "rating" => "rating unknown, or not within --min-rating and --max-rating",
        "date" => "date unknown, or not within --since and --until",
        "time_control" => "time control unknown, or not of --time-control",
        "player" => "not of --player",
        "color" => "not of --color",
        "result" => "not of --result",
        "variant" => "not of --variant",
        "plies" => "fewer than --min-plies",
        other => other,
    }
}

/// How many archives are named that games were left out of.
const NAMED: usize = 10;

/// Games that are in the archives more than once.
#[derive(Serialize)]
struct Duplicates {
    /// Games left out as copies.
    copies: u64,
    /// Games left out as beginnings of others.
    contained: u64,
    /// The archives they were in.
    duplicates_in: Vec<In>,
}

/// An archive that games were left out of.
#[derive(Serialize)]
struct In {
    archive: String,
    copies: u64,
    contained: u64,
}

impl Duplicates {
    /// What was found in these archives.
    fn new(found: &Copies, archives: &[PathBuf]) -> Self {
        let all = archives.iter().zip(found.copies.iter().zip(&found.contained));
        let some = all.filter(|(_, (copies, contained))| **copies + **contained > 0);
        let within = |(archive, (&copies, &contained)): (&PathBuf, (&u64, &u64))| In {
            archive: archive.display().to_string(),
            copies,
            contained,
        };
        Self {
            copies: found.copies.iter().sum(),
            contained: found.contained.iter().sum(),
            duplicates_in: some.map(within).collect(),
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "  left out  {:>14}  copies of others", grouped(self.copies))?;
        if self.contained > 0 {
            writeln!(out, "  left out  {:>14}  beginnings of others", grouped(self.contained))?;
        }
        let mut most: Vec<&In> = self.duplicates_in.iter().collect();
        most.sort_by_key(|within| std::cmp::Reverse(within.copies + within.contained));
        for within in most.iter().take(if most.len() > 1 { NAMED } else { 0 }) {
            writeln!(
                out,
                "    {:>12}  in {}",
                grouped(within.copies + within.contained),
                one_line(&within.archive)
            )?;
        }
        match most.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => writeln!(
                out,
                "                  and in {} more (--json lists all)",
                grouped(more as u64)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_words() {
        for reason in Reason::ALL {
            assert_ne!(label(reason.name()), reason.name());
        }
        for reason in Filtered::ALL {
            assert_ne!(words_of_filter(reason.name()), reason.name());
        }
    }
}
