//! Entries in the order of a file, sorted in bounded memory.

use super::entry::Entry;
use super::header::Header;
use crate::WriteError;
use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::Path;
use tabia::sort::{Sorted, Sorter};
use tabia::storage::Storage;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Counts, Env, Hash, MoveRow, Row};

/// Takes entries in any order, of each key and move one at most.
///
/// They are sorted as rows of moves whose hash is the key: the engine's sorter spills to disk what
/// doesn't fit in memory.
pub struct EntrySorter<'a>(Sorter<'a, MoveRow>);

impl<'a> EntrySorter<'a> {
    /// A sorter that holds `memory` bytes, 24 an entry, and spills into files without a name in
    /// this folder.
    #[must_use]
    pub fn new(storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        Self(Sorter::new(storage, folder, memory))
    }

    /// Takes an entry.
    ///
    /// # Errors
    /// The system's, from spilling.
    pub fn push(&mut self, entry: Entry) -> tabia::Result<()> {
        let counts = Counts { wins: entry.weight.into(), draws: entry.learn, losses: 0 };
        self.0.push(MoveRow::of_hash(Hash::from_bits(entry.key), entry.code, counts))
    }

    /// All entries taken.
    ///
    /// # Errors
    /// The system's.
    pub fn finish(self, env: &Env<'_>) -> tabia::Result<SortedEntries> {
        Sorted::join(env, vec![self.0.finish()]).map(SortedEntries)
    }
}

/// Entries to be written.
pub struct SortedEntries(Sorted<MoveRow>);

impl SortedEntries {
    /// Writes a book: its header, if it is to have one, and the entries, in the order of their
    /// keys; those of a position by weight, the greatest first, and of one weight by move. How many
    /// bytes that are.
    ///
    /// `watch` receives the number of entries written from time to time. Memory: the entries of a
    /// position.
    ///
    /// # Errors
    /// [`WriteError`]; what `watch` gives.
    pub fn write(
        &self,
        header: Option<&Header>,
        mut out: impl Write,
        mut watch: impl FnMut(u64) -> tabia::Result<()>,
    ) -> Result<u64, WriteError> {
        let mut written = 0;
        for entry in header.map(Header::entries).unwrap_or_default() {
            out.write_all(&entry.to_bytes())?;
            written += 1;
        }
        let (mut rows, mut chunk, mut position) = (self.0.rows()?, Chunk::default(), Vec::new());
        loop {
            watch(written)?;
            rows.next_chunk(&mut chunk)?;
            for entry in chunk.rows().iter().map(entry) {
                if position.last().is_some_and(|last: &Entry| last.key != entry.key) {
                    written += write_position(&mut position, &mut out)?;
                }
                position.push(entry);
            }
            if chunk.is_empty() {
                written += write_position(&mut position, &mut out)?;
                out.flush()?;
                return Ok(written * Entry::SIZE as u64);
            }
        }
    }
}

/// The entry that was sorted as this row.
fn entry(row: &MoveRow) -> Entry {
    let Counts { wins, draws, .. } = row.counts();
    Entry { key: row.hash().get(), code: row.code(), weight: wins as u16, learn: draws }
}

/// Writes the entries of a position; how many they are.
fn write_position(entries: &mut Vec<Entry>, out: &mut impl Write) -> io::Result<u64> {
    entries.sort_unstable_by_key(|entry| (Reverse(entry.weight), entry.code));
    entries.iter().try_for_each(|entry| out.write_all(&entry.to_bytes()))?;
    let written = entries.len() as u64;
    entries.clear();
    Ok(written)
}
