//! The files of a tar archive, by the headers before them.

use super::{File, Files};
use crate::error::ArchiveError;
use crate::format::Format;
use crate::input::pass_over;
use std::sync::Arc;
use tar::{EntryType, Header};

const BLOCK: usize = 512;
/// Bytes of the start of a file by which its format is told.
const START: usize = 4096;
/// The longest list of a file's attributes that is read.
const MOST_ATTRIBUTES: u64 = 1 << 20;

struct Entry {
    name: String,
    length: u64,
    is_file: bool,
}

impl Files {
    pub(super) fn next_in_tar(&mut self) -> Result<Option<Arc<File>>, ArchiveError> {
        loop {
            let from = self.next_from();
            let Some(entry) = self.entry()? else {
                (self.at_end, self.ended) = (true, Some(from));
                // So that the digest covers the whole archive.
                pass_over(u64::MAX, |most, buffer| self.input.read(most, buffer))?;
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
        let bytes = self.left + self.padding;
        // Padding at the very end may be missing.
        if pass_over(bytes, |most, buffer| self.input.read(most, buffer))? > self.padding {
            self.ends_early("it ends within a file");
        }
        (self.left, self.padding) = (0, 0);
        Ok(())
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
