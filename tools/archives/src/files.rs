//! The files of an archive: the archive itself, or those in a tar archive, one after the other, as
//! they stream by.
//!
//! A tar archive is read as files, not as one text. So a game cut off, or a page of HTML in place
//! of a game, ends with its file, and what is skipped is named by its file.

use crate::error::ArchiveError;
use crate::foreign::is_tar;
use crate::format::Format;
use crate::input::{Input, Warning};
use std::sync::Arc;
use tar::{EntryType, Header};

/// Tar's unit of bytes.
const BLOCK: usize = 512;
/// How many first bytes of a file in a tar archive show its format.
const START: usize = 4096;
/// The longest list of a file's attributes that is read.
const MOST_ATTRIBUTES: u64 = 1 << 20;
/// Bytes that are skipped at a time.
const PASSED_AT_ONCE: usize = 1 << 18;

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
    from: u64,
}

impl File {
    /// Where reading has to begin to come to this file, among all bytes of the archive.
    pub(crate) fn from(&self) -> u64 {
        self.from
    }
}

/// The files of an archive.
#[derive(Debug)]
pub struct Files {
    input: Input,
    /// The format of all files, if it was given.
    format: Option<Format>,
    /// It is a tar archive.
    is_tar: bool,
    /// Bytes of the file that were read to find its format, and not given out.
    ahead: Vec<u8>,
    /// Bytes of the file that are left in the input; in a tar archive only.
    left: u64,
    /// Bytes after the file up to the next one's header.
    padding: u64,
    /// Where the bytes after the last file of a tar archive begin, once they were reached.
    ended: Option<u64>,
    /// There are no more.
    at_end: bool,
    /// There was one.
    any: bool,
    warning: Option<Warning>,
}

/// What tar says of a file.
struct Entry {
    name: String,
    length: u64,
    is_file: bool,
}

