//! What the rules of chess say of a position; nothing of other games' positions.

use crate::reason::EndReason;
use tabia_games::{Chess, Game};

fn chess<G: Game>(position: &G) -> Option<&Chess> {
    position.as_own().downcast_ref()
}

/// Plies since the last capture or pawn's move.
pub(super) fn halfmoves<G: Game>(position: &G) -> Option<u32> {
    chess(position).map(|chess| chess.position().halfmoves())
}

/// What is equal for positions that count as the same one come again: en passant counts only where
/// it is legal.
pub(super) fn identity<G: Game>(position: &G) -> Option<u128> {
    chess(position).map(Chess::repeats)
}

/// Why a game is over that is over by the rules of chess.
pub(super) fn reason<G: Game>(position: &G) -> Option<EndReason> {
    let position = chess(position)?.position();
    Some(match () {
        () if position.is_variant_end() => EndReason::Goal,
        () if position.is_checkmate() => EndReason::Checkmate,
        () if position.is_stalemate() => EndReason::Stalemate,
        () => EndReason::Material,
    })
}
