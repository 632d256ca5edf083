//! The moves of a book in memory, for walking it: eleven bytes a move, two more if only the best
//! are kept, and half a byte to find it.
//!
//! Moves are in the order of a book's rows, so that no list of positions is needed: the moves of a
//! position are those with its hash, however many these are (a book may be made up).
//!
//! The table is read into memory because a walk asks for every move, and a probe of a file verifies
//! blocks and takes some microseconds. Walking and writing all 21 M positions of the master games
//! takes half a minute and 350 MB. The price: a solution tree of few moves of a very large book
//! takes memory for all its moves.

use crate::choice::is_always;
use crate::thresholds::Thresholds;
use crate::watch::{Step, Watch, report};
use std::ops::Range;
use tabia::stream::{Chunk, RowSet};
use tabia::{Cells, MoveRow, Row, WithCells};
use tabia_interop::HashIndex;

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
    pub fn and(self, bits: Self) -> Self {
        Self(self.0 | bits.0)
    }

    /// Which rules a move passes; none if it passes neither.
    fn of(row: &MoveRow, own: &Thresholds, reply: Option<&Thresholds>) -> Option<Self> {
        let is_own = own.fault(row).is_none();
        let is_reply = reply.is_some_and(|reply| reply.fault(row).is_none());
        let passes = Self::OWN
            .when(is_own)
            .and(Self::REPLY.when(is_reply))
            .and(Self::ALWAYS.when(is_always(row.marks())));
        (is_own || is_reply).then_some(passes)
    }

    /// The bits where the condition holds, else none.
    fn when(self, condition: bool) -> Self {
        if condition { self } else { Self(0) }
    }
}

/// The moves of a position while they are read.
#[derive(Default)]
struct Position {
    rows: Vec<MoveRow>,
    /// What columns say of them, if they are compared by that; empty else, as it costs time.
    cells: Vec<Cells>,
}

impl Position {
    /// Sorts the moves, the best first; their cells are gone then.
    fn sort(&mut self, by: &Thresholds) {
        if self.cells.is_empty() {
            self.rows.sort_by(|&a, &b| by.compare(&a.into(), &b.into()));
            return;
        }
        let rows = self.rows.drain(..).zip(self.cells.drain(..));
        let mut moves: Vec<_> = rows.map(|(row, cells)| WithCells { row, cells }).collect();
        moves.sort_by(|a, b| by.compare(a, b));
        self.rows.extend(moves.into_iter().map(|played| played.row));
    }
}

/// The moves of a book that pass a rule.
#[derive(Debug, Default)]
pub(crate) struct MoveGraph {
    hashes: Vec<u64>,
    codes: Vec<u16>,
    states: Vec<State>,
    /// How many moves of the position are better; none if all are kept.
    ranks: Vec<u16>,
    index: HashIndex,
}

impl MoveGraph {
    /// Reads the moves that pass the rule for own moves or, if there is one, that for replies.
    pub fn read(
        moves: &dyn RowSet<MoveRow>,
        own: &Thresholds,
        reply: Option<&Thresholds>,
        watch: Watch<'_>,
    ) -> tabia::Result<Self> {
        let (mut graph, mut position, mut chunk) =
            (Self::default(), Position::default(), Chunk::default());
        let needs_cells = own.keep.is_some() && own.order.is_of_ratings();
        let (mut rows, mut read) = (moves.rows()?, 0);
        loop {
            rows.next_chunk(&mut chunk)?;
            for (place, row) in chunk.rows().iter().enumerate() {
                if position.rows.last().is_some_and(|last| last.hash() != row.hash()) {
                    graph.push(&mut position, own, reply);
                }
                position.rows.push(*row);
                if needs_cells {
                    position.cells.push(Cells::of_bytes(chunk.columns(), chunk.cells_of(place)));
                }
            }
            if chunk.is_empty() {
                graph.push(&mut position, own, reply);
                graph.index = HashIndex::new(&graph.hashes);
                return Ok(graph);
            }
            read += chunk.len() as u64;
            report(watch, Step::Reading(read, moves.at_most()))?;
        }
    }

    /// Takes the moves of a position, and empties the list.
    fn push(&mut self, position: &mut Position, own: &Thresholds, reply: Option<&Thresholds>) {
        if own.keep.is_some() {
            position.sort(own);
        }
        let passing = position
            .rows
            .drain(..)
            .filter_map(|row| State::of(&row, own, reply).map(|state| (row, state)));
        let mut ranked: Vec<_> = passing.zip(0..=u16::MAX).collect();
        ranked.sort_unstable_by_key(|((row, _), _)| row.code());
        for ((row, state), rank) in ranked {
            self.hashes.push(row.hash().get());
            self.codes.push(row.code());
            self.states.push(state);
            if own.keep.is_some() {
                self.ranks.push(rank);
            }
        }
    }

    /// The moves of a position, in the order of their codes; none if none of them passes.
    pub fn moves(&self, hash: u64) -> Range<usize> {
        let start = self.index.find(&self.hashes, hash);
        if self.hashes.get(start) == Some(&hash) { self.moves_from(start) } else { start..start }
    }

