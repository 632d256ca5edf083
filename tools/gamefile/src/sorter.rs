//! Sorting byte strings in bounded memory: sorted runs go to a file without a name and are merged
//! while they are read, as often as they are wanted.

use crate::error::Result;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabia::Context;
use tabia::storage::{Missing, Storage, StorageFile};

const MOST_RUNS: usize = 128;
/// Bytes that a run is read in at a time.
const READ: usize = 1 << 16;
/// Bytes that are written at a time.
const WRITTEN: usize = 1 << 20;
const READ_BACK: &str = "read back a scratch file there";

/// Takes byte strings in any order, and gives them back in ascending order.
pub struct Sorter<'a> {
    storage: &'a dyn Storage,
    folder: PathBuf,
    memory: usize,
    bytes: Vec<u8>,
    /// Where each string in memory begins and ends.
    spans: Vec<(u32, u32)>,
    scratch: Option<Scratch>,
    runs: Vec<Run>,
}

impl std::fmt::Debug for Sorter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sorter").field("runs", &self.runs.len()).finish_non_exhaustive()
    }
}

#[derive(Clone)]
struct Scratch {
    file: Arc<dyn StorageFile>,
    len: u64,
}

/// Sorted strings, each behind its length as a u32.
#[derive(Clone)]
enum Run {
    Memory(Arc<Vec<u8>>),
    File { file: Arc<dyn StorageFile>, start: u64, end: u64 },
}

impl<'a> Sorter<'a> {
    /// One that holds about so many bytes of memory, at least 64 KiB and at most 2 GiB; what is more
    /// goes to files without a name in this folder.
    pub fn new(storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        Self {
            storage,
            folder: storage.scratch_folder(folder),
            memory: memory.clamp(1 << 16, 1 << 31),
            bytes: Vec::new(),
            spans: Vec::new(),
            scratch: None,
            runs: Vec::new(),
        }
    }

    /// Takes a string. Errors are the system's, from spilling.
    pub fn add(&mut self, string: &[u8]) -> Result<()> {
        let used = self.bytes.len() + self.spans.len() * size_of::<(u32, u32)>();
        if used + string.len() > self.memory && !self.spans.is_empty() {
            self.spill()?;
        }
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(string);
        self.spans.push((start, self.bytes.len() as u32));
        Ok(())
    }

    /// One like this that holds nothing yet.
    pub(crate) fn emptied(&self) -> Self {
        Self::new(self.storage, &self.folder, self.memory)
    }

    /// All of them, sorted. Errors are the system's.
    pub fn finish(mut self) -> Result<Sorted<'a>> {
        if self.runs.is_empty() {
            let mut run = Vec::with_capacity(self.bytes.len() + 4 * self.spans.len());
            self.sorted(|bytes| {
                run.extend_from_slice(bytes);
                Ok(())
            })?;
            self.runs.push(Run::Memory(Arc::new(run)));
        } else if !self.spans.is_empty() {
            self.spill()?;
        }
        Sorted { storage: self.storage, folder: self.folder, runs: self.runs }.narrowed()
    }

    /// Hands the strings in memory on in order, each behind its length.
    fn sorted(&mut self, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let bytes = &self.bytes;
        let string = |&(start, end): &(u32, u32)| &bytes[start as usize..end as usize];
        self.spans.sort_unstable_by(|one, other| string(one).cmp(string(other)));
        for span in &self.spans {
            take(&(span.1 - span.0).to_le_bytes())?;
            take(string(span))?;
        }
        Ok(())
    }

    fn spill(&mut self) -> Result<()> {
        let mut writer = RunWriter::new(self.storage, &self.folder, self.scratch.take())?;
        self.sorted(|bytes| writer.write(bytes))?;
        let (run, scratch) = writer.finish()?;
        self.runs.push(run);
        self.scratch = Some(scratch);
        self.bytes.clear();
        self.spans.clear();
        Ok(())
    }
}

struct RunWriter {
    folder: PathBuf,
    scratch: Scratch,
    start: u64,
    buffer: Vec<u8>,
}

impl RunWriter {
    fn new(storage: &dyn Storage, folder: &Path, scratch: Option<Scratch>) -> Result<Self> {
        let scratch = match scratch {
            Some(scratch) => scratch,
            None => {
                let file = storage.scratch(folder).at("make a scratch file there", folder)?;
                Scratch { file: file.into(), len: 0 }
            }
        };
        let start = scratch.len;
        Ok(Self { folder: folder.to_owned(), scratch, start, buffer: Vec::new() })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= WRITTEN { self.flush() } else { Ok(()) }
    }

