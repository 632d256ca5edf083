//! Entries in the order of a file, sorted in bounded memory.

use super::{Entry, Header};
use crate::WriteError;
use crate::row::each_position;
use std::cmp::Reverse;
use std::io::Write;
use std::path::Path;
use tabia::sort::{Sorted, Sorter};
use tabia::storage::Storage;
use tabia::stream::Chunk;
use tabia::{Counts, Env, Hash, MoveRow, Row};

/// Takes entries in any order, of each key and move one at most.
///
/// They are sorted as rows of moves whose hash is the key: the engine's sorter spills to disk what
/// doesn't fit in memory.
pub struct EntrySorter<'a>(Sorter<'a, MoveRow>);

impl<'a> EntrySorter<'a> {
    /// A sorter that holds `memory` bytes, 24 an entry, and spills into files without a name in
    /// this folder.
    pub fn new(storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        Self(Sorter::new(storage, folder, memory))
    }

    /// Takes an entry.
    ///
    /// # Errors
    /// The system's, from spilling.
    pub fn push(&mut self, entry: Entry) -> tabia::Result<()> {
        let counts = Counts::new(entry.weight.into(), entry.learn, 0);
        self.0.push(MoveRow::of_hash(Hash::from_bits(entry.key), entry.code, counts))
    }

    /// Writes a book of all entries taken: its header, if it is to have one, and the entries, in
    /// the order of their keys; those of a position by weight, the greatest first, and of one weight
    /// by move. How many bytes that are.
    ///
    /// `watch` receives the number of entries written from time to time. Memory: the entries of a
    /// position.
    ///
    /// # Errors
    /// [`WriteError`]; what `watch` gives.
    pub fn write(
        self,
        env: &Env<'_>,
        header: Option<&Header>,
        mut out: impl Write,
        watch: impl FnMut(u64) -> tabia::Result<()>,
    ) -> Result<u64, WriteError> {
        let mut written = 0;
        let mut put = |entry: &Entry| {
            written += Entry::SIZE as u64;
            out.write_all(&entry.to_bytes())
        };
        header.map(Header::entries).iter().flatten().try_for_each(&mut put)?;
        let sorted = Sorted::join(env, vec![self.0.finish()])?;
        let position = |position: &Chunk<MoveRow>| {
            let mut entries: Vec<_> = position.rows().iter().map(entry).collect();
            entries.sort_unstable_by_key(|entry| (Reverse(entry.weight), entry.code));
            Ok::<_, WriteError>(entries.iter().try_for_each(&mut put)?)
        };
        each_position(&sorted, position, watch)?;
        out.flush()?;
        Ok(written)
    }
}

/// The entry that was sorted as this row.
fn entry(row: &MoveRow) -> Entry {
    let Counts { wins, draws, .. } = row.counts();
    Entry { key: row.hash().get(), code: row.code(), weight: wins as u16, learn: draws }
}
