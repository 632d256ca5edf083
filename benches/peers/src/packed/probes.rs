//! How books of games are asked: for a position, or for one with its moves.

use crate::games::{answer, answer_of_row};
use crate::measure::{BATCH, Probe};
use std::cell::RefCell;
use tabia::bytes::Bytes;
use tabia::{Book, MoveRow, PositionRow, Row};

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

impl<S: Bytes> Both<'_, S> {
    /// The sum of the answers for all of these, asked in batches of so many, of each of which the
    /// disk is told beforehand.
    pub fn ask(&self, keys: &[u64], batch: usize) -> u64 {
        let answers = keys.chunks(batch).map(|keys| match keys {
            &[key] => self.get(key),
            _ => {
                self.book.will_need_with_moves(keys);
                self.batch(keys)
            }
        });
        answers.fold(0, u64::wrapping_add)
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
