//! Reading what has a path or an address from its beginning to its end.

use std::io::{self, Read};
use tabia::bytes::{Bytes, Pread};

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
