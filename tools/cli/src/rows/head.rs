//! What a file says of its rows, besides the rows.

use super::{Fault, key};
use std::fmt::Display;
use std::str::FromStr;
use tabia::TableKind;
use tabia::format::{Digest, Header, Keyed, Load, Name, Source, Tag};

/// What a file says of its rows; nothing of it has to be said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// The game.
    pub game: Option<Name>,
    /// The key scheme.
    pub keys: Option<Name>,
    /// What the keys stand for.
    pub keyed: Option<Keyed>,
    /// How full the tables' homes are to be.
    pub load: Option<Load>,
    /// Whether the positions are to have a filter.
    pub filter: bool,
    /// The archives the rows come from.
    pub sources: Vec<Source>,
    /// Whether it speaks of a positions table.
    pub positions: bool,
    /// Whether it speaks of a moves table.
    pub moves: bool,
}

impl Head {
    /// What is said of a book's rows, when these of its tables are written.
    pub fn of(header: &Header, sources: Vec<Source>, wanted: impl Fn(TableKind) -> bool) -> Self {
        Self {
            game: Some(header.game),
            keys: Some(header.keys),
            keyed: Some(header.keyed),
            load: Some(header.load),
            filter: header.section(Tag::FILTER).is_some(),
            sources,
            positions: wanted(TableKind::Positions),
            moves: wanted(TableKind::Moves),
        }
    }

    /// Whether it speaks of this table.
    pub fn has(&self, kind: TableKind) -> bool {
        match kind {
            TableKind::Positions => self.positions,
            TableKind::Moves => self.moves,
        }
    }

    /// That it speaks of this table.
    pub fn add(&mut self, kind: TableKind) {
        match kind {
            TableKind::Positions => self.positions = true,
            TableKind::Moves => self.moves = true,
        }
    }
}

/// Puts a value where none is, or the same.
pub fn once<T: PartialEq>(place: &mut Option<T>, word: &str, value: T) -> Fault<()> {
    if place.as_ref().is_some_and(|there| *there != value) {
        return Err(format!("{word} was said before, and differently"));
    }
    *place = Some(value);
    Ok(())
}

/// A value that has a text.
pub fn parsed<T: FromStr<Err: Display>>(text: &str) -> Fault<T> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// What keys stand for.
pub fn read_keyed(text: &str) -> Fault<Keyed> {
    let known = [Keyed::Position, Keyed::Line].into_iter().find(|keyed| keyed.to_string() == text);
    known.ok_or_else(|| format!("books are keyed by position or line, not by `{text}`"))
}

/// A digest of 32 hexadecimal digits.
pub fn read_digest(text: &str) -> Fault<Digest> {
    let halves = (text.len() == 32).then(|| text.as_bytes().split_at(16)).and_then(|(high, low)| Some((key(high)?, key(low)?)));
    let (high, low) = halves.ok_or_else(|| format!("a digest is 32 hexadecimal digits, not `{text}`"))?;
    Ok(Digest((u128::from(high) << 64 | u128::from(low)).to_be_bytes()))
}
