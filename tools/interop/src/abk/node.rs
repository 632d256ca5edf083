//! A node: a move, what came of it, and where the moves after it and beside it are.

use super::NODE;
use super::header::number;
use crate::chess::{self, Move};
use tabia_games::{Chess, Game};

/// A node's fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// From where a piece goes: a1 is 0, b1 is 1, h8 is 63.
    pub from: u8,
    /// Where it goes; of castling the king's two steps.
    pub to: u8,
    /// What a pawn becomes: 1 rook, 2 knight, 3 bishop, 4 queen, of either sign.
    pub promotion: i8,
    /// How gladly the move is played: 0 (not at all) to 9.
    pub priority: u8,
    /// Games in which it was played in this line.
    pub games: u32,
    /// Those that White won.
    pub won: u32,
    /// Those that White lost.
    pub lost: u32,
    /// What is taken: 1 rook, 2 knight, 3 bishop, 4 queen, 6 pawn; negative if it is White's.
    pub taken: i8,
    /// It counts as not there.
    pub is_deleted: bool,
    /// The slot of the first reply.
    pub child: Option<u32>,
    /// The slot of the next move beside it.
    pub sibling: Option<u32>,
}

impl Node {
    /// Reads 28 bytes.
    pub fn read(bytes: &[u8; NODE]) -> Self {
        let [from, to, promotion, priority, .., taken, _, _, deleted, _, _, _, _, _, _, _, _] =
            *bytes;
        let slot =
            |at| Some(number(bytes, at)).filter(|&slot| slot != 0 && slot <= i32::MAX as u32);
        Self {
            from,
            to,
            promotion: promotion.cast_signed(),
            priority,
            games: number(bytes, 4),
            won: number(bytes, 8),
            lost: number(bytes, 12),
            taken: taken.cast_signed(),
            is_deleted: deleted != 0,
            child: slot(20),
            sibling: slot(24),
        }
    }

    /// The node as bytes.
    pub fn to_bytes(&self) -> [u8; NODE] {
        let mut bytes = [0; NODE];
        bytes[..4].copy_from_slice(&[
            self.from,
            self.to,
            self.promotion.cast_unsigned(),
            self.priority,
        ]);
        bytes[16] = self.taken.cast_unsigned();
        bytes[19] = u8::from(self.is_deleted);
        let slot = |slot: Option<u32>| slot.unwrap_or(u32::MAX);
        let numbers = [
            (4, self.games),
            (8, self.won),
            (12, self.lost),
            (20, slot(self.child)),
            (24, slot(self.sibling)),
        ];
        for (at, number) in numbers {
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// This node with the squares and pieces of a move.
    pub(super) fn playing(self, position: &Chess, played: &Move) -> Self {
        let (from, to, promotion) = chess::squares(played, position.code(played));
        let promotion = [0, 2, 3, 1, 4].get(usize::from(promotion)).copied().unwrap_or_default();
        Self { from, to, promotion, taken: taken(position, played), ..self }
    }

    pub(super) fn played(&self, position: &Chess) -> Option<Move> {
        let promotion = [0, 3, 1, 2, 4].get(usize::from(self.promotion.unsigned_abs()))?;
        chess::between(position, self.from, self.to, *promotion)
    }
}

/// Arena's number of the piece that a move takes on the square to which it goes.
fn taken(position: &Chess, played: &Move) -> i8 {
    if played.is_en_passant() {
        return 0;
    }
    // Roles are numbered from 1: pawn, knight, bishop, rook, queen.
    let number = played.capture().map_or(0, |role| [0, 6, 2, 3, 1, 4, 0][role as usize]);
    if position.side() == tabia_games::Side::First { number } else { -number }
}
