//! Replaying a game that a file of games holds.

use tabia_gamefile::StoredGame;
use tabia_games::{Game, Node, SetupError};

/// A game that a file of games holds, being replayed: the nodes of a book that it passes.
#[derive(Clone, Debug)]
pub struct GameReplay<'g, G> {
    node: Node<G>,
    codes: &'g [u16],
}

impl<'g, G: Game> GameReplay<'g, G> {
    /// A game from its start. `like` is any position of the same game; `by_line` says that the book
    /// is keyed by lines.
    ///
    /// # Errors
    /// If the game's set-up text is no position.
    pub fn start(like: &G, game: &'g StoredGame, by_line: bool) -> Result<Self, SetupError> {
        let text = if game.setup.is_empty() { "startpos" } else { &game.setup };
        let start = like.set_up(text)?;
        Ok(Self { node: Node::start(start, by_line), codes: &game.moves })
    }

    /// The node that it has come to.
    #[must_use]
    pub fn node(&self) -> &Node<G> {
        &self.node
    }

    /// The move that is made next; none at the end, or where the code is no legal move (in Go, one
    /// by rules of its own).
    #[must_use]
    pub fn next_move(&self) -> Option<G::Move> {
        let code = *self.codes.first()?;
        let position = &self.node.position;
        // Without symmetries the book's code is that of the board as it is.
        if position.symmetries() == 1 {
            return position.move_of_code(code);
        }
        let legal = position.legal();
        legal.into_iter().find(|played| position.image(played, 0) == code)
    }

    /// Makes a move, which is the next one.
    pub fn play(&mut self, played: &G::Move) {
        self.node = self.node.after(played);
        self.codes = self.codes.get(1..).unwrap_or_default();
    }

    /// How many moves are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.codes.len()
    }
}

/// The moves of a game, each with the position it is made in; less than all if one isn't legal.
///
/// # Errors
/// If the game's set-up text is no position.
pub fn replayed<G: Game>(like: &G, game: &StoredGame) -> Result<Vec<(G, G::Move)>, SetupError> {
    let mut replay = GameReplay::start(like, game, false)?;
    let mut moves = Vec::with_capacity(game.moves.len());
    while let Some(played) = replay.next_move() {
        moves.push((replay.node().position.clone(), played.clone()));
        replay.play(&played);
    }
    Ok(moves)
}
