//! What a file says of its rows, besides the rows.

use super::{Fault, Sheet, key};
use std::fmt::Display;
use std::str::FromStr;
use tabia::format::{Digest, Fact, Header, Keyed, Load, Name, Results, Share, Source, Tag};
use tabia::{Columns, TableKind};

/// What a file says of its rows; nothing of it has to be said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// The game.
    pub game: Option<Name>,
    /// The key scheme.
    pub keys: Option<Name>,
    /// What the keys stand for.
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

impl Head {
    /// What is said of a book's rows, when these of its tables are written.
    pub fn of(header: &Header, sources: Vec<Source>, facts: Vec<Fact>, wanted: impl Fn(TableKind) -> bool) -> Self {
        let moves = wanted(TableKind::Moves);
        Self {
            game: Some(header.game),
            keys: Some(header.keys),
            keyed: Some(header.keyed),
            results: Some(header.results),
            share: Some(header.share),
            load: Some(header.load),
            filter: header.section(Tag::TAGS).is_some(),
            sources,
            facts,
            positions: wanted(TableKind::Positions),
            moves,
            columns: if moves { header.columns(TableKind::Moves) } else { Columns::NONE },
        }
    }

    /// The same without its lists, which may be long.
    pub fn without_lists(&self) -> Self {
        Self { sources: Vec::new(), facts: Vec::new(), ..self.clone() }
    }

    /// Whether it speaks of this table.
    pub fn has(&self, kind: TableKind) -> bool {
        match kind {
            TableKind::Positions => self.positions,
            TableKind::Moves => self.moves,
        }
    }

    /// Its rows of this table.
    pub fn sheet(&self, kind: TableKind) -> Sheet {
        let cells = if kind == TableKind::Moves { self.columns } else { Columns::NONE };
        Sheet { kind, cells }
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

/// Whether counts know how games ended, in a word.
pub fn results_word(results: Results) -> &'static str {
    match results {
        Results::Known => "known",
        Results::Unknown => "unknown",
    }
}

/// Whether counts know how games ended.
pub fn read_results(text: &str) -> Fault<Results> {
    let known = [Results::Known, Results::Unknown].into_iter().find(|&results| results_word(results) == text);
    known.ok_or_else(|| format!("results are known or unknown, not `{text}`"))
}

/// A digest of 32 hexadecimal digits.
pub fn read_digest(text: &str) -> Fault<Digest> {
    let halves = (text.len() == 32).then(|| text.as_bytes().split_at(16)).and_then(|(high, low)| Some((key(high)?, key(low)?)));
    let (high, low) = halves.ok_or_else(|| format!("a digest is 32 hexadecimal digits, not `{text}`"))?;
    Ok(Digest((u128::from(high) << 64 | u128::from(low)).to_be_bytes()))
}

/// A fact of an archive or of the whole book.
pub fn read_fact(subject: Digest, name: &str, value: String) -> Fault<Fact> {
    Fact::new(subject, name, value).map_err(|what| format!("{what}: `{}`", name.chars().take(80).collect::<String>()))
}
