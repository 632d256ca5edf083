//! A corner of a board as a game of its own, for books of joseki.

/// What was played in a corner of a board, as books of corners know it: on an otherwise empty
/// board, with passes for moves elsewhere.
#[derive(Clone, Debug)]
pub struct CornerGame<G, M> {
    /// Where it is, for people: `upper right`.
    pub name: &'static str,
    /// The empty board, with the side to move that played there first.
    pub start: G,
    /// The moves from there. The side to move behind them is that of the whole board.
    pub moves: Vec<M>,
    /// The moves in this corner that are legal on the whole board.
    pub legal: Vec<M>,
    /// Which of the whole game's moves was the last here, counted from 0; none in an empty corner.
    pub last: Option<usize>,
}
