//! The file that is read.

use super::Common;
use crate::prelude::*;
use std::io::Read;
use tabia::format::{Digest, Source};
use tabia_archives::{Input, InputReader};
use tabia_interop::ForeignBook;

/// A file of another program.
pub struct File {
    /// Its bytes, decompressed as they are read.
    pub reader: InputReader,
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
            None => Ok(Self { reader: input.into() }),
        }
    }

    /// All its bytes, as far as there is memory for them.
    pub fn whole(&mut self, common: &Common) -> Done<Vec<u8>> {
        let (mut bytes, most) = (Vec::new(), common.file_limit());
        self.reader
            .by_ref()
            .take(most.saturating_add(1))
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
        let warning = self.reader.input().warning();
        warning.map_or(Ok(()), |warning| Err(failure!("{warning}: it has to be whole")))
    }

    /// What the book is made of; it has to be read to its end before.
    pub fn source(&self, games: u64) -> Source {
        let input = self.reader.input();
        Source { digest: Digest(input.digest()), games, name: input.name() }
    }
}