    /// Writes all strings, each behind its length.
    fn take_all(&mut self, merge: &mut Merge<'_>) -> Result<()> {
        while let Some(string) = merge.next()? {
            self.write(&(string.len() as u32).to_le_bytes())?;
            self.write(string)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let written = self.scratch.file.write_all_at(&self.buffer, self.scratch.len);
        written.at("write a scratch file there", &self.folder)?;
        self.scratch.len += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<(Run, Scratch)> {
        self.flush()?;
        let file = Arc::clone(&self.scratch.file);
        Ok((Run::File { file, start: self.start, end: self.scratch.len }, self.scratch))
    }
}

/// Byte strings in ascending order, equal ones as often as they were added.
#[derive(Clone)]
pub struct Sorted<'a> {
    storage: &'a dyn Storage,
    folder: PathBuf,
    runs: Vec<Run>,
}

impl std::fmt::Debug for Sorted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sorted").field("runs", &self.runs.len()).finish_non_exhaustive()
    }
}

impl<'a> Sorted<'a> {
    /// The strings of several sorters together. Errors are the system's.
    pub fn join(all: Vec<Self>) -> Result<Option<Self>> {
        let joined = all.into_iter().reduce(|mut one, mut other| {
            one.runs.append(&mut other.runs);
            one
        });
        joined.map(Self::narrowed).transpose()
    }

    /// With no more runs than are merged at once.
    fn narrowed(mut self) -> Result<Self> {
        while self.runs.len() > MOST_RUNS {
            let some: Vec<Run> = self.runs.drain(..MOST_RUNS).collect();
            let mut writer = RunWriter::new(self.storage, &self.folder, None)?;
            let mut merge = Merge::of(&some, &self.folder)?;
            writer.take_all(&mut merge)?;
            drop(merge);
            self.runs.push(writer.finish()?.0);
        }
        Ok(self)
    }

    /// Reads them, from the first. Errors are the system's.
    pub fn merge(&self) -> Result<Merge<'_>> {
        Merge::of(&self.runs, &self.folder)
    }

    /// Writes them to a file with this name, and makes them durable, but not the name.
    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        let made = self.storage.open(path, Missing::Create);
        let file =
            made.and_then(|file| file.set_len(0).map(|()| file)).at("make this file", path)?;
        let scratch = Scratch { file: file.into(), len: 0 };
        let mut writer = RunWriter::new(self.storage, &self.folder, Some(scratch))?;
        writer.take_all(&mut self.merge()?)?;
        let (_, scratch) = writer.finish()?;
        Ok(scratch.file.sync().at("sync", path)?)
    }

    /// Those that were saved in a file; what doesn't fit in memory later goes to this folder.
    pub(crate) fn saved(storage: &'a dyn Storage, folder: &Path, path: &Path) -> Result<Self> {
        let end = std::fs::metadata(path).at("read", path)?.len();
        let file = storage.open(path, Missing::Fail).at("read", path)?.into();
        let runs = vec![Run::File { file, start: 0, end }];
        Ok(Self { storage, folder: folder.to_owned(), runs })
    }
}

/// Reads sorted byte strings.
pub struct Merge<'r> {
    folder: &'r Path,
    /// Those that have a string, the least first.
    cursors: BinaryHeap<Cursor<'r>>,
    /// Whether the least was handed out.
    is_taken: bool,
}

impl std::fmt::Debug for Merge<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Merge").field("runs", &self.cursors.len()).finish_non_exhaustive()
    }
}

impl<'r> Merge<'r> {
    fn of(runs: &'r [Run], folder: &'r Path) -> Result<Self> {
        let mut cursors = Vec::with_capacity(runs.len());
        for run in runs {
            let mut cursor = Cursor::new(run);
            if cursor.advance().at(READ_BACK, folder)? {
                cursors.push(cursor);
            }
        }
        Ok(Self { folder, cursors: cursors.into(), is_taken: false })
    }

    /// The next string; none at the end. Errors are the system's.
    pub fn next(&mut self) -> Result<Option<&[u8]>> {
        if self.is_taken
            && let Some(mut least) = self.cursors.peek_mut()
            && !least.advance().at(READ_BACK, self.folder)?
        {
            PeekMut::pop(least);
        }
        self.is_taken = true;
        Ok(self.peek())
    }

    fn peek(&self) -> Option<&[u8]> {
        self.cursors.peek().map(Cursor::string)
    }

    /// Whether one of the strings from here on begins with this, which is not less than what was
    /// asked for before. Strings that are less are passed over.
    pub(crate) fn reaches(&mut self, start: &[u8]) -> Result<bool> {
        if !self.is_taken {
            self.next()?;
        }
        loop {
            match self.peek().map(|string| string[..start.len().min(string.len())].cmp(start)) {
                None | Some(Ordering::Greater) => return Ok(false),
                Some(Ordering::Equal) => return Ok(true),
                Some(Ordering::Less) => drop(self.next()?),
            }
        }
    }
}

