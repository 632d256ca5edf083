//! What the tests of draughts share: boards and positions.
#![allow(dead_code, reason = "each test binary uses its own part")]

use proptest::prelude::*;
use tabia_games::{Checkers, Game};

/// Both boards.
pub fn starts() -> impl Strategy<Value = Checkers> {
    prop_oneof![Just(Checkers::english()), Just(Checkers::international())]
}

/// Any position: for each square what stands there, and who is to move. What a board can't hold is
/// left out.
pub fn positions() -> impl Strategy<Value = Checkers> {
    let pieces = proptest::collection::vec(
        prop_oneof![6 => Just('.'), 2 => Just('w'), 2 => Just('b'), 1 => Just('W'), 1 => Just('B')],
        50,
    );
    (starts(), pieces, any::<bool>()).prop_map(|(start, pieces, white)| {
        let (squares, width) =
            (start.squares() as usize, if start.squares() == 32 { 4 } else { 5 });
        let mut texts = [Vec::new(), Vec::new()];
        for (index, piece) in pieces.into_iter().take(squares).enumerate() {
            let texts = &mut texts[usize::from(piece.eq_ignore_ascii_case(&'b'))];
            let is_crowned =
                (piece == 'w' && index < width) || (piece == 'b' && index >= squares - width);
            if piece != '.' && texts.len() < width * (width - 1) {
                let king = if piece.is_ascii_uppercase() || is_crowned { "K" } else { "" };
                texts.push(format!("{king}{}", index + 1));
            }
        }
        let [white_pieces, black_pieces] = texts.map(|texts| texts.join(","));
        let setup = format!("{}:W{white_pieces}:B{black_pieces}", if white { 'W' } else { 'B' });
        start.set_up(&setup).unwrap_or_else(|error| panic!("{error}"))
    })
}
