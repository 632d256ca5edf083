//! Reading what has a path or an address from its beginning to its end.

use std::io::{self, Read};
use std::path::Path;
use tabia::Digest;
use tabia::bytes::{Bytes, Pread};
use xxhash_rust::xxh3::Xxh3;

/// The digest of the bytes of a file, or of what has this address; none if it can't be read.
pub(crate) fn digest_of_file(path: &Path) -> Option<Digest> {
    let (mut hash, file) = (Xxh3::new(), Pread::open(path).ok()?);
    io::copy(&mut InOrder::new(&file), &mut hash).ok()?;
    Some(Digest(hash.digest128().to_be_bytes()))
}

/// Reads bytes in order, those from 0 on at first.
pub(crate) struct InOrder<'a> {
    file: &'a Pread,
    at: u64,
}

impl<'a> InOrder<'a> {
    pub fn new(file: &'a Pread) -> Self {
        Self { file, at: 0 }
    }
}

impl Read for InOrder<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.file.len().saturating_sub(self.at);
        let len = left.min(bytes.len() as u64) as usize;
        self.file.read_exact_at(&mut bytes[..len], self.at)?;
        self.at += len as u64;
        Ok(len)
    }
}
