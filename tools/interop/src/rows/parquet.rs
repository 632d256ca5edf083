//! Rows as Apache Parquet: a file a table, for data tools.
//!
//! The description of the book is in the file's key-value metadata, as the objects of JSON Lines.
//! Files may come from any writer and may be hostile: [`check`] looks at sizes before the crate
//! `parquet` allocates them, and [`read`] turns its panics into errors.
//!
//! Keys are unsigned 64 bits, so that the key DuckDB, pyarrow and polars show is the Polyglot key
//! itself. Rows are in the order of hashes, so shifting keys to signed numbers would keep no order.
//! Counts are signed 64 bits, although they are at most 32 unsigned ones: `wins - losses` then has
//! a sign everywhere.

mod check;
mod column;
mod facts;
mod file;
mod read;
mod schema;
mod thrift;
mod write;

pub(super) use read::Reader;
pub(super) use write::Writer;

/// What was asked for, or what is wrong with the bytes, in words.
type Parsed<T> = Result<T, String>;

/// How a file of ours says by what it was written; the version follows.
const OURS: &str = "tabia ";

/// What a Parquet file starts with.
const MAGIC: &[u8] = b"PAR1";
