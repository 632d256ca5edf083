//! What the tags of a game say in its notation: how it ended, and what filters judge.

use super::notation::Notation;
use super::tags::{Tags, decoded, in_order};
use super::text::Marker;
use crate::filter::{Date, GameFacts, TimeClass, rating};
use crate::reading::Fault;
use crate::stats::Reason;
use tabia_games::Outcome;

impl<'a> Tags<'a> {
    /// What filters judge.
    pub(super) fn facts<G: Notation>(&self, game: &G) -> GameFacts<'a> {
        GameFacts {
            players: self.players_in_order(game),
            ratings: in_order(game, self.ratings.map(rating)),
            date: Date::of_tag(self.utc_date).or_else(|| Date::of_tag(self.date)),
            time_class: TimeClass::of_tag(self.time_control),
            outcome: self.result.and_then(|result| game.outcome_of(result.trim_ascii())),
        }
    }

    /// How it ended: by its tag, or else by the marker at the end of its moves.
    pub(super) fn outcome<G: Notation>(&self, game: &G, marker: Marker) -> Result<Outcome, Fault> {
        let none = |detail: String| Fault::new(Reason::NoResult, detail);
        match (self.result, marker) {
            (Some(tag), _) => game
                .outcome_of(tag.trim_ascii())
                .ok_or_else(|| none(format!("its Result tag is `{}`", decoded(tag)))),
            (None, _) if self.cut_off => {
                Err(none("its tags stand apart from it, before two blank lines".to_owned()))
            }
            (None, Marker::Decided(outcome)) => Ok(outcome),
            (None, Marker::Undecided) => Err(none("it has no Result tag and ends in *".to_owned())),
            (None, Marker::Missing) => {
                Err(none("it has no Result tag and ends without a result".to_owned()))
            }
        }
    }
}
