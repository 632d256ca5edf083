//! The fuzzer's bytes, read from the front only, so that a seed can be written by hand and a
//! mutation stays where it is made.

use crate::CellValues;
use arbitrary::{Arbitrary, Unstructured};
use tabia::{Column, Columns, unmix};

/// The fuzzer's bytes. At their end all that is read is zero.
pub struct Input<'a>(Unstructured<'a>);

impl<'a> Input<'a> {
    /// Reads these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(Unstructured::new(bytes))
    }

    /// Whether there are no more.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next integer, little-endian.
    pub fn take<T: Arbitrary<'a> + Default>(&mut self) -> T {
        self.0.arbitrary().unwrap_or_default()
    }

    pub fn byte(&mut self) -> u8 {
        self.take()
    }

    pub fn below(&mut self, count: usize) -> usize {
        if count <= 256 {
            usize::from(self.byte()) % count.max(1)
        } else {
            self.take::<u32>() as usize % count
        }
    }

    /// The next bytes, as many as there are at most.
    pub fn bytes(&mut self, count: usize) -> &'a [u8] {
        let count = count.min(self.0.len());
        self.0.bytes(count).unwrap_or_default()
    }

    /// All that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        self.bytes(usize::MAX)
    }

    /// A key: mostly one of a few, so that rows meet, among them those of the least and the
    /// greatest hash.
    pub fn key(&mut self) -> u64 {
        match self.byte() {
            byte @ 0..=11 => u64::from(byte),
            12 => u64::MAX,
            13 => unmix(u64::MAX),
            14 => unmix(u64::MAX - 1),
            15 => 0x463b_9618_1691_fc9c,
            // Hashes that are close to each other: rows that are displaced.
            byte @ 16..=199 => unmix(u64::from(byte) << 56 | u64::from(byte & 3)),
            _ => self.take(),
        }
    }

    /// A count: mostly a small one, sometimes one that saturates.
    pub fn count(&mut self) -> u32 {
        match self.byte() {
            byte @ 0..=239 => u32::from(byte),
            byte @ 240..=249 => u32::MAX - u32::from(byte - 240),
            _ => self.take(),
        }
    }

    /// What the cells of a move say, of these columns.
    pub fn values(&mut self, columns: Columns) -> CellValues {
        let mut values = CellValues::default();
        if columns.has(Column::RATINGS) {
            values.ratings = self.ratings();
        }
        if columns.has(Column::GAME) {
            values.game = match self.byte() {
                byte @ 0..=199 => u64::from(byte) << 48 | u64::from(byte % 7),
                byte @ 200..=229 => u64::MAX - u64::from(byte),
                _ => self.take(),
            };
        }
        if columns.has(Column::YEARS) {
            let mut year = || match self.byte() {
                byte @ 0..=9 => [0, 1, u16::MAX][usize::from(byte % 3)],
                byte => 1850 + u16::from(byte),
            };
            values.years = [year(), year()];
        }
        values
    }

    /// The ratings of a move: mostly those of a few games, sometimes sums that saturate.
    fn ratings(&mut self) -> [u64; 4] {
        match self.byte() {
            byte @ 0..=199 => [
                u64::from(byte) * 31,
                u64::from(byte) * 29,
                u64::from(byte % 8),
                u64::from(byte % 16),
            ],
            byte @ 200..=229 => [
                0xffff_ffff_ffff - u64::from(byte),
                u64::from(byte),
                0xffff_ffff,
                u64::MAX - u64::from(byte),
            ],
            _ => [
                self.take::<u64>() >> 16,
                self.take::<u64>() >> 16,
                self.take::<u32>().into(),
                self.take(),
            ],
        }
    }
}
