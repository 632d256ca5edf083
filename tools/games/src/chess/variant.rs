//! What variants have that chess hasn't: pieces in hand, pieces that were pawns, checks to be given.

use crate::zobrist::Stream;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Color, Position, Role};
use std::fmt::Write;

/// Checks that a side may still give: fewer than three.
const CHECKS: Stream = Stream::named("checks");
/// Pieces in hand, by color, kind and number.
const POCKETS: Stream = Stream::named("pockets");
/// Squares of pieces that were pawns, and become such when they are taken.
const PROMOTED: Stream = Stream::named("promoted");

/// The key without castling and en passant.
pub(super) fn board_share(position: &dyn Position) -> u64 {
    let mut share = position.turn().fold_wb(Zobrist64::zobrist_for_white_turn().0, 0);
    for (square, piece) in position.board() {
        share ^= Zobrist64::zobrist_for_piece(square, piece).0;
    }
    for square in position.promoted() {
        share ^= PROMOTED.number(square.into());
    }
    for color in Color::ALL {
        let black = color.fold_wb(0, 1);
        if let Some(left) = position.remaining_checks().map(|checks| u64::from(*checks.get(color)))
            && left < 3
        {
            share ^= CHECKS.number(3 * black + left);
        }
        let Some(pockets) = position.pockets() else { continue };
        for (kind, &held) in (0..).zip(pockets.get(color)) {
            if held > 0 {
                share ^= POCKETS.number(256 * (6 * black + kind) + u64::from(held));
            }
        }
    }
    share
}

/// Lines for people, behind an empty one: what each side has in hand, and its checks to go.
pub(super) fn beside_the_board(position: &dyn Position) -> String {
    let mut text = String::new();
    if position.pockets().is_some() || position.remaining_checks().is_some() {
        text.push('\n');
    }
    for color in Color::ALL {
        let side = color.fold_wb("White", "Black");
        if let Some(pockets) = position.pockets() {
            let pocket = pockets.get(color);
            let held = Role::ALL.into_iter().rev();
            let held = held.flat_map(|role| (0..pocket[role]).map(move |_| role.upper_char()));
            let held: String = held.collect();
            let _ =
                writeln!(text, "{side} has {}", if held.is_empty() { "nothing" } else { &held });
        }
        if let Some(left) = position.remaining_checks().map(|checks| u32::from(*checks.get(color)))
        {
            let checks = if left == 1 { "check" } else { "checks" };
            let _ = writeln!(text, "{side} wins by {left} more {checks}");
        }
    }
    text
}
