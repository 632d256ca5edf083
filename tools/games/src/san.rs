//! Reading the text of a chess move, and finding the one legal move it means, fast: archives hold tens of millions of them.
//!
//! Reads what archives hold: SAN; long algebraic (`e2-e4`, `Ng1xf3`) and UCI (`g1f3`, `e7e8q`); castling with letters or zeros;
//! promotions with or without `=`; a capture with or without its `x`; `e.p.`, `+`, `#`, `!` and `?` behind the move.

use crate::chess::Trouble;
use shakmaty::attacks;
use shakmaty::{Bitboard, CastlingSide, Color, File, Move, Position, Rank, Role, Square};

/// What a text asks for, before it is known whether it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// A piece of this role, from one of these squares, to that square.
    Piece { role: Role, from: Bitboard, to: Square, promotion: Option<Role> },
    /// From square to square, whatever stands there.
    Squares { from: Square, to: Square, promotion: Option<Role> },
    /// Castling.
    Castle(CastlingSide),
}

/// The legal move a text means. `Err` says what is wrong with it, without allocating.
#[inline]
pub(crate) fn read(pos: &shakmaty::Chess, text: &[u8]) -> Result<Move, Trouble> {
    match wanted(text)? {
        Wanted::Piece { role, from, to, promotion } => piece_move(pos, role, from, to, promotion),
        Wanted::Squares { from, to, promotion } => squares_move(pos, from, to, promotion),
        Wanted::Castle(side) => castling_move(pos, side),
    }
}

/// Takes the text apart, from both ends to the middle.
#[inline]
fn wanted(text: &[u8]) -> Result<Wanted, Trouble> {
    let text = without_suffix(text);
    match text {
        [b'O' | b'0' | b'o', b'-', ..] => return castling(text),
        b"--" | b"Z0" | b"0000" | b"@@@@" | b"null" | b"NULL" | b"pass" | b"<>" => return Err(Trouble::Null),
        _ => {}
    }
    let (text, promotion) = without_promotion(text);
    let [start @ .., file, rank] = text else { return Err(Trouble::Unreadable) };
    let to = square(*file, *rank)?;
    let (role, origin) = match start {
        [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K' | b'P'), origin @ ..] => (role_of(*letter), origin),
        origin => (None, origin),
    };
    let origin = match origin {
        [origin @ .., b'x' | b'-' | b':'] => origin,
        origin => origin,
    };
    match (role, origin) {
        (Some(role), []) => Ok(Wanted::Piece { role, from: Bitboard::FULL, to, promotion }),
        (None, []) => Ok(Wanted::Piece { role: Role::Pawn, from: Bitboard::FULL, to, promotion }),
        (None, [file, rank]) => Ok(Wanted::Squares { from: square(*file, *rank)?, to, promotion }),
        (role, [file @ b'a'..=b'h']) => {
            let from = Bitboard::from_file(File::new(u32::from(file - b'a')));
            Ok(Wanted::Piece { role: role.unwrap_or(Role::Pawn), from, to, promotion })
        }
        (Some(role), [rank @ b'1'..=b'8']) => {
            let from = Bitboard::from_rank(Rank::new(u32::from(rank - b'1')));
            Ok(Wanted::Piece { role, from, to, promotion })
        }
        (Some(role), [file, rank]) => Ok(Wanted::Piece { role, from: square(*file, *rank)?.into(), to, promotion }),
        _ => Err(Trouble::Unreadable),
    }
}

/// The text without checks, marks and `e.p.` behind it.
#[inline]
fn without_suffix(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [rest @ .., b'+' | b'#' | b'!' | b'?'] => rest,
            [rest @ .., b'e', b'.', b'p', b'.'] | [rest @ .., b'e', b'p'] | [rest @ .., b'e', b'.', b'p'] => rest,
            _ => return text,
        };
    }
}

/// Splits off what a pawn promotes to: `=Q`, `Q`, `q` or `/Q` behind the last rank.
#[inline]
fn without_promotion(text: &[u8]) -> (&[u8], Option<Role>) {
    match text {
        [.., b'1'..=b'8'] => (text, None),
        [rest @ .., b'=' | b'/', letter] => (rest, role_of(letter.to_ascii_uppercase())),
        [rest @ .., letter] if rest.ends_with(b"8") || rest.ends_with(b"1") => (rest, role_of(letter.to_ascii_uppercase())),
        _ => (text, None),
    }
}

fn role_of(letter: u8) -> Option<Role> {
    match letter {
        b'P' => Some(Role::Pawn),
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        b'K' => Some(Role::King),
        _ => None,
    }
}

#[inline(always)]
fn square(file: u8, rank: u8) -> Result<Square, Trouble> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    if file < 8 && rank < 8 { Ok(Square::new(u32::from(rank * 8 + file))) } else { Err(Trouble::Unreadable) }
}

#[cold]
fn castling(text: &[u8]) -> Result<Wanted, Trouble> {
    match text.to_ascii_uppercase().as_slice() {
        b"O-O" | b"0-0" => Ok(Wanted::Castle(CastlingSide::KingSide)),
        b"O-O-O" | b"0-0-0" => Ok(Wanted::Castle(CastlingSide::QueenSide)),
        _ => Err(Trouble::Unreadable),
    }
}

