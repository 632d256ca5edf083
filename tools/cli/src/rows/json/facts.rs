//! The objects that are no rows: what a file says of its book, the archives, the end.

use super::super::head::{once, parsed, read_digest, read_fact, read_keyed, read_results, results_word};
use super::super::{Fault, Head};
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
    /// What a head says, the archives left out.
    pub fn of(head: &Head) -> Self {
        let tables = [TableKind::Positions, TableKind::Moves].into_iter().filter(|&kind| head.has(kind));
        Self {
            version: Some(VERSION),
            game: head.game.map(|game| game.to_string()),
            keys: head.keys.map(|keys| keys.to_string()),
            keyed: head.keyed.map(|keyed| keyed.to_string()),
            results: head.results.map(|results| results_word(results).to_owned()),
            share: head.share.map(|share| share.to_string()),
            load: head.load.map(|load| f64::from(load.thousandths()) / 1000.0),
            filter: head.filter,
            tables: tables.map(|kind| kind.to_string()).collect(),
            columns: head.columns.iter().map(|column| column.name.to_owned()).collect(),
        }
    }

    /// Puts it into a head.
    pub fn enter(self, head: &mut Head) -> Fault<()> {
        if self.version.is_some_and(|version| version != VERSION) {
            return Err(format!("the rows are of another version than {VERSION}: use a newer tabia"));
        }
        self.game.map_or(Ok(()), |game| once(&mut head.game, "game", parsed(&game)?))?;
        self.keys.map_or(Ok(()), |keys| once(&mut head.keys, "keys", parsed(&keys)?))?;
        self.keyed.map_or(Ok(()), |keyed| once(&mut head.keyed, "keyed", read_keyed(&keyed)?))?;
        self.results.map_or(Ok(()), |results| once(&mut head.results, "results", read_results(&results)?))?;
        self.load.map_or(Ok(()), |load| once(&mut head.load, "load", parsed(&load.to_string())?))?;
        head.filter |= self.filter;
        self.share.map_or(Ok(()), |share| once(&mut head.share, "share", parsed(&share)?))?;
        for name in &self.columns {
            head.columns = head.columns.with(column(name)?);
        }
        self.tables.iter().try_for_each(|name| {
            head.add(table(name)?);
            Ok(())
        })
    }
}

impl Source {
    /// The same of a book.
    pub fn of(source: &BookSource) -> Self {
        Self { digest: source.digest.to_string(), games: source.games, name: source.name.clone() }
    }

    /// Puts it into a head.
    pub fn enter(self, head: &mut Head) -> Fault<()> {
        if self.name.len() > MAX_SOURCE_NAME {
            return Err(format!("the name of a source has more than {MAX_SOURCE_NAME} bytes"));
        }
        head.sources.push(BookSource { digest: read_digest(&self.digest)?, games: self.games, name: self.name });
        Ok(())
    }
}

impl Fact {
    /// The same of a book.
    pub fn of(fact: &BookFact) -> Self {
        let subject = (!fact.is_of_book()).then(|| fact.subject().to_string());
        Self { subject, name: fact.name().to_owned(), value: fact.value().to_owned() }
    }

    /// Puts it into a head.
    pub fn enter(self, head: &mut Head) -> Fault<()> {
        let subject = self.subject.map_or(Ok(Digest::NONE), |subject| read_digest(&subject))?;
        head.facts.push(read_fact(subject, &self.name, self.value)?);
        Ok(())
    }
}

/// The column of the moves table with this name.
fn column(name: &str) -> Fault<&'static Column> {
    let known = || Column::ALL.iter().map(|column| column.name).collect::<Vec<_>>().join(", ");
    Column::of_name(name).ok_or_else(|| format!("there is no column `{name}` of moves: there are {}", known()))
}

/// The table with this name.
pub fn table(name: &str) -> Fault<TableKind> {
    let known = [TableKind::Positions, TableKind::Moves].into_iter().find(|kind| kind.to_string() == name);
    known.ok_or_else(|| format!("there is no table `{name}`: it is positions or moves"))
}
