//! Rows of the positions table: what a position is worth, however reached.

use super::{Counts, Flags, NO_EVAL, Row, TableKind, add_u32, blank, sealed};
use crate::key::{Hash, Key};
use zerocopy::little_endian::{I16, U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A row of the positions table: 24 bytes.
///
/// ```
/// use tabia::{Counts, PositionRow, Row, Flags};
///
/// let row = PositionRow::new(42, Counts { wins: 3, draws: 1, losses: 2 }).with_eval(35, 20).with_flags(Flags::PROVEN_WIN);
/// assert_eq!((row.key(), row.eval(), row.depth(), row.flags()), (42, Some(35), 20, Flags::PROVEN_WIN));
/// ```
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct PositionRow {
    pub(super) h: U64,
    wins: U32,
    draws: U32,
    losses: U32,
    eval: I16,
    depth: u8,
    flags: u8,
}

impl PositionRow {
    /// A row with counts and neither eval nor flags.
    #[inline]
    #[must_use]
    pub fn new(key: Key, counts: Counts) -> Self {
        Self::of_hash(Hash::of(key), counts)
    }

    /// A row with counts and neither eval nor flags, for the position whose key has this hash.
    #[inline]
    #[must_use]
    pub fn of_hash(hash: Hash, counts: Counts) -> Self {
        Self {
            h: U64::new(hash.get()),
            wins: U32::new(counts.wins),
            draws: U32::new(counts.draws),
            losses: U32::new(counts.losses),
            eval: I16::new(NO_EVAL),
            depth: 0,
            flags: 0,
        }
    }

    /// This row with an eval for the side to move and what it is worth. [`NO_EVAL`] takes both
    /// away.
    #[must_use]
    pub fn with_eval(mut self, eval: i16, depth: u8) -> Self {
        self.eval = I16::new(eval);
        self.depth = if eval == NO_EVAL { 0 } else { depth };
        self
    }

    /// This row with these flags; bits that the format doesn't define are dropped.
    #[must_use]
    pub fn with_flags(mut self, flags: Flags) -> Self {
        self.flags = flags.bits() & Flags::all().bits();
        self
    }

    /// The eval for the side to move, in the game's unit, or none.
    #[must_use]
    pub fn eval(&self) -> Option<i16> {
        Some(self.eval.get()).filter(|&eval| eval != NO_EVAL)
    }

    /// What the eval is worth; 0 without one.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// What is known of the position beyond counts and eval.
    #[must_use]
    pub fn flags(&self) -> Flags {
        Flags::from_bits_retain(self.flags)
    }

    /// The order of evals by rule M-2, 0 without one: the deeper, then the nearer to zero, then the
    /// lower. At equal depth the lower one alone would make every merge of many sources
    /// pessimistic, for each side in turn.
    #[inline]
    fn worth(&self) -> u32 {
        let Some(eval) = self.eval() else { return 0 };
        let farness = 2 * eval.unsigned_abs() + u16::from(eval > 0);
        1 << 24 | u32::from(self.depth) << 16 | u32::from(u16::MAX - farness)
    }
}

fields_of_all_rows!(PositionRow);

impl Row for PositionRow {
    const TABLE: TableKind = TableKind::Positions;
    type Bytes = [u8; 24];
    const EMPTY: Self = zerocopy::transmute!([0xff_u8; 24]);

    #[inline(always)]
    fn sub(&self) -> u16 {
        0
    }

    methods_of_all_rows!();

    #[inline]
    fn merge(&mut self, other: &Self) {
        self.add_counts(other);
        if other.worth() > self.worth() {
            self.eval = other.eval;
            self.depth = other.depth;
        }
        self.flags |= other.flags;
    }

    fn key_only(&self) -> Self {
        Self { h: self.h, ..Self::new_zeroed() }
    }

    #[inline(always)]
    fn is_valid(&self) -> bool {
        (self.flags & !Flags::all().bits() == 0)
            & ((self.eval.get() != NO_EVAL) | (self.depth == 0))
    }

    fn invalid_reason(&self) -> Option<&'static str> {
        if self.is_valid() {
            None
        } else if self.flags & !Flags::all().bits() != 0 {
            Some("an undefined flag is set")
        } else {
            Some("it has a depth but no eval")
        }
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.flags == 0xff
    }

    #[inline(always)]
    fn conflict(&self) -> bool {
        self.flags().is_conflict()
    }

    #[inline(always)]
    fn is_expanded(&self) -> bool {
        self.flags & Flags::EXPANDED.bits() != 0
    }
}

impl std::fmt::Debug for PositionRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PositionRow")
            .field("key", &format_args!("{:016x}", self.key()))
            .field("counts", &self.counts())
            .field("eval", &self.eval())
            .field("depth", &self.depth)
            .field("flags", &self.flags())
            .finish()
    }
}
