//! A position in which questions are asked, with its board and the moves that lead there.

use crate::expansion::{Asked, Expansion, Found, target};
use crate::task::Question;
use tabia_games::{Game, Node, Side};
use tabia_play::choice::GameHistory;

/// A position with its board.
pub struct Place<G: Game> {
    /// The position.
    pub node: Node<G>,
    /// The moves that lead there, as programs write them.
    pub line: Vec<String>,
}

/// How many moves that the book doesn't have are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// None: what ends the game is enough.
    Ends,
    /// So many of the best of them, or one besides those that end the game.
    Best(usize),
    /// All, one by one, each searched as deep as the others.
    All,
}

/// Moves that a book doesn't have.
struct New<G: Game> {
    /// One that wins at once.
    win: Option<Found>,
    /// Those that end the game otherwise.
    ends: Vec<Found>,
    /// All others, with their codes.
    open: Vec<(u16, G::Move)>,
}

impl<G: Game> Place<G> {
    /// Where a game began.
    pub fn start(history: &GameHistory<G>) -> Self {
        Self { node: history.nodes()[0].clone(), line: Vec::new() }
    }

    /// The last position of a game.
    pub fn of(history: &GameHistory<G>) -> Self {
        let moves = history.nodes().iter().zip(history.moves());
        let line = moves.map(|(node, played)| node.position.coordinates(played)).collect();
        Self { node: history.present().clone(), line }
    }

    /// The position that a legal move leads to.
    pub fn after(&self, played: &G::Move) -> Self {
        let mut line = self.line.clone();
        line.push(self.node.position.coordinates(played));
        Self { node: self.node.after(played), line }
    }

    /// The position that moves with these codes lead to, as far as they are legal.
    pub fn along(self, codes: &[u16]) -> Self {
        codes.iter().fold(self, |place, &code| match place.node.move_of_code(code) {
            Some(played) => place.after(&played),
            None => place,
        })
    }

    /// Takes legal moves into an expansion that the book doesn't have: those that end the game, and
    /// the question what the others are worth, of which so many are wanted. Where one wins, it is all.
    pub fn find(&self, moves: Vec<(u16, G::Move)>, wanted: Wanted, expansion: &mut Expansion) {
        let New { win, ends, open } = self.new_moves(moves);
        if win.is_some() {
            expansion.ends.extend(win);
            return;
        }
        let has_ends = !ends.is_empty();
        expansion.ends.extend(ends);
        match wanted {
            _ if open.is_empty() => {}
            Wanted::Ends => {}
            Wanted::Best(most) => {
                let count = if has_ends { 1 } else { most.min(open.len()) };
                expansion.asked.push(self.ask(&open, count, true));
            }
            Wanted::All => {
                expansion.asked.extend(open.chunks(1).map(|one| self.ask(one, 1, true)));
            }
        }
    }

    /// Which of these legal moves end the game.
    fn new_moves(&self, moves: Vec<(u16, G::Move)>) -> New<G> {
        let (side, from) = (self.node.position.side(), self.node.key);
        let mut new = New { win: None, ends: Vec::new(), open: Vec::new() };
        for (code, played) in moves {
            let next = self.node.after(&played);
            let target = target(&self.node, code, &next);
            match next.position.outcome() {
                None => new.open.push((code, played)),
                Some(end) if end.winner() == Some(side) => {
                    new.win.get_or_insert(Found { from, target });
                }
                Some(_) => new.ends.push(Found { from, target }),
            }
        }
        new
    }

    /// The question what the best of these moves are worth.
    pub fn ask(&self, among: &[(u16, G::Move)], count: usize, is_new: bool) -> Asked {
        let position = &self.node.position;
        let words = among.iter().map(|(_, played)| position.coordinates(played)).collect();
        let to =
            |(code, played): &(u16, G::Move)| target(&self.node, *code, &self.node.after(played));
        Asked {
            question: Question { line: self.line.clone(), among: words, count },
            from: self.node.key,
            second: position.side() == Side::Second,
            targets: among.iter().map(to).collect(),
            is_new,
        }
    }
}
