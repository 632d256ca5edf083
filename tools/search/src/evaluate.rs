//! What a search has to know of a game besides its rules.

use crate::budget::Budget;
use tabia_engines::Ending;
use tabia_games::{Game, Outcome, Side};

/// What a search asks of a game besides its rules. Only [`Evaluate::value`] has no default; what is
/// overridden makes a search faster or stronger.
///
/// Every method depends on the position alone, so that equal searches give equal results.
pub trait Evaluate<G: Game>: Send {
    /// What a position that isn't over is worth to the side to move, in hundredths of the game's
    /// unit: an estimate, between -100,000 and 100,000.
    fn value(&mut self, position: &G) -> i32;

    /// How the game ended for the side to move, if it is over. `moves` are all legal ones.
    fn end(&self, position: &G, _moves: &[G::Move]) -> Option<End> {
        position.outcome().map(|outcome| End::of(outcome, position.side()))
    }

    /// Where the depth is used up: whether more must be looked at before the position is estimated.
    /// `moves` are all legal ones, of which those are kept that matter then.
    fn unrest(&self, _position: &G, _moves: &mut Vec<G::Move>) -> Unrest {
        Unrest::Quiet
    }

    /// Takes out moves that are hardly worth a search, and says whether there were any. Such a
    /// position's value is never sure, unless one of the moves left wins.
    fn narrow(&self, _position: &G, _moves: &mut Vec<G::Move>) -> bool {
        false
    }

    /// By what moves are ordered that nothing else is known of: those with more come first.
    fn order(&self, _position: &G, _played: &G::Move) -> i32 {
        0
    }

    /// A number that is equal only where all that the rules go by is equal.
    fn hash(&self, position: &G) -> u64 {
        position.board_key()
    }

    /// Whether a position can come up twice in a game.
    fn repeats(&self) -> bool {
        true
    }

    /// The most plies that the game can still last, and about how many positions
    /// [`Evaluate::solve`] would look at; none where it isn't asked.
    fn plies_left(&self, _position: &G) -> Option<(u32, u64)> {
        None
    }

    /// The value of a game searched to its end, or a bound if it is outside `alpha` to `beta`; none
    /// if the budget doesn't suffice. Asked where [`Evaluate::plies_left`] are within the depth
    /// left.
    fn solve(
        &mut self,
        _position: &G,
        _alpha: i32,
        _beta: i32,
        _budget: &mut Budget,
    ) -> Option<i32> {
        None
    }

    /// A new search begins: what was kept from others is forgotten.
    fn forget(&mut self) {}
}

/// How a game ended for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It has won or lost, or nobody has.
    Ending(Ending),
    /// It is ahead by so many hundredths, in games that are played for points.
    Hundredths(i32),
}

impl End {
    /// That of an outcome, as a side sees it.
    pub fn of(outcome: Outcome, side: Side) -> Self {
        Self::Ending(match outcome.winner() {
            None => Ending::Draw,
            Some(winner) if winner == side => Ending::Win,
            Some(_) => Ending::Loss,
        })
    }
}

/// Whether a position can be estimated as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrest {
    /// It can.
    Quiet,
    /// It can, but some moves could be better than that.
    May,
    /// It can't: the best of these moves counts. No other legal move is better.
    Must,
}

/// No knowledge of a game but how it ends: for games that are seen through, or aren't known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl<G: Game> Evaluate<G> for Plain {
    fn value(&mut self, _position: &G) -> i32 {
        0
    }
}
