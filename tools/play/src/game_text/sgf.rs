//! Go as SGF, FF[4]: one tree without variations.

use super::{date, left_out, replayed};
use std::fmt::Write;
use tabia_gamefile::{GameResult, StoredGame};
use tabia_games::{Game, SetupError, Side};

/// The letters of columns as Go's notation has them.
const COLUMNS: &[u8] = b"ABCDEFGHJKLMNOPQRST";

pub(super) fn write<G: Game>(like: &G, game: &StoredGame) -> Result<String, SetupError> {
    let size: usize =
        like.name().strip_prefix("go-").and_then(|size| size.parse().ok()).unwrap_or(19);
    let mut text = format!("(;GM[1]FF[4]CA[UTF-8]SZ[{size}]");
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = write!(text, "{name}[{}]", escaped(value));
        }
    };
    let rating = |side: usize| match game.ratings[side] {
        0 => String::new(),
        rating => rating.to_string(),
    };
    tag("PB", &game.players[0]);
    tag("BR", &rating(0));
    tag("PW", &game.players[1]);
    tag("WR", &rating(1));
    tag("DT", &date(game, '-', None));
    tag("EV", &game.event);
    tag("RO", &game.round);
    tag("PC", &game.site);
    tag(
        "RE",
        match game.result {
            Some(GameResult::FirstWins) => "B+",
            Some(GameResult::Draw) => "0",
            Some(GameResult::SecondWins) => "W+",
            None => "",
        },
    );
    text += &stones(&game.setup, size);
    let moves = replayed(like, game)?;
    for (number, (position, played)) in moves.iter().enumerate() {
        let side = if position.side() == Side::First { 'B' } else { 'W' };
        let point = point(&position.notation(played), size);
        let line = if number.is_multiple_of(12) { "\n" } else { "" };
        let _ = write!(text, "{line};{side}[{point}]");
    }
    if let Some(what) = left_out(moves.len(), game) {
        let _ = write!(text, ";C[{what}]");
    }
    text.push_str(")\n");
    Ok(text)
}

/// A value as SGF writes it.
pub fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}

/// A point as SGF has it, from the left and from the top; empty for a pass.
pub fn point(vertex: &str, size: usize) -> String {
    let column = vertex.bytes().next().and_then(|letter| {
        COLUMNS.iter().position(|&column| column == letter.to_ascii_uppercase())
    });
    let row = vertex.get(1..).and_then(|row| row.parse::<usize>().ok());
    match (column, row) {
        (Some(column), Some(row)) if (1..=size).contains(&row) => letters(column, size - row),
        _ => String::new(),
    }
}

fn letters(column: usize, row: usize) -> String {
    [column, row].iter().map(|&number| char::from(b'a' + number as u8)).collect()
}

/// The stones of a set-up text, and who plays first; nothing without one.
pub fn stones(setup: &str, size: usize) -> String {
    let Some((board, rest)) = setup.split_once(' ') else { return String::new() };
    let mut black_and_white = [String::new(), String::new()];
    for (row, line) in board.split('/').enumerate().take(size) {
        let (mut column, mut number) = (0, 0);
        for sign in line.chars() {
            match sign {
                'X' | 'O' => {
                    column += number;
                    number = 0;
                    let color = usize::from(sign == 'O');
                    let _ = write!(black_and_white[color], "[{}]", letters(column.min(25), row));
                    column += 1;
                }
                digit => number = number * 10 + digit.to_digit(10).unwrap_or_default() as usize,
            }
        }
    }
    let properties = ["AB", "AW"].into_iter().zip(black_and_white);
    let stones = properties.filter(|(_, points)| !points.is_empty());
    let stones: String = stones.map(|(name, points)| name.to_owned() + &points).collect();
    stones + if rest.starts_with('w') { "PL[W]" } else { "PL[B]" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_counted_from_the_top_left() {
        for (san, named) in [("A19", "aa"), ("T1", "ss"), ("Q16", "pd"), ("H3", "hq"), ("J3", "iq")]
        {
            assert_eq!(point(san, 19), named, "{san}");
        }
        assert_eq!([point("pass", 19), point("A20", 19)], ["", ""]);
    }
}
