//! Castling as the king's two steps (e1g1), as many Polyglot books in the wild have it, where the
//! format has the king's move to its own rook (e1h1).
//!
//! The same code may be a rook's or a queen's move, and an entry doesn't say which. So the book is
//! walked with boards from the start of chess ([`Reached`]):
//!
//! - Where a position is reached, the board decides: a code of two steps is castling if the king
//!   and a rook of the side to move stand at home and castling is legal. The other spelling comes
//!   first: a code that is a legal move as it stands stays as it is.
//! - Where it isn't reached, the code stays if another move of the position starts on the same
//!   square and goes where no king can go. Else it is taken for what most codes of two steps are
//!   that the walk decided: for castling only if more of them were castling than not.

use crate::reached::{Reach, Reached};
use crate::row::each_position;
use std::path::Path;
use tabia::sort::{Sorted, Sorter};
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Env, MoveRow, Result, Row, WithCells};
use tabia_games::{Chess, Game};

/// How a book spelled its castlings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Castlings {
    /// Moves written as the king's two steps that are castlings by their board; they have the code
    /// of the king's move to its rook now.
    pub respelled: u64,
    /// Moves of positions that aren't reached, which were taken for castlings too, as most are in
    /// this book.
    pub guessed: u64,
    /// Moves with such a code of positions that aren't reached, which stay as they are.
    pub undecided: u64,
}

/// The code of the king's move to its rook in place of a castling's two steps: e1h1 for e1g1, e1a1
/// for e1c1, and on the eighth rank. None for all other codes.
const fn king_to_rook(code: u16) -> Option<u16> {
    // In octal: the row and the file of both squares.
    match code {
        0o04_06 => Some(0o04_07),
        0o04_02 => Some(0o04_00),
        0o74_76 => Some(0o74_77),
        0o74_72 => Some(0o74_70),
        _ => None,
    }
}

/// The moves of a Polyglot book with all castlings as the king's move to its rook, and how they
/// were spelled before. If both spellings of one castling are there, their games are added.
///
/// `watch` receives the number of positions reached from time to time. Memory: that of
/// [`Reached::walk`] if there is a code of two steps in the book, and `memory` bytes for sorting;
/// what doesn't fit goes to files without a name in this folder.
///
/// # Errors
/// Those of reading and sorting the moves; what `watch` gives.
pub fn respell(
    moves: Sorted<MoveRow>,
    env: &Env<'_>,
    folder: &Path,
    memory: usize,
    watch: impl FnMut(u64) -> Result<()>,
) -> Result<(Sorted<MoveRow>, Castlings)> {
    if !has_two_steps(&moves)? {
        return Ok((moves, Castlings::default()));
    }
    let reached = Reached::walk_spelled(&moves, &Chess::start(), castling, watch)?;
    let takes_unreached = are_castlings(&moves, &reached)?;
    let mut castlings = Castlings::default();
    let mut sorter = Sorter::with_columns(env.storage, folder, memory, moves.columns());
    let mut take = |position: &Chunk<MoveRow>| {
        position.iter().try_for_each(|WithCells { row, cells }| {
            let meant = king_to_rook(row.code()).filter(|_| {
                castlings.is_castling(&row, reached.of(&row), position.rows(), takes_unreached)
            });
            let code = meant.unwrap_or(row.code());
            let row = MoveRow::of_hash(row.hash(), code, row.counts()).with_marks(row.marks());
            sorter.push_with(row, &cells)
        })
    };
    each_position(&moves, &mut take, |_| Ok(()))?;
    if castlings.respelled + castlings.guessed == 0 {
        return Ok((moves, castlings));
    }
    Ok((Sorted::join(env, vec![sorter.finish()])?, castlings))
}

/// The castling that a code of two steps means at a position, if it means one.
fn castling(position: &Chess, code: u16) -> Option<u16> {
    let meant = king_to_rook(code).filter(|_| !position.is_chess960())?;
    position.move_of_code(meant).filter(|played| played.is_castle()).map(|_| meant)
}

impl Castlings {
    /// Whether a move with a code of two steps is a castling; it is counted.
    fn is_castling(
        &mut self,
        row: &MoveRow,
        reach: Reach,
        position: &[MoveRow],
        takes_unreached: bool,
    ) -> bool {
        let count = match reach {
            Reach::Legal | Reach::Illegal => return false,
            Reach::Respelled => &mut self.respelled,
            Reach::Unreached if takes_unreached && may_be_king(row.code(), position) => {
                &mut self.guessed
            }
            Reach::Unreached => {
                self.undecided += 1;
                return false;
            }
        };
        *count += 1;
        true
    }
}

/// Whether a king may stand where this code starts, by where the other moves of its position go
/// from there: to a square beside it, or as in a castling of either spelling.
fn may_be_king(code: u16, position: &[MoveRow]) -> bool {
    let may_go = |other: u16| {
        let [from, to] = [other >> 6 & 63, other & 63];
        let is_beside = from.abs_diff(to) <= 9
            && (from % 8).abs_diff(to % 8) <= 1
            && (from / 8).abs_diff(to / 8) <= 1;
        let castles = from / 8 == to / 8 && matches!(to % 8, 0 | 2 | 6 | 7);
        other >> 12 == 0 && (is_beside || castles)
    };
    position.iter().map(MoveRow::code).filter(|other| other >> 6 & 63 == code >> 6 & 63).all(may_go)
}

/// Whether more codes of two steps are castlings than not, where the board decides.
fn are_castlings(moves: &dyn RowSet<MoveRow>, reached: &Reached) -> Result<bool> {
    let (mut castlings, mut others) = (0u64, 0u64);
    moves.rows()?.each_chunk(|chunk| {
        for row in chunk.rows().iter().filter(|row| king_to_rook(row.code()).is_some()) {
            let reach = reached.of(row);
            castlings += u64::from(reach == Reach::Respelled);
            others += u64::from(reach == Reach::Legal);
        }
        tabia::Result::Ok(())
    })?;
    Ok(castlings > others)
}

fn has_two_steps(moves: &dyn RowSet<MoveRow>) -> Result<bool> {
    let mut has = false;
    moves.rows()?.each_chunk(|chunk| {
        has |= chunk.rows().iter().any(|row| king_to_rook(row.code()).is_some());
        Ok(())
    })?;
    Ok(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_goes_far_is_no_king() {
        let rows = |codes: &[(u16, u16)]| -> Vec<MoveRow> {
            let row =
                |&(from, to): &(u16, u16)| MoveRow::new(1, from << 6 | to, Default::default());
            codes.iter().map(row).collect()
        };
        let e1g1 = 4 << 6 | 6;
        assert!(may_be_king(e1g1, &rows(&[(4, 6)])));
        assert!(may_be_king(e1g1, &rows(&[(4, 6), (4, 7), (4, 12), (12, 28)])));
        assert!(!may_be_king(e1g1, &rows(&[(4, 6), (4, 36)])), "e1e5");
        assert!(!may_be_king(e1g1, &rows(&[(4, 6), (4, 1)])), "e1b1");
    }
}
