//! Chess moves as other programs write them: two squares, and what a pawn becomes.

use tabia_games::{Chess, Game};

pub(crate) type Move = <Chess as Game>::Move;

/// The legal move from one square to another (a1 is 0, b1 is 1, h8 is 63), `promotion` as in
/// Polyglot's codes (1 knight, 2 bishop, 3 rook, 4 queen). Castling is written as the king's two
/// steps, or as the king's step onto its rook.
pub(crate) fn between(position: &Chess, from: u8, to: u8, promotion: u16) -> Option<Move> {
    if from > 63 || to > 63 {
        return None;
    }
    let code = |to: u8| promotion << 12 | u16::from(from) << 6 | u16::from(to);
    let castling = match (from % 8, to % 8) {
        (4, 6) => Some(code(to + 1)),
        (4, 2) => Some(code(to - 2)),
        _ => None,
    };
    let castles = |played: &Move| played.is_castle();
    position
        .move_of_code(code(to))
        .or_else(|| castling.and_then(|code| position.move_of_code(code)).filter(castles))
}

/// The squares from and to which a code of Polyglot's says a piece goes, and what a pawn becomes;
/// of castling the king's two steps.
pub(crate) fn squares(played: &Move, code: u16) -> (u8, u8, u16) {
    let (from, to) = ((code >> 6 & 63) as u8, (code & 63) as u8);
    let to = match (played.is_castle(), to > from) {
        (false, _) => to,
        (true, true) => from / 8 * 8 + 6,
        (true, false) => from / 8 * 8 + 2,
    };
    (from, to, code >> 12)
}
