//! How the archives of a book were read, as its facts say: more archives are read in the same way.

use crate::dedup::{Dedup, SameBy};
use crate::error::{BuildError, Result};
use crate::facts::{PlanFacts, color, ending};
use crate::plan::BuildPlan;
use std::collections::BTreeSet;
use tabia::Fact;
use tabia::format::Source;
use tabia_archives::filter::{RatingOf, TimeClass, Variant};
use tabia_archives::{Format, Scored};
use tabia_games::{Outcome, Side};

/// What adding can't do again: a book that left out rare rows counts them from then on.
const OF_THE_BUILD: &str = "min-games";
/// What the header of a book says and [`BuildPlan::fit`] has taken from there.
const OF_THE_HEADER: [&str; 3] = ["images", "keyed", "results"];

/// Options and their values.
type Said = BTreeSet<(String, String)>;

impl BuildPlan {
    /// Makes it a plan that reads archives as those of a book were read, whose sources and facts
    /// these are. What the plan asks for already has to agree with that. It has to fit the book's
    /// header already, see [`BuildPlan::fit`].
    ///
    /// A book without archives, one that was imported, leaves the plan as it is.
    ///
    /// # Errors
    /// [`BuildError::ReadDifferently`]; [`BuildError::ReadInSeveralWays`], unless the plan is one
    /// of them; [`BuildError::Plan`] if the book was made by a later version, in a way that isn't
    /// known here.
    pub fn read_as_before(&mut self, sources: &[Source], facts: &[Fact]) -> Result<()> {
        let ways: BTreeSet<Said> = sources.iter().map(|source| way_of(source, facts)).collect();
        let mine = self.said();
        let [way] = &ways.iter().collect::<Vec<_>>()[..] else {
            let is_one_of_them = ways.is_empty() || !mine.is_empty() && ways.contains(&mine);
            return is_one_of_them.then_some(()).ok_or(BuildError::ReadInSeveralWays(ways.len()));
        };
        if let Some((option, given)) = mine.difference(way).next() {
            let values: Vec<&str> =
                way.iter().filter(|said| said.0 == *option).map(|said| said.1.as_str()).collect();
            return Err(BuildError::ReadDifferently {
                option: option.clone(),
                given: given.clone(),
                book: (!values.is_empty()).then(|| values.join(", ")),
            });
        }
        self.read_evals_as_before(facts)?;
        self.read.wanted.filter.players.clear();
        way.iter().try_for_each(|(option, value)| {
            let unknown = || {
                BuildError::Plan(format!(
                    "the book's archives were read with {option}={value}, which this version doesn't know"
                ))
            };
            self.set(option, value).ok_or_else(unknown)
        })
    }

    fn read_evals_as_before(&mut self, facts: &[Fact]) -> Result<()> {
        let is_annotated = |fact: &Fact| {
            fact.name() == Fact::EVALS && fact.value().starts_with("engine=annotations;")
        };
        let has_evals = facts.iter().any(is_annotated);
        if self.read.wanted.evals && !has_evals {
            let (option, given) = ("evals".to_owned(), "annotations".to_owned());
            return Err(BuildError::ReadDifferently { option, given, book: None });
        }
        self.read.wanted.evals = has_evals && self.tables.positions;
        Ok(())
    }

    fn said(&self) -> Said {
        let all = PlanFacts::of(self).0.into_iter();
        let all = all.filter(|(option, _)| is_of_reading(option));
        all.map(|(option, value)| (option.to_owned(), value)).collect()
    }

    /// Sets an option to a value, as facts have both; none if that isn't known here.
    fn set(&mut self, option: &str, value: &str) -> Option<()> {
        let game = self.read.game.clone();
        let is_yes = || (value == "yes").then_some(true);
        let sides = [Side::First, Side::Second];
        let side = || sides.into_iter().find(|&side| color(&game, side) == value);
        let wanted = &mut self.read.wanted;
        let filter = &mut wanted.filter;
        match option {
            "variations" => wanted.variations = is_yes()?,
            "set-up" => wanted.set_up = is_yes()?,
            "corners" => wanted.corners = Some(value.parse().ok()?),
            "komi" => wanted.komi = Some(value.parse().ok()?),
            "area-score" => wanted.scored = named(value, Scored::ALL, Scored::name)?,
            "min-rating" => filter.ratings.min = Some(value.parse().ok()?),
            "max-rating" => filter.ratings.max = Some(value.parse().ok()?),
            "rating-of" => filter.ratings.of = named(value, RatingOf::ALL, RatingOf::name)?,
            "since" => filter.dates.since = Some(value.parse().ok()?),
            "until" => filter.dates.until = Some(value.parse().ok()?),
            "time-control" => {
                filter.time_controls = listed(value, TimeClass::ALL, TimeClass::name)?;
            }
            "player" => filter.players.push(value.parse().ok()?),
            "color" => filter.color = Some(side()?),
            "result" => {
                let outcomes = [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins];
                filter.results = listed(value, outcomes, |outcome| ending(&game, outcome))?;
            }
            "variant" => filter.variant = Some(named(value, Variant::ALL, Variant::name)?),
            "min-plies" => filter.min_plies = value.parse().ok()?,
            "side" => self.side = Some(side()?),
            "max-ply" => self.max_ply = Some(value.parse().ok()?),
            "join-split" if value == "off" => self.read.join_split = false,
            "lines" => self.read.format = is_yes().map(|_| Some(Format::Lines))?,
            "dedup" => {
                let dedup = named(value, Dedup::ALL, Dedup::name)?;
                self.dedup = Some((dedup, self.dedup.map_or(SameBy::Moves, |(_, by)| by)));
            }
            "dedup-by" if value == "moves+players" => {
                let dedup = self.dedup.map_or(Dedup::Exact, |(dedup, _)| dedup);
                self.dedup = Some((dedup, SameBy::MovesAndPlayers));
                wanted.players = true;
            }
            _ => return None,
        }
        Some(())
    }
}

