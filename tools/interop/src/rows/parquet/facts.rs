//! What a file says of its book, as key-value metadata: the objects of JSON Lines under three
//! names.

use super::super::json::{Book, Fact, Source};
use super::super::{Checked, Fault, Metadata};
use super::checksum::Checksum;
use parquet::file::metadata::KeyValue;
use serde::Serialize;
use tabia::{Columns, TableKind};

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
