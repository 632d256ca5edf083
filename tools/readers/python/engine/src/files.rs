//! Whole books, with all files that belong to them: merging, checking, packing, compacting, and making one of rows.

use crate::build::load_of;
use crate::failure::Failure;
use crate::rows;
use crate::work;
use crate::writing::{FactTuple, SourceTuple, fact_of, source_of};
use pyo3::prelude::*;
use std::path::PathBuf;
use tabia::bytes::Pread;
use tabia::format::{Keyed, Results};
use tabia::{Beside, Book, BookFile, BookFiles, MergeOptions, NewBook, Writer};
use tabia_build::whole;

fn open_all(paths: &[PathBuf]) -> Result<Vec<Book<Pread>>, Failure> {
    paths.iter().map(|path| Ok(Book::open(path)?)).collect()
}

/// Merges books into a new one; its digest.
#[pyfunction]
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
        let options = MergeOptions {
            load: load_of(load)?,
            filter,
            packed,
            duplicates: allow_duplicate_sources.into(),
            existing: replace.into(),
            ..MergeOptions::default()
        };
        Ok(whole::merge(&env, &path, &books, options)?.header.digest.to_string())
    })
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
        let (env, books) = (watch.env(), open_all(&books)?);
        let mut writer = Writer::open(env, &path)?;
        let duplicates = allow_duplicate_sources.into();
        Ok(whole::merge_into(&env, &mut writer, &books, duplicates, Beside::Refuse)?.sequence)
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

/// Verifies all of a book and of what belongs to it.
#[pyfunction]
pub fn check(py: Python<'_>, path: PathBuf, progress: Option<Py<PyAny>>) -> PyResult<Report> {
    work::long(py, progress, |watch| {
        let found = whole::check(&watch.env(), &path)?;
        let (report, mut findings) = (found.rows, Vec::new());
        let finding = |found: tabia::Finding| {
            let rule = found.rule.to_string();
            (found.file, found.section, found.block, found.offset, rule, found.what)
        };
        findings.extend(report.bad.into_iter().map(finding));
        let mut unlisted = report.unlisted;
        if let Some(games) = found.games {
            let section = || BookFile::Games.suffix()[1..].to_owned();
            findings.extend(games.found.bad.into_iter().map(|bad| {
                (games.path.clone(), section(), None, bad.offset, bad.rule.to_owned(), bad.what)
            }));
            if games.missing > 0 {
                let what = format!("{} games that moves name are missing", games.missing);
                findings.push((games.path, section(), None, 0, "missing".to_owned(), what));
            }
            unlisted += games.found.unlisted;
        }
        findings.extend(found.missing.into_iter().map(|file| {
            let what = "it belongs to the book, and is not there or lacks something".to_owned();
            (file, "file".to_owned(), None, 0, "missing".to_owned(), what)
        }));
        if let Some(error) = found.fingerprints {
            let file = BookFiles::of(&path).path(BookFile::Fingerprints);
            let section = BookFile::Fingerprints.suffix()[1..].to_owned();
            findings.push((file, section, None, 0, "unusable".to_owned(), error.to_string()));
        }
        Ok(Report {
            rows: report.rows,
            blocks: report.blocks,
            frames: report.frames,
            torn: report.torn,
            unlisted,
            findings,
        })
    })
}

/// Writes what a book and its journal hold, and what belongs to it, as another book, packed or not;
/// its digest.
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
        let book = Book::open(&book)?;
        let made = whole::copy(&watch.env(), &book, &path, packed, replace.into())?;
        Ok(made.header.digest.to_string())
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
        Ok(new.write(&watch.env(), &path, kind.replace.into())?.digest.to_string())
    })
}
