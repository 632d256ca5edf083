//! The one writer of a book: batches of its journal.

use crate::failure::Failure;
use crate::rows;
use crate::work;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tabia::format::{Digest, Source};
use tabia::{Batch, Env, Fact, TableKind};

/// A source as Python has it: digest in hexadecimal digits, games, name.
pub type SourceTuple = (String, u64, String);
/// A fact as Python has it: the digest of its subject or none, name, value.
pub type FactTuple = (Option<String>, String, String);

/// A book that is open for writing, and locked.
#[pyclass(frozen, module = "tabia_engine._native")]
pub struct Writer {
    writer: Mutex<Option<tabia::Writer<'static>>>,
}

impl Writer {
    fn with<T>(
        &self,
        work: impl FnOnce(&mut tabia::Writer<'static>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = || Failure::Other("the writer is closed".to_owned());
        work(writer.as_mut().ok_or_else(closed)?)
    }
}

#[pymethods]
impl Writer {
    /// Locks a book, and makes its journal ready.
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let writer = work::short(py, || Ok(tabia::Writer::open(Env::default(), path)?))?;
        Ok(Self { writer: Mutex::new(Some(writer)) })
    }

    /// Gives the lock back.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        work::short(py, || {
            drop(self.writer.lock().unwrap_or_else(PoisonError::into_inner).take());
            Ok(())
        })
    }

    /// Batches of the journal, the last sequence, and bytes of a torn tail that were cut off.
    fn journal(&self, py: Python<'_>) -> PyResult<(u64, u64, u64)> {
        work::short(py, || {
            self.with(|writer| {
                Ok((writer.journal().frames, writer.journal().sequence, writer.cut()))
            })
        })
    }

    /// Appends a batch of changes, each an operation (`add`, `put`, `delete`), a table and rows.
    fn append(
        &self,
        py: Python<'_>,
        changes: Vec<(String, String, Vec<u8>, Vec<String>)>,
        sources: Vec<SourceTuple>,
        facts: Vec<FactTuple>,
    ) -> PyResult<u64> {
        work::short(py, || {
            let mut batch = Batch::new();
            for (operation, table, bytes, columns) in &changes {
                change(&mut batch, operation, table, bytes, columns)?;
            }
            for source in sources {
                batch.source(source_of(source)?);
            }
            for fact in facts {
                batch.fact(fact_of(fact)?);
            }
            self.with(|writer| Ok(writer.append(&batch)?))
        })
    }

    /// Takes the last batch back; its sequence.
    fn undo(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        work::short(py, || self.with(|writer| Ok(writer.undo()?)))
    }

    /// The columns of its moves.
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        work::short(py, || {
            self.with(|writer| {
                let columns = writer.header().columns(TableKind::Moves);
                Ok(columns.iter().map(|column| column.name).collect())
            })
        })
    }
}

fn change(
    batch: &mut Batch,
    operation: &str,
    table: &str,
    bytes: &[u8],
    columns: &[String],
) -> Result<(), Failure> {
    let columns = rows::columns_of(columns)?;
    match table {
        "positions" if operation == "delete" => {
            for key in rows::keys(bytes)? {
                batch.delete_position(key);
            }
        }
        "positions" => {
            for row in rows::positions(bytes)? {
                if operation == "add" {
                    batch.add_position(row)
                } else {
                    batch.put_position(row)
                };
            }
        }
        _ => {
            for (row, cells) in rows::moves(bytes, columns)? {
                match operation {
                    "add" => batch.add_move_with(row, cells),
                    "put" => batch.put_move_with(row, cells),
                    _ => batch.delete_move(tabia::Row::key(&row), row.code()),
                };
            }
        }
    }
    Ok(())
}

fn digest_of(text: &str) -> Result<Digest, Failure> {
    let bad = || Failure::Data(format!("a digest has 32 hexadecimal digits: {text:?}"));
    if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(bad());
    }
    u128::from_str_radix(text, 16).map(|number| Digest(number.to_be_bytes())).map_err(|_| bad())
}

/// A source.
pub fn source_of((digest, games, name): SourceTuple) -> Result<Source, Failure> {
    Ok(Source { digest: digest_of(&digest)?, games, name })
}

/// A fact.
pub fn fact_of((subject, name, value): FactTuple) -> Result<Fact, Failure> {
    let subject = subject.as_deref().map_or(Ok(Digest::NONE), digest_of)?;
    Fact::new(subject, &name, &value)
        .map_err(|error| Failure::Data(format!("the fact {name:?} can't be: {error}")))
}
