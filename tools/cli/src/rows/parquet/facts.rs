//! What a file says of its book, as key-value metadata: the objects of JSON Lines under two names.

use super::super::json::{Book, Source};
use super::super::{Fault, Head};
use super::checksum::Checksum;
use parquet::file::metadata::KeyValue;
use serde::Serialize;
use tabia::TableKind;

/// What the book says of itself, an object.
const BOOK: &str = "tabia.book";
/// The archives it was made of, an array.
const SOURCES: &str = "tabia.sources";

/// The checksum.
pub const CHECKSUM: &str = "tabia.checksum";

/// What the file of this table says, all but the checksum.
pub fn write(head: &Head, kind: TableKind) -> Vec<KeyValue> {
    let mut book = Head { positions: false, moves: false, rated: head.sheet(kind).rated, ..head.clone() };
    book.add(kind);
    let sources: Vec<Source> = head.sources.iter().map(Source::of).collect();
    [(BOOK, json(&Book::of(&book))), (SOURCES, json(&sources))].map(|(name, value)| KeyValue::new(name.to_owned(), value)).into()
}

/// The checksum of what is said.
pub fn checksum(metadata: &[KeyValue]) -> Checksum {
    let mut checksum = Checksum::default();
    let said = metadata.iter().filter(|said| [BOOK, SOURCES].contains(&said.key.as_str()));
    said.filter_map(|said| said.value.as_deref()).for_each(|value| checksum.add_text(value));
    checksum
}

fn json(facts: &impl Serialize) -> Option<String> {
    serde_json::to_string(facts).ok()
}

/// What a file says of itself. Which table it holds is seen from its columns, not from here.
pub fn read(metadata: &[KeyValue], kind: TableKind) -> Fault<Head> {
    let mut head = Head::default();
    for KeyValue { key, value } in metadata {
        let value = value.as_deref().unwrap_or_default();
        let bad = |error: serde_json::Error| format!("its metadata {key} is damaged: {error}");
        match key.as_str() {
            BOOK => serde_json::from_str::<Book>(value).map_err(bad)?.enter(&mut head)?,
            SOURCES => {
                let sources: Vec<Source> = serde_json::from_str(value).map_err(bad)?;
                sources.into_iter().try_for_each(|source| source.enter(&mut head))?;
            }
            _ => {}
        }
    }
    (head.positions, head.moves, head.rated) = (false, false, false);
    head.add(kind);
    Ok(head)
}
