//! A book that is open for reading: the same answers as the pure reader's, faster.

use crate::failure::Failure;
use crate::rows::{self, put_move, put_position};
use crate::work;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyTuple};
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};
use tabia::bytes::{Bytes, Map, Memory, Pread};
use tabia::format::{Header, Keyed, Results};
use tabia::stream::RowSet;
use tabia::{Columns, Hash, Key, MoveRow, NO_EVAL, PositionRow, Row, TableKind, View};

/// Positions that are asked for at once, with the moves of all of them.
const BATCH: usize = 1024;

/// A book in one of the two ways of reading it.
enum Opened {
    /// Mapped: fast.
    Mapped(tabia::Book<Map>),
    /// By pread: each block is verified.
    Read(tabia::Book<Pread>),
    /// Bytes, without a journal.
    Memory(tabia::Book<Memory<Vec<u8>>>),
}

macro_rules! each {
    ($opened:expr, $book:ident => $what:expr) => {
        match $opened {
            Opened::Mapped($book) => $what,
            Opened::Read($book) => $what,
            Opened::Memory($book) => $what,
        }
    };
}

/// What a book is, in the order of [`Book::kind`].
type Kind = (String, String, bool, bool, u8, u32, bool, f64);
/// Wins, draws, losses, eval, depth and flags.
type Position = (u32, u32, u32, i16, u8, u8);

/// A book that is open for reading.
#[pyclass(frozen, module = "tabia_engine._native")]
pub struct Book {
    opened: RwLock<Option<Opened>>,
}

fn closed() -> Failure {
    Failure::Other("the book is closed".to_owned())
}

/// Why a book can't be opened: that it has no such table is said of its journal.
fn of_opening(error: tabia::Error) -> Failure {
    match error {
        tabia::Error::NoTable { path, table } => {
            let text = format!("rows for a book without a {table} table");
            Failure::Journal(tabia::journal_path(&path), text)
        }
        error => error.into(),
    }
}

impl Book {
    fn with<T>(&self, work: impl FnOnce(&Opened) -> Result<T, Failure>) -> Result<T, Failure> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        work(opened.as_ref().ok_or_else(closed)?)
    }

    /// What its header says, without the interpreter's lock being given away.
    fn said<T>(&self, py: Python<'_>, what: impl FnOnce(&Header) -> T) -> PyResult<T> {
        work::brief(py, || self.with(|opened| each!(opened, book => Ok(what(book.header())))))
    }
}

