//! Numbers in an engine's command, tuned by games of the engine against itself.
//!
//! In each iteration the two sides of [`Spsa`] play against each other, from the same openings with
//! sides swapped, rather than each against a third engine: a pair of games then shows the
//! difference itself, where two scores against a third would be needed, each with an error of its
//! own; and nothing is fitted to an opponent's weaknesses. In the end the tuned values play a match
//! against those of the start. All these games are one match with one numbering, so that those of
//! the end have seeds, and openings as long as there are more, that no iteration had, and one
//! [`GamesFile`](crate::GamesFile) holds it all: where tuning stands follows from the games.

use crate::contest::Contest;
use crate::error::Error;
use crate::facts::Facts;
use crate::played::PlayedGame;
use crate::report::Report;
use crate::run::run;
use crate::settings::{Player, Settings};
use crate::spsa::{Parameter, Spsa};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::AtomicBool;
use tabia_engines::{Command, Launch};
use tabia_games::Game;

/// Games of all iterations and of the match in the end, at most.
const MOST_GAMES: u32 = 1_000_000;

/// What tuning follows from.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The engine, as both players: in its command, options and set-up `{NAME}` stands for a
    /// parameter's value. Its games are those of the match in the end, an even number.
    pub settings: Settings,
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// How often a step is taken.
    pub iterations: u32,
    /// Pairs of games in each iteration.
    pub pairs: u32,
    /// How large the last step is, in reaches of the parameter, for a point in a pair.
    pub rate: f64,
}

/// An iteration that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Which one, from 1.
    pub number: u32,
    /// The values of its two sides.
    pub sides: [Vec<f64>; 2],
    /// Points of these.
    pub points: [f64; 2],
    /// The values after it.
    pub values: Vec<f64>,
}

impl Tuning {
    /// The match of all games.
    ///
    /// # Errors
    /// If a parameter is named twice or isn't in the engine's command, there are too many games, or
    /// their openings can't be read or found.
    pub fn contest<G: Game>(&self, start: &G) -> Result<Contest<G>, Error> {
        let launch = &self.settings.players[0].launch;
        for (at, parameter) in self.parameters.iter().enumerate() {
            let name = &parameter.name;
            if self.parameters[..at].iter().any(|other| other.name == *name) {
                return Err(Error::ParameterTwice(name.clone()));
            }
            let (placeholder, mut is_there) = (parameter.placeholder(), false);
            fill(launch, &mut |text| {
                is_there |= text.contains(&placeholder);
                text.to_owned()
            });
            if !is_there {
                return Err(Error::NoPlaceholder(name.clone()));
            }
        }
        let games = self.iterations.checked_mul(self.pairs).and_then(|pairs| pairs.checked_mul(2));
        let games = games.and_then(|games| games.checked_add(self.settings.games));
        let games =
            games.filter(|&games| games <= MOST_GAMES).ok_or(Error::TooManyGames(MOST_GAMES))?;
        let mut contest = Contest::new(start, Settings { games, ..self.settings.clone() })?;
        let Self { parameters, iterations, pairs, rate, settings } = self;
        contest.add_to_digest(&format!(
            "{parameters:?} {iterations} {pairs} {rate} {}",
            settings.seed
        ));
        Ok(contest)
    }

    /// Plays those games of [`Self::contest`] that aren't among these, and adds them: all
    /// iterations, then the match of the tuned values, if they aren't those of the start. `each`
    /// gets the games, `step` the iterations. The tuned values; none if it was stopped.
    ///
    /// # Errors
    /// If an engine can't be used any more, or `each` fails.
    pub fn play<G: Game>(
        &self,
        mut contest: Contest<G>,
        games: &mut BTreeMap<u32, Facts>,
        (workers, stop): (usize, &AtomicBool),
        mut each: impl FnMut(&PlayedGame<G>) -> Result<(), Error>,
        mut step: impl FnMut(&Iteration),
    ) -> Result<Option<Vec<f64>>, Error> {
        let (template, all) = (&self.settings.players[0], contest.settings.games);
        games.retain(|game, _| *game <= all);
        contest.settings.games = 0;
        // Has these two play all games that are left up to the last one; their points in those behind
        // what was played before, or none if it was stopped.
        let mut play = |players: [Player; 2], last: u32| {
            let first = std::mem::replace(&mut contest.settings.games, last) + 1;
            let is_whole = |games: &BTreeMap<u32, Facts>| {
                games.range(first..=last).count() == (first..=last).count()
            };
            if !is_whole(games) {
                contest.settings.players = players;
                let done: BTreeSet<u32> = games.keys().copied().collect();
                run(&contest, &done, workers, stop, |game| {
                    each(&game)?;
                    games.insert(game.facts.game, game.facts);
                    Ok(())
                })?;
            }
            let half_points = games.range(first..=last).map(|(_, facts)| facts.half_points());
            let points = f64::from(half_points.sum::<u32>()) / 2.0;
            Ok::<_, Error>(is_whole(games).then(|| [points, f64::from(last + 1 - first) - points]))
        };
        let player = |values: &[f64], name: String| Player {
            name: Some(name),
            launch: self.launch(values),
            ..template.clone()
        };
        let mut spsa =
            Spsa::new(self.parameters.clone(), self.iterations, self.rate, self.settings.seed);
        let start = spsa.values();
        for number in 1..=self.iterations {
            let sides = spsa.sides();
            let players = [0, 1].map(|side| player(&sides[side], self.named(&sides[side])));
            let Some(points) = play(players, self.games_until(number))? else {
                return Ok(None);
            };
            spsa.step((points[0] - points[1]) / f64::from(self.pairs));
            step(&Iteration { number, sides, points, values: spsa.values() });
        }
        let tuned = spsa.values();
        let players = [player(&tuned, "tuned".to_owned()), player(&start, "start".to_owned())];
        let is_over = tuned == start || play(players, all)?.is_some();
        Ok(is_over.then_some(tuned))
    }

