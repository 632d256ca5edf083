//! Boards of Connect Four as text: rows from the top with `/` between them, `X` and `O` for stones
//! of the first and the second player, numbers or dots for empty cells.

use super::shape::Shape;
use crate::rows;

/// The stones of both players that a text says.
pub(super) fn read(shape: &Shape, text: &str) -> Result<[u64; 2], String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != shape.height as usize {
        return Err(format!("it has {} rows instead of {}", rows.len(), shape.height));
    }
    let mut stones = [0; 2];
    for (row, cells) in (0..shape.height).rev().zip(rows) {
        let mut column = 0;
        for sign in cells.chars() {
            let (cells, side) = match sign {
                'X' | 'x' => (1, Some(0)),
                'O' | 'o' => (1, Some(1)),
                '.' => (1, None),
                '1'..='8' => (sign as u32 - '0' as u32, None),
                _ => return Err(format!("`{sign}` is no cell: write X, O or .")),
            };
            if let Some(side) = side.filter(|_| column < shape.width) {
                let of_side: &mut u64 = &mut stones[side];
                *of_side |= shape.cell(column, row);
            }
            column += cells;
        }
        if column != shape.width {
            return Err(format!("the row `{cells}` doesn't have {} cells", shape.width));
        }
    }
    check(shape, stones)?;
    Ok(stones)
}

/// What can't be on any board of the game.
fn check(shape: &Shape, [first, second]: [u64; 2]) -> Result<(), String> {
    let stones = first | second;
    if stones & !(stones << 1 | shape.bottom()) != 0 {
        return Err("a stone hangs in the air".to_owned());
    }
    let (of_first, of_second) = (first.count_ones(), second.count_ones());
    if of_first != of_second && of_first != of_second + 1 {
        return Err(format!(
            "X has {of_first} stones and O has {of_second}; X has as many as O, or one more"
        ));
    }
    let to_move = if of_first == of_second { first } else { second };
    if shape.has_four(to_move) {
        return Err("who is to move has four in a line already".to_owned());
    }
    Ok(())
}

pub(super) fn write(shape: &Shape, stones: [u64; 2]) -> String {
    let stone = |column, row| rows::stone(stones, shape.cell(column, row));
    let cells = |row| (0..shape.width).map(move |column| stone(column, row));
    (0..shape.height).rev().map(|row| rows::row(cells(row))).collect::<Vec<_>>().join("/")
}

pub(super) fn diagram(shape: &Shape, stones: [u64; 2]) -> String {
    let line = |signs: Vec<String>| signs.join(" ") + "\n";
    let stone = |column, row| rows::stone(stones, shape.cell(column, row));
    let sign = |column, row| stone(column, row).map_or('.', rows::sign).to_string();
    let cells = |row| line((0..shape.width).map(|column| sign(column, row)).collect());
    let numbers = line((1..=shape.width).map(|column| column.to_string()).collect());
    (0..shape.height).rev().map(cells).chain([numbers]).collect()
}
