//! Rows of a moves table: what was played at a position.

use super::{Counts, Marks, Row, TableKind, add_u32, blank, sealed};
use crate::key::{Hash, Key};
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A row of the moves table: 24 bytes.
///
/// ```
/// use tabia::{Counts, MoveRow, Row, Marks};
///
/// let mut row = MoveRow::new(42, 796, Counts { wins: 1, draws: 0, losses: 0 }).with_marks(Marks::GOOD);
/// row.merge(&MoveRow::new(42, 796, Counts { wins: 0, draws: 2, losses: 0 }));
/// assert_eq!((row.key(), row.code(), row.counts().games(), row.marks()), (42, 796, 3, Marks::GOOD));
/// ```
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct MoveRow {
    pub(super) h: U64,
    wins: U32,
    draws: U32,
    losses: U32,
    code: U16,
    marks: u8,
    reserved: u8,
}

impl MoveRow {
    /// A row with counts and no marks, for the move with this code at the position with this key.
    #[inline]
    #[must_use]
    pub fn new(key: Key, code: u16, counts: Counts) -> Self {
        Self::of_hash(Hash::of(key), code, counts)
    }

    /// A row with counts and no marks, for the move with this code at the position whose key has
    /// this hash.
    #[inline]
    #[must_use]
    pub fn of_hash(hash: Hash, code: u16, counts: Counts) -> Self {
        Self {
            h: U64::new(hash.get()),
            wins: U32::new(counts.wins),
            draws: U32::new(counts.draws),
            losses: U32::new(counts.losses),
            code: U16::new(code),
            marks: 0,
            reserved: 0,
        }
    }

    /// This row with these marks.
    #[must_use]
    pub fn with_marks(mut self, marks: Marks) -> Self {
        self.marks = marks.bits();
        self
    }

    /// The move's code, as its game defines it.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.code.get()
    }

    /// Annotations seen on the move, and the book maker's word on it.
    #[must_use]
    pub fn marks(&self) -> Marks {
        Marks::from_bits_retain(self.marks)
    }
}

fields_of_all_rows!(MoveRow);

impl Row for MoveRow {
    const TABLE: TableKind = TableKind::Moves;
    type Bytes = [u8; 24];
    const EMPTY: Self = zerocopy::transmute!([0xff_u8; 24]);

    #[inline(always)]
    fn sub(&self) -> u16 {
        self.code.get()
    }

    methods_of_all_rows!();

    #[inline]
    fn merge(&mut self, other: &Self) {
        self.add_counts(other);
        self.marks |= other.marks;
    }

    fn key_only(&self) -> Self {
        Self { h: self.h, code: self.code, ..Self::new_zeroed() }
    }

    #[inline(always)]
    fn is_valid(&self) -> bool {
        self.reserved == 0
    }

    fn invalid_reason(&self) -> Option<&'static str> {
        (!self.is_valid()).then_some("its reserved byte is not zero")
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.reserved == 0xff
    }
}

impl std::fmt::Debug for MoveRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MoveRow")
            .field("key", &format_args!("{:016x}", self.key()))
            .field("code", &format_args!("{:04x}", self.code()))
            .field("counts", &self.counts())
            .field("marks", &self.marks())
            .finish()
    }
}