fn castling_move(pos: &shakmaty::Chess, side: CastlingSide) -> Result<Move, Trouble> {
    pos.castling_moves(side).first().copied().ok_or(Trouble::Illegal)
}

/// A move of one of the side's own pieces of this role that stand on the given squares.
#[inline]
fn piece_move(pos: &shakmaty::Chess, role: Role, from: Bitboard, to: Square, promotion: Option<Role>) -> Result<Move, Trouble> {
    if role == Role::Pawn {
        return pawn_move(pos, from, to, promotion);
    }
    if pos.us().contains(to) || promotion.is_some() {
        return Err(Trouble::Illegal);
    }
    let occupied = pos.board().occupied();
    let reach = match role {
        Role::Knight => attacks::knight_attacks(to),
        Role::Bishop => attacks::bishop_attacks(to, occupied),
        Role::Rook => attacks::rook_attacks(to, occupied),
        Role::Queen => attacks::queen_attacks(to, occupied),
        _ => attacks::king_attacks(to),
    };
    let mut found = None;
    for from in reach & pos.our(role) & from {
        if is_safe(pos, role, from, to, Bitboard::EMPTY) && found.replace(from).is_some() {
            return Err(Trouble::Ambiguous);
        }
    }
    let from = found.ok_or(Trouble::Illegal)?;
    Ok(Move::Normal { role, from, capture: pos.board().role_at(to), to, promotion: None })
}

/// A pawn's move. A capture needs the file it comes from; without one the text means a push.
#[inline]
fn pawn_move(pos: &shakmaty::Chess, from: Bitboard, to: Square, promotion: Option<Role>) -> Result<Move, Trouble> {
    let promotes = Bitboard::BACKRANKS.contains(to);
    if promotes != promotion.is_some() || matches!(promotion, Some(Role::Pawn | Role::King)) {
        return Err(Trouble::Illegal);
    }
    let pawns = pos.our(Role::Pawn) & from;
    let occupied = pos.board().occupied();
    if !occupied.contains(to) {
        let back = if pos.turn() == Color::White { -8 } else { 8 };
        if let Some(one) = to.offset(back) {
            let two = one.offset(back).filter(|_| !occupied.contains(one) && is_double_push(pos.turn(), to));
            if let Some(from) = [Some(one), two].into_iter().flatten().find(|&from| pawns.contains(from)) {
                return safe_pawn_move(pos, from, to, None, promotion);
            }
        }
        return en_passant(pos, pawns, from, to);
    }
    if from == Bitboard::FULL || pos.us().contains(to) {
        return Err(Trouble::Illegal);
    }
    let takers = attacks::pawn_attacks(!pos.turn(), to) & pawns;
    let from = takers.single_square().ok_or(Trouble::Illegal)?;
    safe_pawn_move(pos, from, to, pos.board().role_at(to), promotion)
}

fn is_double_push(turn: Color, to: Square) -> bool {
    to.rank() == turn.fold_wb(Rank::Fourth, Rank::Fifth)
}

fn safe_pawn_move(
    pos: &shakmaty::Chess,
    from: Square,
    to: Square,
    capture: Option<Role>,
    promotion: Option<Role>,
) -> Result<Move, Trouble> {
    if is_safe(pos, Role::Pawn, from, to, Bitboard::EMPTY) {
        Ok(Move::Normal { role: Role::Pawn, from, capture, to, promotion })
    } else {
        Err(Trouble::Illegal)
    }
}

fn en_passant(pos: &shakmaty::Chess, pawns: Bitboard, from: Bitboard, to: Square) -> Result<Move, Trouble> {
    if from == Bitboard::FULL || pos.maybe_ep_square() != Some(to) {
        return Err(Trouble::Illegal);
    }
    let takers = attacks::pawn_attacks(!pos.turn(), to) & pawns;
    let from = takers.single_square().ok_or(Trouble::Illegal)?;
    let taken = Square::from_coords(to.file(), from.rank());
    if is_safe(pos, Role::Pawn, from, to, taken.into()) { Ok(Move::EnPassant { from, to }) } else { Err(Trouble::Illegal) }
}

/// Whether the own king is out of attack after the move; `taken` is the pawn taken en passant.
#[inline]
fn is_safe(pos: &shakmaty::Chess, role: Role, from: Square, to: Square, taken: Bitboard) -> bool {
    let board = pos.board();
    let king = if role == Role::King { Some(to) } else { board.king_of(pos.turn()) };
    let Some(king) = king else { return false };
    let to = Bitboard::from_square(to);
    let occupied = (board.occupied() & !taken & !Bitboard::from_square(from)) | to;
    (board.attacks_to(king, !pos.turn(), occupied) & !to & !taken).is_empty()
}

/// A move by its two squares, castling as the king's step of two or as king takes own rook.
fn squares_move(pos: &shakmaty::Chess, from: Square, to: Square, promotion: Option<Role>) -> Result<Move, Trouble> {
    let uci = shakmaty::uci::UciMove::Normal { from, to, promotion };
    uci.to_move(pos).map_err(|_| Trouble::Illegal)
}
