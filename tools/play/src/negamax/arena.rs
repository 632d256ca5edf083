//! A game on a graph: all that solving one asks for.

use crate::negamax::Value;
use tabia::Key;
use tabia_games::Side;

/// Positions with numbers from 0, whose they are, where moves lead, and what positions are worth in
/// themselves. Values are seen by the first player.
pub trait Arena {
    /// How many positions there are.
    fn len(&self) -> u32;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Who is to move.
    fn side(&self, at: u32) -> Side;

    /// Where the moves lead that may be played, one by one; two may lead to one position.
    fn moves(&self, at: u32) -> impl Iterator<Item = u32>;

    /// What the position is worth in itself, if that is known.
    fn own(&self, at: u32) -> Option<Value>;

    /// Whether that counts as one more move. If not, it counts only where nothing is known of any
    /// move.
    fn own_is_a_move(&self, at: u32) -> bool;

    /// Something that tells positions apart and is the same however the graph was found.
    fn name(&self, at: u32) -> (Key, usize);

    /// What play is worth that never ends.
    fn repetition(&self) -> Value;
}

/// A value of the first player as this side sees it, or one of this side as the first player sees
/// it.
pub(crate) fn seen(value: Value, by: Side) -> Value {
    if by == Side::First { value } else { -value }
}
