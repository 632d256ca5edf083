//! Moves of which nothing is known that a rule could judge them by, and which people play.

use crate::choice::{Choice, Situation};
use tabia_games::Game;

/// What becomes of a choice where another move was played more often, of which nothing is known
/// that the rule could judge it by: it has no eval, or no rated games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// No move is chosen: the best of what is known may be far from the best.
    #[default]
    Heed,
    /// The choice is made among what is known.
    Ignore,
}

impl Unknown {
    /// How users write them.
    pub(crate) const NAMES: [(&str, Self); 2] = [("heed", Self::Heed), ("ignore", Self::Ignore)];

    /// A choice, or none where this is heeded.
    pub(crate) fn heeded<G: Game>(
        self,
        choice: Choice,
        at: &Situation<'_, G>,
        is_unknown: impl Fn(usize) -> bool,
    ) -> Choice {
        let Some(chosen) = choice.chosen.filter(|_| self == Self::Heed) else { return choice };
        let games = |place: usize| at.candidates[place].games_there();
        let unknown = (0..at.candidates.len()).filter(|&place| is_unknown(place));
        let most = unknown.max_by_key(|&place| (games(place), std::cmp::Reverse(place)));
        let Some(most) = most.filter(|&most| games(most) > games(chosen)) else { return choice };
        let notation =
            |place: usize| at.history.present().position.notation(&at.candidates[place].played);
        let why = format!(
            "{} would be chosen ({}), but it was played in {} games, {} in {}, and nothing is known \
             of that by which to judge it: `unknown=ignore` leaves it out",
            notation(chosen),
            choice.why,
            games(chosen),
            notation(most),
            games(most),
        );
        Choice { chosen: None, why, ..choice }
    }
}