    /// The moves of the position whose first move is here.
    pub fn moves_from(&self, first: usize) -> Range<usize> {
        let (hash, hashes) = (self.hashes[first], &self.hashes[first..]);
        let mut within = 1;
        while hashes.get(within) == Some(&hash) {
            within *= 2;
        }
        let end = within.min(hashes.len());
        first..first + within / 2 + hashes[within / 2..end].partition_point(|&other| other == hash)
    }

    /// How many moves of the position are better than this one; 0 if all are kept.
    pub fn rank(&self, place: usize) -> u16 {
        self.ranks.get(place).copied().unwrap_or(0)
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Bytes of memory it takes.
    pub fn bytes(&self) -> u64 {
        let a_move = size_of::<u64>() + size_of::<u16>() + size_of::<State>();
        let beside = size_of_val(self.ranks.as_slice()) + self.index.bytes();
        (self.hashes.len() * a_move + beside) as u64
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
        let Some(&position) = self.states[moves.clone()].first() else {
            return (None, State::default());
        };
        let here = self.codes[moves.clone()].binary_search(&code).ok();
        (here.map(|place| self.states[moves.start + place]), position)
    }

    /// Keeps the best moves of every position, without walking.
    pub fn keep_best(&mut self, keep: u32) {
        for (state, &rank) in self.states.iter_mut().zip(&self.ranks) {
            let is_kept = u32::from(rank) < keep || state.any(State::ALWAYS);
            *state = state.and(State::AT_OWN).and(State::KEPT.when(is_kept));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Order;
    use proptest::prelude::*;
    use std::ops::ControlFlow;
    use tabia::{Counts, Hash, Marks};

    fn graph(mut rows: Vec<MoveRow>, own: Thresholds, reply: Option<Thresholds>) -> MoveGraph {
        tabia_testing::settle(&mut rows);
        MoveGraph::read(&rows, &own, reply.as_ref(), &|_| ControlFlow::Continue(())).unwrap()
    }

    fn row(hash: u64, code: u16, wins: u32, marks: Marks) -> MoveRow {
        MoveRow::of_hash(Hash::from_bits(hash), code, Counts { wins, draws: 0, losses: 1 })
            .with_marks(marks)
    }

    fn codes(graph: &MoveGraph, hash: u64) -> Vec<u16> {
        graph.moves(hash).map(|place| graph.code(place)).collect()
    }

    const BY_SCORE: Thresholds = Thresholds {
        min_games: 3,
        min_score: crate::Percent::NONE,
        keep: Some(1),
        order: Order::Score,
    };

    #[test]
    fn only_moves_that_pass_a_rule_take_memory() {
        let rows = vec![
            row(5, 1, 2, Marks::empty()),
            row(5, 2, 1, Marks::empty()),
            row(5, 3, 9, Marks::empty()),
            row(9, 1, 1, Marks::empty()),
        ];
        let own = graph(rows.clone(), BY_SCORE, None);
        assert_eq!((codes(&own, 5), codes(&own, 9), codes(&own, 7)), (vec![1, 3], vec![], vec![]));
        let both = graph(rows, BY_SCORE, Some(Thresholds::default()));
        assert_eq!((codes(&both, 5), codes(&both, 9)), (vec![1, 2, 3], vec![1]));
        assert_eq!(both.moves(5).map(|place| both.rank(place)).collect::<Vec<_>>(), [1, 2, 0]);
        assert_eq!(both.look(5, 2).0, Some(State::REPLY));
        assert_eq!(both.look(5, 1).0, Some(State::OWN.and(State::REPLY)));
        assert_eq!(both.look(5, 4), (None, State::OWN.and(State::REPLY)));
        assert_eq!(both.look(6, 1), (None, State::default()));
    }

    #[test]
    fn a_position_with_all_the_codes_there_are_is_taken() {
        let all = graph(
            (0..=u16::MAX).map(|code| row(5, code, 3, Marks::empty())).collect(),
            BY_SCORE,
            None,
        );
        let found = (all.moves(5), all.rank(65_535), all.moves(6));
        assert_eq!(found, (0..65_536, 65_535, 65_536..65_536));
    }

    proptest! {
        #[test]
        fn every_move_is_found(
            mut hashes in prop::collection::vec(prop_oneof![any::<u64>(), 0u64..40, u64::MAX - 3..=u64::MAX], 0..300),
            moves in 1u16..20,
        ) {
            let rows = hashes.iter().flat_map(|&hash| (0..moves).map(move |code| row(hash, 7 * code, 5, Marks::empty()))).collect();
            let graph = graph(rows, BY_SCORE, None);
            hashes.sort_unstable();
            for &hash in &hashes {
                prop_assert_eq!(codes(&graph, hash), (0..moves).map(|code| 7 * code).collect::<Vec<_>>());
                prop_assert!((0..moves).all(|code| graph.look(hash, 7 * code).0.is_some() && graph.look(hash, 7 * code + 1).0.is_none()));
                let next = hash.wrapping_add(1);
                prop_assert_eq!(graph.moves(next).is_empty(), hashes.binary_search(&next).is_err());
            }
        }
    }
}
