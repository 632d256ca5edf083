//! Finding the one legal move that a text means, fast: archives hold tens of millions.
//!
//! Reads what archives hold: SAN; long algebraic (`e2-e4`, `Ng1xf3`) and UCI (`g1f3`, `e7e8q`);
//! castling with letters or zeros; promotions with or without `=`; a capture with or without its
//! `x`; `e.p.`, `+`, `#`, `!` and `?` after the move. In variants
//! also drops, `N@f3`, `@e4` and `P@e4`.

use crate::game::Trouble;
use crate::reach::reach;
use shakmaty::attacks;
use shakmaty::{Bitboard, CastlingSide, Color, File, Move, Position, Rank, Role, Square};

#[derive(Clone, Copy)]
pub(crate) struct MoveReader<'a> {
    pub position: &'a shakmaty::Chess,
    pub in_check: bool,
}

/// What a text asks for, before it is known whether it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// A piece of this role, from one of these squares, to that square.
    Piece { role: Role, from: Bitboard, to: Square, promotion: Option<Role> },
    /// From square to square, whatever piece is there.
    Squares { from: Square, to: Square, promotion: Option<Role> },
    /// Castling.
    Castle(CastlingSide),
    /// A piece in hand, to a square.
    Drop { role: Role, to: Square },
}

/// The legal move a text means. `Err` says what is wrong with it, without allocating.
#[inline]
pub(crate) fn read(game: MoveReader<'_>, text: &[u8]) -> Result<Move, Trouble> {
    let wanted = match plain(text) {
        Some(wanted) => wanted,
        None => any(text)?,
    };
    match wanted {
        Wanted::Piece { role, from, to, promotion } => piece_move(game, role, from, to, promotion),
        Wanted::Squares { from, to, promotion } => squares_move(game.position, from, to, promotion),
        Wanted::Castle(side) => {
            game.position.castling_moves(side).first().copied().ok_or(Trouble::Illegal)
        }
        Wanted::Drop { .. } => Err(Trouble::Unreadable),
    }
}

/// The same of a variant of chess: one of the moves that its rules allow.
#[inline(never)]
pub(crate) fn read_of_variant(
    position: &shakmaty::variant::VariantPosition,
    text: &[u8],
) -> Result<Move, Trouble> {
    let wanted = any(text)?;
    let moves = match wanted {
        Wanted::Squares { from, to, promotion } => {
            return squares_move(position, from, to, promotion);
        }
        Wanted::Castle(side) => position.castling_moves(side),
        Wanted::Piece { role, to, .. } => position.san_candidates(role, to),
        Wanted::Drop { to, .. } => {
            let mut moves = position.legal_moves();
            moves.retain(|played| played.to() == to);
            moves
        }
    };
    let fits = |played: &&Move| match (wanted, **played) {
        (Wanted::Drop { role, .. }, Move::Put { role: dropped, .. }) => dropped == role,
        (_, Move::Put { .. }) | (Wanted::Drop { .. }, _) => false,
        (Wanted::Piece { from, promotion, .. }, played) => {
            // A pawn that takes needs the file it comes from.
            let is_told = from != Bitboard::FULL || played.role() != Role::Pawn;
            (is_told || !played.is_capture())
                && played.from().is_some_and(|square| from.contains(square))
                && played.promotion() == promotion
        }
        (Wanted::Squares { .. } | Wanted::Castle(_), _) => true,
    };
    let mut fitting = moves.iter().filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(&played), None) => Ok(played),
        (None, _) => Err(Trouble::Illegal),
        (Some(_), Some(_)) => Err(Trouble::Ambiguous),
    }
}

/// What the usual spellings ask for: `e4`, `exd5`, `Nf3`, `Nbd2`, `R1xe2+`, `O-O`. None for all
/// others, which [`any`] reads; where both read a text they agree.
#[inline(always)]
fn plain(text: &[u8]) -> Option<Wanted> {
    let text = match text {
        [rest @ .., b'+' | b'#'] => rest,
        text => text,
    };
    let [start @ .., file, rank] = text else { return None };
    let Ok(to) = square(*file, *rank) else {
        return if text == b"O-O" { Some(Wanted::Castle(CastlingSide::KingSide)) } else { None };
    };
    let (role, origin) = match start {
        [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), origin @ ..] => {
            (PIECES[(*letter - b'B') as usize], origin)
        }
        origin => (Role::Pawn, origin),
    };
    let from = match origin {
        [] => Bitboard::FULL,
        [b'x'] if role != Role::Pawn => Bitboard::FULL,
        [file @ b'a'..=b'h'] | [file @ b'a'..=b'h', b'x'] => {
            Bitboard(0x0101_0101_0101_0101 << (file - b'a'))
        }
        [rank @ b'1'..=b'8'] | [rank @ b'1'..=b'8', b'x'] if role != Role::Pawn => {
            Bitboard(0xff << (8 * (rank - b'1')))
        }
        _ => return None,
    };
    Some(Wanted::Piece { role, from, to, promotion: None })
}

