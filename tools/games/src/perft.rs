//! Perft: counting the leaves of the move tree, by which rules are checked against published
//! tables.

use crate::game::Game;

/// Leaves of the tree of legal moves to this depth. Takes time in proportion to their number.
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = game.legal();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|played| perft(&game.after(played), depth - 1)).sum()
}
