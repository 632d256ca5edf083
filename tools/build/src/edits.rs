//! What people change in a book by hand: marks of moves, evals of positions. Each is a batch of the
//! book's journal.

use crate::facts::eval_unit;
use tabia::{
    Batch, Book, Counts, Digest, Error, Fact, Flags, Key, Marks, MoveRow, PositionRow, Result, Row,
    WithCells,
};

/// The bits of the book maker's word on a move: never, or always, to be played.
const WORD: Marks = Marks::NEVER.union(Marks::ALWAYS);

/// Gives moves of a position this word in place of another one, in a batch for the book as it is;
/// how many of them didn't have it.
///
/// Words that are added are merged in, so that counts stay right whatever else is added; to take one
/// away the row is put again without it, or removed if it says nothing more. A move that the book
/// doesn't have gets a row without games.
///
/// # Errors
/// Those of reading the book.
pub fn mark_moves(
    book: &Book,
    batch: &mut Batch,
    key: Key,
    codes: impl IntoIterator<Item = u16>,
    word: Marks,
) -> Result<usize> {
    let rows = book.moves_with_cells(key)?;
    let mut changed = 0;
    for code in codes {
        let found = rows.iter().find(|played| played.row.code() == code).copied();
        let played = found.unwrap_or_else(|| MoveRow::new(key, code, Counts::default()).into());
        let marks = (played.row.marks() - WORD) | (word & WORD);
        if marks != played.row.marks() {
            change_marks(batch, &played, marks);
            changed += 1;
        }
    }
    Ok(changed)
}

fn change_marks(batch: &mut Batch, WithCells { row, cells }: &WithCells<MoveRow>, marks: Marks) {
    let (key, code) = (row.key(), row.code());
    let says_more = row.counts().games() > 0 || cells.as_bytes().iter().any(|&byte| byte != 0);
    if marks.contains(row.marks()) {
        batch.add_move(MoveRow::new(key, code, Counts::default()).with_marks(marks));
    } else if marks.is_empty() && !says_more {
        batch.delete_move(key, code);
    } else {
        batch.put_move_with(row.with_marks(marks), *cells);
    }
}

/// Puts a row of a position, whose eval was given by hand, in place of the one that the book has;
/// whether it is another one. The book is told that evals were set by hand, unless it says so
/// already: a share of a book can't be by this, as it would say what the others don't.
///
/// # Errors
/// [`Error::Shares`] of a share that doesn't say so ([`say_evaluated`] tells all shares); those of
/// reading the book.
pub fn put_evaluated(book: &Book, batch: &mut Batch, row: PositionRow) -> Result<bool> {
    if book.position(row.key())? == Some(row) {
        return Ok(false);
    }
    batch.put_position(row);
    let is_said = !say_evaluated(book, batch)?;
    if !is_said && !book.header().share.is_whole() {
        let what = "it is a share of a book, and with evals set by hand it would say what the others do not: name the folder of all shares";
        return Err(Error::Shares { path: book.path().to_owned(), what: what.to_owned() });
    }
    Ok(true)
}

/// Tells a book that evals were set by hand, unless it says so already; whether it didn't. Of a set all
/// shares are to be told before the first such eval.
///
/// # Errors
/// Those of reading the book.
pub fn say_evaluated(book: &Book, batch: &mut Batch) -> Result<bool> {
    let unit = eval_unit(book.header().game.as_str()).unwrap_or("unknown");
    let value = format!("engine=none, set by hand; limit=as given; unit={unit}");
    let Ok(fact) = Fact::new(Digest::NONE, Fact::EVALS.to_owned(), value) else { return Ok(false) };
    let is_new = !book.facts()?.contains(&fact);
    if is_new {
        batch.fact(fact);
    }
    Ok(is_new)
}

/// What was dropped of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dropped {
    /// Whether the position's row was.
    pub position: bool,
    /// How many of its moves were.
    pub moves: u64,
    /// The codes of moves that were to be dropped and are not in the book.
    pub absent: Vec<u16>,
    /// Whether the position was expanded, and isn't any more: a move is missing.
    pub not_expanded: bool,
}

/// Drops moves of a position, or the position with all its moves if no codes are given, in a batch
/// for the book as it is.
///
/// # Errors
/// Those of reading the book.
pub fn drop_moves(
    book: &Book,
    batch: &mut Batch,
    key: Key,
    codes: Option<&[u16]>,
) -> Result<Dropped> {
    let there: Vec<u16> = book.moves(key)?.iter().map(MoveRow::code).collect();
    let row = book.position(key)?;
    let (found, absent): (Vec<u16>, Vec<u16>) =
        codes.unwrap_or(&there).iter().partition(|code| there.contains(code));
    for &code in &found {
        batch.delete_move(key, code);
    }
    let mut dropped = Dropped { moves: found.len() as u64, absent, ..Dropped::default() };
    match row {
        Some(_) if codes.is_none() => {
            batch.delete_position(key);
            dropped.position = true;
        }
        Some(row) if !found.is_empty() && row.flags().contains(Flags::EXPANDED) => {
            batch.put_position(row.with_flags(row.flags() - Flags::EXPANDED));
            dropped.not_expanded = true;
        }
        _ => {}
    }
    Ok(dropped)
}