/// The pieces by their letters from `B` on; letters in between that are none have no meaning.
const PIECES: [Role; 17] = {
    let mut pieces = [Role::Pawn; 17];
    pieces[0] = Role::Bishop;
    pieces[(b'N' - b'B') as usize] = Role::Knight;
    pieces[(b'R' - b'B') as usize] = Role::Rook;
    pieces[(b'Q' - b'B') as usize] = Role::Queen;
    pieces[(b'K' - b'B') as usize] = Role::King;
    pieces
};

/// Takes any text apart, from both ends to the middle.
#[cold]
fn any(text: &[u8]) -> Result<Wanted, Trouble> {
    let text = without_suffix(text);
    match text {
        [b'O' | b'0' | b'o', b'-', ..] => return castling(text),
        b"--" | b"Z0" | b"0000" | b"@@@@" | b"null" | b"NULL" | b"pass" | b"<>" => {
            return Err(Trouble::Null);
        }
        _ => {}
    }
    let (text, promotion) = without_promotion(text);
    let [start @ .., file, rank] = text else { return Err(Trouble::Unreadable) };
    let to = square(*file, *rank)?;
    match start {
        [b'@'] => return Ok(Wanted::Drop { role: Role::Pawn, to }),
        [letter, b'@'] => {
            let role = Role::from_char(char::from(*letter)).ok_or(Trouble::Unreadable)?;
            return Ok(Wanted::Drop { role, to });
        }
        _ => {}
    }
    let (role, origin) = match start {
        [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K' | b'P'), origin @ ..] => {
            (Role::from_char(char::from(*letter)), origin)
        }
        origin => (None, origin),
    };
    let origin = match origin {
        [origin @ .., b'x' | b'-' | b':'] => origin,
        origin => origin,
    };
    let from = match (role, origin) {
        (_, []) => Bitboard::FULL,
        (_, [file @ b'a'..=b'h']) => File::new(u32::from(file - b'a')).into(),
        (Some(_), [rank @ b'1'..=b'8']) => Rank::new(u32::from(rank - b'1')).into(),
        (Some(_), [file, rank]) => square(*file, *rank)?.into(),
        (None, [file, rank]) => {
            return Ok(Wanted::Squares { from: square(*file, *rank)?, to, promotion });
        }
        _ => return Err(Trouble::Unreadable),
    };
    Ok(Wanted::Piece { role: role.unwrap_or(Role::Pawn), from, to, promotion })
}

/// The text without checks, marks and `e.p.` after it.
#[inline]
fn without_suffix(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [rest @ .., b'+' | b'#' | b'!' | b'?'] => rest,
            [rest @ .., b'e', b'.', b'p', b'.']
            | [rest @ .., b'e', b'p']
            | [rest @ .., b'e', b'.', b'p'] => rest,
            _ => return text,
        };
    }
}

/// Splits off what a pawn promotes to: `=Q`, `Q`, `q` or `/Q` after the last rank.
#[inline]
fn without_promotion(text: &[u8]) -> (&[u8], Option<Role>) {
    match text {
        [.., b'1'..=b'8'] => (text, None),
        [rest @ .., b'=' | b'/', letter] => (rest, Role::from_char(char::from(*letter))),
        [rest @ .., letter] if rest.ends_with(b"8") || rest.ends_with(b"1") => {
            (rest, Role::from_char(char::from(*letter)))
        }
        _ => (text, None),
    }
}

#[inline(always)]
fn square(file: u8, rank: u8) -> Result<Square, Trouble> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    if file < 8 && rank < 8 {
        Ok(Square::new(u32::from(rank * 8 + file)))
    } else {
        Err(Trouble::Unreadable)
    }
}

#[cold]
fn castling(text: &[u8]) -> Result<Wanted, Trouble> {
    match text.to_ascii_uppercase().as_slice() {
        b"O-O" | b"0-0" => Ok(Wanted::Castle(CastlingSide::KingSide)),
        b"O-O-O" | b"0-0-0" => Ok(Wanted::Castle(CastlingSide::QueenSide)),
        _ => Err(Trouble::Unreadable),
    }
}

