//! Positions and moves as text.
//!
//! - Points are named as in GTP and in print: a letter from the left, no I, a number from the
//!   bottom; `pass`.
//! - A set-up text is a board from the top, rows parted by `/`, `X` a black stone, `O` a white one,
//!   a number as many empty points, as in FEN; then who is to move, `b` or `w`; then, if there is
//!   one, the point that ko forbids: `9/9/2X6/9/4O4/9/9/9/9 b`. The size follows from it.

use super::geometry::LARGEST;
use super::position::{Go, NOWHERE};
use crate::game::Trouble;
use crate::outcome::Side;
use crate::rows;
use std::fmt::Write;

const LETTERS: &[u8; LARGEST] = b"ABCDEFGHJKLMNOPQRST";

/// The point that a text names, or none for a pass.
pub fn point(text: &[u8], size: u16) -> Result<Option<u16>, Trouble> {
    if text.eq_ignore_ascii_case(b"pass") {
        return Ok(None);
    }
    let (letter, digits) = text.split_first().ok_or(Trouble::Unreadable)?;
    let column = LETTERS
        .iter()
        .position(|&column| column == letter.to_ascii_uppercase())
        .ok_or(Trouble::Unreadable)? as u16;
    let number = match *digits {
        [one @ b'1'..=b'9'] => u16::from(one - b'0'),
        [ten @ b'1'..=b'9', one @ b'0'..=b'9'] => {
            u16::from(ten - b'0') * 10 + u16::from(one - b'0')
        }
        _ => return Err(Trouble::Unreadable),
    };
    if column < size && number <= size {
        Ok(Some((size - number) * size + column))
    } else {
        Err(Trouble::Illegal)
    }
}

/// The name of a point, or `pass` if there is none with this number.
pub fn vertex(point: u16, size: u16) -> String {
    match LETTERS.get(usize::from(point % size)) {
        Some(&letter) if point < size * size => {
            format!("{}{}", char::from(letter), size - point / size)
        }
        _ => "pass".to_owned(),
    }
}

pub fn setup(go: &Go) -> String {
    let size = go.geometry.size;
    let row = |row| rows::row((row * size..(row + 1) * size).map(|point| go.at(point)));
    let rows: Vec<String> = (0..size).map(row).collect();
    let mut text = rows.join("/");
    text.push_str(if go.side == Side::First { " b" } else { " w" });
    if go.ko != NOWHERE {
        text.push(' ');
        text.push_str(&vertex(go.ko, size));
    }
    text
}

pub const EXPECTED: &str = "rows from the top with X, O and numbers of empty points, then b or w, as \
    in 9/9/2X6/9/4O4/9/9/9/9 b";

/// The position of a set-up text, on a board of the size that `like` has, under its rules.
pub fn read(like: &Go, text: &str) -> Result<Go, String> {
    let mut words = text.split_ascii_whitespace();
    let rows: Vec<&str> = words.next().unwrap_or_default().split('/').collect();
    if rows.len() != like.size() {
        return Err(format!("it has {} rows, not {}", rows.len(), like.size()));
    }
    let mut stones = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        read_row(row, like.size(), &mut stones)
            .map_err(|why| format!("row {} from the top {why}", number + 1))?;
    }
    let side = match words.next() {
        Some("b" | "B") => Side::First,
        Some("w" | "W") => Side::Second,
        _ => return Err("it doesn't say who is to move".to_owned()),
    };
    let stones = (0..).zip(stones);
    let mut go =
        like.emptied().arranged(stones, side).ok_or_else(|| "a chain has no liberty".to_owned())?;
    if let Some(ko) = words.next() {
        go.ko = point(ko.as_bytes(), go.geometry.size)
            .ok()
            .flatten()
            .filter(|&ko| go.at(ko).is_none())
            .ok_or_else(|| format!("`{ko}` can't be a ko"))?;
    }
    words.next().map_or(Ok(go), |word| Err(format!("`{word}` stands behind it")))
}

fn read_row(row: &str, size: usize, stones: &mut Vec<Option<Side>>) -> Result<(), String> {
    let (start, mut empty) = (stones.len(), 0);
    for byte in row.bytes().chain([b' ']) {
        if byte.is_ascii_digit() {
            empty = (empty * 10 + usize::from(byte - b'0')).min(2 * LARGEST);
            continue;
        }
        stones.extend(std::iter::repeat_n(None, std::mem::take(&mut empty)));
        match byte {
            b'X' | b'x' => stones.push(Some(Side::First)),
            b'O' | b'o' => stones.push(Some(Side::Second)),
            b' ' => {}
            _ => return Err(format!("has a `{}`", char::from(byte))),
        }
        if stones.len() > start + size {
            break;
        }
    }
    if stones.len() == start + size { Ok(()) } else { Err(format!("doesn't have {size} points")) }
}

/// The board with its coordinates: `X` Black, `O` White, `+` the points that are marked on boards.
pub fn diagram(go: &Go) -> String {
    let size = go.geometry.size;
    let columns: String =
        LETTERS[..usize::from(size)].iter().flat_map(|&letter| [' ', char::from(letter)]).collect();
    let mut text = format!("  {columns}\n");
    for row in 0..size {
        let _ = write!(text, "{:2}", size - row);
        for column in 0..size {
            text.push(' ');
            let empty = if is_marked(size, row, column) { '+' } else { '.' };
            text.push(go.at(row * size + column).map_or(empty, rows::sign));
        }
        let _ = writeln!(text, " {}", size - row);
    }
    let _ = writeln!(text, "  {columns}");
    text
}

/// Whether a point is marked on boards: those of the corners from 7x7, the center of odd ones from
/// 5x5, those of the sides of odd ones from 15x15.
fn is_marked(size: u16, row: u16, column: u16) -> bool {
    let corner = if size >= 13 { 3 } else { 2 };
    let [is_center, is_corner] = [0, 1].map(|kind| {
        [row, column].map(|line| match kind {
            0 => size % 2 == 1 && line == size / 2,
            _ => line == corner || line + 1 + corner == size,
        })
    });
    match (is_center, is_corner) {
        ([true, true], _) => size >= 5,
        (_, [true, true]) => size >= 7,
        ([true, _], [_, true]) | ([_, true], [true, _]) => size >= 15,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_no_point() {
        for text in ["", "E", "I5", "5E", "E0", "E05", "E5 ", "E100", "é5", "aa", "pas", "E-5"] {
            assert_eq!(point(text.as_bytes(), 9), Err(Trouble::Unreadable), "{text}");
        }
        for text in ["E10", "K1", "T19", "j99"] {
            assert_eq!(point(text.as_bytes(), 9), Err(Trouble::Illegal), "{text}");
        }
        assert_eq!(point(b"PASS", 9), Ok(None));
    }
}
