//! Boards as text: `X` and `O` for stones of the first and the second player; in rows of set-up texts
//! numbers for empty places between them.

use crate::outcome::Side;

pub(crate) fn sign(side: Side) -> char {
    if side == Side::First { 'X' } else { 'O' }
}

/// Whose stone stands on the place of this bit, given the stones of both players.
pub(crate) fn stone(stones: [u64; 2], place: u64) -> Option<Side> {
    [Side::First, Side::Second].into_iter().find(|side| stones[side.index()] & place != 0)
}

/// A row with these stones, `3XO4`.
pub(crate) fn row(stones: impl Iterator<Item = Option<Side>>) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for stone in stones.map(Some).chain([None]) {
        if stone == Some(None) {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        text.extend(stone.flatten().map(sign));
    }
    text
}
