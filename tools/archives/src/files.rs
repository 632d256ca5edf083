//! The files of an archive as they stream by: the archive itself, or those in a tar archive.
//!
//! A tar archive is read as files, not as one text. So a game cut off, or a page of HTML in place
//! of a game, ends with its file, and what is skipped is named by its file.

#[cfg(feature = "tar")]
mod tar;

use crate::error::ArchiveError;
use crate::foreign::is_tar;
use crate::format::Format;
use crate::input::{Input, Warning, pass_over};
use std::sync::Arc;

/// A file with games: an archive itself, or a file in a tar archive.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// Its name in the tar archive it is in; none if it is the archive itself.
    pub name: Option<String>,
    /// How its games are written.
    pub format: Format,
    /// The bytes before the first game, which belong to all games.
    pub head: Box<[u8]>,
    /// Its first byte, among all bytes of the archive.
    pub offset: u64,
    /// Where reading has to begin to come to this file: as `offset`, but with what tar says of it.
    pub(crate) from: u64,
}

/// The files of an archive.
#[derive(Debug)]
pub struct Files {
    input: Input,
    format: Option<Format>,
    is_tar: bool,
    /// Bytes of the file that were read to find its format, and not given out.
    ahead: Vec<u8>,
    /// Bytes of the file that are left in the input; in a tar archive only.
    left: u64,
    /// Bytes after the file up to the next one's header.
    padding: u64,
    /// Where the bytes after the last file of a tar archive begin, once they were reached.
    ended: Option<u64>,
    at_end: bool,
    /// There was one.
    pub(crate) any: bool,
    warning: Option<Warning>,
}

impl Files {
    /// The files of what is read here, which is at its start or, in a tar archive, where a file
    /// begins; read as this format if one is given, whatever they look like.
    pub fn new(input: Input, format: Option<Format>) -> Self {
        let is_tar = is_tar(input.start());
        Self {
            input,
            format,
            is_tar,
            ahead: Vec::new(),
            left: 0,
            padding: 0,
            ended: None,
            at_end: false,
            any: false,
            warning: None,
        }
    }

    /// The input that the files are read from.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// What was lost of the archive; known when it has been read to its end.
    pub fn warning(&self) -> Option<&Warning> {
        self.input.warning().or(self.warning.as_ref())
    }

    /// Where the next file begins, with what tar says of it. Means something between files only.
    pub(crate) fn next_from(&self) -> u64 {
        self.ended.unwrap_or(self.input.bytes_read() + self.left + self.padding)
    }

    /// Goes on to the next file with games, if there is one. Files in a tar archive that neither
    /// look like games nor are called so are skipped. Fails if the archive can't be read.
    pub fn open_next(&mut self) -> Result<Option<Arc<File>>, ArchiveError> {
        if self.at_end {
            return Ok(None);
        }
        if !self.is_tar {
            (self.at_end, self.any) = (true, true);
            return self.whole().map(Some);
        }
        self.next_in_tar()
    }

    #[cfg(not(feature = "tar"))]
    fn next_in_tar(&mut self) -> Result<Option<Arc<File>>, ArchiveError> {
        Err(ArchiveError::TarOff(self.input.path().to_owned()))
    }

    fn whole(&mut self) -> Result<Arc<File>, ArchiveError> {
        let start = self.input.start();
        let by_name = || self.input.path().to_str().and_then(Format::of_name);
        let format = self
            .format
            .or_else(|| Format::of_content(start))
            .or_else(by_name)
            .unwrap_or(Format::Tagged);
        let mut head = Vec::new();
        self.input.read(format.head(), &mut head)?;
        Ok(Arc::new(File { name: None, format, head: head.into(), offset: 0, from: 0 }))
    }

    /// Appends up to `most` bytes of the file to `buffer`. Returns whether there may be more of it.
    /// Fails if the archive can't be read.
    pub fn read(&mut self, most: usize, buffer: &mut Vec<u8>) -> Result<bool, ArchiveError> {
        if !self.is_tar {
            return self.input.read(most, buffer);
        }
        let first = self.ahead.len().min(most);
        buffer.extend(self.ahead.drain(..first));
        self.take((most - first) as u64, buffer)?;
        Ok(!self.ahead.is_empty() || self.left > 0)
    }

    /// Skips the first bytes of a file; `Changed` if there are fewer.
    pub(crate) fn pass_over(&mut self, bytes: u64) -> Result<(), ArchiveError> {
        match pass_over(bytes, |most, buffer| self.read(most, buffer))? {
            0 => Ok(()),
            _ => Err(ArchiveError::Changed(self.input.path().to_owned())),
        }
    }

    /// Appends up to `most` bytes of the file. A tar archive that ends within it is reported.
    fn take(&mut self, most: u64, buffer: &mut Vec<u8>) -> Result<(), ArchiveError> {
        let (wanted, before) = (most.min(self.left) as usize, buffer.len());
        if wanted > 0 {
            self.input.read(wanted, buffer)?;
        }
        let read = buffer.len() - before;
        self.left -= read as u64;
        if read < wanted {
            self.ends_early("it ends within a file");
        }
        Ok(())
    }

    /// The tar archive is cut off or damaged here, unless that is known of its compression.
    fn ends_early(&mut self, why: &str) {
        (self.left, self.padding, self.at_end) = (0, 0, true);
        let archive = self.input.path().display().to_string();
        let (file_offset, offset, why) =
            (self.input.consumed(), self.input.bytes_read(), format!("tar archive: {why}"));
        self.warning.get_or_insert(Warning { archive, file_offset, offset, why });
    }
}
