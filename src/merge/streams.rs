//! Merging many streams of rows into one: a tree of mergers of two.
//!
//! A merger of two can pick the lesser row without a branch. To find the first of many takes a
//! chain of unpredictable comparisons, and each misprediction costs more than a level of the tree.

use crate::column::Columns;
use crate::error::Result;
use crate::row::Row;
use crate::stream::{Chunk, Converted, Cursor, Rows};
use std::hint::select_unpredictable;

/// How many rows a merger makes at once: few, so that a whole tree stays in the cache.
const MADE_AT_ONCE: usize = 1024;

/// One stream out of many; rows of the same hash and move are merged (M-4), with cells of all
/// columns that one of the streams has.
///
/// ```
/// use tabia::stream::{InMemory, Rows};
/// use tabia::{Counts, PositionRow};
///
/// let row = |wins| PositionRow::new(42, Counts { wins, draws: 0, losses: 0 });
/// let (a, b) = ([row(1)], [row(2)]);
/// let merged = tabia::Merged::new(vec![Box::new(InMemory::new(&a)), Box::new(InMemory::new(&b))]).collect()?;
/// assert_eq!(merged.rows(), [row(3)]);
/// # Ok::<(), tabia::Error>(())
/// ```
pub struct Merged<'a, R>(Box<dyn Rows<R> + 'a>);

impl<'a, R: Row> Merged<'a, R> {
    /// Merges these streams.
    #[must_use]
    pub fn new(streams: Vec<Box<dyn Rows<R> + 'a>>) -> Self {
        let columns = streams.iter().fold(Columns::NONE, |all, rows| all.union(rows.columns()));
        let alike = |rows: Box<dyn Rows<R> + 'a>| -> Box<dyn Rows<R> + 'a> {
            if rows.columns() == columns { rows } else { Box::new(Converted::new(rows, columns)) }
        };
        Self(tree(streams.into_iter().map(alike).collect()))
    }
}

impl<R> std::fmt::Debug for Merged<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Merged").finish_non_exhaustive()
    }
}

impl<R: Row> Rows<R> for Merged<'_, R> {
    fn columns(&self) -> Columns {
        self.0.columns()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        self.0.next_chunk(chunk)
    }

    fn skip_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<usize> {
        self.0.skip_chunk(chunk)
    }
}

/// Merges streams pairwise, then the results, until one is left.
fn tree<'a, R: Row>(mut streams: Vec<Box<dyn Rows<R> + 'a>>) -> Box<dyn Rows<R> + 'a> {
    while streams.len() > 1 {
        let mut level = Vec::with_capacity(streams.len().div_ceil(2));
        let mut pairs = streams.into_iter();
        while let Some(left) = pairs.next() {
            level.push(match pairs.next() {
                Some(right) => Box::new(Pair {
                    columns: left.columns(),
                    left: Cursor::new(left),
                    right: Cursor::new(right),
                }),
                None => left,
            });
        }
        streams = level;
    }
    streams.pop().unwrap_or_else(|| Box::new(Nothing))
}

/// A stream without rows.
struct Nothing;

impl<R: Row> Rows<R> for Nothing {
    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        chunk.clear(Columns::NONE);
        Ok(())
    }
}

/// Two streams of the same columns as one.
struct Pair<'a, R> {
    columns: Columns,
    left: Cursor<'a, R>,
    right: Cursor<'a, R>,
}

impl<R: Row> Rows<R> for Pair<'_, R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        let mut made = 0;
        while made < MADE_AT_ONCE {
            match (self.left.at_end()?, self.right.at_end()?) {
                (false, false) => {
                    let (rows, cells) = chunk.places(self.columns, MADE_AT_ONCE);
                    made +=
                        self.merge(&mut rows[made..], &mut cells[made * self.columns.stride()..]);
                }
                // What was made already has to go first.
                (left, right) if (left && right) || made > 0 => break,
                (left, _) => {
                    chunk.clear(self.columns);
                    self.other_than_left_if(left).hand_on(chunk);
                    return Ok(());
                }
            }
        }
        chunk.truncate(made);
        Ok(())
    }

    fn skip_chunk(&mut self, _: &mut Chunk<R>) -> Result<usize> {
        let (left, right) = (self.left.at_end()?, self.right.at_end()?);
        if !left && !right {
            return Ok(self.count());
        }
        let side = self.other_than_left_if(left);
        let rows = side.rest().len();
        side.pass(rows);
        Ok(rows)
    }
}