impl Files {
    /// The files of what is read here, which is at its start or, in a tar archive, where a file
    /// begins.
    #[must_use]
    pub fn of(input: Input) -> Self {
        let is_tar = is_tar(input.start());
        Self {
            input,
            format: None,
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

    /// These files, read as this format if one is given, whatever they look like.
    #[must_use]
    pub fn of_format(self, format: Option<Format>) -> Self {
        Self { format, ..self }
    }

    /// The input that the files are read from.
    #[must_use]
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// What was lost of the archive; known when it has been read to its end.
    #[must_use]
    pub fn warning(&self) -> Option<&Warning> {
        self.input.warning().or(self.warning.as_ref())
    }

    /// Whether there was a file with games among those gone by.
    pub(crate) fn had_any(&self) -> bool {
        self.any
    }

    /// Where the next file begins, with what tar says of it. Means something between files only.
    pub(crate) fn next_from(&self) -> u64 {
        self.ended.unwrap_or(self.input.bytes_read() + self.left + self.padding)
    }

    /// Goes on to the next file with games, if there is one. Files in a tar archive that neither
    /// look like games nor are called so are skipped.
    ///
    /// # Errors
    /// If the archive can't be read.
    pub fn open_next(&mut self) -> Result<Option<Arc<File>>, ArchiveError> {
        if self.at_end {
            return Ok(None);
        }
        if !self.is_tar {
            (self.at_end, self.any) = (true, true);
            return self.whole().map(Some);
        }
        loop {
            let from = self.next_from();
            let Some(entry) = self.entry()? else {
                (self.at_end, self.ended) = (true, Some(from));
                self.read_the_rest()?;
                return Ok(None);
            };
            if !entry.is_file {
                continue;
            }
            let offset = self.input.bytes_read();
            let mut start = Vec::new();
            self.take(entry.length.min(START as u64), &mut start)?;
            if let Some(format) = self
                .format
                .or_else(|| Format::of_content(&start))
                .or_else(|| Format::of_name(&entry.name))
            {
                let head = start.drain(..format.head().min(start.len())).collect();
                (self.ahead, self.any) = (start, true);
                return Ok(Some(Arc::new(File {
                    name: Some(entry.name),
                    format,
                    head,
                    offset,
                    from,
                })));
            }
        }
    }

    /// The archive itself.
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
    ///
    /// # Errors
    /// If the archive can't be read.
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
    pub(crate) fn pass_over(&mut self, mut bytes: u64) -> Result<(), ArchiveError> {
        let mut passed = Vec::new();
        while bytes > 0 {
            passed.clear();
            let goes_on = self.read(bytes.min(PASSED_AT_ONCE as u64) as usize, &mut passed)?;
            bytes -= passed.len() as u64;
            if bytes > 0 && !goes_on {
                return Err(ArchiveError::Changed { path: self.input.path().to_owned() });
            }
        }
        Ok(())
    }

    /// Appends what is left of the file in the input, up to `most` bytes. A tar archive that ends
    /// within it is reported.
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

    /// What tar says of the next file; none at the end.
    fn entry(&mut self) -> Result<Option<Entry>, ArchiveError> {
        let mut long_name = None;
        loop {
            self.ahead.clear();
            self.pass_to_header()?;
            let mut block = Vec::with_capacity(BLOCK);
            self.input.read(BLOCK, &mut block)?;
            if block.iter().all(|&byte| byte == 0) {
                return Ok(None);
            }
            if block.len() < BLOCK {
                self.ends_early("it ends within what it says of a file");
                return Ok(None);
            }
            let header = Header::from_byte_slice(&block);
            let Some(length) = length(header) else {
                self.ends_early("what it says of a file is damaged");
                return Ok(None);
            };
            (self.left, self.padding) = (length, length.next_multiple_of(BLOCK as u64) - length);
            match header.entry_type() {
                EntryType::GNULongName | EntryType::XHeader if length <= MOST_ATTRIBUTES => {
                    let mut text = Vec::new();
                    self.take(length, &mut text)?;
                    long_name = name_in(header.entry_type(), &text).or(long_name);
                }
                kind => {
                    let name = long_name.take().unwrap_or_else(|| header.path_bytes().into_owned());
                    let name = String::from_utf8_lossy(&name).into_owned();
                    return Ok(Some(Entry {
                        name,
                        length,
                        is_file: kind.is_file() || kind.is_contiguous(),
                    }));
                }
            }
        }
    }

    /// Passes over what is left of a file.
    fn pass_to_header(&mut self) -> Result<(), ArchiveError> {
        let mut bytes = self.left + self.padding;
        let mut passed = Vec::new();
        while bytes > 0 {
            passed.clear();
            let goes_on =
                self.input.read(bytes.min(PASSED_AT_ONCE as u64) as usize, &mut passed)?;
            bytes -= passed.len() as u64;
            if !goes_on && bytes > 0 {
                // Padding at the very end may be missing.
                if bytes > self.padding {
                    self.ends_early("it ends within a file");
                }
                break;
            }
        }
        (self.left, self.padding) = (0, 0);
        Ok(())
    }

    /// Reads the bytes after all files, so that the digest covers the whole archive.
    fn read_the_rest(&mut self) -> Result<(), ArchiveError> {
        let mut rest = Vec::new();
        while self.input.read(PASSED_AT_ONCE, &mut rest)? {
            rest.clear();
        }
        Ok(())
    }

    /// The tar archive is cut off or damaged here, unless that is known of what it is compressed
    /// by.
    fn ends_early(&mut self, why: &str) {
        (self.left, self.padding, self.at_end) = (0, 0, true);
        let archive = self.input.path().display().to_string();
        let (file_offset, offset, why) =
            (self.input.consumed(), self.input.bytes_read(), format!("tar archive: {why}"));
        self.warning.get_or_insert(Warning { archive, file_offset, offset, why });
    }
}

/// The length of a file by its header, if the header is sound.
fn length(header: &Header) -> Option<u64> {
    let bytes = header.as_bytes();
    let sum: u32 =
        bytes[..148].iter().chain(&bytes[156..]).map(|&byte| u32::from(byte)).sum::<u32>()
            + 8 * u32::from(b' ');
    let length = header.entry_size().ok().filter(|&length| length < 1 << 62)?;
    (header.cksum().ok()? == sum).then_some(length)
}

/// The name of the next file, from the entry before it.
fn name_in(kind: EntryType, text: &[u8]) -> Option<Vec<u8>> {
    if kind == EntryType::GNULongName {
        return Some(text.split(|&byte| byte == 0).next().unwrap_or_default().to_vec());
    }
    let path = tar::PaxExtensions::new(text)
        .filter_map(Result::ok)
        .find(|attribute| attribute.key_bytes() == b"path");
    path.map(|attribute| attribute.value_bytes().to_vec())
}
