//! Perft: counting the leaves of the move tree, by which rules are checked against published
//! tables.

use crate::game::Game;

/// Leaves of the tree of legal moves to this depth. Takes time in proportion to their number.
#[must_use]
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |played| {
        let mut next = game.clone();
        next.play(played);
        perft(&next, depth - 1)
    };
    moves.iter().map(after).sum()
}
