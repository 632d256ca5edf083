//! Finding out what has to be asked to expand a leaf, so that the tree is complete again.
//!
//! At the leaf: what moves are worth of which the book knows nothing but that they are there, and
//! the best of those that it doesn't have, two if it has none (Buro 1999, section 4); or what all of
//! them are worth (Fierz 2005). At expanded positions for which the leaf was the last deviation: the
//! best of the moves left. Moves that end the game are added without asking; where one wins, no more
//! is asked.

use crate::expansion::Expansion;
use crate::place::{Place, Wanted};
use crate::tree::Tree;
use std::collections::HashSet;
use tabia::Key;
use tabia_games::{Game, Side};

/// What an expansion is made from.
pub struct Expanding<'a, G: Game> {
    /// The tree.
    pub tree: &'a Tree<G>,
    /// Leaves that are being expanded.
    pub in_flight: &'a HashSet<(Key, bool)>,
    /// Expanded positions for which a deviation is being looked for.
    pub waiting: &'a HashSet<(Key, bool)>,
    /// Whether all moves of the leaf are to be evaluated.
    pub in_full: bool,
}

impl<G: Game> Expanding<'_, G> {
    /// What has to be found out at a leaf, and before it.
    pub fn of(&self, leaf: u32) -> Expansion {
        let graph = self.tree.graph();
        let key = graph.key(leaf);
        let mut expansion = Expansion::new(key, graph.side(leaf));
        expansion.expanded.push(key);
        self.ask_at_leaf(leaf, &mut expansion);
        for before in self.tree.expanded_before(leaf).filter(|&before| before != leaf) {
            let will_be_expanded = |at: u32| at == leaf || self.in_flight.contains(&self.name(at));
            if !graph.is_full(before)
                && graph.proof(before).is_none()
                && !self.waiting.contains(&self.name(before))
                && !self.tree.has_deviation(before, will_be_expanded)
            {
                let place = self.place(before);
                self.find_new(before, &place, Wanted::Best(1), &mut expansion);
            }
        }
        expansion
    }

    fn ask_at_leaf(&self, leaf: u32, expansion: &mut Expansion) {
        let place = self.place(leaf);
        let legal = place.node.coded_moves();
        for code in self.tree.unvalued(leaf) {
            let one = legal.iter().filter(|(known, _)| *known == code).cloned();
            expansion.asked.push(place.ask(&one.collect::<Vec<_>>(), 1, false));
        }
        let graph = self.tree.graph();
        if self.in_full {
            self.find_new(leaf, &place, Wanted::All, expansion);
        } else if !graph.is_expanded(leaf) {
            let count = if graph.moves(leaf).is_empty() { 2 } else { 1 };
            self.find_new(leaf, &place, Wanted::Best(count), expansion);
        } else if expansion.asked.is_empty() {
            // It was chosen as all is lost that the book has, or as it has no deviation.
            self.find_new(leaf, &place, Wanted::Best(1), expansion);
        }
    }

    /// Asks for moves that the book doesn't have.
    fn find_new(&self, at: u32, place: &Place<G>, wanted: Wanted, expansion: &mut Expansion) {
        let known = self.tree.graph().moves(at);
        let is_new = |code: u16| known.iter().all(|edge| edge.code != code);
        let mut new = place.node.coded_moves();
        new.retain(|&(code, _)| is_new(code));
        place.find(new, wanted, expansion);
    }

    fn place(&self, at: u32) -> Place<G> {
        Place::of(self.tree.opening()).along(&self.tree.line(at))
    }

    fn name(&self, at: u32) -> (Key, bool) {
        let graph = self.tree.graph();
        (graph.key(at), graph.side(at) == Side::Second)
    }
}