/// Goes through one run. The one with the lesser string is the greater: a heap has it first.
struct Cursor<'r> {
    run: &'r Run,
    buffer: Vec<u8>,
    /// Where in the run the buffer ends.
    read: u64,
    /// The string among the bytes that are held.
    string: (usize, usize),
}

impl<'r> Cursor<'r> {
    fn new(run: &'r Run) -> Self {
        let read = if let Run::File { start, .. } = run { *start } else { 0 };
        Self { run, buffer: Vec::new(), read, string: (0, 0) }
    }

    /// All of a run that is in memory, or the buffer.
    fn held(&self) -> &[u8] {
        if let Run::Memory(bytes) = self.run { bytes } else { &self.buffer }
    }

    fn string(&self) -> &[u8] {
        let (start, end) = self.string;
        &self.held()[start..end]
    }

    /// Goes to the next string; whether there is one.
    fn advance(&mut self) -> io::Result<bool> {
        if !self.hold(4)? {
            return Ok(false);
        }
        let length = self.held()[self.string.1..].first_chunk().copied().unwrap_or_default();
        let length = u32::from_le_bytes(length) as usize;
        if !self.hold(4 + length)? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let start = self.string.1 + 4;
        self.string = (start, start + length);
        Ok(true)
    }

    /// Makes sure that so many bytes behind the string are held; whether there are so many.
    fn hold(&mut self, bytes: usize) -> io::Result<bool> {
        if let Run::File { file, end, .. } = self.run
            && self.buffer.len() - self.string.1 < bytes
        {
            self.buffer.drain(..self.string.1);
            self.string = (0, 0);
            let held = self.buffer.len();
            let more = (bytes - held).max(READ).min((*end - self.read) as usize);
            self.buffer.resize(held + more, 0);
            file.read_exact_at(&mut self.buffer[held..], self.read)?;
            self.read += more as u64;
        }
        Ok(self.held().len() - self.string.1 >= bytes)
    }
}

impl Ord for Cursor<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.string().cmp(self.string())
    }
}

impl PartialOrd for Cursor<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cursor<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cursor<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tabia::storage::System;

    fn sorted(strings: &[Vec<u8>], sorters: usize, memory: usize) -> Vec<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let sorter = |_| Sorter { memory, ..Sorter::new(&System, folder.path(), 0) };
        let mut all: Vec<_> = (0..sorters).map(sorter).collect();
        for (string, number) in strings.iter().zip((0..sorters).cycle()) {
            all[number].add(string).unwrap();
        }
        let all = all.into_iter().map(|sorter| sorter.finish().unwrap()).collect();
        let joined = Sorted::join(all).unwrap().unwrap();
        let read = || {
            let (mut merge, mut strings) = (joined.merge().unwrap(), Vec::new());
            while let Some(string) = merge.next().unwrap() {
                strings.push(string.to_vec());
            }
            strings
        };
        let first = read();
        assert_eq!(first, read());
        first
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn strings_are_sorted_whatever_the_memory(
            mut strings in proptest::collection::vec(proptest::collection::vec(0u8..4, 0..9), 0..700),
            sorters in 1usize..4,
            memory in 30usize..3000,
        ) {
            let found = sorted(&strings, sorters, memory);
            strings.sort_unstable();
            prop_assert_eq!(found, strings);
        }
    }

    #[test]
    fn strings_longer_than_all_memory_are_sorted_too() {
        let strings: Vec<Vec<u8>> = (0..5u8).rev().map(|n| vec![n; 200_000]).collect();
        let mut expected = strings.clone();
        expected.sort();
        assert_eq!(sorted(&strings, 1, 1 << 16), expected);
    }

    #[test]
    fn what_just_fits_in_memory_goes_to_no_file() {
        let folder = tempfile::tempdir().unwrap();
        for (memory, runs) in [(58, 0), (57, 1)] {
            let mut sorter = Sorter { memory, ..Sorter::new(&System, folder.path(), 0) };
            [20, 30].iter().for_each(|&length| sorter.add(&vec![0; length]).unwrap());
            assert_eq!(sorter.runs.len(), runs, "{memory} bytes");
        }
    }

    #[test]
    fn a_list_is_asked_for_beginnings_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(&System, folder.path(), 0);
        for string in ["ab", "ac", "c"] {
            sorter.add(string.as_bytes()).unwrap();
        }
        let list = sorter.finish().unwrap();
        let mut list = list.merge().unwrap();
        let asked = ["a", "ab", "abc", "ac", "b", "c", "d"];
        let found = asked.map(|start| list.reaches(start.as_bytes()).unwrap());
        assert_eq!(found, [true, true, false, true, false, true, false]);
    }
}