#[pymethods]
impl Book {
    #[new]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        journal: bool,
        verify: bool,
        mapped: bool,
    ) -> PyResult<Self> {
        let opened = work::short(py, || {
            if verify || !journal || !mapped {
                let view = if journal { View::Whole } else { View::Bare };
                let book = tabia::Book::open_view(&path, view);
                return Ok(Opened::Read(book.map_err(of_opening)?));
            }
            // SAFETY: whoever opens a book from Python is told that its file must not be changed
            // in place, which Tabia never does.
            #[expect(unsafe_code, reason = "the caller takes on the contract of mapping a file")]
            let book = unsafe { tabia::Book::map(path) };
            Ok(Opened::Mapped(book.map_err(of_opening)?))
        })?;
        Ok(Self { opened: RwLock::new(Some(opened)) })
    }

    /// Opens the bytes of a book.
    #[staticmethod]
    fn of_bytes(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Self> {
        let book = work::short(py, || tabia::Book::from_bytes(bytes).map_err(of_opening))?;
        Ok(Self { opened: RwLock::new(Some(Opened::Memory(book))) })
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        work::short(py, || {
            *self.opened.write().unwrap_or_else(PoisonError::into_inner) = None;
            Ok(())
        })
    }

    /// Goes on with the book and the journal that are there now; whether they are others.
    fn refresh(&self, py: Python<'_>) -> PyResult<bool> {
        work::short(py, || {
            let mut opened = self.opened.write().unwrap_or_else(PoisonError::into_inner);
            match opened.as_mut().ok_or_else(closed)? {
                // SAFETY: as where it was opened.
                #[expect(
                    unsafe_code,
                    reason = "the caller takes on the contract of mapping a file"
                )]
                Opened::Mapped(book) => unsafe { book.refresh() }.map_err(of_opening),
                Opened::Read(book) => book.refresh().map_err(of_opening),
                Opened::Memory(_) => Ok(false),
            }
        })
    }

    /// Game, key scheme, by line, results, share bits, share number, packed, load.
    fn kind(&self, py: Python<'_>) -> PyResult<Kind> {
        self.said(py, |header| {
            (
                header.game.to_string(),
                header.keys.to_string(),
                header.keyed == Keyed::Line,
                header.results == Results::Known,
                header.share.bits(),
                header.share.number(),
                header.packed,
                f64::from(header.load.thousandths()) / 1000.0,
            )
        })
    }

    /// The digest of the book without its journal.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.said(py, |header| header.digest.to_string())
    }

    /// Bytes of the book without its journal.
    fn file_length(&self, py: Python<'_>) -> PyResult<u64> {
        self.said(py, |header| header.file_length)
    }

    /// Rows, wins, draws and losses of a table, if it is there.
    fn totals(&self, py: Python<'_>, moves: bool) -> PyResult<Option<(u64, u64, u64, u64)>> {
        self.said(py, |header| {
            let section = header.table(kind(moves))?;
            let shape = &section.shape;
            Some((shape.rows, shape.wins, shape.draws, shape.losses))
        })
    }

    /// The names of the columns of its moves.
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        self.said(py, |header| {
            header.columns(TableKind::Moves).iter().map(|column| column.name).collect()
        })
    }

    /// Frames of the journal, and bytes of its torn tail.
    fn journal(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        work::brief(py, || {
            self.with(
                |opened| each!(opened, book => Ok((book.journal().frames, book.journal().torn))),
            )
        })
    }

    /// Digest, games and name of each source.
    fn sources(&self, py: Python<'_>) -> PyResult<Vec<(String, u64, String)>> {
        work::short(py, || {
            let all = self.with(|opened| each!(opened, book => Ok(book.sources()?)))?;
            Ok(all
                .into_iter()
                .map(|source| (source.digest.to_string(), source.games, source.name))
                .collect())
        })
    }

    /// Subject (none: the book), name and value of each fact.
    fn facts(&self, py: Python<'_>) -> PyResult<Vec<(Option<String>, String, String)>> {
        work::short(py, || {
            let all = self.with(|opened| each!(opened, book => Ok(book.facts()?)))?;
            let subject =
                |fact: &tabia::Fact| (!fact.is_of_book()).then(|| fact.subject().to_string());
            Ok(all
                .iter()
                .map(|fact| (subject(fact), fact.name().to_owned(), fact.value().to_owned()))
                .collect())
        })
    }

    /// Wins, draws, losses, eval, depth and flags of a position.
    fn position(&self, py: Python<'_>, key: Key) -> PyResult<Option<Position>> {
        let row =
            work::brief(py, || self.with(|opened| each!(opened, book => Ok(book.position(key)?))))?;
        Ok(row.map(|row| {
            let counts = row.counts();
            let eval = row.eval().unwrap_or(NO_EVAL);
            (counts.wins, counts.draws, counts.losses, eval, row.depth(), row.flags().bits())
        }))
    }

    /// Code, wins, draws, losses, marks and the fields of the cells of each move of a position.
    fn moves<'py>(&self, py: Python<'py>, key: Key) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let columns = self.said(py, |header| header.columns(TableKind::Moves))?;
        if columns.is_empty() {
            let rows = work::brief(py, || {
                self.with(|opened| each!(opened, book => Ok(book.moves(key)?.into_owned())))
            })?;
            for row in rows {
                list.append(one_move(py, &row, PyTuple::empty(py))?)?;
            }
            return Ok(list);
        }
        let rows = work::brief(py, || {
            self.with(|opened| each!(opened, book => Ok(book.moves_with_cells(key)?)))
        })?;
        for row in rows {
            let mut values = Vec::new();
            for column in columns.iter() {
                let (cell, mut at) = (row.cells.of(column).unwrap_or_default(), 0);
                for field in column.fields {
                    let mut number = [0; 8];
                    number[..field.bytes].copy_from_slice(&cell[at..at + field.bytes]);
                    values.push(u64::from_le_bytes(number));
                    at += field.bytes;
                }
            }
            list.append(one_move(py, &row.row, PyTuple::new(py, values)?)?)?;
        }
        Ok(list)
    }

    /// An array of answers, one for each of these keys.
    fn positions<'py>(&self, py: Python<'py>, keys: &[u8]) -> PyResult<Bound<'py, PyByteArray>> {
        let out = work::short(py, || {
            let keys = rows::keys(keys)?;
            let mut found = vec![None; keys.len()];
            self.with(|opened| each!(opened, book => Ok(book.positions(&keys, &mut found)?)))?;
            let mut out = Vec::with_capacity(keys.len() * (rows::POSITION + 1));
            for (key, row) in keys.iter().zip(&found) {
                put_position(&mut out, *key, row.as_ref(), true);
            }
            Ok(out)
        })?;
        Ok(PyByteArray::new(py, &out))
    }

    /// Offsets and rows of the moves of these keys.
    fn moves_of<'py>(
        &self,
        py: Python<'py>,
        keys: &[u8],
    ) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
        let (offsets, out) = work::short(py, || {
            let keys = rows::keys(keys)?;
            self.with(|opened| each!(opened, book => moves_of(book, &keys)))
        })?;
        Ok((PyByteArray::new(py, &offsets), PyByteArray::new(py, &out)))
    }

    /// The next rows of a table, from a hash on, some thousands, and the hash of the last of them;
    /// nothing at the end.
    fn scan<'py>(
        &self,
        py: Python<'py>,
        moves: bool,
        from: u64,
        most: usize,
    ) -> PyResult<Option<(Bound<'py, PyBytes>, u64)>> {
        let done = work::short(py, || {
            self.with(|opened| match moves {
                false => each!(opened, book => scan::<PositionRow, _>(book, from, most)),
                true => each!(opened, book => scan::<MoveRow, _>(book, from, most)),
            })
        })?;
        Ok(done.map(|(rows, last)| (PyBytes::new(py, &rows), last)))
    }
}

