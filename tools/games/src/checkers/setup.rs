//! Positions as PDN's FEN tags write them: `B:W18,24,27,K10:B12,16,20`.
//!
//! Read are also ranges (`W31-50`, `WK1-3`), lower case, spaces, zeros before numbers, either side
//! first, a side without pieces, a dot at the end, and counters of moves after all of it
//! (`:H0:F1`), which are skipped. Written is what PDN 3.0 asks for, White's pieces first.

use super::moves::bits;
use super::rules::Rules;
use crate::outcome::Side;

#[derive(Default)]
pub(super) struct Setup {
    pub men: [u64; 2],
    pub kings: [u64; 2],
    pub second_to_move: bool,
}

pub(super) fn read(rules: &Rules, text: &str) -> Result<Setup, String> {
    let plain: String = text.split_whitespace().collect();
    let setup = pieces(rules, plain.to_ascii_uppercase().trim_end_matches('.'))?;
    check(rules, &setup)?;
    Ok(setup)
}

fn pieces(rules: &Rules, text: &str) -> Result<Setup, String> {
    let mut parts = text.split(':');
    let mut setup = Setup {
        second_to_move: side(rules, parts.next().unwrap_or_default())? == Side::Second,
        ..Setup::default()
    };
    let mut seen = [false; 2];
    for part in parts.filter(|part| !part.starts_with(['H', 'F'])) {
        let Some(letter) = part.get(..1) else { continue };
        let side = side(rules, letter)?.index();
        if std::mem::replace(&mut seen[side], true) {
            return Err(format!("the pieces of {} stand there twice", rules.sides[side]));
        }
        for item in part[1..].split(',').filter(|item| !item.is_empty()) {
            let (is_king, squares) = squares(rules, item)
                .ok_or_else(|| format!("`{item}` is no square of this board"))?;
            let pieces = if is_king { &mut setup.kings } else { &mut setup.men };
            pieces[side] |= squares;
        }
    }
    Ok(setup)
}

fn side(rules: &Rules, letter: &str) -> Result<Side, String> {
    match rules.sides.iter().position(|name| Some(letter) == name.get(..1)) {
        Some(0) => Ok(Side::First),
        Some(_) => Ok(Side::Second),
        None if letter == "?" => Err("it doesn't say who is to move".to_owned()),
        None => Err(format!("`{letter}` is neither W nor B")),
    }
}

/// The squares of one entry, and whether they hold kings.
fn squares(rules: &Rules, item: &str) -> Option<(bool, u64)> {
    let (is_king, numbers) =
        item.strip_prefix('K').map_or((false, item), |numbers| (true, numbers));
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let number = |text: &str| {
        let is_number =
            (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u32>()
            .ok()
            .filter(|number| is_number && (1..=rules.squares()).contains(number))
    };
    let (first, last) = (number(first)?, number(last.strip_prefix('K').unwrap_or(last))?);
    (first <= last)
        .then(|| (is_king, (first..=last).fold(0, |bits, number| bits | rules.bit(number - 1))))
}

/// What can't be on any board of the game.
fn check(rules: &Rules, setup: &Setup) -> Result<(), String> {
    let all = [setup.men[0], setup.men[1], setup.kings[0], setup.kings[1]];
    let mut taken = 0;
    for pieces in all {
        if let Some(bit) = bits(taken & pieces).next() {
            return Err(format!("two pieces stand on square {}", rules.square(bit) + 1));
        }
        taken |= pieces;
    }
    for side in [Side::First, Side::Second] {
        let (index, name) = (side.index(), rules.sides[side.index()]);
        if (setup.men[index] | setup.kings[index]).count_ones() > rules.pieces() {
            return Err(format!("{name} has more than {} pieces", rules.pieces()));
        }
        if let Some(bit) = bits(setup.men[index] & rules.king_row(side)).next() {
            return Err(format!(
                "a man of {name} stands on square {}, where it would be a king",
                rules.square(bit) + 1
            ));
        }
    }
    Ok(())
}

pub(super) fn write(rules: &Rules, setup: &Setup) -> String {
    let letter = |side: usize| &rules.sides[side][..1];
    let pieces = |side: usize| {
        let entries = bits(setup.men[side] | setup.kings[side]).map(|bit| {
            let king = if setup.kings[side] & bit == 0 { "" } else { "K" };
            format!("{king}{}", rules.square(bit) + 1)
        });
        format!("{}{}", letter(side), entries.collect::<Vec<_>>().join(","))
    };
    let white = usize::from(letter(1) == "W");
    let to_move = letter(usize::from(setup.second_to_move));
    format!("{to_move}:{}:{}", pieces(white), pieces(1 - white))
}
