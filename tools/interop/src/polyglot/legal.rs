//! Which moves of a book become entries, by what is known of their positions.

use crate::{Reach, Reached};
use std::cell::Cell;
use tabia::MoveRow;

/// Keeps legal moves, and counts others.
#[derive(Debug)]
pub struct LegalMoves {
    reached: Option<Reached>,
    unreached: bool,
    /// Moves that are not legal, and moves of positions that aren't reached.
    left: Cell<(u64, u64)>,
}

impl LegalMoves {
    /// By what of the book is reached from the start of the game, or all moves as they stand; and
    /// whether moves of positions that aren't reached are kept, too: they can't be checked.
    pub fn new(reached: Option<Reached>, unreached: bool) -> Self {
        Self { reached, unreached, left: Cell::default() }
    }

    /// Whether a move is kept.
    pub fn keep(&self, row: &MoveRow) -> bool {
        let Some(reached) = &self.reached else { return true };
        let (illegal, unreached) = self.left.get();
        match reached.of(row) {
            Reach::Legal | Reach::Respelled => true,
            Reach::Illegal => {
                self.left.set((illegal + 1, unreached));
                false
            }
            Reach::Unreached => {
                self.left.set((illegal, unreached + 1));
                self.unreached
            }
        }
    }

    /// How many were asked for that are not legal.
    pub fn illegal(&self) -> u64 {
        self.left.get().0
    }

    /// How many were asked for of positions that aren't reached, be they kept or not.
    pub fn unreached(&self) -> u64 {
        self.left.get().1
    }
}