impl<'a, R: Row> Pair<'a, R> {
    /// The right side if the left one is at its end, else the left one.
    fn other_than_left_if(&mut self, left_at_end: bool) -> &mut Cursor<'a, R> {
        if left_at_end { &mut self.right } else { &mut self.left }
    }

    /// Merges into these places until they are full, or one side has to read on; how many rows were
    /// made is returned. The cells of the usual columns are copied by loads and stores of a length
    /// that the compiler knows.
    fn merge(&mut self, rows: &mut [R], cells: &mut [u8]) -> usize {
        match self.columns.stride() {
            0 => self.merge_rows(rows),
            8 => self.merge_cells::<8>(rows, cells),
            24 => self.merge_cells::<24>(rows, cells),
            36 => self.merge_cells::<36>(rows, cells),
            _ => self.merge_cells::<0>(rows, cells),
        }
    }

    /// Merges rows without cells.
    fn merge_rows(&mut self, rows: &mut [R]) -> usize {
        let met = walk(
            self.left.rest(),
            self.right.rest(),
            rows,
            |place, (a, b), (a_goes, b_goes), _| {
                *place = *select_unpredictable(a_goes, a, b);
                if a_goes & b_goes {
                    merge_equal(place, b);
                }
            },
        );
        self.pass(met)
    }

    /// Merges rows with `STRIDE` bytes of cells; 0: as many as the columns say.
    #[inline(always)]
    fn merge_cells<const STRIDE: usize>(&mut self, rows: &mut [R], cells: &mut [u8]) -> usize {
        let stride = if STRIDE == 0 { self.columns.stride() } else { STRIDE };
        let (left, right) = (self.left.cells(), self.right.cells());
        let mut into = cells.chunks_exact_mut(stride);
        let met = walk(
            self.left.rest(),
            self.right.rest(),
            rows,
            |place, (a, b), (a_goes, b_goes), (l, r)| {
                *place = *select_unpredictable(a_goes, a, b);
                let (of_a, of_b) = (&left[l * stride..][..stride], &right[r * stride..][..stride]);
                let Some(into) = into.next() else { return };
                into.copy_from_slice(select_unpredictable(a_goes, of_a, of_b));
                if a_goes & b_goes {
                    merge_equal(place, b);
                    self.columns.merge(into, of_b);
                }
            },
        );
        self.pass(met)
    }

    /// How many rows merging makes until one side has to read on.
    fn count(&mut self) -> usize {
        // Places that take no room.
        let places = &mut [(); isize::MAX as usize];
        let met = walk(self.left.rest(), self.right.rest(), places, |(), _, _, _| {});
        self.pass(met)
    }

    /// Is done with what a walk met; how many rows it made is returned.
    fn pass(&mut self, met: Met) -> usize {
        self.left.pass(met.left);
        self.right.pass(met.right);
        met.rows
    }
}

/// How far a walk came: rows of the left side, rows of the right side, and rows that merging makes
/// of them.
#[derive(Clone, Copy, Default)]
struct Met {
    left: usize,
    right: usize,
    rows: usize,
}

/// Goes through the rows of both sides, each that merging makes in its place, until there are no
/// more places or one side is at its end. `meet` is given the place, the next row of each side,
/// which of them goes, and how many rows of each side went before.
#[inline(always)]
fn walk<R: Row, P>(
    left: &[R],
    right: &[R],
    places: &mut [P],
    mut meet: impl FnMut(&mut P, (&R, &R), (bool, bool), (usize, usize)),
) -> Met {
    let mut met = Met::default();
    loop {
        // So many can be met before a side or the places are at their end.
        let sure =
            (left.len() - met.left).min(right.len() - met.right).min(places.len() - met.rows);
        if sure == 0 {
            return met;
        }
        for place in &mut places[met.rows..met.rows + sure] {
            let (a, b) = (&left[met.left], &right[met.right]);
            let (a_goes, b_goes) = order(a, b);
            meet(place, (a, b), (a_goes, b_goes), (met.left, met.right));
            met.left += usize::from(a_goes);
            met.right += usize::from(b_goes);
        }
        met.rows += sure;
    }
}

/// Which of two rows goes next, by hash and move: both if they are equal in that.
#[inline(always)]
fn order<R: Row>(a: &R, b: &R) -> (bool, bool) {
    let ((x, i), (y, j)) = (a.rank(), b.rank());
    let same = x == y;
    ((x < y) | (same & (i <= j)), (y < x) | (same & (j <= i)))
}

/// Out of the way of the loop above.
#[cold]
fn merge_equal<R: Row>(row: &mut R, other: &R) {
    row.merge(other);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Counts, MoveRow, sort_and_merge};
    use crate::stream::{CHUNK, InMemory};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn m4_merging_streams_equals_sorting_all(inputs in prop::collection::vec(prop::collection::vec((0u64..40, 0u16..3), 0..60), 0..9)) {
            let row = |&(key, code): &(u64, u16)| MoveRow::new(key, code, Counts::new(1, 0, 0));
            let mut streams: Vec<Vec<MoveRow>> = inputs.iter().map(|input| input.iter().map(row).collect()).collect();
            let mut all = streams.concat();
            let kept = sort_and_merge(&mut all);
            for stream in &mut streams {
                let kept = sort_and_merge(stream);
                stream.truncate(kept);
            }
            let boxed = streams.iter().map(|rows| Box::new(InMemory::new(rows)) as Box<dyn Rows<MoveRow>>).collect();
            let merged = Merged::new(boxed).collect().unwrap();
            prop_assert_eq!(merged.rows(), &all[..kept]);
        }
    }

    #[test]
    fn rows_that_meet_at_the_end_of_a_chunk_are_merged() {
        let rows = |games: u32| -> Vec<MoveRow> {
            let row = |key| MoveRow::new(key, 0, Counts::new(games, 0, 0));
            let mut rows: Vec<_> = (0..CHUNK as u64 * 2 + 5).map(row).collect();
            sort_and_merge(&mut rows);
            rows
        };
        let (one, two) = (rows(1), rows(2));
        let merged =
            Merged::new(vec![Box::new(InMemory::new(&one)), Box::new(InMemory::new(&two))]);
        assert_eq!(merged.collect().unwrap().rows(), rows(3));
    }
}
