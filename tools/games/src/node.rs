//! A position with the key that a book has for it: its own, or that of the line that led there; and
//! games as such positions one after the other.

use crate::{Game, Line, SetupError};

/// A place in a book.
#[derive(Clone, Debug)]
pub struct Node<G> {
    /// The position there.
    pub position: G,
    /// What the book knows it by.
    pub key: u64,
    /// The line that led there, if that is what the book is keyed by.
    line: Option<Line>,
}

impl<G: Game> Node<G> {
    /// A position without moves before it. The keys of it and of what comes after are those of
    /// positions or, if `by_line`, of the lines of moves that lead there.
    pub fn start(position: G, by_line: bool) -> Self {
        let line = by_line.then(|| Line::start(&position));
        Self { key: line.map_or_else(|| position.key(), Line::key), position, line }
    }

    /// Whether its key is that of the line that led there.
    pub fn is_by_line(&self) -> bool {
        self.line.is_some()
    }

    /// The node that a legal move leads to.
    pub fn after(&self, played: &G::Move) -> Self {
        let position = self.position.after(played);
        let line = self.line.map(|line| line.after(&self.position, played));
        Self { key: line.map_or_else(|| position.key(), Line::key), position, line }
    }

    /// The code that the book has for a legal move here.
    pub fn code(&self, played: &G::Move) -> u16 {
        self.line
            .map_or_else(|| self.position.code(played), |line| line.code(&self.position, played))
    }

    /// A legal move that the book has this code for; none if there is none.
    pub fn move_of_code(&self, code: u16) -> Option<G::Move> {
        match self.line {
            Some(line) => line.move_of_code(&self.position, code),
            None => self.position.move_of_code(code),
        }
    }

    /// The legal moves by the codes that the book has for them, in ascending order; of several with
    /// one code, which are images of each other, the one that is generated first.
    pub fn coded_moves(&self) -> Vec<(u16, G::Move)> {
        let legal = self.position.legal().into_iter();
        let mut coded: Vec<_> = legal.map(|played| (self.code(&played), played)).collect();
        coded.sort_by_key(|&(code, _)| code);
        coded.dedup_by_key(|&mut (code, _)| code);
        coded
    }

    /// The node that moves with these codes lead to, but for those that aren't legal there.
    pub fn along(&self, codes: &[u16]) -> Self {
        codes.iter().fold(self.clone(), |node, &code| match node.move_of_code(code) {
            Some(played) => node.after(&played),
            None => node,
        })
    }
}

/// A game being replayed, given by the codes of its moves: the nodes of a book that it passes.
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
    /// A game of moves with these codes ([`Game::image`] under the identity) from the position of
    /// this set-up text; empty, it is the usual start. `like` is any position of the same game;
    /// `by_line` says that the book is keyed by lines. Fails if the text is no position.
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

    /// The move that is made next; none at the end, or if it isn't [`Game::playable`].
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
