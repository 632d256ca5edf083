//! Mixing rules for playing from a book: what they score against each other, with an engine that goes
//! on where the book ends, and a report of what [`tabia_play::mix`] finds of such scores.

mod report;

pub use report::{MixReport, Progress, Resampled};

use crate::contest::Contest;
use crate::error::Error;
use crate::facts::Facts;
use crate::run::run;
use crate::settings::{Player, Settings};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use tabia_games::{Game, Side};

/// Games won, drawn and lost by each one as the first player against each as the second. As text
/// they are a [`tabia_play::mix::Matrix`], with NA where nothing was played.
#[derive(Clone, Debug)]
pub struct Scores {
    names: Vec<String>,
    /// A row after the other.
    cells: Vec<[u32; 3]>,
}

impl Scores {
    fn new(players: &[Player]) -> Self {
        let names = players.iter().map(|player| player.name.clone().unwrap_or_default());
        let names: Vec<String> = names.collect();
        Self { cells: vec![[0; 3]; names.len() * names.len()], names }
    }

    /// Counts a game of these two players.
    fn count(&mut self, pair: [usize; 2], facts: &Facts) {
        let [row, column] = if facts.first == Side::First { pair } else { [pair[1], pair[0]] };
        let cell = &mut self.cells[row * self.names.len() + column];
        let game = facts.outcome.counts_for(Side::First);
        *cell = [0, 1, 2].map(|which| cell[which] + game[which]);
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names.join("\t");
        writeln!(f, "# games won-drawn-lost by the first player\nfirst\\second\t{names}")?;
        for (name, row) in self.names.iter().zip(self.cells.chunks(self.names.len())) {
            write!(f, "{name}")?;
            for [wins, draws, losses] in row {
                match wins + draws + losses {
                    0 => write!(f, "\tNA")?,
                    _ => write!(f, "\t{wins}-{draws}-{losses}")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Has players meet each other and themselves, by these settings but for who plays; how many games
/// says how often each plays each as the first player. Calls `each` after each match with the scores so
/// far, with which match of how many it was and with the names of its players; the scores, or none if
/// it was stopped.
///
/// # Errors
/// If an engine can't be used any more.
pub fn play_all<G: Game>(
    start: &G,
    players: &[Player],
    settings: &Settings,
    (workers, stop): (usize, &AtomicBool),
    mut each: impl FnMut(&Scores, [usize; 2], [&str; 2]),
) -> Result<Option<Scores>, Error> {
    let (mut scores, count) = (Scores::new(players), players.len());
    let pairs = (0..count).flat_map(|one| (one..count).map(move |other| [one, other]));
    for (number, pair) in (1..).zip(pairs) {
        let games = settings.games * if pair[0] == pair[1] { 1 } else { 2 };
        let players = pair.map(|at| players[at].clone());
        let contest = Contest::new(start, Settings { players, games, ..settings.clone() })?;
        run(&contest, &BTreeSet::new(), workers, stop, |game| {
            scores.count(pair, &game.facts);
            Ok(())
        })?;
        if stop.load(Ordering::SeqCst) {
            return Ok(None);
        }
        let names = pair.map(|at| scores.names[at].as_str());
        each(&scores, [number, count * (count + 1) / 2], names);
    }
    Ok(Some(scores))
}
