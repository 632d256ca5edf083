//! The history of a game: where it started, and what was played.

use tabia_games::{Game, Side};

/// A game so far.
#[derive(Clone, Debug)]
pub struct MoveHistory<G: Game> {
    start: G,
    plies: Vec<(Side, G::Move)>,
    position: G,
}

impl<G: Game> MoveHistory<G> {
    /// A game without moves.
    pub fn new(start: G) -> Self {
        Self { position: start.clone(), plies: Vec::new(), start }
    }

    /// Where it started.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// Where it has come to.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The moves, each with who made it.
    pub fn plies(&self) -> &[(Side, G::Move)] {
        &self.plies
    }

    /// Makes a move, which must be legal here.
    pub fn play(&mut self, played: &G::Move) {
        self.plies.push((self.position.side(), played.clone()));
        self.position.play(played);
    }

    /// Takes the last move back; whether there was one.
    pub fn take_back(&mut self) -> bool {
        let is_taken = self.plies.pop().is_some();
        self.position = self.start.clone();
        self.plies.iter().for_each(|(_, played)| self.position.play(played));
        is_taken
    }

    /// The positions that moves were made from, each with its move.
    pub fn replay(&self) -> impl Iterator<Item = (G, &G::Move)> {
        let mut position = self.start.clone();
        self.plies.iter().map(move |(_, played)| {
            let before = position.clone();
            position.play(played);
            (before, played)
        })
    }
}
