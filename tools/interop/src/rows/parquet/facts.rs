//! What a file says of its book, as key-value metadata: the objects of JSON Lines under three
//! names. And a checksum over all that it says: the crate `parquet` writes none, and a flipped bit in
//! a page can be another row.
//!
//! The checksum is the sum, modulo 2^64, of a hash of each row and of the metadata, so that rows may
//! be read in any order. Only files that say they are ours are held to it: a tool that changes rows
//! may carry our metadata on.

use super::super::json::{Book, Fact, Source};
use super::super::{Checked, Fault, Fields, FileColumn, Metadata};
use parquet::file::metadata::KeyValue;
use serde::Serialize;
use tabia::{Columns, NO_EVAL, TableKind, mix};

/// What the book says of itself, an object.
const BOOK: &str = "tabia.book";
/// The archives it was made of, an array.
const SOURCES: &str = "tabia.sources";
/// What is known of it and of them, an array.
const FACTS: &str = "tabia.facts";

/// The checksum.
pub const CHECKSUM: &str = "tabia.checksum";

/// What the file of this table says, all but the checksum.
pub fn write(metadata: &Metadata, kind: TableKind) -> Vec<KeyValue> {
    let mut book = Metadata {
        positions: false,
        moves: false,
        columns: metadata.schema(kind).cells,
        ..metadata.without_lists()
    };
    book.add(kind);
    let sources: Vec<Source> = metadata.sources.iter().map(Source::of).collect();
    let known: Vec<Fact> = metadata.facts.iter().map(Fact::of).collect();
    [(BOOK, json(&Book::of(&book))), (SOURCES, json(&sources)), (FACTS, json(&known))]
        .map(|(name, value)| KeyValue::new(name.to_owned(), value))
        .into()
}

/// The checksum of what is said.
pub fn checksum(metadata: &[KeyValue]) -> Checksum {
    let mut checksum = Checksum::default();
    let said = metadata.iter().filter(|said| [BOOK, SOURCES, FACTS].contains(&said.key.as_str()));
    said.filter_map(|said| said.value.as_deref()).for_each(|value| checksum.add_text(value));
    checksum
}

fn json(facts: &impl Serialize) -> Option<String> {
    serde_json::to_string(facts).ok()
}

/// What a file says of itself. Which table it holds is seen from its columns, not from here.
pub fn read(metadata: &[KeyValue], kind: TableKind) -> Checked<Metadata> {
    let mut head = Metadata::default();
    for KeyValue { key, value } in metadata {
        let value = value.as_deref().unwrap_or_default();
        let bad = |error: serde_json::Error| {
            Fault::Parquet(format!("its metadata {key} is damaged: {error}"))
        };
        match key.as_str() {
            BOOK => serde_json::from_str::<Book>(value).map_err(bad)?.enter(&mut head)?,
            SOURCES => {
                let sources: Vec<Source> = serde_json::from_str(value).map_err(bad)?;
                sources.into_iter().try_for_each(|source| source.enter(&mut head))?;
            }
            FACTS => {
                let known: Vec<Fact> = serde_json::from_str(value).map_err(bad)?;
                known.into_iter().try_for_each(|fact| fact.enter(&mut head))?;
            }
            _ => {}
        }
    }
    (head.positions, head.moves, head.columns) = (false, false, Columns::NONE);
    head.add(kind);
    Ok(head)
}

/// The checksum of what was taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checksum(u64);

impl Checksum {
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
            for &column in FileColumn::all() {
                if let (FileColumn::Cell(field), value @ 1..) = (column, word(column)) {
                    hash = mix(mix(hash ^ field.mark) ^ value);
                }
            }
        }
        self.0 = self.0.wrapping_add(hash);
    }

    pub fn add_text(&mut self, text: &str) {
        let length = text.len() as u64;
        self.0 = self
            .0
            .wrapping_add(text.bytes().fold(mix(length), |hash, byte| mix(hash ^ u64::from(byte))));
    }
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
