//! A position with the key that a book has for it: its own, or that of the line that led there.

use crate::{Game, Line};

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

    /// The node that moves with these codes lead to, those left out that aren't legal where they
    /// stand.
    pub fn along(&self, codes: &[u16]) -> Self {
        codes.iter().fold(self.clone(), |node, &code| match node.move_of_code(code) {
            Some(played) => node.after(&played),
            None => node,
        })
    }
}
