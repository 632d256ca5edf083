//! A game as far as it was played, and lines of moves as people type them.

use tabia::{Key, Keyed};
use tabia_games::{Game, MoveError, Node, after_number};

/// The positions of a game so far, each with the key that books have for it.
#[derive(Clone, Debug)]
pub struct GameHistory<G: Game> {
    /// From the position the game began with to the present one: never empty.
    nodes: Vec<Node<G>>,
    moves: Vec<G::Move>,
}

impl<G: Game> GameHistory<G> {
    /// A game of which nothing was played.
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
        self.moves.pop().and_then(|_| self.nodes.pop()).is_some()
    }

    /// The present position.
    pub fn present(&self) -> &Node<G> {
        &self.nodes[self.nodes.len() - 1]
    }

    /// All positions, the first one first.
    pub fn nodes(&self) -> &[Node<G>] {
        &self.nodes
    }

    /// All moves.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// How many moves were played.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The positions before the present one in which the same side was to move, the latest first.
    pub fn own(&self) -> impl Iterator<Item = &Node<G>> {
        let side = self.present().position.side();
        self.nodes.iter().rev().skip(1).filter(move |node| node.position.side() == side)
    }

    /// How often a position was there, the present one included.
    pub fn times(&self, key: Key) -> usize {
        self.nodes.iter().filter(|node| node.key == key).count()
    }
    /// Plays the moves of a text, such as `1. e4 e5 2. Nf3` or, where moves are squares, `f5d6c3`.
    ///
    /// # Errors
    /// The number of the first move that isn't legal, counted from 1, and what is wrong with it. What
    /// comes before it was played.
    pub fn play_text(&mut self, text: &str) -> Result<(), (usize, MoveError)> {
        let mut number = 0;
        for word in moves(text) {
            let position = &self.present().position;
            let is_one = position.read_move(word.as_bytes()).is_ok();
            // Squares run together are moves only where one square alone is.
            let are_moves =
                |squares: &Vec<&str>| !is_one && position.read_move(squares[0].as_bytes()).is_ok();
            let several = squares(word).filter(are_moves).unwrap_or_else(|| vec![word]);
            for text in several {
                number += 1;
                let played = self.present().position.parse_move(text);
                self.play(&played.map_err(|error| (number, error))?);
            }
        }
        Ok(())
    }
}

/// The squares of a word that is made of nothing else, as transcripts of Othello are: `f5d6c3`.
fn squares(word: &str) -> Option<Vec<&str>> {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    let are_squares = word.len() > 2 && word.as_bytes().chunks(2).all(is_square);
    are_squares.then(|| (0..word.len()).step_by(2).map(|at| &word[at..at + 2]).collect())
}

/// The moves of a text, without move numbers: `1.e4 e5 2. Nf3` are three.
fn moves(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(after_number).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_numbers_are_passed_over() {
        let found = moves("1.e4 e5 2. Nf3 2...Nc6 3... a6 0-0").collect::<Vec<_>>();
        assert_eq!(found, ["e4", "e5", "Nf3", "Nc6", "a6", "0-0"]);
        assert_eq!(moves(" ").count(), 0);
    }

    #[test]
    fn squares_run_together_are_taken_apart() {
        assert_eq!(squares("f5D6c3"), Some(vec!["f5", "D6", "c3"]));
        for word in ["f5", "f5d", "f5d9", "\u{e9}5d6", "Nf3"] {
            assert_eq!(squares(word), None, "{word}");
        }
    }
}
