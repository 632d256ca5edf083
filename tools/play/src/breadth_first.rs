//! Walks breadth first: each position once, when it is first reached, so by a shortest line, which
//! is known afterwards.

use crate::text::lines::replayed;
use crate::watch::{Step, Watch, report};
use std::collections::{HashSet, VecDeque};
use tabia::{Key, Result};
use tabia_games::{Game, Node};

/// How many positions are gone to between reports of progress.
const TOLD_EVERY: u32 = 256;
/// Likewise where they are expanded ply by ply, in memory.
const EXPANDED_EVERY: u64 = 4096;

/// A walk under way.
pub(crate) struct BreadthFirst<G> {
    from: Vec<Node<G>>,
    reached: HashSet<Key>,
    /// Of each position reached, those walked from first: from which one, and by which move.
    steps: Vec<(u32, u16)>,
    waiting: VecDeque<Place<G>>,
}

/// A position that a walk came to.
pub(crate) struct Place<G> {
    pub node: Node<G>,
    /// How many plies from where the walk began.
    pub ply: u32,
    /// Its number among all, by which its line is known.
    pub number: u32,
}

impl<G: Game> BreadthFirst<G> {
    /// A walk from these positions.
    pub fn from(from: Vec<Node<G>>) -> Self {
        let (mut reached, steps) = (HashSet::new(), vec![(0, 0); from.len()]);
        let places = from.iter().cloned().zip(0..);
        let waiting = places
            .filter(|(node, _)| reached.insert(node.key))
            .map(|(node, number)| Place { node, ply: 0, number })
            .collect();
        Self { from, reached, steps, waiting }
    }

    /// The next position, the one that was reached first of those that wait.
    pub fn next(&mut self, watch: Watch<'_>) -> Result<Option<Place<G>>> {
        let next = self.waiting.pop_front();
        if let Some(Place { ply, number, .. }) = next
            && number.is_multiple_of(TOLD_EVERY)
        {
            report(watch, Step::Walking { reached: self.reached(), ply })?;
        }
        Ok(next)
    }

    /// How many positions were reached.
    pub fn reached(&self) -> u64 {
        self.reached.len() as u64
    }

    /// Comes from a place to a position, which waits if it is new; none if there are more than can
    /// be numbered.
    pub fn arrive(&mut self, from: &Place<G>, code: u16, node: Node<G>) -> Option<()> {
        if self.reached.insert(node.key) {
            let number = u32::try_from(self.steps.len()).ok()?;
            self.steps.push((from.number, code));
            self.waiting.push_back(Place { node, ply: from.ply + 1, number });
        }
        Some(())
    }

    /// The codes of the moves that lead to a position.
    pub fn codes(&self, number: u32) -> Vec<u16> {
        way_to(&self.steps, self.from.len(), number).1
    }

    /// The moves that lead to a position, as people write them.
    pub fn line(&self, number: u32) -> Vec<String> {
        let (begin, codes) = way_to(&self.steps, self.from.len(), number);
        replayed(&self.from[begin], &codes).map_or_else(Vec::new, |(_, line)| line)
    }
}

/// Expands positions ply by ply until no more come: `expand` is told the ply of each, and puts what
/// it leads to into the list. The ply of the last ones, and the most that were held at once.
pub(crate) fn ply_by_ply<T>(
    mut next: Vec<T>,
    watch: Watch<'_>,
    mut expand: impl FnMut(&T, u32, &mut Vec<T>),
) -> Result<(u32, usize)> {
    let (mut now, mut last, mut widest, mut reached) = (Vec::new(), 0, 0, 0);
    for ply in 0.. {
        if next.is_empty() {
            break;
        }
        (now, next, last) = (next, now, ply);
        next.clear();
        for one in &now {
            if reached % EXPANDED_EVERY == 0 {
                report(watch, Step::Walking { reached, ply })?;
            }
            reached += 1;
            expand(one, ply, &mut next);
        }
        widest = widest.max(now.len() + next.len());
    }
    Ok((last, widest))
}

/// Where the way to a place began, which is one of so many roots, and the codes of the moves from
/// there. Of every other place `ways` says from which it was reached, and by which move.
pub(crate) fn way_to(ways: &[(u32, u16)], roots: usize, mut place: u32) -> (usize, Vec<u16>) {
    let mut codes = Vec::new();
    while place as usize >= roots {
        let (before, code) = ways[place as usize];
        codes.push(code);
        place = before;
    }
    codes.reverse();
    (place as usize, codes)
}
