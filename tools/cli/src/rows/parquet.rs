//! Rows as Apache Parquet: a file a table, for data tools.
//!
//! What the book says of itself stands in the file's key-value metadata, as the objects of JSON Lines. What is read may come from any writer, and may
//! be hostile: [`check`] looks at sizes before the crate `parquet` allocates them, and [`contain`] turns its panics into errors.

mod check;
mod checksum;
mod column;
mod contain;
mod facts;
mod file;
mod read;
mod schema;
mod thrift;
mod write;

pub use read::Reader;
pub use write::Writer;

/// How a file of ours says by what it was written; the version follows.
const OURS: &str = "tabia ";

/// What a Parquet file starts with.
pub const MAGIC: &[u8] = b"PAR1";
