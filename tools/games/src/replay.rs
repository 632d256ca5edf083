//! Replaying a game whose moves are given as codes on the board as it is.

use crate::{Game, Node, SetupError};

/// A game being replayed: the nodes of a book that it passes.
///
/// ```
/// use tabia_games::{Chess, Game, Replay};
///
/// let start = Chess::start();
/// let played = start.parse_move("e4")?;
/// let codes = [start.image(&played, 0)];
/// let mut replay = Replay::start(&start, "", &codes, false)?;
/// assert_eq!(replay.next_move(), Some(played));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay<'g, G> {
    node: Node<G>,
    codes: &'g [u16],
}

impl<'g, G: Game> Replay<'g, G> {
    /// A game of moves with these codes ([`Game::image`] under the identity) from the position of this
    /// set-up text; empty, it is the usual start. `like` is any position of the same game; `by_line`
    /// says that the book is keyed by lines.
    ///
    /// # Errors
    /// If the text is no position.
    pub fn start(
        like: &G,
        setup: &str,
        codes: &'g [u16],
        by_line: bool,
    ) -> Result<Self, SetupError> {
        let start = like.set_up(if setup.is_empty() { "startpos" } else { setup })?;
        Ok(Self { node: Node::start(start, by_line), codes })
    }

    /// The node that it has come to.
    pub fn node(&self) -> &Node<G> {
        &self.node
    }

    /// The move that is made next; none at the end, or where the code is no move by which a game can go
    /// on ([`Game::playable`]).
    pub fn next_move(&self) -> Option<G::Move> {
        let code = *self.codes.first()?;
        let position = &self.node.position;
        // Without symmetries the book's code is that of the board as it is.
        let legal = if position.symmetries() == 1 { position.move_of_code(code) } else { None };
        let is_it = |played: &G::Move| position.image(played, 0) == code;
        legal.or_else(|| position.playable().into_iter().find(is_it))
    }

    /// Makes a move, which is the next one.
    pub fn play(&mut self, played: &G::Move) {
        self.node = self.node.after(played);
        self.codes = self.codes.get(1..).unwrap_or_default();
    }

    /// How many moves are left.
    pub fn left(&self) -> usize {
        self.codes.len()
    }
}
