//! Books as whole files: merging, checking, packing, compacting, and making one of rows.

use crate::build::load_of;
use crate::failure::Failure;
use crate::rows;
use crate::work;
use crate::writing::{FactTuple, SourceTuple, fact_of, source_of};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use tabia::bytes::Pread;
use tabia::format::{Keyed, Results};
use tabia::{Book, Existing, MergeOptions, NewBook, Writer};
use tabia_build::dedup::united_fingerprints;

fn existing(replace: bool) -> Existing {
    if replace { Existing::Replace } else { Existing::Refuse }
}

fn open_all(paths: &[PathBuf]) -> Result<Vec<Book<Pread>>, Failure> {
    paths.iter().map(|path| Ok(Book::open(path)?)).collect()
}

/// Merges books into a new one; its digest.
#[pyfunction]
#[pyo3(signature = (path, books, packed, load, filter, allow_duplicate_sources, replace, progress))]
#[expect(clippy::too_many_arguments, reason = "Python's function has names for them")]
pub fn merge(
    py: Python<'_>,
    path: PathBuf,
    books: Vec<PathBuf>,
    packed: Option<bool>,
    load: Option<f64>,
    filter: bool,
    allow_duplicate_sources: bool,
    replace: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    work::long(py, progress, |watch| {
        let (env, books) = (watch.env(), open_all(&books)?);
        let fingerprints = united(&env, &books, &path)?;
        let options = MergeOptions {
            load: load_of(load)?,
            filter,
            packed,
            duplicates: allow_duplicate_sources.into(),
            existing: existing(replace),
            ..MergeOptions::default()
        };
        let header = tabia::merge(&env, &path, &books, options)?;
        fingerprints.map(|file| file.publish(Existing::Replace)).transpose()?;
        Ok(header.digest.to_string())
    })
}

/// The fingerprints of the games of these books, which go with a book that is made of them.
fn united<'a>(
    env: &tabia::Env<'a>,
    books: &[Book<Pread>],
    path: &Path,
) -> Result<Option<tabia::AtomicFile<'a>>, Failure> {
    let books: Vec<&Book> = books.iter().collect();
    Ok(united_fingerprints(env.storage, &books, path)?)
}

/// Merges books into one that is there, by its journal; the batch's sequence.
#[pyfunction]
pub fn merge_into(
    py: Python<'_>,
    path: PathBuf,
    books: Vec<PathBuf>,
    allow_duplicate_sources: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<u64> {
    work::long(py, progress, |watch| {
        let books = open_all(&books)?;
        Ok(tabia::merge_into(&watch.env(), &path, &books, allow_duplicate_sources.into())?)
    })
}

/// A finding: file, section, block, offset, rule, what.
type FindingTuple = (PathBuf, String, Option<u64>, u64, String, String);

/// What was checked.
#[derive(IntoPyObject)]
pub struct Report {
    rows: u64,
    blocks: u64,
    frames: u64,
    torn: u64,
    unlisted: u64,
    findings: Vec<FindingTuple>,
}

/// Verifies all of a book and its journal.
#[pyfunction]
pub fn check(py: Python<'_>, path: PathBuf, progress: Option<Py<PyAny>>) -> PyResult<Report> {
    work::long(py, progress, |watch| {
        let report = tabia::check(&watch.env(), &path)?;
        let finding = |found: tabia::Finding| {
            let rule = found.rule.to_string();
            (found.file, found.section, found.block, found.offset, rule, found.what)
        };
        Ok(Report {
            rows: report.rows,
            blocks: report.blocks,
            frames: report.frames,
            torn: report.torn,
            unlisted: report.unlisted,
            findings: report.bad.into_iter().map(finding).collect(),
        })
    })
}

/// Writes what a book and its journal hold as another book, packed or not; its digest.
#[pyfunction]
pub fn repack(
    py: Python<'_>,
    book: PathBuf,
    path: PathBuf,
    packed: bool,
    replace: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    work::long(py, progress, |watch| {
        let (env, books) = (watch.env(), [Book::open(&book)?]);
        let fingerprints = united(&env, &books, &path)?;
        let new = NewBook::copy_of(&books[0])?.packed(packed);
        let header = new.write(&env, &path, existing(replace))?;
        fingerprints.map(|file| file.publish(Existing::Replace)).transpose()?;
        Ok(header.digest.to_string())
    })
}

/// Puts the journal into the book; whether there was anything to do.
#[pyfunction]
pub fn compact(
    py: Python<'_>,
    path: PathBuf,
    packed: Option<bool>,
    progress: Option<Py<PyAny>>,
) -> PyResult<bool> {
    work::long(py, progress, |watch| {
        let mut writer = Writer::open(watch.env(), &path)?;
        Ok(match packed {
            Some(packed) => writer.compact_as(packed)?,
            None => writer.compact()?,
        })
    })
}

/// What a book of rows is to be like.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Kind {
    game: String,
    keys: String,
    by_line: bool,
    results: bool,
    load: Option<f64>,
    filter: bool,
    packed: bool,
    replace: bool,
    columns: Vec<String>,
    sources: Vec<SourceTuple>,
    facts: Vec<FactTuple>,
}

/// Makes a book of rows, in any order; its digest.
#[pyfunction]
pub fn write_book(
    py: Python<'_>,
    path: PathBuf,
    positions: Option<Vec<u8>>,
    moves: Option<Vec<u8>>,
    kind: Kind,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    work::long(py, progress, |watch| {
        let name = |text: &str| {
            text.parse().map_err(|_| {
                Failure::Data(format!("a name has 1 to 16 of a-z, 0-9 and hyphens: {text:?}"))
            })
        };
        let columns = rows::columns_of(&kind.columns)?;
        let positions = positions.map(|bytes| rows::position_set(&bytes)).transpose()?;
        let moves = moves.map(|bytes| rows::move_set(&bytes, columns)).transpose()?;
        if positions.is_none() && moves.is_none() {
            return Err(Failure::Data("a book has positions, moves or both".to_owned()));
        }
        let sources = kind.sources.into_iter().map(source_of).collect::<Result<_, _>>()?;
        let facts = kind.facts.into_iter().map(fact_of).collect::<Result<_, _>>()?;
        let mut new = NewBook::new(name(&kind.game)?, name(&kind.keys)?)
            .keyed(if kind.by_line { Keyed::Line } else { Keyed::Position })
            .results(if kind.results { Results::Known } else { Results::Unknown })
            .load(load_of(kind.load)?.unwrap_or_default())
            .filter(kind.filter)
            .packed(kind.packed)
            .sources(sources)
            .facts(facts);
        if let Some(rows) = &positions {
            new = new.positions(rows);
        }
        if let Some(rows) = &moves {
            new = new.moves(rows);
        }
        Ok(new.write(&watch.env(), &path, existing(kind.replace))?.digest.to_string())
    })
}
