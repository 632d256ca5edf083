//! A checksum over all that a file says: the crate `parquet` writes none, and a flipped bit in a
//! page can be another row.
//!
//! It is the sum, modulo 2^64, of a hash of each row and of the metadata, so that rows may be read
//! in any order. Only files that say they are ours are held to it: a tool that changes rows may
//! carry our metadata on.

use super::super::cell::CellField;
use super::super::{Fields, FileColumn};
use tabia::{NO_EVAL, mix};

/// The checksum of what was taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checksum(u64);

impl Checksum {
    /// Takes a row.
    #[inline]
    pub fn add(&mut self, row: &Fields) {
        let word = |column| row.number(column).unwrap_or(NO_EVAL.into()).cast_unsigned();
        let counts = [word(FileColumn::Wins), word(FileColumn::Draws), word(FileColumn::Losses)];
        let small = (word(FileColumn::Eval) & 0xffff) << 16
            | word(FileColumn::Depth) << 8
            | word(FileColumn::Flags);
        let words = [
            counts[0] << 32 | counts[1],
            counts[2] << 32 | small,
            word(FileColumn::Move) << 8 | word(FileColumn::Marks),
        ];
        let mut hash =
            words.into_iter().fold(mix(row.key).wrapping_add(1), |hash, word| mix(hash ^ word));
        // What says nothing is as if the column weren't there.
        if row.has_cells() {
            let said = FileColumn::all()
                .iter()
                .filter_map(|&column| Some((field_of(column)?, word(column))))
                .filter(|&(_, value)| value != 0);
            hash = said.fold(hash, |hash, (field, value)| mix(mix(hash ^ field.mark()) ^ value));
        }
        self.0 = self.0.wrapping_add(hash);
    }

    /// Takes a text.
    pub fn add_text(&mut self, text: &str) {
        let length = text.len() as u64;
        self.0 = self
            .0
            .wrapping_add(text.bytes().fold(mix(length), |hash, byte| mix(hash ^ u64::from(byte))));
    }
}

/// The field of a cell that a column is, if it is one.
fn field_of(column: FileColumn) -> Option<CellField> {
    if let FileColumn::Cell(field) = column { Some(field) } else { None }
}

/// 16 hexadecimal digits.
impl std::fmt::Display for Checksum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_shows_in_it() {
        let mut seen = std::collections::HashSet::from([Checksum::default().to_string()]);
        for &column in FileColumn::all() {
            for number in [0, 1, 2] {
                let mut row = Fields::default();
                assert!(row.set(column, number));
                let mut checksum = Checksum::default();
                checksum.add(&row);
                seen.insert(checksum.to_string());
            }
        }
        // Nothing and a row without anything, a zero as the eval, and two more numbers in each
        // column.
        assert_eq!(seen.len(), 2 + 1 + 2 * FileColumn::all().len());
    }
}
