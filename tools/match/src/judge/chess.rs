//! What the rules of chess say of a position; nothing of other games' positions.

use crate::reason::EndReason;
use shakmaty::zobrist::Zobrist128;
use shakmaty::{EnPassantMode, Position};
use std::any::Any;
use tabia_games::{Chess, Game};

fn chess<G: Game>(position: &G) -> Option<&shakmaty::Chess> {
    (position as &dyn Any).downcast_ref().map(Chess::position)
}

/// Plies since the last capture or pawn's move.
pub(super) fn halfmoves<G: Game>(position: &G) -> Option<u32> {
    chess(position).map(Position::halfmoves)
}

/// What is equal for positions that count as the same one come again: en passant counts only where
/// it is legal.
pub(super) fn identity<G: Game>(position: &G) -> Option<u128> {
    chess(position).map(|chess| chess.zobrist_hash::<Zobrist128>(EnPassantMode::Legal).0)
}

/// Why a game is over that is over by the rules of chess.
pub(super) fn reason<G: Game>(position: &G) -> Option<EndReason> {
    chess(position).map(|chess| match () {
        () if chess.is_checkmate() => EndReason::Checkmate,
        () if chess.is_stalemate() => EndReason::Stalemate,
        () => EndReason::Material,
    })
}
