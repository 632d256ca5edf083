//! Pages: the positions in them, one after the other.

use super::board::Board;
use super::{Fault, PAGE, ReadError};

/// The bytes after a position's moves.
const BEHIND: usize = 33;

/// What a book says of a position, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// Codes and annotations of moves, two bytes each.
    pub moves: &'a [u8],
    /// Games, those without a result among them; those that the side to move won, drew and lost.
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Games of which ratings are known.
    pub rated: u32,
    /// The recommendation of the move that leads here.
    pub recommendation: u8,
    /// The comment on the position.
    pub comment: u8,
}

/// Reads the positions of a page, which has a number of its own, and hands them on.
pub(super) fn read<'a>(
    page: usize,
    bytes: &'a [u8],
    mut take: impl FnMut(Board, Entry<'a>),
) -> Result<(), ReadError> {
    let mut reader = Reader { bytes, at: 0 };
    let fault = |offset, fault| ReadError::Fault { page, offset, fault };
    let (positions, used) = (reader.number(2), reader.number(2));
    let (positions, used) = (positions.unwrap_or(0), used.unwrap_or(0) as u16);
    if positions == 0 {
        return Ok(());
    }
    if !(4..=PAGE).contains(&usize::from(used)) {
        return Err(fault(2, Fault::Used(used)));
    }
    reader.bytes = &bytes[..usize::from(used)];
    for _ in 0..positions {
        let at = reader.at;
        let (board, entry) = reader.position().map_err(|found| fault(at, found))?;
        take(board, entry);
    }
    if reader.at == usize::from(used) { Ok(()) } else { Err(fault(reader.at, Fault::End(used))) }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    fn number(&mut self, bytes: usize) -> Option<u32> {
        Some(self.take(bytes)?.iter().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    fn position(&mut self) -> Result<(Board, Entry<'a>), Fault> {
        let head = *self.bytes.get(self.at).ok_or(Fault::Cut)?;
        let length = usize::from(head & 31);
        if head & 128 != 0 || length < 2 {
            return Err(Fault::Length(head));
        }
        let board = Board::read(self.take(length).ok_or(Fault::Cut)?)?;
        let size = self.number(1).ok_or(Fault::Cut)? as u8;
        if size.is_multiple_of(2) {
            return Err(Fault::Moves(size));
        }
        let moves = self.take(usize::from(size) - 1).ok_or(Fault::Cut)?;
        let mut behind = Self { bytes: self.take(BEHIND).ok_or(Fault::Cut)?, at: 0 };
        Ok((board, behind.entry(moves).ok_or(Fault::Cut)?))
    }

    fn entry(&mut self, moves: &'a [u8]) -> Option<Entry<'a>> {
        let [games, losses, wins, draws] =
            [self.number(3)?, self.number(3)?, self.number(3)?, self.number(3)?];
        let _unknown = self.number(4)?;
        let (rated, _ratings) = (self.number(3)?, self.number(4)?);
        let (_performances, _sum) = (self.number(3)?, self.number(4)?);
        let [recommendation, _, comment] = *self.take(3)? else { return None };
        Some(Entry { moves, games, wins, draws, losses, rated, recommendation, comment })
    }
}
