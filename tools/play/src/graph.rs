//! The moves of a book in memory, for walking it: eleven bytes a move, and half a byte to find it.
//!
//! Moves stand in the order of their positions' hashes, and those of one position with the best first, so that no list of positions is needed:
//! the moves of a position are those with its hash.

use crate::rule::{Rule, is_always};
use crate::watch::{Step, Watch, tell};
use std::ops::Range;
use tabia::row::{MoveRow, Row};
use tabia::stream::RowSet;

/// What is known of a move and its position: a set of the bits below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct State(u8);

impl State {
    /// The move passes the rule for moves of the book's own side.
    pub const OWN: Self = Self(1);
    /// It passes the rule for replies of the other side.
    pub const REPLY: Self = Self(1 << 1);
    /// The book maker marked it `always`.
    pub const ALWAYS: Self = Self(1 << 2);
    /// It is kept.
    pub const KEPT: Self = Self(1 << 3);
    /// No legal move has its code.
    pub const ILLEGAL: Self = Self(1 << 4);
    /// The position was reached with the book's own side to move.
    pub const AT_OWN: Self = Self(1 << 5);
    /// It was reached with the other side to move.
    pub const AT_REPLY: Self = Self(1 << 6);
    /// It was reached at the last ply.
    pub const LAST: Self = Self(1 << 7);

    /// Whether any of these bits is set.
    pub fn any(self, bits: Self) -> bool {
        self.0 & bits.0 != 0
    }

    /// Both sets together.
    #[must_use]
    pub fn and(self, bits: Self) -> Self {
        Self(self.0 | bits.0)
    }

    /// The bits where the condition holds, else none.
    fn when(self, condition: bool) -> Self {
        if condition { self } else { Self(0) }
    }
}

/// The moves of a book that pass a rule.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    hashes: Vec<u64>,
    codes: Vec<u16>,
    states: Vec<State>,
    index: Index,
}

impl Graph {
    /// Reads the moves that pass the rule for own moves or, if there is one, that for replies.
    pub fn read(moves: &dyn RowSet<MoveRow>, own: &Rule, reply: Option<&Rule>, watch: Watch<'_>) -> tabia::Result<Self> {
        let (mut graph, mut position, mut chunk) = (Self::default(), Vec::new(), Vec::new());
        let (mut rows, mut read) = (moves.rows()?, 0);
        loop {
            rows.next_chunk(&mut chunk)?;
            for row in &chunk {
                if position.last().is_some_and(|last: &MoveRow| last.hash() != row.hash()) {
                    graph.push(&mut position, own, reply);
                }
                position.push(*row);
            }
            if chunk.is_empty() {
                graph.push(&mut position, own, reply);
                graph.index = Index::new(&graph.hashes);
                return Ok(graph);
            }
            read += chunk.len() as u64;
            tell(watch, Step::Reading(read, moves.at_most()))?;
        }
    }

    /// Takes the moves of a position, best first, and empties the list.
    fn push(&mut self, position: &mut Vec<MoveRow>, own: &Rule, reply: Option<&Rule>) {
        position.sort_by(|a, b| own.compare(a, b));
        for row in position.drain(..) {
            let is_own = own.fault(&row).is_none();
            let is_reply = reply.is_some_and(|reply| reply.fault(&row).is_none());
            if is_own || is_reply {
                let state = State::OWN.when(is_own).and(State::REPLY.when(is_reply));
                self.hashes.push(row.hash());
                self.codes.push(row.code());
                self.states.push(state.and(State::ALWAYS.when(is_always(&row))));
            }
        }
    }

    /// The moves of a position, best first; none if none of them passes.
    pub fn moves(&self, hash: u64) -> Range<usize> {
        let start = self.index.first(&self.hashes, hash);
        if self.hashes.get(start) == Some(&hash) { self.moves_from(start) } else { start..start }
    }

    /// The moves of the position whose first move stands here.
    pub fn moves_from(&self, first: usize) -> Range<usize> {
        let others = self.hashes[first + 1..].iter().take_while(|&&other| other == self.hashes[first]);
        first..first + 1 + others.count()
    }

    /// Bytes of memory it takes.
    pub fn bytes(&self) -> u64 {
        let a_move = size_of::<u64>() + size_of::<u16>() + size_of::<State>();
        (self.hashes.len() * a_move + size_of_val(self.index.begins.as_slice())) as u64
    }

    /// The code of a move.
    pub fn code(&self, place: usize) -> u16 {
        self.codes[place]
    }

    /// What is known of a move and its position.
    pub fn state(&self, place: usize) -> State {
        self.states[place]
    }

    /// Notes this of a move, or of all moves of a position.
    pub fn note(&mut self, places: Range<usize>, bits: State) {
        for state in &mut self.states[places] {
            *state = state.and(bits);
        }
    }

    /// What is known of a move, if it is here, and of its position.
    pub fn look(&self, hash: u64, code: u16) -> (Option<State>, State) {
        let moves = self.moves(hash);
        let here = moves.clone().find(|&place| self.codes[place] == code);
        (here.map(|place| self.states[place]), self.states.get(moves.start).filter(|_| !moves.is_empty()).copied().unwrap_or_default())
    }

