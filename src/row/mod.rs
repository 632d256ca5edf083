//! Rows: what a book stores for a position and for a move, byte for byte as on disk, and how two
//! rows of the same key merge.
//!
//! Section 4 of the format specification. Everything here is pure; a table decides where rows are
//! in a file.

/// The parts of [`Row`] that are the same for all rows: hash and counts come first in each.
macro_rules! methods_of_all_rows {
    () => {
        #[inline]
        fn counts(&self) -> Counts {
            Counts::new(self.wins.get(), self.draws.get(), self.losses.get())
        }

        fn with_counts(mut self, counts: Counts) -> Self {
            self.wins.set(counts.wins);
            self.draws.set(counts.draws);
            self.losses.set(counts.losses);
            self
        }

        #[inline(always)]
        fn is_blank(&self) -> bool {
            blank::<3>(zerocopy::transmute!(*self))
        }

        #[inline(always)]
        fn to_bytes(self) -> [u8; 24] {
            zerocopy::transmute!(self)
        }
    };
}

/// What else is the same.
macro_rules! fields_of_all_rows {
    ($row:ty) => {
        impl sealed::Bits for $row {
            #[inline(always)]
            fn h(&self) -> u64 {
                self.h.get()
            }
        }

        impl $row {
            #[inline(always)]
            fn add_counts(&mut self, other: &Self) {
                add_u32(&mut self.wins, other.wins);
                add_u32(&mut self.draws, other.draws);
                add_u32(&mut self.losses, other.losses);
            }
        }
    };
}

mod bits;
mod moves;
mod positions;

pub use bits::{Flags, Marks};
pub use moves::MoveRow;
pub use positions::PositionRow;

use crate::key::{Hash, Key};
use zerocopy::little_endian::{U32, U64};

/// The eval of a position that has none.
pub const NO_EVAL: i16 = i16::MIN;

/// Games won, drawn and lost, seen from the side to move at the keyed position.
///
/// ```
/// use tabia::Counts;
///
/// let counts = Counts { wins: 3, draws: 1, losses: 2 };
/// assert_eq!(counts.games(), 6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counts {
    /// Games won by the side to move.
    pub wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games lost by the side to move.
    pub losses: u32,
}

impl Counts {
    /// So many games won, drawn and lost.
    #[must_use]
    pub const fn new(wins: u32, draws: u32, losses: u32) -> Self {
        Self { wins, draws, losses }
    }

    /// The number of games: wins, draws and losses, without overflow.
    #[must_use]
    pub fn games(&self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }
}

/// A fixed-size row of a table, byte for byte as on disk.
///
/// Sealed: the rows are those of the format, [`PositionRow`] and [`MoveRow`]. Further data of a
/// book is in [columns](crate::Column).
///
/// ```
/// use tabia::{Counts, PositionRow, Row};
///
/// let mut row = PositionRow::new(42, Counts { wins: 3, draws: 1, losses: 2 });
/// row.merge(&PositionRow::new(42, Counts { wins: 1, draws: 0, losses: 0 }));
/// assert_eq!((row.key(), row.counts().wins), (42, 4));
/// assert_eq!(row.to_bytes().len() as u64, PositionRow::SIZE);
/// ```
pub trait Row: Copy + Eq + std::fmt::Debug + Send + Sync + 'static + sealed::Bits {
    /// Bytes of a row: 24.
    const SIZE: u64 = size_of::<Self>() as u64;
    /// The table that has such rows.
    const TABLE: TableKind;
    /// The row as it is on disk: that many bytes.
    type Bytes: AsRef<[u8]> + Copy;
    /// An empty slot.
    const EMPTY: Self;

    /// The hash of the position's key, which is what is stored.
    #[inline(always)]
    fn hash(&self) -> Hash {
        Hash::from_bits(self.h())
    }

    /// What distinguishes rows of one key: the move's code; 0 in a positions table.
    fn sub(&self) -> u16;

    /// Games, seen from the side to move.
    fn counts(&self) -> Counts;

    /// The row with these counts in place of its own.
    #[must_use]
    fn with_counts(self, counts: Counts) -> Self;

    /// Merges a row of the same key (and move) into this one: commutative and associative (M-1 to
    /// M-3).
    fn merge(&mut self, other: &Self);

    /// A row with this one's hash (and move) and nothing else: what a journal's delete holds.
    #[must_use]
    fn key_only(&self) -> Self;

    /// Whether the row is valid in itself (B-18). Without branches: it is asked of every row that
    /// is checked.
    fn is_valid(&self) -> bool;

    /// What makes this row invalid in itself, if anything (B-18).
    fn invalid_reason(&self) -> Option<&'static str>;

    /// Whether the slot is empty.
    fn is_empty(&self) -> bool;

    /// Whether the slot is empty as it has to be: all ones. Without branches, unlike a comparison
    /// field by field.
    fn is_blank(&self) -> bool;

    /// The row as it is on disk.
    fn to_bytes(self) -> Self::Bytes;

    /// Whether merging brought proofs together that contradict each other (M-3).
    fn conflict(&self) -> bool {
        false
    }

    /// Whether it is a position flagged [`Flags::EXPANDED`].
    fn is_expanded(&self) -> bool {
        false
    }

    /// The position's key.
    #[inline]
    fn key(&self) -> Key {
        self.hash().key()
    }

    /// The order of rows in a table: by hash, then by move.
    #[inline(always)]
    fn rank(&self) -> (Hash, u16) {
        (self.hash(), self.sub())
    }
}

