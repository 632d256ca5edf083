//! Where pieces reach on an empty board: a table for all roles, without a branch.

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

/// By role, and black pawns first of all.
static REACH: [[Bitboard; 64]; 7] = {
    let mut table = [[Bitboard::EMPTY; 64]; 7];
    let roles =
        [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    let mut index = 0;
    while index < 7 {
        let color = if index == 0 { Color::Black } else { Color::White };
        let mut square = 0;
        while square < 64 {
            let (square_of, role) = (Square::new(square as u32), roles[index]);
            let piece = Piece { color, role };
            table[index][square] = attacks::attacks(square_of, piece, Bitboard::EMPTY);
            square += 1;
        }
        index += 1;
    }
    table
};

#[inline(always)]
pub(crate) fn reach(color: Color, role: Role, square: Square) -> Bitboard {
    let index = if role == Role::Pawn && color == Color::Black { 0 } else { role as usize };
    REACH[index][square as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_what_attacks_on_an_empty_board_are() {
        for color in Color::ALL {
            for role in Role::ALL {
                for square in Square::ALL {
                    let attacked = attacks::attacks(square, Piece { color, role }, Bitboard::EMPTY);
                    assert_eq!(reach(color, role, square), attacked);
                }
            }
        }
    }
}
