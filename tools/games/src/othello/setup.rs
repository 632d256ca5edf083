//! Boards as text: 64 squares row by row from a1 to h8, and the side to move, as in OBF.

use crate::outcome::Side;
use crate::rows;

pub(super) const EXPECTED: &str = "64 squares row by row from a1 to h8 and the side to move, such as \
    ---------------------------OX------XO--------------------------- X";

/// The discs of Black and White and the side to move that a text says.
///
/// `X`, `x` and `*` are Black's discs, `O` and `o` White's, `-` and `.` are empty; spaces and `/`
/// between them, and all from a `;` on, are skipped.
pub(super) fn read(text: &str) -> Result<([u64; 2], Side), String> {
    let text = text.split(';').next().unwrap_or_default();
    let mut signs = text.chars().filter(|sign| !sign.is_whitespace() && *sign != '/');
    let mut discs = [0; 2];
    for square in 0..64 {
        let sign = signs.next().ok_or_else(|| {
            format!("it has {square} squares and no side to move instead of 64 and one")
        })?;
        match disc(sign) {
            Some(color) => discs[color.index()] |= 1 << square,
            None if matches!(sign, '-' | '.') => {}
            None => return Err(format!("`{sign}` is no square: write X, O or -")),
        }
    }
    match (signs.next().map(disc), signs.next()) {
        (Some(Some(side)), None) => Ok((discs, side)),
        (None, _) => Err("it doesn't say who is to move".to_owned()),
        _ => Err("behind the 64 squares stands more than X or O for the side to move".to_owned()),
    }
}

pub(super) fn write(discs: [u64; 2], side: Side) -> String {
    let squares = (0..64).map(|square| sign(discs, square, '-'));
    squares.chain([' ', rows::sign(side)]).collect()
}

/// The board with files on top and the first row there, as Othello's diagrams have it.
pub(super) fn diagram(discs: [u64; 2]) -> String {
    let mut text = String::from("  a b c d e f g h\n");
    for row in 0..8 {
        text.push(char::from(b'1' + row));
        for square in 8 * row..8 * row + 8 {
            text.extend([' ', sign(discs, square, '.')]);
        }
        text.push('\n');
    }
    text
}

fn sign(discs: [u64; 2], square: u8, empty: char) -> char {
    rows::stone(discs, 1 << square).map_or(empty, rows::sign)
}

fn disc(sign: char) -> Option<Side> {
    match sign {
        'X' | 'x' | '*' => Some(Side::First),
        'O' | 'o' => Some(Side::Second),
        _ => None,
    }
}