    /// Values with what they are called: `margin=3.5,min-games=20`.
    pub fn named(&self, values: &[f64]) -> String {
        let texts = self.parameters.iter().zip(values);
        let texts: Vec<String> =
            texts.map(|(parameter, value)| format!("{}={value}", parameter.name)).collect();
        texts.join(",")
    }

    /// How many games there are up to the end of an iteration.
    fn games_until(&self, iteration: u32) -> u32 {
        2 * self.pairs * iteration
    }

    /// How the engine is started with these values.
    fn launch(&self, values: &[f64]) -> Launch {
        fill(&self.settings.players[0].launch, &mut |text| {
            let parameters = self.parameters.iter().zip(values);
            parameters.fold(text.to_owned(), |text, (parameter, value)| {
                text.replace(&parameter.placeholder(), &value.to_string())
            })
        })
    }

    /// What came of it, where these are the games and the values that they led to.
    pub fn report(
        &self,
        game: &str,
        conditions: String,
        games: &BTreeMap<u32, Facts>,
        values: &[f64],
    ) -> TuningReport {
        let before = self.games_until(self.iterations);
        let parameters = self.parameters.iter().zip(values).map(|(parameter, &tuned)| {
            let Parameter { name, value: start, bounds, .. } = parameter.clone();
            TunedParameter { name, start, tuned, bounds }
        });
        let faults = games.range(..=before).filter(|(_, facts)| facts.reason.is_fault()).count();
        let last = games.range(before + 1..).map(|(&game, facts)| (game, facts.clone()));
        let names = ["tuned", "start"].map(str::to_owned);
        let report = Report::new(game, conditions, names, self.settings.games, &last.collect());
        TuningReport {
            parameters: parameters.collect(),
            iterations: self.iterations,
            games: before,
            faults: faults as u32,
            validation: (report.games > 0).then_some(report),
        }
    }
}

/// The launch with all texts in which a placeholder may stand replaced.
fn fill(launch: &Launch, replace: &mut dyn FnMut(&str) -> String) -> Launch {
    let old = &launch.command;
    let words = std::iter::once(old.program()).chain(old.arguments().iter().map(String::as_str));
    let command = Command::new(words.map(&mut *replace).collect::<Vec<_>>());
    let options = launch.options.iter().map(|(name, value)| (name.clone(), replace(value)));
    let options = options.collect();
    let setup = launch.setup.iter().map(|line| replace(line)).collect();
    Launch { command: command.unwrap_or_else(|| old.clone()), options, setup, ..launch.clone() }
}

/// What came of tuning.
#[derive(Clone, Debug, Serialize)]
pub struct TuningReport {
    /// What was tuned.
    pub parameters: Vec<TunedParameter>,
    /// How often a step was taken.
    pub iterations: u32,
    /// Games of the iterations.
    pub games: u32,
    /// Games of these that were lost by an illegal move, a crash, no answer or on time.
    pub faults: u32,
    /// The match of the tuned values against those of the start; none if they are the same.
    pub validation: Option<Report>,
}

/// A parameter that was tuned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TunedParameter {
    /// What it is called.
    pub name: String,
    /// Its value before.
    pub start: f64,
    /// Its value after.
    pub tuned: f64,
    /// The least and the most that it may be.
    pub bounds: [f64; 2],
}

impl fmt::Display for TuningReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parameters, iterations, games, faults, validation } = self;
        writeln!(
            f,
            "tuned in {iterations} iterations, {games} games, {faults} of them ended by faults"
        )?;
        for TunedParameter { name, start, tuned, bounds: [least, most] } in parameters {
            writeln!(f, "  {name:10} {tuned}; before {start}, of {least} to {most}")?;
        }
        match validation {
            None => writeln!(f, "these are the values of the start: there is nothing to compare"),
            Some(report) => write!(f, "on games that tuning never saw: {report}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_engines::Protocol;

    #[test]
    fn values_stand_wherever_an_engine_is_told_something() {
        let command = "tabia play --rule 'wilson,margin={a},min-games={b}' {c}".parse().unwrap();
        let launch = Launch {
            options: vec![("Hash{a}".to_owned(), "{b}".to_owned())],
            setup: vec!["level {b}".to_owned()],
            ..Launch::new(command, Protocol::Gtp)
        };
        let filled = fill(&launch, &mut |text| text.replace("{a}", "0.5").replace("{b}", "7"));
        let found = filled.command.arguments();
        assert_eq!(found, ["play", "--rule", "wilson,margin=0.5,min-games=7", "{c}"]);
        assert_eq!(filled.options, [("Hash{a}".to_owned(), "7".to_owned())]);
        assert_eq!(filled.setup, ["level 7"]);
    }
}
