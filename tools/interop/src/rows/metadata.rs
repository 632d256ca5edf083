//! What a file says of its rows, besides the rows.

use super::{Checked, Fault, Schema, key};
use std::fmt::Display;
use std::str::FromStr;
use tabia::bytes::Bytes;
use tabia::{
    Book, Columns, Digest, Fact, Keyed, Load, Name, Results, Share, Source, TableKind, Tag,
};

/// What a file says about its rows; every part is optional.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// The game.
    pub game: Option<Name>,
    /// The key scheme.
    pub keys: Option<Name>,
    /// What the keys identify.
    pub keyed: Option<Keyed>,
    /// Whether its counts know how games ended.
    pub results: Option<Results>,
    /// Which share of the hashes its rows are.
    pub share: Option<Share>,
    /// How full the tables' homes are to be.
    pub load: Option<Load>,
    /// Whether the positions are to have a filter.
    pub filter: bool,
    /// The archives the rows come from.
    pub sources: Vec<Source>,
    /// How the book was made.
    pub facts: Vec<Fact>,
    /// Whether it speaks of a positions table.
    pub positions: bool,
    /// Whether it speaks of a moves table.
    pub moves: bool,
    /// The columns of its moves.
    pub columns: Columns,
}

impl Metadata {
    /// What is said of a book's rows, when these of its tables are written.
    ///
    /// # Errors
    /// The engine's, from reading the book's sources and facts.
    pub fn of_book<S: Bytes>(book: &Book<S>, tables: &[TableKind]) -> tabia::Result<Self> {
        let header = book.header();
        let moves = tables.contains(&TableKind::Moves);
        Ok(Self {
            game: Some(header.game),
            keys: Some(header.keys),
            keyed: Some(header.keyed),
            results: Some(header.results),
            share: Some(header.share),
            load: Some(header.load),
            filter: header.section(Tag::TAGS).is_some(),
            sources: book.sources()?,
            facts: book.facts()?,
            positions: tables.contains(&TableKind::Positions),
            moves,
            columns: if moves { header.columns(TableKind::Moves) } else { Columns::NONE },
        })
    }

    /// This metadata without its lists, which may be long.
    pub(super) fn without_lists(&self) -> Self {
        Self { sources: Vec::new(), facts: Vec::new(), ..self.clone() }
    }

    pub(super) fn has(&self, kind: TableKind) -> bool {
        match kind {
            TableKind::Positions => self.positions,
            TableKind::Moves => self.moves,
        }
    }

    /// The columns of its rows of this table.
    pub fn schema(&self, kind: TableKind) -> Schema {
        let cells = if kind == TableKind::Moves { self.columns } else { Columns::NONE };
        Schema { kind, cells }
    }

    pub(super) fn add(&mut self, kind: TableKind) {
        match kind {
            TableKind::Positions => self.positions = true,
            TableKind::Moves => self.moves = true,
        }
    }
}

/// Puts a value where none is, or the same.
pub(super) fn once<T: PartialEq>(
    place: &mut Option<T>,
    word: &'static str,
    value: T,
) -> Checked<()> {
    if place.as_ref().is_some_and(|there| *there != value) {
        return Err(Fault::Contradiction(word));
    }
    *place = Some(value);
    Ok(())
}

pub(super) fn parsed<T: FromStr<Err: Display>>(text: &str) -> Checked<T> {
    text.parse().map_err(|error: T::Err| Fault::Parse(error.to_string()))
}

pub(super) fn read_keyed(text: &str) -> Checked<Keyed> {
    let known = [Keyed::Position, Keyed::Line].into_iter().find(|keyed| keyed.to_string() == text);
    known.ok_or_else(|| Fault::Keyed(text.to_owned()))
}

/// Whether counts know how games ended, in a word.
pub(super) fn results_word(results: Results) -> &'static str {
    match results {
        Results::Known => "known",
        Results::Unknown => "unknown",
    }
}

pub(super) fn read_results(text: &str) -> Checked<Results> {
    let known = [Results::Known, Results::Unknown]
        .into_iter()
        .find(|&results| results_word(results) == text);
    known.ok_or_else(|| Fault::Results(text.to_owned()))
}

/// A digest of 32 hexadecimal digits.
pub(super) fn read_digest(text: &str) -> Checked<Digest> {
    let halves = (text.len() == 32)
        .then(|| text.as_bytes().split_at(16))
        .and_then(|(high, low)| Some((key(high)?, key(low)?)));
    let (high, low) = halves.ok_or_else(|| Fault::Digest(text.to_owned()))?;
    Ok(Digest((u128::from(high) << 64 | u128::from(low)).to_be_bytes()))
}

pub(super) fn read_fact(subject: Digest, name: &str, value: String) -> Checked<Fact> {
    Fact::new(subject, name, value)
        .map_err(|what| Fault::Fact(name.chars().take(80).collect(), what))
}
