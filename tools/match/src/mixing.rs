//! Mixing rules for playing from a book: what they score against each other, with an engine that goes
//! on where the book ends, and a report of what [`tabia_play::mix`] finds of such scores.

mod report;

pub use report::{MixReport, Progress, Resampled};

use crate::book_player::BookPlayer;
use crate::contest::Contest;
use crate::error::Error;
use crate::facts::Facts;
use crate::run::run;
use crate::settings::{Player, Settings};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use tabia_engines::Launch;
use tabia_games::{Game, Side};
use tabia_play::choice::RuleSpec;

/// Games won, drawn and lost by each rule of the first player against each of the second. As text
/// they are a [`tabia_play::mix::Matrix`], with NA where nothing was played.
#[derive(Clone, Debug)]
pub struct Scores {
    names: Vec<String>,
    /// A row after the other.
    cells: Vec<[u32; 3]>,
}

impl Scores {
    fn new(rules: &[RuleSpec]) -> Self {
        let names: Vec<String> = rules.iter().map(ToString::to_string).collect();
        Self { cells: vec![[0; 3]; names.len() * names.len()], names }
    }

    /// Counts a game of these two rules.
    fn count(&mut self, rules: [usize; 2], facts: &Facts) {
        let [row, column] = if facts.first == Side::First { rules } else { [rules[1], rules[0]] };
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

/// Rules for playing from a book that play against each other.
pub struct RuleMatches<'a> {
    /// The book in front of the engine; the rule in it isn't used.
    pub book: BookPlayer,
    /// The rules, each once.
    pub rules: Vec<RuleSpec>,
    /// The engine.
    pub engine: Launch,
    /// Everything else of the matches; how many games says how often each rule plays each as the
    /// first player, and the players aren't used.
    pub settings: Settings,
    /// Games played at a time.
    pub workers: usize,
    /// Ends it when it is set.
    pub stop: &'a AtomicBool,
}

impl RuleMatches<'_> {
    /// Has all rules play against each other and against themselves. Calls `each` after each match
    /// with the scores so far, with which match of how many it was and with the names of its rules;
    /// the scores, or none if it was stopped.
    ///
    /// # Errors
    /// If an engine can't be used any more, or `each` fails.
    pub fn play<G: Game>(
        &self,
        start: &G,
        mut each: impl FnMut(&Scores, [usize; 2], [&str; 2]) -> Result<(), Error>,
    ) -> Result<Option<Scores>, Error> {
        let (mut scores, count) = (Scores::new(&self.rules), self.rules.len());
        let pairs = (0..count).flat_map(|one| (one..count).map(move |other| [one, other]));
        for (number, rules) in (1..).zip(pairs) {
            self.contest(start, rules, &mut scores)?;
            if self.stop.load(Ordering::SeqCst) {
                return Ok(None);
            }
            let names = rules.map(|rule| scores.names[rule].as_str());
            each(&scores, [number, count * (count + 1) / 2], names)?;
        }
        Ok(Some(scores))
    }

    /// Plays two rules against each other, each as often as the first player; or one against
    /// itself.
    fn contest<G: Game>(
        &self,
        start: &G,
        rules: [usize; 2],
        scores: &mut Scores,
    ) -> Result<(), Error> {
        let player = |rule: usize| {
            let rule = self.rules[rule].clone();
            let name = Some(rule.to_string());
            let launch = BookPlayer { rule, ..self.book.clone() }.before(&self.engine)?;
            Ok::<_, Error>(Player { name, launch, nodes: None })
        };
        let players = [player(rules[0])?, player(rules[1])?];
        let games = self.settings.games * if rules[0] == rules[1] { 1 } else { 2 };
        let contest = Contest::new(start, Settings { players, games, ..self.settings.clone() })?;
        run(&contest, &BTreeSet::new(), self.workers, self.stop, |game| {
            scores.count(rules, &game.facts);
            Ok(())
        })
    }
}
