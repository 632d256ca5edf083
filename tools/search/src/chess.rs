//! Chess: material, where pieces stand, pawns and mobility; captures are searched to their end.

use crate::evaluate::{End, Evaluate, Unrest};
use shakmaty::{Bitboard, Board, Color, Move, Role, Square, attacks};
use tabia_engines::Ending;
use tabia_games::{Chess, Game};

/// What a search knows of chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChessKnowledge;

/// What a piece is worth, in hundredths of a pawn.
const fn material(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 0,
    }
}

impl Evaluate<Chess> for ChessKnowledge {
    fn value(&mut self, position: &Chess) -> i32 {
        let board = position.position().board();
        let middle = middle_game(board);
        let [white, black] =
            [Color::White, Color::Black].map(|color| prospects(board, color, middle));
        let value =
            if position.position().turn() == Color::White { white - black } else { black - white };
        value + 10
    }

    fn end(&self, position: &Chess, moves: &[Move]) -> Option<End> {
        if position.standard().is_none() {
            return position.outcome().map(|outcome| End::of(outcome, position.side()));
        }
        let position = position.position();
        if moves.is_empty() {
            let ending = if position.is_check() { Ending::Loss } else { Ending::Draw };
            return Some(End::Ending(ending));
        }
        position.is_insufficient_material().then_some(End::Ending(Ending::Draw))
    }

    /// In check all moves count; else captures and new queens can be better than to stay quiet.
    fn unrest(&self, position: &Chess, moves: &mut Vec<Move>) -> Unrest {
        if position.position().is_check() {
            return Unrest::Must;
        }
        moves.retain(|played| match played.promotion() {
            Some(role) => role == Role::Queen,
            None => played.is_capture(),
        });
        Unrest::May
    }

    /// The most valuable victim of the least valuable piece first.
    fn order(&self, _position: &Chess, played: &Move) -> i32 {
        let victim =
            played.capture().map_or(0, |role| 10 + material(role) - material(played.role()) / 16);
        victim + played.promotion().map_or(0, material)
    }
}

/// How much of the middle game is left: 24 with all pieces, 0 with none.
fn middle_game(board: &Board) -> i32 {
    let count = |pieces: Bitboard| pieces.count() as i32;
    let phase = count(board.knights())
        + count(board.bishops())
        + 2 * count(board.rooks())
        + 4 * count(board.queens());
    phase.min(24)
}

/// What a side has.
fn prospects(board: &Board, color: Color, middle: i32) -> i32 {
    let own = board.by_color(color);
    let mut value = if (own & board.bishops()).count() >= 2 { 30 } else { 0 };
    for role in Role::ALL {
        for square in own & board.by_role(role) {
            value += material(role) + standing(board, color, role, square, middle);
        }
    }
    value
}

/// How far from the center a square is: 0 to 6.
fn off_center(square: Square) -> i32 {
    let off = |at: u32| (2 * at as i32 - 7).abs() / 2;
    off(square.file() as u32) + off(square.rank() as u32)
}

/// What a piece's place is worth.
fn standing(board: &Board, color: Color, role: Role, square: Square, middle: i32) -> i32 {
    let reach = |attacked: Bitboard| (attacked & !board.by_color(color)).count() as i32;
    let occupied = board.occupied();
    match role {
        Role::Pawn => pawn(board, color, square, middle),
        Role::Knight => 24 - 9 * off_center(square) + reach(attacks::knight_attacks(square)),
        Role::Bishop => 4 * reach(attacks::bishop_attacks(square, occupied)) - 20,
        Role::Rook => {
            let is_open =
                (Bitboard::from(square.file()) & board.pawns() & board.by_color(color)).is_empty();
            2 * reach(attacks::rook_attacks(square, occupied)) + if is_open { 15 } else { 0 } - 12
        }
        Role::Queen => reach(attacks::queen_attacks(square, occupied)) - 10,
        Role::King => king(board, color, square, middle),
    }
}

fn pawn(board: &Board, color: Color, square: Square, middle: i32) -> i32 {
    let pawns = board.pawns();
    let (own, enemy) = (pawns & board.by_color(color), pawns & board.by_color(!color));
    let rank = color.fold_wb(square.rank() as i32, 7 - square.rank() as i32);
    let file = Bitboard::from(square.file());
    let beside = neighbors(square);
    let ahead = |at: Square| color.fold_wb(at.rank() > square.rank(), at.rank() < square.rank());
    let mut value = 0;
    if !(own & file).into_iter().any(ahead) && !(enemy & (file | beside)).into_iter().any(ahead) {
        value += (rank * rank) * (36 - middle) / 16;
    }
    if (own & beside).is_empty() {
        value -= 12;
    }
    if (own & file).into_iter().any(ahead) {
        value -= 12;
    }
    value + (3 - (2 * square.file() as i32 - 7).abs() / 2) * (rank - 1) * 2
}

/// The files beside that of a square.
fn neighbors(square: Square) -> Bitboard {
    let file = square.file();
    [file.offset(-1), file.offset(1)]
        .into_iter()
        .flatten()
        .fold(Bitboard::EMPTY, |files, file| files | Bitboard::from(file))
}

/// Behind its pawns as long as there are pieces, in the center later.
fn king(board: &Board, color: Color, square: Square, middle: i32) -> i32 {
    let rank = color.fold_wb(square.rank() as i32, 7 - square.rank() as i32);
    let shield =
        (attacks::king_attacks(square) & board.pawns() & board.by_color(color)).count() as i32;
    let off_files = (2 * square.file() as i32 - 7).abs() / 2;
    let early = 10 * shield + 10 * off_files - 18 * rank;
    let late = -10 * off_center(square);
    (early * middle + late * (24 - middle)) / 24
}
