//! The file that is read: its decompressed bytes.

use super::Common;
use crate::prelude::*;
use std::io::{self, BufRead, Read};
use tabia::format::{Digest, Source};
use tabia_archives::Input;
use tabia_interop::ForeignBook;

/// Bytes that are read at a time.
const AT_ONCE: usize = 1 << 16;

/// A file of another program, decompressed as it is read.
pub struct File {
    input: Input,
    bytes: Vec<u8>,
    /// How many of `bytes` were taken.
    at: usize,
    ended: bool,
}

impl File {
    /// Opens a file of this format, plain or compressed; `-` is standard input.
    pub fn open(path: &Path, format: ForeignBook) -> Done<Self> {
        if let Some(advice) = tabia_archives::unread_book(path) {
            return Err(failure!(
                "{}: it is a book of chess in a format that can't be read (.bkt); {advice}",
                path.display()
            ));
        }
        let input = Input::open_any(path)?;
        match ForeignBook::of_start(input.start()).filter(|found| *found != format) {
            Some(other) => Err(failure!(
                "{}: it begins as {} does, not {}: see `tabia import --help`",
                path.display(),
                other,
                format
            )),
            None => Ok(Self { input, bytes: Vec::new(), at: 0, ended: false }),
        }
    }

    /// All its bytes, as far as there is memory for them.
    pub fn whole(&mut self, common: &Common) -> Done<Vec<u8>> {
        let (mut bytes, most) = (Vec::new(), common.file_limit());
        self.take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::system(&common.file, "read", &error))?;
        if bytes.len() as u64 > most {
            return Err(failure!(
                "{}: it holds more than the {most} bytes that there is memory for: give more with --memory",
                common.file.display()
            ));
        }
        self.check_whole()?;
        Ok(bytes)
    }

    /// Makes sure that it was whole, once it has been read to its end: it may have been cut while
    /// it was compressed.
    pub fn check_whole(&self) -> Done<()> {
        self.input
            .warning()
            .map_or(Ok(()), |warning| Err(failure!("{warning}: it has to be whole")))
    }

    /// What the book is made of; it has to be read to its end before.
    pub fn source(&self, games: u64) -> Source {
        Source { digest: Digest(self.input.digest()), games, name: self.input.name() }
    }
}

impl BufRead for File {
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

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
