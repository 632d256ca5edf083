//! A game in a frame: its head, of numbers and texts of varying length, and its moves.

use crate::record::{result_code, result_of_code};
use crate::stored_game::{LONGEST_SETUP, MOST_PLIES, StoredGame};

/// What a game's head has numbers for: names (0 for none, else 1 more than the place) and archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub names: [u32; 5],
    pub source: u32,
}

/// Bit of the flags: a set-up text follows. The lower two bits are the result.
const HAS_SETUP: u8 = 4;

pub(crate) fn write_head(game: &StoredGame, numbers: &Numbers, head: &mut Vec<u8>) {
    let flags = result_code(game.result) | if game.setup.is_empty() { 0 } else { HAS_SETUP };
    let date =
        u32::from(game.year) << 9 | u32::from(game.month & 15) << 5 | u32::from(game.day & 31);
    head.push(flags);
    head.extend_from_slice(&date.to_le_bytes());
    game.ratings.iter().for_each(|rating| head.extend_from_slice(&rating.to_le_bytes()));
    numbers.names.iter().for_each(|&name| varint(name.into(), head));
    varint(numbers.source.into(), head);
    varint(game.offset, head);
    varint(game.moves.len() as u64, head);
    if !game.setup.is_empty() {
        varint(game.setup.len() as u64, head);
        head.extend_from_slice(game.setup.as_bytes());
    }
}

/// Reads a head; moves are the game's own, and so are its digest and its end. How many moves it has
/// is returned, or what is wrong with it (G-15).
pub(crate) fn read_head(
    bytes: &mut &[u8],
    game: &mut StoredGame,
) -> Result<(Numbers, usize), &'static str> {
    const CUT: &str = "a game's head is cut off";
    let [flags] = take(bytes).ok_or(CUT)?;
    if flags & !(HAS_SETUP | 3) != 0 {
        return Err("a game has unknown flags");
    }
    game.result = result_of_code(flags & 3).ok_or(CUT)?;
    let date = u32::from_le_bytes(take(bytes).ok_or(CUT)?);
    (game.year, game.month, game.day) =
        ((date >> 9) as u16, (date >> 5 & 15) as u8, (date & 31) as u8);
    let is_date = date >> 25 == 0
        && game.month <= 12
        && (game.year > 0 || date == 0)
        && (game.month > 0 || game.day == 0);
    if !is_date {
        return Err("a game has a date that is none");
    }
    for rating in &mut game.ratings {
        *rating = u16::from_le_bytes(take(bytes).ok_or(CUT)?);
    }
    let mut numbers = Numbers::default();
    for name in &mut numbers.names {
        *name = u32::try_from(read_varint(bytes).ok_or(CUT)?).map_err(|_| CUT)?;
    }
    numbers.source = u32::try_from(read_varint(bytes).ok_or(CUT)?).map_err(|_| CUT)?;
    game.offset = read_varint(bytes).ok_or(CUT)?;
    let plies = read_varint(bytes).ok_or(CUT)?;
    let plies = usize::try_from(plies).ok().filter(|&plies| plies <= MOST_PLIES);
    let plies = plies.ok_or("a game has too many moves")?;
    game.setup.clear();
    if flags & HAS_SETUP != 0 {
        let length = read_varint(bytes).ok_or(CUT)?;
        let length =
            usize::try_from(length).ok().filter(|length| (1..=LONGEST_SETUP).contains(length));
        let length = length.ok_or("a game's set-up text is too long, or empty")?;
        let (text, rest) = bytes.split_at_checked(length).ok_or(CUT)?;
        *bytes = rest;
        let text = std::str::from_utf8(text).ok().filter(|text| !text.contains(char::is_control));
        game.setup.push_str(text.ok_or("a game's set-up text is no plain text")?);
    }
    Ok((numbers, plies))
}

pub(crate) fn read_moves(bytes: &mut &[u8], plies: usize, moves: &mut Vec<u16>) -> Option<()> {
    let (codes, rest) = bytes.split_at_checked(2 * plies)?;
    *bytes = rest;
    moves.clear();
    moves.extend(codes.as_chunks().0.iter().map(|&code| u16::from_le_bytes(code)));
    Some(())
}

/// A number in groups of seven bits, the least first; all but the last have the upper bit set.
fn varint(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The number; none if it is cut off, too large or longer than it needs to be.
fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let [byte] = take(bytes)?;
        let bits = u64::from(byte & 0x7f);
        if shift == 63 && bits > 1 || shift > 0 && byte == 0 {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The next bytes, which are no longer among these then.
pub(crate) fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g15_numbers_have_one_form() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            varint(number, &mut bytes);
            assert_eq!(read_varint(&mut &bytes[..]), Some(number));
            assert_eq!(read_varint(&mut &bytes[..bytes.len() - 1]), None);
        }
        for bad in [&[0x80, 0][..], &[0xff; 10], &[0xff; 11], &[0x80]] {
            assert_eq!(read_varint(&mut &bad[..]), None, "{bad:?}");
        }
    }
}