mod sealed {
    use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

    /// Conversion between rows and bytes of a file.
    pub trait Bits: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned {
        /// The bits of its hash.
        fn h(&self) -> u64;
    }
}

/// The two kinds of table.
///
/// ```
/// # use tabia::{Book, TableKind};
/// # let (_folder, path) = tabia_testing::tiny_book();
/// let book = Book::open(&path)?;
/// assert!(book.has(TableKind::Positions) && !book.has(TableKind::Moves));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TableKind {
    /// What positions are worth, however reached (a V-function).
    Positions,
    /// What was played at positions (a Q-function).
    Moves,
}

impl TableKind {
    /// Both, in the order of a file.
    pub const ALL: [Self; 2] = [Self::Positions, Self::Moves];
}

impl std::fmt::Display for TableKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Positions => "positions",
            Self::Moves => "moves",
        })
    }
}

/// Whether a slot of these words is all ones.
#[inline(always)]
fn blank<const WORDS: usize>(words: [U64; WORDS]) -> bool {
    words.iter().fold(u64::MAX, |all, word| all & word.get()) == u64::MAX
}

/// Adds a count, saturating at `u32::MAX`.
#[inline(always)]
fn add_u32(count: &mut U32, other: U32) {
    *count = U32::new(count.get().saturating_add(other.get()));
}

/// Sorts rows by hash and move and merges those that are equal in both, in place. The result is the
/// first `n` rows, where `n` is the number returned.
pub fn sort_and_merge<R: Row>(rows: &mut [R]) -> usize {
    rows.sort_unstable_by_key(R::rank);
    let mut kept = 0;
    for next in 0..rows.len() {
        if next > 0 && rows[kept - 1].rank() == rows[next].rank() {
            let other = rows[next];
            rows[kept - 1].merge(&other);
        } else {
            rows[kept] = rows[next];
            kept += 1;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use zerocopy::IntoBytes;

    /// A strategy for position rows of one key, with counts that overflow and evals that tie.
    fn rows_of_one_position() -> impl Strategy<Value = PositionRow> {
        let count = || prop_oneof![0u32..5, Just(u32::MAX), Just(u32::MAX - 1)];
        let eval = prop_oneof![Just(NO_EVAL), -2i16..3, Just(i16::MAX), Just(i16::MIN + 1)];
        (count(), count(), count(), eval, 0u8..3, 0u8..32).prop_map(
            |(wins, draws, losses, eval, depth, flags)| {
                PositionRow::new(7, Counts::new(wins, draws, losses))
                    .with_eval(eval, depth)
                    .with_flags(Flags::from_bits_retain(flags))
            },
        )
    }

    pub(super) fn merged<R: Row>(a: R, b: R) -> R {
        let mut row = a;
        row.merge(&b);
        row
    }

    proptest! {
        #[test]
        fn m1_to_m3_merging_is_commutative_and_associative(a in rows_of_one_position(), b in rows_of_one_position(), c in rows_of_one_position()) {
            prop_assert_eq!(merged(a, b), merged(b, a));
            prop_assert_eq!(merged(merged(a, b), c), merged(a, merged(b, c)));
            prop_assert_eq!(merged(a, b).invalid_reason(), None);
        }
    }

    #[test]
    fn m3_flags_and_marks_are_united_and_a_conflict_shows() {
        let row = |flags| PositionRow::new(1, Counts::default()).with_flags(flags);
        let both = merged(row(Flags::PROVEN_WIN), row(Flags::PROVEN_LOSS));
        assert!(both.flags().is_conflict());
        assert!(!(Flags::PROVEN_WIN | Flags::EXPANDED).is_conflict());
    }

    #[test]
    fn empty_slots_are_all_ones_and_no_valid_row_is_one() {
        assert_eq!(PositionRow::EMPTY.as_bytes(), [0xff; 24]);
        assert_eq!(MoveRow::EMPTY.as_bytes(), [0xff; 24]);
        let full = Counts::new(u32::MAX, u32::MAX, u32::MAX);
        let row = PositionRow::new(Hash::MAX.key(), full).with_eval(-1, 255);
        assert!(!row.with_flags(Flags::from_bits_retain(0xff)).is_empty());
        assert!(!MoveRow::new(Hash::MAX.key(), u16::MAX, full).with_marks(Marks::all()).is_empty());
    }
}
