//! A graph that changes: where its positions are, and giving room back.

use crate::negamax::Graph;
use tabia::Key;
use tabia_games::{Game, Node, Side};

impl Graph {
    /// The codes of the moves that led to a position when it was found first, from the one that the
    /// walk began with.
    ///
    /// # Panics
    /// Without [`crate::negamax::GraphOptions::can_change`].
    #[must_use]
    pub fn line(&self, at: u32) -> Vec<u16> {
        #[expect(clippy::expect_used, reason = "the caller's promise")]
        let links = self.links.as_ref().expect("a graph that can change");
        let mut codes = Vec::new();
        let mut at = at;
        while at != 0 {
            let (from, code) = links.found_from[at as usize];
            codes.push(code);
            at = from;
        }
        codes.reverse();
        codes
    }

    /// A position of the graph with its board; `start` is where the walk began.
    ///
    /// # Panics
    /// As [`Graph::line`].
    #[must_use]
    pub fn node<G: Game>(&self, start: &Node<G>, at: u32) -> Node<G> {
        start.along(&self.line(at))
    }

    /// A legal move from a position leads to this one, of which the book has no row.
    pub(super) fn miss(&mut self, key: Key, side: Side, from: u32) {
        if let Some(links) = &mut self.links {
            links.miss(key, side, from);
        }
    }

    /// Gives the room of moves back that belong to no position any more, if it is much.
    pub(super) fn drop_dead_moves(&mut self) {
        if self.dead_moves < 1 << 16 || self.dead_moves < self.moves.len() / 2 {
            return;
        }
        let mut moves = Vec::with_capacity(self.moves.len() - self.dead_moves);
        for at in 0..self.len() {
            if self.is_read(at) {
                let begin = moves.len() as u32;
                moves.extend_from_slice(&self.moves[self.move_range(at)]);
                self.ranges[at as usize] = [begin, moves.len() as u32];
            }
        }
        (self.moves, self.dead_moves) = (moves, 0);
    }
}
