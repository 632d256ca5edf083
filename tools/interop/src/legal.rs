//! How many moves of a book that was imported are legal: what can be found out about moves without
//! boards, by walking from the start of the game.
//!
//! Books of other programs often have the moves of one side only, or gaps where a reply was
//! dropped. So the walk follows all moves of the book, and any other legal move that leads to a
//! position of the book.

use std::collections::HashSet;
use tabia::bytes::Bytes;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Book, Hash, MoveRow, Result, Row};
use tabia_games::Game;

/// How many moves of a book keyed by position are legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Legality {
    /// Legal moves of positions that were reached.
    pub legal: u64,
    /// Moves of such positions that are not legal.
    pub illegal: u64,
    /// Moves of positions that weren't reached.
    pub unreached: u64,
}

/// Walks a book keyed by position from the start of its game, and counts which of its moves are
/// legal. `watch` receives the number of positions reached from time to time; its error ends the
/// work.
///
/// Memory: eight bytes for each position of the book and some more for those that are reached, and
/// boards that wait.
///
/// # Errors
/// The engine's, from reading the book; what `watch` gives.
pub fn legality<S: Bytes, G: Game>(
    book: &Book<S>,
    start: &G,
    mut watch: impl FnMut(u64) -> Result<()>,
) -> Result<Legality> {
    let (known, moves) = positions(book)?;
    let (mut found, mut seen) = (Legality::default(), HashSet::from([start.key()]));
    let (mut waiting, mut legal) = (vec![start.clone()], Vec::new());
    while let Some(position) = waiting.pop() {
        position.legal_moves(&mut legal);
        let rows = book.moves(position.key())?;
        let mut codes: Vec<u16> = legal.iter().map(|played| position.code(played)).collect();
        let is_in_book = |code: u16| rows.binary_search_by_key(&code, MoveRow::code).is_ok();
        for (played, &code) in legal.iter().zip(&codes) {
            let mut next = position.clone();
            next.play(played);
            if (is_in_book(code) || known.binary_search(&Hash::of(next.key())).is_ok())
                && seen.insert(next.key())
            {
                waiting.push(next);
            }
        }
        codes.sort_unstable();
        codes.dedup();
        let fine = codes.into_iter().filter(|&code| is_in_book(code)).count() as u64;
        found.legal += fine;
        found.illegal += rows.len() as u64 - fine;
        if seen.len().is_multiple_of(1024) {
            watch(seen.len() as u64)?;
        }
    }
    found.unreached = moves - found.legal - found.illegal;
    Ok(found)
}

/// The hashes of a book's positions that have moves, in order, and how many moves there are.
fn positions<S: Bytes>(book: &Book<S>) -> Result<(Vec<Hash>, u64)> {
    let (mut rows, mut chunk) = (RowSet::<MoveRow>::rows(book)?, Chunk::default());
    let (mut hashes, mut moves) = (Vec::new(), 0);
    loop {
        rows.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            return Ok((hashes, moves));
        }
        moves += chunk.len() as u64;
        hashes.extend(chunk.rows().iter().map(Row::hash));
        hashes.dedup();
    }
}
