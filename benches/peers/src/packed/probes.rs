//! How books of games are asked: a position, its moves, both.

use crate::games::{answer, answer_of_row};
use crate::measure::BATCH;
use crate::probe::Probe;
use std::cell::RefCell;
use tabia::bytes::Bytes;
use tabia::{Book, MoveRow, PositionRow, Row, Table};

fn answer_of_position(row: Option<PositionRow>) -> u64 {
    row.map_or(0, |row| answer(row.counts()))
}

fn with_moves(position: u64, moves: &[MoveRow]) -> u64 {
    moves.iter().fold(position, |sum, row| sum.wrapping_add(answer_of_row(row)))
}

/// A position alone, by [`Book::position`] and [`Book::positions`].
pub struct Position<'a, S>(pub &'a Book<S>);

impl<S: Bytes> Probe for Position<'_, S> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        answer_of_position(self.0.position(key).ok().flatten())
    }

    #[inline(always)]
    fn batch(&self, keys: &[u64]) -> u64 {
        let mut out = [None; BATCH];
        let out = &mut out[..keys.len()];
        // An error leaves answers out, and the sum is wrong.
        let _ = self.0.positions(keys, out);
        out.iter().fold(0, |sum, &row| sum.wrapping_add(answer_of_position(row)))
    }
}

/// Moves alone, by [`Book::moves`].
pub struct Moves<'a, S>(pub &'a Book<S>);

impl<S: Bytes> Probe for Moves<'_, S> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        self.0.moves(key).map_or(0, |moves| with_moves(0, &moves))
    }
}

/// A position with its moves, by [`Book::position_and_moves`] and [`Book::positions_and_moves`].
pub struct Both<'a, S> {
    book: &'a Book<S>,
    moves: RefCell<Vec<MoveRow>>,
}

impl<'a, S> Both<'a, S> {
    /// Of this book.
    pub fn new(book: &'a Book<S>) -> Self {
        Self { book, moves: RefCell::default() }
    }
}

impl<S: Bytes> Probe for Both<'_, S> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        let moves = &mut *self.moves.borrow_mut();
        let position = self.book.position_and_moves(key, moves).ok().flatten();
        with_moves(answer_of_position(position), moves)
    }

    #[inline(always)]
    fn batch(&self, keys: &[u64]) -> u64 {
        let mut sum = 0u64;
        // An error leaves answers out, and the sum is wrong.
        let _ = self.book.positions_and_moves(keys, |_, position, moves| {
            sum = sum.wrapping_add(with_moves(answer_of_position(position), moves));
        });
        sum
    }
}

/// A position alone, from the bare table of a plain book.
pub struct BarePosition<'a>(pub Table<'a, PositionRow>);

impl Probe for BarePosition<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        answer_of_position(self.0.get(key).copied())
    }

    #[inline(always)]
    fn batch(&self, keys: &[u64]) -> u64 {
        let mut out = [None; BATCH];
        let out = &mut out[..keys.len()];
        self.0.get_batch(keys, out);
        out.iter().flatten().fold(0, |sum, row| sum.wrapping_add(answer(row.counts())))
    }
}

/// Moves alone, from the bare table of a plain book.
pub struct BareMoves<'a>(pub Table<'a, MoveRow>);

impl Probe for BareMoves<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        with_moves(0, self.0.moves(key))
    }
}

/// A position with its moves, from the bare tables of a plain book.
pub struct BareBoth<'a>(pub BarePosition<'a>, pub Table<'a, MoveRow>);

impl Probe for BareBoth<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        with_moves(self.0.get(key), self.1.moves(key))
    }

    #[inline(always)]
    fn batch(&self, keys: &[u64]) -> u64 {
        let positions = self.0.batch(keys);
        keys.iter().fold(positions, |sum, &key| with_moves(sum, self.1.moves(key)))
    }
}
