//! A decompressed file as a reader.

use crate::Input;
use std::io::{self, BufRead, Read};

/// Bytes that are read at a time.
const AT_ONCE: usize = 1 << 16;

/// Reads an input, decompressed as it is read.
pub struct InputReader {
    input: Input,
    bytes: Vec<u8>,
    /// How many of `bytes` were taken.
    at: usize,
    ended: bool,
}

impl From<Input> for InputReader {
    fn from(input: Input) -> Self {
        Self { input, bytes: Vec::new(), at: 0, ended: false }
    }
}

impl InputReader {
    /// What is read; its digest is that of all bytes once it has been read to its end.
    pub fn input(&self) -> &Input {
        &self.input
    }
}

impl BufRead for InputReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.bytes.len() && !self.ended {
            self.bytes.clear();
            self.at = 0;
            self.ended = !self.input.read(AT_ONCE, &mut self.bytes).map_err(io::Error::other)?;
        }
        Ok(&self.bytes[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at = self.bytes.len().min(self.at + count);
    }
}

impl Read for InputReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
