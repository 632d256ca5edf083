//! A Polyglot book as sorted rows.

use super::{Meaning, Read, lost, read};
use crate::Losses;
use std::io;
use std::path::Path;
use tabia::sort::{Sorted, Sorter};
use tabia::{Env, MoveRow, WithCells};

/// How many entries are read between two calls of what watches.
const STEP: u64 = 1 << 16;

/// Reads a book into the rows that its entries mean, sorted in so much memory and, what doesn't fit,
/// in this folder: what was read, the rows, and what they don't say. `watch` receives the number of
/// entries from time to time.
///
/// # Errors
/// Those of reading and of sorting; what `watch` gives.
pub fn sorted<E: From<io::Error> + From<tabia::Error>>(
    book: impl io::Read,
    meaning: Meaning,
    env: &Env<'_>,
    folder: &Path,
    memory: usize,
    mut watch: impl FnMut(u64) -> tabia::Result<()>,
) -> Result<(Read, Sorted<MoveRow>, Losses), E> {
    let mut sorter: Sorter<'_, MoveRow> =
        Sorter::with_columns(env.storage, folder, memory, meaning.columns());
    let (mut entries, mut lost) = (0, Losses::new(lost::ALL));
    let read = read(book, |entry| -> Result<(), E> {
        entries += 1;
        meaning.count_lost(entry, &mut lost);
        if entries % STEP == 0 {
            watch(entries)?;
        }
        let WithCells { row, cells } = meaning.row(entry);
        Ok(sorter.push_with(row, &cells)?)
    })?;
    read.count_lost(&mut lost);
    Ok((read, Sorted::join(env, vec![sorter.finish()])?, lost))
}
