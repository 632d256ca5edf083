//! What it takes to change a graph after it was read: where its positions were found, and which
//! legal moves lead out of the book, to be looked at again when it grows there.

use crate::breadth_first::way_to;
use crate::negamax::Graph;
use crate::negamax::solve::Before;
use hashbrown::HashTable;
use std::collections::HashMap;
use tabia::{Key, mix};
use tabia_games::{Game, Node, Side};

/// Where positions were found, and what was looked for in vain.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Whether they are kept, which takes memory; else there is nothing in them.
    pub are_kept: bool,
    /// The position that each was found from first, and the code of the move; for the one that the
    /// walk began with, nothing that counts.
    found_from: Vec<(u32, u16)>,
    /// Legal moves to positions that aren't in the graph, or of which the book has no row.
    missing: HashTable<Missing>,
    /// From where positions are reached: as it was when that was last put in order, and since then.
    before: Option<Before>,
    since: HashMap<u32, Vec<u32>>,
    /// How many moves came since then.
    added: usize,
    /// Positions that are new or were read again since that was last asked.
    changed: Vec<u32>,
}

/// A legal move that leads out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Missing {
    /// Of the position that it leads to: some bits of its hash, so that others may have the same.
    tag: u32,
    /// The position that it starts from.
    from: u32,
}

impl Missing {
    fn hash(self) -> u64 {
        mix(self.tag.into())
    }
}

impl Links {
    /// Bytes of memory that they take.
    pub fn bytes(&self) -> usize {
        let before = self.before.as_ref().map_or(0, Before::bytes);
        size_of_val(&*self.found_from) + self.missing.allocation_size() + before
    }

    /// The next position was found so.
    pub fn found(&mut self, from: Option<(u32, u16)>) {
        if self.are_kept {
            self.found_from.push(from.unwrap_or_default());
        }
    }

    /// A move leads from one position to another.
    pub fn lead(&mut self, from: u32, to: u32) {
        if self.before.is_some() {
            self.since.entry(to).or_default().push(from);
            self.added += 1;
        }
    }

    /// Something of a position has changed.
    pub fn change(&mut self, at: u32) {
        if self.are_kept {
            self.changed.push(at);
        }
    }

    /// A legal move from a position leads to this one, of which the book has no row.
    pub fn miss(&mut self, key: Key, side: Side, from: u32) {
        if !self.are_kept {
            return;
        }
        let missing = Missing { tag: hash(key, side) as u32, from };
        if self.missing.find(missing.hash(), |other| *other == missing).is_none() {
            self.missing.insert_unique(missing.hash(), missing, |other| other.hash());
        }
    }

    /// Takes out all positions from which a move may lead to this one.
    pub fn take_missing(&mut self, key: Key, side: Side, into: &mut Vec<u32>) {
        let tag = hash(key, side) as u32;
        let hash = Missing { tag, from: 0 }.hash();
        while let Ok(entry) = self.missing.find_entry(hash, |other| other.tag == tag) {
            into.push(entry.remove().0.from);
        }
    }
}

/// What positions are found by.
pub(super) fn hash(key: Key, side: Side) -> u64 {
    mix(key ^ side.index() as u64)
}

impl Graph {
    /// The codes of the moves by which a position was found first, from where the walk began.
    ///
    /// # Panics
    /// Without [`crate::negamax::GraphOptions::can_change`].
    pub fn line(&self, at: u32) -> Vec<u16> {
        way_to(&self.links.found_from, 1, at).1
    }

    /// A position of the graph with its board; `start` is where the walk began.
    ///
    /// # Panics
    /// As [`Graph::line`].
    pub fn node<G: Game>(&self, start: &Node<G>, at: u32) -> Node<G> {
        start.along(&self.line(at))
    }

    /// From where a position is reached, in ascending order; also from where it was once. Nothing is
    /// known of it without [`crate::negamax::GraphOptions::can_change`].
    pub fn before(&self, at: u32) -> Vec<u32> {
        let before = self.links.before.iter().flat_map(|before| before.at(at));
        let since = self.links.since.get(&at).into_iter().flatten();
        let mut all: Vec<u32> = before.chain(since).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The positions that are new, or were read again, since this was asked last, with those before
    /// them: all of which a value can have changed that is no other's.
    pub fn take_changes(&mut self) -> Vec<u32> {
        let changed = std::mem::take(&mut self.links.changed);
        let before = changed.iter().flat_map(|&at| self.before(at));
        let mut all: Vec<u32> = before.chain(changed.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Puts in order from where positions are reached, if much has come since that was done.
    pub(super) fn order_links(&mut self) {
        let is_much = self.links.added > (self.moves.len() / 8).max(1 << 16);
        if self.links.are_kept && (self.links.before.is_none() || is_much) {
            let before = Before::of(self.len(), |at| self.moves(at).iter().map(|edge| edge.to));
            let links = &mut self.links;
            (links.before, links.since, links.added) = (Some(before), HashMap::new(), 0);
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
