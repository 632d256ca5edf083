//! Merging many streams of rows into one: a tree of mergers of two.
//!
//! A merger of two can pick the lesser row without a branch. Which of many comes first takes a chain of comparisons that nobody can
//! foresee, and each that is foreseen wrongly costs more than a level of the tree.

use crate::error::Result;
use crate::row::Row;
use crate::stream::{Cursor, Rows};
use std::hint::select_unpredictable;

/// How many rows a merger makes at once: few, so that a whole tree stays in the cache.
const MADE_AT_ONCE: usize = 1024;

/// One stream out of many; rows of the same hash and move are merged (M-4).
pub struct Merged<'a, R>(Box<dyn Rows<R> + 'a>);

impl<'a, R: Row> Merged<'a, R> {
    /// Merges these streams.
    #[must_use]
    pub fn new(streams: Vec<Box<dyn Rows<R> + 'a>>) -> Self {
        Self(tree(streams))
    }
}

impl<R: Row> Rows<R> for Merged<'_, R> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        self.0.next_chunk(chunk)
    }

    fn skip_chunk(&mut self, chunk: &mut Vec<R>) -> Result<usize> {
        self.0.skip_chunk(chunk)
    }
}

/// Merges streams pairwise, and the results likewise, until one is left.
fn tree<'a, R: Row>(mut streams: Vec<Box<dyn Rows<R> + 'a>>) -> Box<dyn Rows<R> + 'a> {
    while streams.len() > 1 {
        let mut level = Vec::with_capacity(streams.len().div_ceil(2));
        let mut pairs = streams.into_iter();
        while let Some(left) = pairs.next() {
            level.push(match pairs.next() {
                Some(right) => Box::new(Pair { left: Cursor::new(left), right: Cursor::new(right) }),
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
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        chunk.clear();
        Ok(())
    }
}

/// Two streams as one.
struct Pair<'a, R> {
    left: Cursor<'a, R>,
    right: Cursor<'a, R>,
}

impl<R: Row> Rows<R> for Pair<'_, R> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        let mut made = 0;
        while made < MADE_AT_ONCE {
            match (self.left.at_end()?, self.right.at_end()?) {
                (false, false) => {
                    chunk.resize(MADE_AT_ONCE, R::EMPTY);
                    made += self.merge(&mut chunk[made..]);
                }
                // What was made already has to go first.
                (left, right) if (left && right) || made > 0 => break,
                (left, _) => {
                    chunk.clear();
                    self.other_than_left_if(left).hand_on(chunk);
                    return Ok(());
                }
            }
        }
        chunk.truncate(made);
        Ok(())
    }

    fn skip_chunk(&mut self, _: &mut Vec<R>) -> Result<usize> {
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

    /// Merges into `out` until it is full, or one side has to read on; how many rows were made is returned.
    fn merge(&mut self, out: &mut [R]) -> usize {
        self.walk(out, |place, a, b, (a_goes, b_goes)| {
            *place = *select_unpredictable(a_goes, a, b);
            if a_goes & b_goes {
                absorb(place, b);
            }
        })
    }

    /// How many rows merging makes until one side has to read on.
    fn count(&mut self) -> usize {
        // Places that take no room.
        self.walk(&mut [(); isize::MAX as usize], |(), _, _, _| {})
    }

    /// Goes through the rows of both sides, each that merging makes in its place, until there are no more places or one side has to read on; how
    /// many rows there were is returned. `meet` is given the place, the next row of each side, and which of them goes.
    #[inline(always)]
    fn walk<P>(&mut self, places: &mut [P], mut meet: impl FnMut(&mut P, &R, &R, (bool, bool))) -> usize {
        let (left, right) = (self.left.rest(), self.right.rest());
        let (mut l, mut r, mut met) = (0, 0, 0);
        loop {
            // So many can be met before a side or the places are at their end.
            let sure = (left.len() - l).min(right.len() - r).min(places.len() - met);
            if sure == 0 {
                break;
            }
            for place in &mut places[met..met + sure] {
                let (a, b) = (&left[l], &right[r]);
                let (a_goes, b_goes) = order(a, b);
                meet(place, a, b, (a_goes, b_goes));
                l += usize::from(a_goes);
                r += usize::from(b_goes);
            }
            met += sure;
        }
        self.left.pass(l);
        self.right.pass(r);
        met
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
fn absorb<R: Row>(row: &mut R, other: &R) {
    row.absorb(other);
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
            let row = |&(key, code): &(u64, u16)| MoveRow::new(key, code, Counts { wins: 1, draws: 0, losses: 0 });
            let mut streams: Vec<Vec<MoveRow>> = inputs.iter().map(|input| input.iter().map(row).collect()).collect();
            let mut all = streams.concat();
            let kept = sort_and_merge(&mut all);
            for stream in &mut streams {
                let kept = sort_and_merge(stream);
                stream.truncate(kept);
            }
            let boxed = streams.iter().map(|rows| Box::new(InMemory::new(rows)) as Box<dyn Rows<MoveRow>>).collect();
            prop_assert_eq!(Merged::new(boxed).collect().unwrap(), &all[..kept]);
        }
    }

    #[test]
    fn rows_that_meet_at_the_end_of_a_chunk_are_merged() {
        let rows = |games: u32| -> Vec<MoveRow> {
            let mut rows: Vec<_> =
                (0..CHUNK as u64 * 2 + 5).map(|key| MoveRow::new(key, 0, Counts { wins: games, draws: 0, losses: 0 })).collect();
            sort_and_merge(&mut rows);
            rows
        };
        let (one, two) = (rows(1), rows(2));
        let merged = Merged::new(vec![Box::new(InMemory::new(&one)), Box::new(InMemory::new(&two))]);
        assert_eq!(merged.collect().unwrap(), rows(3));
    }
}
