//! A game as far as it was played.

use tabia::Key;
use tabia::format::Keyed;
use tabia_games::{Game, Node};

/// The positions of a game so far, each with the key that books have for it.
#[derive(Clone, Debug)]
pub struct GameHistory<G: Game> {
    /// From the position the game began with to the present one: never empty.
    nodes: Vec<Node<G>>,
    moves: Vec<G::Move>,
}

impl<G: Game> GameHistory<G> {
    /// A game of which nothing was played.
    #[must_use]
    pub fn start(position: G, keyed: Keyed) -> Self {
        Self { nodes: vec![Node::start(position, keyed == Keyed::Line)], moves: Vec::new() }
    }

    /// Plays a legal move.
    pub fn play(&mut self, played: &G::Move) {
        self.nodes.push(self.present().after(played));
        self.moves.push(played.clone());
    }

    /// Takes the last move back; whether there was one.
    pub fn take_back(&mut self) -> bool {
        let was_there = self.moves.pop().is_some();
        if was_there {
            self.nodes.pop();
        }
        was_there
    }

    /// The present position.
    #[must_use]
    pub fn present(&self) -> &Node<G> {
        &self.nodes[self.nodes.len() - 1]
    }

    /// All positions, the first one first.
    #[must_use]
    pub fn nodes(&self) -> &[Node<G>] {
        &self.nodes
    }

    /// All moves.
    #[must_use]
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// How many moves were played.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The positions before the present one in which the same side was to move, the latest first.
    pub fn own(&self) -> impl Iterator<Item = &Node<G>> {
        let side = self.present().position.side();
        self.nodes.iter().rev().skip(1).filter(move |node| node.position.side() == side)
    }

    /// How often a position was there, the present one included.
    #[must_use]
    pub fn times(&self, key: Key) -> usize {
        self.nodes.iter().filter(|node| node.key == key).count()
    }
}