#[inline]
fn piece_move(
    game: MoveReader<'_>,
    role: Role,
    from: Bitboard,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, Trouble> {
    if role == Role::Pawn {
        return pawn_move(game, from, to, promotion);
    }
    let pos = game.position;
    if pos.us().contains(to) || promotion.is_some() {
        return Err(Trouble::Illegal);
    }
    let occupied = pos.board().occupied();
    let mut found = None;
    for from in reach(pos.turn(), role, to) & pos.our(role) & from {
        let is_free = (attacks::between(from, to) & occupied).is_empty();
        if is_free
            && is_safe(game, role, from, to, Bitboard::EMPTY)
            && found.replace(from).is_some()
        {
            return Err(Trouble::Ambiguous);
        }
    }
    let from = found.ok_or(Trouble::Illegal)?;
    Ok(Move::Normal { role, from, capture: pos.board().role_at(to), to, promotion: None })
}

/// A pawn's move. A capture needs the file it comes from; without one the text means a push.
#[inline]
fn pawn_move(
    game: MoveReader<'_>,
    from: Bitboard,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, Trouble> {
    let pos = game.position;
    let promotes = Bitboard::BACKRANKS.contains(to);
    if promotes != promotion.is_some() || matches!(promotion, Some(Role::Pawn | Role::King)) {
        return Err(Trouble::Illegal);
    }
    let pawns = pos.our(Role::Pawn) & from;
    let occupied = pos.board().occupied();
    if !occupied.contains(to) {
        let back = if pos.turn() == Color::White { -8 } else { 8 };
        let is_double_push = to.rank() == pos.turn().fold_wb(Rank::Fourth, Rank::Fifth);
        if let Some(one) = to.offset(back) {
            let two = one.offset(back).filter(|_| is_double_push && !occupied.contains(one));
            let mut from = [Some(one), two].into_iter().flatten();
            if let Some(from) = from.find(|&from| pawns.contains(from)) {
                return safe_pawn_move(game, from, to, None, promotion);
            }
        }
        return en_passant(game, pawns, from, to);
    }
    if from == Bitboard::FULL || pos.us().contains(to) {
        return Err(Trouble::Illegal);
    }
    let takers = attacks::pawn_attacks(!pos.turn(), to) & pawns;
    let from = takers.single_square().ok_or(Trouble::Illegal)?;
    safe_pawn_move(game, from, to, pos.board().role_at(to), promotion)
}

#[inline]
fn safe_pawn_move(
    game: MoveReader<'_>,
    from: Square,
    to: Square,
    capture: Option<Role>,
    promotion: Option<Role>,
) -> Result<Move, Trouble> {
    let played = Move::Normal { role: Role::Pawn, from, capture, to, promotion };
    let is_safe = is_safe(game, Role::Pawn, from, to, Bitboard::EMPTY);
    is_safe.then_some(played).ok_or(Trouble::Illegal)
}

fn en_passant(
    game: MoveReader<'_>,
    pawns: Bitboard,
    from: Bitboard,
    to: Square,
) -> Result<Move, Trouble> {
    let pos = game.position;
    if from == Bitboard::FULL || pos.maybe_ep_square() != Some(to) {
        return Err(Trouble::Illegal);
    }
    let takers = attacks::pawn_attacks(!pos.turn(), to) & pawns;
    let from = takers.single_square().ok_or(Trouble::Illegal)?;
    let taken = Square::from_coords(to.file(), from.rank());
    let is_safe = is_safe(game, Role::Pawn, from, to, taken.into());
    is_safe.then_some(Move::EnPassant { from, to }).ok_or(Trouble::Illegal)
}

/// Whether the own king is out of attack after the move; `taken` is the pawn taken en passant.
#[inline]
fn is_safe(game: MoveReader<'_>, role: Role, from: Square, to: Square, taken: Bitboard) -> bool {
    let pos = game.position;
    let board = pos.board();
    let king = if role == Role::King { Some(to) } else { board.king_of(pos.turn()) };
    let Some(king) = king else { return false };
    // Out of check, a piece can lay the king open only to a slider on the line through both.
    if role != Role::King
        && taken.is_empty()
        && !game.in_check
        && (attacks::ray(king, from) & pos.them() & board.sliders()).is_empty()
    {
        return true;
    }
    let to = Bitboard::from_square(to);
    let occupied = (board.occupied() & !taken & !Bitboard::from_square(from)) | to;
    (board.attacks_to(king, !pos.turn(), occupied) & !to & !taken).is_empty()
}

/// A move by its two squares, castling as the king's step of two or as king takes own rook.
fn squares_move(
    pos: &impl Position,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, Trouble> {
    let uci = shakmaty::uci::UciMove::Normal { from, to, promotion };
    uci.to_move(pos).map_err(|_| Trouble::Illegal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_spellings_are_read_as_any_are() {
        const LETTERS: &[u8] = b"NBKPOaehx-18+#=";
        let (mut text, mut texts, mut plain_ones) = (Vec::new(), 0, 0);
        for length in 0..=6u32 {
            for mut number in 0..LETTERS.len().pow(length) {
                text.clear();
                for _ in 0..length {
                    text.push(LETTERS[number % LETTERS.len()]);
                    number /= LETTERS.len();
                }
                texts += 1;
                if let Some(wanted) = plain(&text) {
                    plain_ones += 1;
                    assert_eq!(any(&text), Ok(wanted), "{}", String::from_utf8_lossy(&text));
                }
            }
        }
        assert!(plain_ones > 500, "{plain_ones} of {texts}");
    }
}
