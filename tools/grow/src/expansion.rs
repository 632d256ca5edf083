//! What has to be found out, so that the tree is complete again, as words and rows can tell it.

use crate::task::{Question, Task};
use crate::tree::Tree;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use tabia::{Flags, Key};
use tabia_games::{Game, Node, Outcome, Side};

/// The expansion of one leaf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expansion {
    /// The leaf.
    pub leaf: Key,
    /// Who is to move there.
    pub second: bool,
    /// Positions that are expanded with it: the leaf, or those of a game.
    pub expanded: Vec<Key>,
    /// What is asked of an engine.
    pub asked: Vec<Asked>,
    /// Moves that end the game, which the book doesn't have.
    pub ends: Vec<Found>,
}

/// A question, and what its moves lead to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// The position that it is about.
    pub from: Key,
    /// Who is to move there.
    pub second: bool,
    /// Where each of its moves leads, in their order.
    pub targets: Vec<Target>,
    /// Whether the book doesn't have these moves.
    pub is_new: bool,
}

/// A move from a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The position.
    pub from: Key,
    /// Where the move leads.
    pub target: Target,
}

/// Where a move leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The move's code.
    pub code: u16,
    /// The position.
    pub key: Key,
    /// Whether the other side is to move there.
    pub turns: bool,
    /// The flags that say how the game ended, if it did, seen by the side to move there.
    pub ended: u8,
}

impl Target {
    /// Whether the move wins at once.
    pub fn wins(&self) -> bool {
        let winner = if self.turns { Flags::PROVEN_LOSS } else { Flags::PROVEN_WIN };
        self.ended == winner.bits()
    }
}

impl Expansion {
    /// An expansion with nothing in it yet.
    pub fn new(leaf: Key, side: Side) -> Self {
        let (expanded, asked, ends) = (Vec::new(), Vec::new(), Vec::new());
        Self { leaf, second: side == Side::Second, expanded, asked, ends }
    }

    /// Who is to move at the leaf.
    pub fn side(&self) -> Side {
        if self.second { Side::Second } else { Side::First }
    }

    /// The questions as a task with this number.
    pub fn task(&self, id: u64) -> Task {
        Task { id, questions: self.asked.iter().map(|asked| asked.question.clone()).collect() }
    }

    /// Whether its questions are about positions after this one, its moves lead where it says, and
    /// it leaves out no move of the leaf: so for one that was read from a file.
    pub fn fits<G: Game>(&self, tree: &Tree<G>) -> bool {
        self.expanded == [self.leaf]
            && self.asked.iter().all(|asked| asked.fits(&tree.opening().nodes()[0]))
            && self.ends.iter().all(|found| found.fits(tree))
            && self.has_all_moves(tree)
    }

    /// Whether each move of the leaf is in the book, asked for, or ends the game; or one that does
    /// is won.
    fn has_all_moves<G: Game>(&self, tree: &Tree<G>) -> bool {
        let graph = tree.graph();
        let Some(at) = graph.find(self.leaf, self.side()) else { return false };
        let is_at_leaf = |asked: &&Asked| (asked.from, asked.second) == (self.leaf, self.second);
        let asked = self.asked.iter().filter(|asked| asked.is_new).filter(is_at_leaf);
        let asked = asked.flat_map(|asked| asked.targets.iter().map(|target| target.code));
        let ends = || self.ends.iter().filter(|found| found.from == self.leaf);
        let found: HashSet<u16> = (asked.chain(ends().map(|found| found.target.code)))
            .chain(graph.moves(at).iter().map(|edge| edge.code))
            .collect();
        ends().any(|found| found.target.wins())
            || tree.game(at).present().coded_moves().iter().all(|(code, _)| found.contains(code))
    }

    /// Where moves lead that are asked for and that the book doesn't have, and who is to move there.
    pub fn found_by_asking(&self) -> impl Iterator<Item = (Key, Side)> {
        self.asked.iter().filter(|asked| asked.is_new).flat_map(|asked| {
            let side = |target: &Target| match asked.second != target.turns {
                true => Side::Second,
                false => Side::First,
            };
            asked.targets.iter().map(move |target| (target.key, side(target)))
        })
    }

    /// Positions for which a deviation is asked, besides the leaf.
    pub fn others(&self) -> impl Iterator<Item = (Key, bool)> {
        let leaf = (self.leaf, self.second);
        self.asked
            .iter()
            .map(|asked| (asked.from, asked.second))
            .filter(move |place| *place != leaf)
    }
}

impl Found {
    fn fits<G: Game>(&self, tree: &Tree<G>) -> bool {
        let graph = tree.graph();
        let places = [Side::First, Side::Second].into_iter();
        places.filter_map(|side| graph.find(self.from, side)).any(|at| {
            let game = tree.game(at);
            let (node, code) = (game.present(), self.target.code);
            let leads_there = |played| target(node, code, &node.after(&played)) == self.target;
            self.target.ended != 0 && node.move_of_code(code).is_some_and(leads_there)
        })
    }
}

impl Asked {
    fn fits<G: Game>(&self, start: &Node<G>) -> bool {
        let mut node = start.clone();
        for word in &self.question.line {
            let Ok(played) = node.position.parse_move(word) else { return false };
            node = node.after(&played);
        }
        let leads_there = |(word, expected): (&String, &Target)| {
            node.position.parse_move(word).is_ok_and(|played| {
                target(&node, node.code(&played), &node.after(&played)) == *expected
            })
        };
        node.key == self.from
            && (1..=self.targets.len()).contains(&self.question.count)
            && self.second == (node.position.side() == Side::Second)
            && self.targets.len() == self.question.among.len()
            && self.question.among.iter().zip(&self.targets).all(leads_there)
    }
}

/// Where a move with this code leads.
pub fn target<G: Game>(from: &Node<G>, code: u16, next: &Node<G>) -> Target {
    let side = next.position.side();
    let ended = next.position.outcome().map_or(Flags::empty(), |outcome| proof(outcome, side));
    Target { code, key: next.key, turns: side != from.position.side(), ended: ended.bits() }
}

/// The flag that says how a game ended, seen by this side.
pub fn proof(outcome: Outcome, side: Side) -> Flags {
    match outcome.winner() {
        None => Flags::PROVEN_DRAW,
        Some(winner) if winner == side => Flags::PROVEN_WIN,
        Some(_) => Flags::PROVEN_LOSS,
    }
}
