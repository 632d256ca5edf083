//! Exploring: now and then all moves of the book are rejected.

use crate::choice::{Choice, Select, Situation};
use crate::error::Error;
use crate::score::Percent;
use tabia_games::Game;

/// A rule that has no move in a part of its turns, so that the engine plays by itself: "While
/// learning, the program should be allowed to sometimes reject all moves and simply try something
/// different" (Rollason 2007, "Creating Book Knowledge").
///
/// Whether it has one depends on the seed, the number of the game and the ply alone
/// ([`Seed::of_exploring`](crate::choice::Seed::of_exploring)). Moves marked `always` are played all
/// the same.
pub struct Exploring<'a, G: Game> {
    rule: Box<dyn Select<G> + 'a>,
    share: Percent,
}

impl<'a, G: Game> Exploring<'a, G> {
    /// A rule that is followed but for this share of its turns.
    #[must_use]
    pub fn new(rule: Box<dyn Select<G> + 'a>, share: Percent) -> Self {
        Self { rule, share }
    }
}

impl<G: Game> Select<G> for Exploring<'_, G> {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let drawn = at.seed.of_exploring(at.history.plies()).below(10_000);
        if drawn >= u64::from(self.share.hundredths()) {
            return self.rule.select(at);
        }
        let why = format!("exploring: in {} % of its turns the book plays nothing", self.share);
        Ok(Choice::none(at.candidates.len(), why))
    }

    fn note(&self) -> Option<String> {
        self.rule.note()
    }
}
