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

/// The places of a row of so many: `3XO4`, a dot for an empty place too. The sign that is none, or
/// none if there are more places or fewer.
pub(crate) fn read(row: &str, width: usize) -> Result<Vec<Option<Side>>, Option<char>> {
    let (mut stones, mut empty) = (Vec::new(), 0);
    for sign in row.chars().map(Some).chain([None]) {
        if let Some(digit) = sign.and_then(|sign| sign.to_digit(10)) {
            empty = (empty * 10 + digit as usize).min(width + 1);
            continue;
        }
        stones.extend(std::iter::repeat_n(None, std::mem::take(&mut empty)));
        match sign {
            Some('X' | 'x') => stones.push(Some(Side::First)),
            Some('O' | 'o') => stones.push(Some(Side::Second)),
            Some('.') => stones.push(None),
            sign => sign.map_or(Ok(()), |sign| Err(Some(sign)))?,
        }
    }
    if stones.len() == width { Ok(stones) } else { Err(None) }
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
