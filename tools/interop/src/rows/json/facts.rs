//! The objects that are no rows: what a file says of its book, the archives, the end.

use super::super::metadata::{
    once, parsed, read_digest, read_fact, read_keyed, read_results, results_word,
};
use super::super::{Checked, Fault, Metadata};
use super::VERSION;
use serde::{Deserialize, Serialize};
use tabia::format::{Digest, Fact as BookFact, MAX_SOURCE_NAME, Source as BookSource};
use tabia::{Column, TableKind};

/// An object that is no row.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "table", rename_all = "lowercase")]
pub enum Facts {
    /// What the book says of itself.
    Book(Book),
    /// An archive the rows come from.
    Source(Source),
    /// Something that is known of an archive, or of the whole book.
    Fact(Fact),
    /// Nothing is missing.
    End {},
}

/// What a book says of itself.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Book {
    /// The version of the format; a file that says it ends with [`Facts::End`].
    pub version: Option<u64>,
    game: Option<String>,
    keys: Option<String>,
    keyed: Option<String>,
    results: Option<String>,
    share: Option<String>,
    load: Option<f64>,
    filter: bool,
    tables: Vec<String>,
    /// Names of the columns of its moves.
    columns: Vec<String>,
}

/// An archive.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    digest: String,
    games: u64,
    name: String,
}

/// Something that is known of an archive, or of the whole book.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// The digest of the archive; null for the whole book.
    subject: Option<String>,
    name: String,
    value: String,
}

impl Book {
    pub fn of(metadata: &Metadata) -> Self {
        let tables = TableKind::ALL.into_iter().filter(|&kind| metadata.has(kind));
        Self {
            version: Some(VERSION),
            game: metadata.game.map(|game| game.to_string()),
            keys: metadata.keys.map(|keys| keys.to_string()),
            keyed: metadata.keyed.map(|keyed| keyed.to_string()),
            results: metadata.results.map(|results| results_word(results).to_owned()),
            share: metadata.share.map(|share| share.to_string()),
            load: metadata.load.map(|load| f64::from(load.thousandths()) / 1000.0),
            filter: metadata.filter,
            tables: tables.map(|kind| kind.to_string()).collect(),
            columns: metadata.columns.iter().map(|column| column.name.to_owned()).collect(),
        }
    }

    pub fn enter(self, metadata: &mut Metadata) -> Checked<()> {
        if self.version.is_some_and(|version| version != VERSION) {
            return Err(Fault::Version(VERSION));
        }
        self.game.map_or(Ok(()), |game| once(&mut metadata.game, "game", parsed(&game)?))?;
        self.keys.map_or(Ok(()), |keys| once(&mut metadata.keys, "keys", parsed(&keys)?))?;
        self.keyed
            .map_or(Ok(()), |keyed| once(&mut metadata.keyed, "keyed", read_keyed(&keyed)?))?;
        self.results.map_or(Ok(()), |results| {
            once(&mut metadata.results, "results", read_results(&results)?)
        })?;
        self.load
            .map_or(Ok(()), |load| once(&mut metadata.load, "load", parsed(&load.to_string())?))?;
        metadata.filter |= self.filter;
        self.share.map_or(Ok(()), |share| once(&mut metadata.share, "share", parsed(&share)?))?;
        for name in self.columns {
            let column = Column::of_name(&name).ok_or(Fault::BookColumn(name))?;
            metadata.columns = metadata.columns.with(column);
        }
        self.tables.iter().try_for_each(|name| table(name).map(|kind| metadata.add(kind)))
    }
}

impl Source {
    pub fn of(source: &BookSource) -> Self {
        Self { digest: source.digest.to_string(), games: source.games, name: source.name.clone() }
    }

    pub fn enter(self, metadata: &mut Metadata) -> Checked<()> {
        if self.name.len() > MAX_SOURCE_NAME {
            return Err(Fault::SourceName);
        }
        metadata.sources.push(BookSource {
            digest: read_digest(&self.digest)?,
            games: self.games,
            name: self.name,
        });
        Ok(())
    }
}

impl Fact {
    pub fn of(fact: &BookFact) -> Self {
        let subject = (!fact.is_of_book()).then(|| fact.subject().to_string());
        Self { subject, name: fact.name().to_owned(), value: fact.value().to_owned() }
    }

    pub fn enter(self, metadata: &mut Metadata) -> Checked<()> {
        let subject = self.subject.map_or(Ok(Digest::NONE), |subject| read_digest(&subject))?;
        metadata.facts.push(read_fact(subject, &self.name, self.value)?);
        Ok(())
    }
}

pub fn table(name: &str) -> Checked<TableKind> {
    let known = TableKind::ALL.into_iter().find(|kind| kind.to_string() == name);
    known.ok_or_else(|| Fault::Table(name.to_owned()))
}
