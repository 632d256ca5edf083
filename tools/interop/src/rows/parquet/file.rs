//! A Parquet file as the crate `parquet` reads it: by position, and no page before [`check::page`]
//! has seen its header.

use super::super::{Checked, Fault};
use super::{MAGIC, check};
use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use tabia::bytes::{Bytes as _, Pread};

/// The tail of a file: the footer's length and the magic.
const TAIL: u64 = 8;
/// How much of a page's header is checked: more than comes before its statistics.
const HEADER: usize = 64;

/// A file that is read by position, so that several columns can be read side by side.
pub struct Pages {
    file: Arc<Pread>,
}

impl Pages {
    pub fn new(file: File) -> io::Result<Self> {
        Ok(Self { file: Arc::new(Pread::new(file)?) })
    }

    /// The bytes of the file's footer, checked.
    pub fn footer(&self) -> Checked<Vec<u8>> {
        let bad = |what: String| Fault::Parquet(what);
        let mut tail = [0; TAIL as usize];
        let at = self.file.len().checked_sub(TAIL).ok_or(Fault::NoFooter)?;
        self.file.read_exact_at(&mut tail, at).map_err(|error| bad(error.to_string()))?;
        let [a, b, c, d, magic @ ..] = tail;
        if magic != MAGIC {
            return Err(Fault::NoFooter);
        }
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        let start = at
            .checked_sub(length)
            .ok_or_else(|| bad("its footer is longer than the file".to_owned()))?;
        if length > check::LONGEST_FOOTER {
            let most = check::LONGEST_FOOTER >> 20;
            return Err(bad(format!("its footer has {length} bytes; at most {most} MB are read")));
        }
        let mut footer = vec![0; length as usize];
        self.file.read_exact_at(&mut footer, start).map_err(|error| bad(error.to_string()))?;
        check::footer(&footer).map_err(|what| bad(format!("its footer is damaged: {what}")))?;
        Ok(footer)
    }
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl ChunkReader for Pages {
    type T = BufReader<From>;

    /// Called for the header of a page and nothing else.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        let from = |at| From { file: Arc::clone(&self.file), at };
        let mut header = Vec::with_capacity(HEADER);
        from(start).take(HEADER as u64).read_to_end(&mut header)?;
        check::page(&header).map_err(ParquetError::General)?;
        Ok(BufReader::with_capacity(HEADER, from(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let left = self.file.len().saturating_sub(start).min(check::LARGEST_PAGE);
        if length as u64 > left {
            return Err(ParquetError::EOF(format!("{length} bytes at {start} are not all there")));
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes.into())
    }
}

/// The bytes of a file from a place on.
pub struct From {
    file: Arc<Pread>,
    at: u64,
}

impl Read for From {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.file.len().saturating_sub(self.at).min(bytes.len() as u64);
        self.file.read_exact_at(&mut bytes[..left as usize], self.at)?;
        self.at += left;
        Ok(left as usize)
    }
}
