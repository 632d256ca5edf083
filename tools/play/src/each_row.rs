//! Looking at all rows of a table.

use crate::watch::{Step, Watch, report};
use tabia::row::Row;
use tabia::stream::{Chunk, RowSet};

/// Shows all rows of a table.
pub(crate) fn each_row<R: Row>(
    rows: &dyn RowSet<R>,
    watch: Watch<'_>,
    mut show: impl FnMut(&R),
) -> tabia::Result<()> {
    let (mut read, mut chunk, mut stream) = (0, Chunk::default(), rows.rows()?);
    loop {
        stream.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            return Ok(());
        }
        chunk.rows().iter().for_each(&mut show);
        read += chunk.len() as u64;
        report(watch, Step::Reading(read, rows.at_most()))?;
    }
}
