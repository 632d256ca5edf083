//! Rules made of rules: the first of several that has an answer, and exploring; and the rule that
//! says nothing by itself.

use crate::choice::{Choice, Select, Situation};
use crate::error::Error;
use crate::score::Percent;
use std::cmp::Reverse;
use tabia_games::Game;

/// Rules with their names, asked one after the other.
pub struct FirstOf<'a, G: Game>(pub Vec<(String, Box<dyn Select<G> + 'a>)>);

impl<G: Game> Select<G> for FirstOf<'_, G> {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let mut reasons = Vec::new();
        for (name, rule) in &self.0 {
            let choice = rule.select(at)?;
            reasons.push(format!("{name}: {}", choice.why));
            if choice.chosen.is_some() {
                return Ok(Choice { why: reasons.join("; else "), ..choice });
            }
        }
        Ok(Choice::none(at.candidates.len(), reasons.join("; else ")))
    }

    fn note(&self) -> Option<String> {
        self.0.iter().find_map(|(_, rule)| rule.note())
    }
}

/// Plays moves that are marked `always`, and no others: of several the one played most often.
pub struct Always;

impl<G: Game> Select<G> for Always {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let marked = (0..at.candidates.len()).filter(|&place| at.candidates[place].is_always());
        let chosen = marked.max_by_key(|&place| (at.candidates[place].games(), Reverse(place)));
        let why = if chosen.is_some() { "marked always" } else { "no move is marked always" };
        Ok(Choice { chosen, ..Choice::none(at.candidates.len(), why) })
    }
}

/// A rule that has no move in a part of its turns, so that the engine plays by itself: "While
/// learning, the program should be allowed to sometimes reject all moves and simply try something
/// different" (Rollason 2007, "Creating Book Knowledge").
///
/// Whether it has one depends on the seed, the number of the game and the ply alone
/// ([`Seed::of_exploring`](crate::choice::Seed::of_exploring)). Moves marked `always` are played all
/// the same.
pub struct Exploring<'a, G: Game> {
    pub rule: Box<dyn Select<G> + 'a>,
    pub share: Percent,
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
