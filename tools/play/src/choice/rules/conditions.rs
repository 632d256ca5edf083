//! What a candidate, and the game so far, must have for a move to be played from the book.

use super::criterion::Criterion;
use super::surd::Surd;
use crate::Error;
use crate::choice::{Choice, Reached, RowLookup, Situation};
use crate::score::Percent;
use std::cmp::Reverse;
use tabia::{Key, Row};
use tabia_games::Game;

/// What is asked of candidates and of the game. By default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The least value: of a part of the whole in hundredths of a percent, else in its own unit.
    pub min: Option<i32>,
    /// The least score, whatever candidates are compared by.
    pub min_score: Percent,
    /// The least number of games; of rated games, where ratings are compared.
    pub min_games: u64,
    /// The least share of the games of the most played candidate.
    pub min_share: Percent,
    /// A greater value than at the player's last position (Gaudel et al. 2010, Algorithm 4).
    pub progress: bool,
    /// What becomes of a game that left the book.
    pub reentry: Reentry,
    /// What becomes of moves that nothing is known of.
    pub unknown: Unknown,
}

/// Whether a game that left the book may come back to it (Gaudel et al. 2010, Algorithm 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reentry {
    /// Wherever a move leads to a position of the book.
    #[default]
    Free,
    /// Only from positions that are in the book themselves: the algorithm as printed.
    Known,
    /// Never: all positions of the game must be in the book.
    Never,
}

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
        let most = unknown.max_by_key(|&place| (games(place), Reverse(place)));
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

impl Conditions {
    /// Why a candidate is out of the question, if it is; `before` was the last value.
    pub(super) fn fault(
        &self,
        criterion: Criterion,
        known: &Reached,
        value: &Surd,
        before: Option<&Surd>,
    ) -> Option<String> {
        let (games, what) = criterion.games_of(known);
        if let Some(fault) = too_few(self.min_games, games, what) {
            return Some(fault);
        }
        if !self.min_score.is_met(known.counts) {
            let least =
                Surd::fraction(self.min_score.hundredths().into(), Criterion::Score.unit().into());
            return Some(below(Criterion::Score, Criterion::Score.of(known).as_ref(), &least));
        }
        let least = self.min.map(|min| Surd::fraction(min.into(), criterion.unit().into()));
        if let Some(least) = least.filter(|least| value < least) {
            return Some(below(criterion, Some(value), &least));
        }
        before.filter(|&before| value <= before).map(|before| no_progress(criterion, value, before))
    }

    /// Why no move is played whatever the candidates, if the game has left the book for good.
    pub(super) fn left_book<G: Game>(
        &self,
        at: &Situation<'_, G>,
    ) -> Result<Option<String>, Error> {
        let nodes = match self.reentry {
            Reentry::Free => return Ok(None),
            Reentry::Known => &at.history.nodes()[at.history.plies()..],
            Reentry::Never => at.history.nodes(),
        };
        for (ply, node) in nodes.iter().enumerate() {
            if !is_known(at.rows, node.key)? {
                return Ok(Some(match self.reentry {
                    Reentry::Never => format!("the game left the book at ply {ply}"),
                    _ => "the position itself isn't in the book".to_owned(),
                }));
            }
        }
        Ok(None)
    }
}

/// Why a move of so many games isn't played, if these are its games, where so many are asked for.
pub(in crate::choice) fn too_few(least: u64, games: u64, what: &str) -> Option<String> {
    let (what, are) = if games == 1 { (what.trim_end_matches('s'), "is") } else { (what, "are") };
    (games < least).then(|| format!("{games} {what} {are} fewer than {least}"))
}

/// Why a move of so many games isn't played beside one of so many more, if these are its games.
pub(in crate::choice) fn too_rare(
    least: Percent,
    games: u64,
    most: u64,
    what: &str,
) -> Option<String> {
    (!least.is_share(games, most)).then(|| {
        format!("{games} {what} are less than {least} % of the {most} of the most played move")
    })
}

/// Whether a position is in the books: in the positions table, or moves were played there.
fn is_known(rows: &dyn RowLookup, key: Key) -> Result<bool, Error> {
    Ok(rows.position(key)?.is_some() || rows.moves(key)?.iter().any(|row| row.counts().games() > 0))
}

fn below(criterion: Criterion, value: Option<&Surd>, least: &Surd) -> String {
    let Some(value) = value else { return "no games, and so no score".to_owned() };
    let (value, least) = criterion.shown_apart(value, least);
    format!("{} {value} is below {least}", criterion.name())
}

fn no_progress(criterion: Criterion, value: &Surd, before: &Surd) -> String {
    if value == before {
        return format!(
            "{} {} is no progress: it was so before",
            criterion.name(),
            criterion.shown(value)
        );
    }
    let (value, before) = criterion.shown_apart(value, before);
    format!("{} {value} is no progress: it was {before} before", criterion.name())
}
