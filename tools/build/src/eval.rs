//! Evals of positions, and which of two counts.

use tabia::Key;

/// What an engine thought of the position with this key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyedEval {
    /// The position's key.
    pub key: Key,
    /// For the side to move, in the game's unit.
    pub value: i16,
    /// How deep the engine looked.
    pub depth: u8,
}

pub(crate) type Eval = (i16, u8);

/// Of two evals the deeper one; at equal depth the one nearer to zero, of two equally near the
/// lower (M-2).
#[inline]
pub(crate) fn deeper(first: Option<Eval>, second: Option<Eval>) -> Option<Eval> {
    let rank = |eval: Option<Eval>| {
        eval.map(|(value, depth)| (depth, -i32::from(value).abs(), -i32::from(value)))
    };
    if rank(second) > rank(first) { second } else { first }
}