fn kind(moves: bool) -> TableKind {
    if moves { TableKind::Moves } else { TableKind::Positions }
}

fn one_move<'py>(
    py: Python<'py>,
    row: &MoveRow,
    cells: Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyTuple>> {
    let counts = row.counts();
    (row.code(), counts.wins, counts.draws, counts.losses, row.marks().bits(), cells)
        .into_pyobject(py)
}

fn moves_of<S: Bytes>(book: &tabia::Book<S>, keys: &[Key]) -> Result<(Vec<u8>, Vec<u8>), Failure> {
    let columns = book.header().columns(TableKind::Moves);
    let (mut offsets, mut out) = (Vec::with_capacity(8 * keys.len() + 8), Vec::new());
    let width = rows::move_width(columns);
    offsets.extend(0u64.to_le_bytes());
    for keys in keys.chunks(BATCH) {
        if columns.is_empty() {
            book.positions_and_moves(keys, |place, _, moves| {
                for row in moves {
                    put_move(&mut out, keys[place], row, None);
                }
                offsets.extend(((out.len() / width) as u64).to_le_bytes());
            })?;
            continue;
        }
        for &key in keys {
            for row in book.moves_with_cells(key)? {
                put_move(&mut out, key, &row.row, Some(&row.cells));
            }
            offsets.extend(((out.len() / width) as u64).to_le_bytes());
        }
    }
    Ok((offsets, out))
}

trait Put: Row {
    fn put(&self, out: &mut Vec<u8>, columns: Columns, cells: &[u8]);
}

impl Put for PositionRow {
    fn put(&self, out: &mut Vec<u8>, _: Columns, _: &[u8]) {
        put_position(out, self.key(), Some(self), false);
    }
}

impl Put for MoveRow {
    fn put(&self, out: &mut Vec<u8>, columns: Columns, cells: &[u8]) {
        let cells = (!columns.is_empty()).then(|| tabia::Cells::of_bytes(columns, cells));
        put_move(out, self.key(), self, cells.as_ref());
    }
}

/// Rows from a hash on, about as many as wanted: whole positions.
fn scan<R: Put, S: Bytes>(
    book: &tabia::Book<S>,
    from: u64,
    most: usize,
) -> Result<Option<(Vec<u8>, u64)>, Failure>
where
    tabia::Book<S>: RowSet<R>,
{
    let mut rows = book.rows_between(Hash::from_bits(from)..=Hash::MAX)?;
    let (mut chunk, mut out, mut count, mut last) = (Default::default(), Vec::new(), 0, None);
    loop {
        rows.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            return Ok(last.map(|last: Hash| (out, last.get())));
        }
        for index in 0..chunk.len() {
            let row = chunk.rows()[index];
            if count >= most && last != Some(row.hash()) {
                return Ok(last.map(|last| (out, last.get())));
            }
            row.put(&mut out, chunk.columns(), chunk.cells_of(index));
            (last, count) = (Some(row.hash()), count + 1);
        }
    }
}
