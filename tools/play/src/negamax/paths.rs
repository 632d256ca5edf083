//! How many lines are good enough (Buro 1999, section 6): each is chosen with the same probability.

use crate::negamax::{Arena, Solved, Value};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use tabia_games::Side;

/// Counts paths on which every position is worth, to one side, something within bounds.
///
/// A path ends in a leaf, or where a position's own value counts as a move and is within the bounds
/// too. The other side's moves are among them as long as they don't give away more than the bounds
/// allow: where the upper bound is the value of the position that is played from, and the lower one
/// is the same, these are the principal variations.
///
/// Where positions can be reached from each other, paths without a repetition can't be counted in
/// reasonable time. There a path goes on only to positions whose [`Arena::name`] is greater, and
/// each move to another of them counts as one path, which ends in a repetition. That is the same
/// wherever counting starts and however the graph was found; on a graph without circles every path
/// counts. More than 2^128 - 1 paths count as so many.
pub struct Paths<'a, A> {
    arena: &'a A,
    solved: &'a Solved,
    side: Side,
    bounds: RangeInclusive<Value>,
    counts: HashMap<u32, u128>,
}

/// A position that a search in depth stands in (Tarjan 1972).
struct Stand {
    at: u32,
    to: Vec<u32>,
    /// How many of these were looked at.
    done: usize,
    /// The least number of a position that is open and can be reached from here.
    low: usize,
}

impl<'a, A: Arena> Paths<'a, A> {
    /// Paths with values within these bounds, as this side sees them.
    pub fn new(
        arena: &'a A,
        solved: &'a Solved,
        side: Side,
        bounds: RangeInclusive<Value>,
    ) -> Self {
        Self { arena, solved, side, bounds, counts: HashMap::new() }
    }

    /// How many there are from a position on.
    pub fn from(&mut self, at: u32) -> u128 {
        if !self.is_within(at) {
            return 0;
        }
        if !self.counts.contains_key(&at) {
            self.search(at);
        }
        self.counts.get(&at).copied().unwrap_or(0)
    }

    fn is_within(&self, at: u32) -> bool {
        self.solved.value(at, self.side).is_some_and(|value| self.bounds.contains(&value))
    }

    fn stand(&self, at: u32, number: usize) -> Stand {
        Stand {
            at,
            to: self.arena.moves(at).filter(|&to| self.is_within(to)).collect(),
            done: 0,
            low: number,
        }
    }

    /// Counts from all positions that can be reached from this one: those that can be reached from
    /// each other at once, when all behind them is counted.
    fn search(&mut self, from: u32) {
        let (mut numbers, mut open) = (HashMap::from([(from, 0)]), vec![from]);
        let mut stack = vec![self.stand(from, 0)];
        while let Some(mut stand) = stack.pop() {
            if let Some(&to) = stand.to.get(stand.done) {
                stand.done += 1;
                match numbers.get(&to) {
                    _ if self.counts.contains_key(&to) => stack.push(stand),
                    Some(&number) => {
                        stand.low = stand.low.min(number);
                        stack.push(stand);
                    }
                    None => {
                        let number = numbers.len();
                        numbers.insert(to, number);
                        open.push(to);
                        stack.extend([stand, self.stand(to, number)]);
                    }
                }
                continue;
            }
            if stand.low == numbers[&stand.at] {
                let first = open.iter().rposition(|&at| at == stand.at).unwrap_or(0);
                let together = open.split_off(first);
                self.count(together);
            }
            if let Some(before) = stack.last_mut() {
                before.low = before.low.min(stand.low);
            }
        }
    }

    /// Counts from positions that can be reached from each other.
    fn count(&mut self, mut together: Vec<u32>) {
        together.sort_unstable_by_key(|&at| std::cmp::Reverse(self.arena.name(at)));
        let is_one = |at: u32, within: &[u32]| {
            let name = self.arena.name(at);
            within.binary_search_by(|&other| name.cmp(&self.arena.name(other))).is_ok()
        };
        for place in 0..together.len() {
            let at = together[place];
            let (greater, others) = together.split_at(place);
            let ends_here = self
                .solved
                .own(self.arena, at, self.side)
                .is_some_and(|own| self.bounds.contains(&own));
            let through = self.arena.moves(at).filter(|&to| self.is_within(to)).map(|to| {
                if is_one(to, others) { 1 } else { self.counts.get(&to).copied().unwrap_or(0) }
            });
            let count = through.fold(u128::from(ends_here), u128::saturating_add);
            debug_assert!(greater.iter().all(|at| self.counts.contains_key(at)));
            self.counts.insert(at, count);
        }
    }
}
