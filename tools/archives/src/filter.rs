//! Which games are wanted, judged from what their tags say, before they are replayed.
//!
//! What a filter asks for and a game doesn't say is a reason to leave the game out: games of
//! unknown rating are not games of good players.

mod date;
mod player;
mod rating;
mod time_control;

pub use date::{BadDate, Date, Dates};
pub use player::{NoName, PlayerName};
pub use rating::{RatingOf, RatingRange, rating};
pub use time_control::TimeClass;

use crate::named;
use crate::stats::Filtered;
use std::borrow::Cow;
use std::ops::RangeInclusive;
use tabia_games::{Outcome, Side};

/// Which games are wanted: those that pass all of it. The default wants all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// How strong the players are.
    pub ratings: RatingRange,
    /// When it was played.
    pub dates: Dates,
    /// How fast it was: one of these, if there are any.
    pub time_controls: Vec<TimeClass>,
    /// Who played it: one of these, if there are any.
    pub players: Vec<PlayerName>,
    /// What one of `players` played. Means nothing if there are none.
    pub color: Option<Side>,
    /// How it ended: one of these, if there are any.
    pub results: Vec<Outcome>,
    /// From what kind of starting position.
    pub variant: Option<Variant>,
    /// How long it is at least, in plies.
    pub min_plies: usize,
}

named! {
    /// A kind of chess.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Variant {
        /// Castling as usual; a game may start from any position.
        Standard = "standard",
        /// Chess960, from one or two back ranks that were drawn.
        Chess960 = "chess960",
    }
}

/// What is known of a game before it is replayed. Texts are empty if they are not known.
#[derive(Clone, Debug, Default)]
pub struct GameFacts<'a> {
    /// The names of the first and the second player.
    pub players: [Cow<'a, str>; 2],
    /// Their ratings.
    pub ratings: [Option<u16>; 2],
    /// When it was played.
    pub date: Option<Date>,
    /// How fast it was.
    pub time_class: Option<TimeClass>,
    /// How the game ended, if that is known before the moves are read.
    pub outcome: Option<Outcome>,
    /// The event, or the tournament.
    pub event: Cow<'a, str>,
    /// The place.
    pub site: Cow<'a, str>,
    /// The round.
    pub round: Cow<'a, str>,
}

impl Filter {
    /// Whether the filter asks for anything in [`GameFacts`].
    pub(crate) fn wants_facts(&self) -> bool {
        let lists =
            [self.time_controls.is_empty(), self.players.is_empty(), self.results.is_empty()];
        self.ratings.is_set() || self.dates.is_set() || lists.contains(&false)
    }

    /// Why a game isn't wanted, by facts before its moves: the first reason of [`Filtered::ALL`].
    pub(crate) fn judge(&self, facts: &GameFacts<'_>) -> Result<(), Filtered> {
        wanted(self.ratings.take(facts.ratings), Filtered::Rating)?;
        wanted(self.dates.take(facts.date), Filtered::Date)?;
        let has_class = |class| self.time_controls.contains(&class);
        let is_of_class = self.time_controls.is_empty() || facts.time_class.is_some_and(has_class);
        wanted(is_of_class, Filtered::TimeControl)?;
        self.judge_players(&facts.players)?;
        facts.outcome.map_or(Ok(()), |outcome| self.judge_outcome(Some(outcome)))
    }

    fn judge_players(&self, names: &[Cow<'_, str>; 2]) -> Result<(), Filtered> {
        if self.players.is_empty() {
            return Ok(());
        }
        let is_there = [0, 1].map(|side| {
            let name: &str = &names[side];
            self.players.iter().any(|player| player.is_named(name))
        });
        wanted(is_there.contains(&true), Filtered::Player)?;
        wanted(self.color.is_none_or(|side| is_there[side.index()]), Filtered::Color)
    }

    /// The same for a game that ended like this; none if it has no decided result.
    pub(crate) fn judge_outcome(&self, outcome: Option<Outcome>) -> Result<(), Filtered> {
        let is_one = |outcome| self.results.contains(&outcome);
        wanted(self.results.is_empty() || outcome.is_some_and(is_one), Filtered::Result)
    }

    pub(crate) fn judge_variant(&self, variant: Variant) -> Result<(), Filtered> {
        wanted(self.variant.is_none_or(|asked| asked == variant), Filtered::Variant)
    }

    pub(crate) fn judge_length(&self, plies: usize) -> Result<(), Filtered> {
        wanted(plies >= self.min_plies, Filtered::Plies)
    }
}

/// The number in this text, if it is so many digits and nothing else.
fn number(text: &[u8], digits: RangeInclusive<usize>) -> Option<u32> {
    let is_number = digits.contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| text.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0')))
}

fn wanted(is_wanted: bool, reason: Filtered) -> Result<(), Filtered> {
    if is_wanted { Ok(()) } else { Err(reason) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Filters are tested with the tags that they judge, in `tests/archives/wanted.rs`.
    #[test]
    fn the_first_reason_counts_and_no_filter_takes_what_is_not_known() {
        let players = ["Ada".into(), "Bela".into()];
        let facts =
            GameFacts { players, outcome: Some(Outcome::FirstWins), ..GameFacts::default() };
        let players = vec!["Cleo".parse().expect("a name")];
        let filter = Filter { results: vec![Outcome::Draw], players, ..Filter::default() };
        assert_eq!(filter.judge(&facts), Err(Filtered::Player));
        assert_eq!(filter.judge_outcome(None), Err(Filtered::Result));
        let all = Filter::default();
        assert!(!all.wants_facts() && filter.wants_facts());
        assert_eq!((all.judge(&GameFacts::default()), all.judge_outcome(None)), (Ok(()), Ok(())));
    }
}