/// In which ways the archives of a book were read, whose sources and facts these are: the options of
/// each way in a line, as in `max-ply=40, min-rating=2500`; an empty text is the way without any.
pub fn reading_ways(sources: &[Source], facts: &[Fact]) -> BTreeSet<String> {
    let line = |way: Said| {
        let options = way.iter().map(|(option, value)| format!("{option}={value}"));
        options.collect::<Vec<_>>().join(", ")
    };
    sources.iter().map(|source| line(way_of(source, facts))).collect()
}

fn way_of(source: &Source, facts: &[Fact]) -> Said {
    let its = facts.iter().filter(|fact| fact.subject() == source.digest);
    its.filter_map(|fact| Some((fact.name().strip_prefix(Fact::PLAN)?, fact.value())))
        .filter(|(option, _)| is_of_reading(option))
        .map(|(option, value)| (option.to_owned(), value.to_owned()))
        .collect()
}

fn is_of_reading(option: &str) -> bool {
    option != OF_THE_BUILD && !OF_THE_HEADER.contains(&option)
}

/// Those of all values that are named in a list.
fn listed<T: Copy, const N: usize>(
    list: &str,
    all: [T; N],
    name: impl Fn(T) -> &'static str,
) -> Option<Vec<T>> {
    list.split(',').map(|one| named(one, all, &name)).collect()
}

/// The one of all values that has this name.
fn named<T: Copy, const N: usize>(
    text: &str,
    all: [T; N],
    name: impl Fn(T) -> &'static str,
) -> Option<T> {
    all.into_iter().find(|&value| name(value) == text)
}

#[cfg(all(test, feature = "default"))]
mod tests {
    use super::*;
    use crate::facts::tests::everything;
    use tabia::format::Digest;
    use tabia_games::{Chess, Known, Othello};

    fn source(number: u8) -> Source {
        Source { digest: Digest([number; 16]), games: 1, name: String::new() }
    }

    /// The facts of archives that were read so.
    fn facts(plan: &BuildPlan, numbers: &[u8]) -> Vec<Fact> {
        let sources: Vec<_> = numbers.iter().copied().map(source).collect();
        crate::facts::facts_of(plan, &sources, false).unwrap()
    }

    fn fresh(plan: &BuildPlan) -> BuildPlan {
        BuildPlan::new(plan.read.game.clone())
    }

    #[test]
    fn archives_are_read_again_as_they_were_read_before() {
        let mut othello = BuildPlan::new(Known::Othello(Othello::start()));
        othello.read.wanted.filter.color = Some(Side::Second);
        let mut evals = BuildPlan::new(Known::Chess(Chess::start()));
        evals.read.wanted.evals = true;
        for plan in [everything(), othello, evals, BuildPlan::new(Known::Chess(Chess::start()))] {
            let facts = facts(&plan, &[1, 2]);
            let mut again = fresh(&plan);
            again.read_as_before(&[source(1), source(2)], &facts).unwrap();
            let expected = BuildPlan { min_games: 1, ..plan.clone() };
            let mut expected = expected.read.wanted;
            // The header of the book has these.
            (expected.keyed, expected.unknown_results) = Default::default();
            expected.players = plan.dedup.is_some();
            expected.filter.time_controls.reverse();
            expected.filter.results.reverse();
            assert_eq!(again.read.wanted, expected);
            assert_eq!(again.said(), plan.said());
            // What is asked for anyway agrees.
            again.read_as_before(&[source(1)], &facts).unwrap();
            assert_eq!(again.said(), plan.said());
        }
    }

    #[test]
    fn what_differs_is_refused() {
        let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
        (plan.max_ply, plan.read.wanted.filter.min_plies) = (Some(40), 9);
        let facts = facts(&plan, &[1]);
        let with = |max_ply, side, evals| {
            let mut other = fresh(&plan);
            (other.max_ply, other.side, other.read.wanted.evals) = (max_ply, side, evals);
            let result = other.read_as_before(&[source(1)], &facts);
            (result.map_err(|error| error.to_string()), other.max_ply)
        };
        assert_eq!(with(None, None, false), (Ok(()), Some(40)));
        let refused = |text: &str| Err(text.to_owned());
        let read = "is asked for, and the book's archives were read";
        let why = format!("max-ply=20 {read} with max-ply=40");
        assert_eq!(with(Some(20), None, false).0, refused(&why));
        let why = format!("side=white {read} without side");
        assert_eq!(with(None, Some(Side::First), false).0, refused(&why));
        let why = format!("evals=annotations {read} without evals");
        assert_eq!(with(None, None, true).0, refused(&why));
        let unknown = vec![Fact::new(Digest([1; 16]), "plan.phase", "new-moon").unwrap()];
        let later = fresh(&plan).read_as_before(&[source(1)], &unknown);
        assert!(matches!(later, Err(BuildError::Plan(_))), "{later:?}");
    }

    #[test]
    fn of_several_ways_one_has_to_be_asked_for() {
        let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
        let mut facts = facts(&plan, &[1]);
        plan.max_ply = Some(40);
        facts.extend(super::tests::facts(&plan, &[2]));
        let sources = [source(1), source(2)];
        let several = fresh(&plan).read_as_before(&sources, &facts);
        assert!(matches!(several, Err(BuildError::ReadInSeveralWays(2))), "{several:?}");
        plan.read_as_before(&sources, &facts).unwrap();
        assert_eq!(plan.max_ply, Some(40));
        plan.read_as_before(&[], &[]).unwrap();
        assert_eq!(plan.max_ply, Some(40));
    }
}
