//! Taking the flag `EXPANDED` away where it isn't known to be right: from positions of a book that
//! has lost rows.

use crate::each_row::each_row;
use crate::error::Error;
use crate::expanded::{ExpandedWalk, flagged, is_complete};
use crate::watch::Watch;
use std::collections::HashSet;
use std::path::Path;
use tabia::row::TableKind;
use tabia::{Batch, Book, Env, Flags, PositionRow, Row, Writer, mix};
use tabia_games::Game;

/// Takes the flag from all positions of the book at this path that the book's moves don't lead to
/// from this start of its game, or that have no deviation ([`crate::Expanded`]). The book is written
/// anew if any has lost it. How many have.
///
/// # Errors
/// Those of reading and writing the book; [`Error::TooLarge`]; [`tabia::Error::Interrupted`].
pub fn unexpand<G: Game>(
    env: &Env<'_>,
    path: &Path,
    start: &G,
    watch: Watch<'_>,
) -> Result<u64, Error> {
    let complete = {
        let book = Book::open(path)?;
        let flagged = flagged(&book, watch)?;
        if flagged.is_empty() {
            return Ok(0);
        }
        complete(&book, &flagged, start, watch)?
    };
    keep_flags(env, path, &complete, watch)
}

/// Takes the flag from all positions of a book whose game's rules aren't known, or that holds only a
/// share of the rows. How many had it.
///
/// # Errors
/// Those of reading and writing the book; [`tabia::Error::Interrupted`].
pub fn unexpand_all(env: &Env<'_>, path: &Path, watch: Watch<'_>) -> Result<u64, Error> {
    keep_flags(env, path, &HashSet::new(), watch)
}

/// Takes the flag from all positions whose hashes aren't among these.
fn keep_flags(
    env: &Env<'_>,
    path: &Path,
    complete: &HashSet<u64>,
    watch: Watch<'_>,
) -> Result<u64, Error> {
    let (mut batch, mut count) = (Batch::new(), 0);
    {
        let book = Book::open(path)?;
        if !book.has(TableKind::Positions) {
            return Ok(0);
        }
        each_row(&book, watch, |row: &PositionRow| {
            if row.is_expanded() && !complete.contains(&row.hash().get()) {
                batch.put_position(row.with_flags(row.flags() - Flags::EXPANDED));
                count += 1;
            }
        })?;
    }
    if count > 0 {
        let mut writer = Writer::open(*env, path)?;
        writer.append(&batch)?;
        writer.compact()?;
    }
    Ok(count)
}

/// The hashes of the flagged positions that are reached and complete.
fn complete<G: Game>(
    book: &Book,
    flagged: &[u64],
    start: &G,
    watch: Watch<'_>,
) -> Result<HashSet<u64>, Error> {
    let mut walk = ExpandedWalk::new(book, flagged, std::slice::from_ref(start));
    let mut complete = HashSet::new();
    while let Some((node, _)) = walk.next(watch)? {
        if is_complete(book, &node)? {
            complete.insert(mix(node.key));
        }
    }
    Ok(complete)
}