    /// Keeps the best moves of every position, without walking.
    pub fn keep_best(&mut self, keep: u32) {
        let mut kept = 0;
        for place in 0..self.hashes.len() {
            if place > 0 && self.hashes[place - 1] != self.hashes[place] {
                kept = 0;
            }
            let is_kept = kept < keep || self.states[place].any(State::ALWAYS);
            self.states[place] = self.states[place].and(State::AT_OWN).and(State::KEPT.when(is_kept));
            kept += 1;
        }
    }
}

/// Finds a hash among sorted ones: where those with its first bits begin, then a search among few.
#[derive(Debug, Default)]
struct Index {
    /// Where the hashes begin that have these first bits, or more; one more for the end.
    begins: Vec<usize>,
    /// The bits behind the first.
    shift: u32,
}

impl Index {
    /// Hashes that share their first bits, about.
    const TOGETHER: usize = 16;

    fn new(hashes: &[u64]) -> Self {
        let bits = (hashes.len() / Self::TOGETHER).max(2).ilog2();
        let (shift, mut begins) = (64 - bits, vec![0; (1 << bits) + 1]);
        for &hash in hashes {
            begins[(hash >> shift) as usize + 1] += 1;
        }
        for next in 1..begins.len() {
            begins[next] += begins[next - 1];
        }
        Self { begins, shift }
    }

    /// The place of the first hash that isn't less.
    fn first(&self, hashes: &[u64], hash: u64) -> usize {
        let first_bits = (hash >> self.shift) as usize;
        let [start, end] = [self.begins[first_bits], self.begins[first_bits + 1]];
        start + hashes[start..end].partition_point(|&other| other < hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Order;
    use proptest::prelude::*;
    use std::ops::ControlFlow;
    use tabia::row::marks;
    use tabia::{Counts, sort_and_merge};

    fn graph(mut rows: Vec<MoveRow>, own: Rule, reply: Option<Rule>) -> Graph {
        let count = sort_and_merge(&mut rows);
        rows.truncate(count);
        Graph::read(&rows, &own, reply.as_ref(), &|_| ControlFlow::Continue(())).unwrap()
    }

    fn row(hash: u64, code: u16, wins: u32, marks: u8) -> MoveRow {
        MoveRow::of_hash(hash, code, Counts { wins, draws: 0, losses: 1 }).with_marks(marks)
    }

    fn codes(graph: &Graph, hash: u64) -> Vec<u16> {
        graph.moves(hash).map(|place| graph.code(place)).collect()
    }

    const BY_SCORE: Rule = Rule { min_games: 3, min_score: crate::Percent::NONE, keep: Some(1), order: Order::Score };

    #[test]
    fn only_moves_that_pass_a_rule_take_memory() {
        let rows = vec![row(5, 1, 2, 0), row(5, 2, 1, 0), row(5, 3, 9, 0), row(9, 1, 1, 0)];
        let own = graph(rows.clone(), BY_SCORE, None);
        assert_eq!((codes(&own, 5), codes(&own, 9), codes(&own, 7)), (vec![3, 1], vec![], vec![]));
        let both = graph(rows, BY_SCORE, Some(Rule::default()));
        assert_eq!((codes(&both, 5), codes(&both, 9)), (vec![3, 1, 2], vec![1]));
        assert_eq!(both.look(5, 2).0, Some(State::REPLY));
        assert_eq!(both.look(5, 1).0, Some(State::OWN.and(State::REPLY)));
        assert_eq!(both.look(5, 4), (None, State::OWN.and(State::REPLY)));
        assert_eq!(both.look(6, 1), (None, State::default()));
    }

    #[test]
    fn the_best_of_every_position_are_kept_without_a_walk() {
        let rows = vec![row(5, 1, 2, 0), row(5, 2, 3, marks::ALWAYS), row(5, 3, 9, 0), row(9, 1, 4, 0), row(9, 2, 5, marks::NEVER)];
        let mut graph = graph(rows, BY_SCORE, None);
        graph.keep_best(1);
        let kept = |hash, code| graph.look(hash, code).0.is_some_and(|state| state.any(State::KEPT));
        assert!(kept(5, 2) && !kept(5, 3) && !kept(5, 1) && kept(9, 1) && !kept(9, 2));
    }

    proptest! {
        #[test]
        fn every_move_is_found(mut hashes in prop::collection::vec(prop_oneof![any::<u64>(), 0u64..40, u64::MAX - 3..=u64::MAX], 0..300)) {
            let rows = hashes.iter().flat_map(|&hash| [row(hash, 1, 5, 0), row(hash, 2, 6, 0)]).collect();
            let graph = graph(rows, BY_SCORE, None);
            hashes.sort_unstable();
            for &hash in &hashes {
                prop_assert_eq!(codes(&graph, hash), vec![2, 1]);
                let next = hash.wrapping_add(1);
                prop_assert_eq!(graph.moves(next).is_empty(), hashes.binary_search(&next).is_err());
            }
        }
    }
}
