//! PDN: what archives of draughts and checkers have that PGN hasn't (PDN 3.0,
//! <https://github.com/wiegerw/pdn>; older files are read as they come).
//!
//! - The first number of a result is the first player's: Black's in English draughts, White's in
//!   international draughts. So `1-0` in the Open Checker Archive is a win of Black. International
//!   draughts also knows `2-0`, `1-1` and `0-2`; `0-0`, a game lost for both, is no result.
//! - `GameType` names the game by a number, 21 for English and 20 for international draughts; the
//!   rest (who starts, the board, the notation) follows from the number. Without the tag it is the
//!   game that is asked for, until a square says otherwise.
//! - Moves may have spaces around the dash (`10- 4`), strengths may be in brackets (`31-27(?)`),
//!   and a star directly after a move says that it is forced.
//! - A remark glued to a legal move (`8-11Remark`) is passed over, up to the next word with digits.

use super::movetext::is_separator;
use super::notation::{Notation, outcome_in_print};
use super::tags::{Tags, decoded};
use crate::reading::{Fault, leading_number, parsed};
use tabia_games::{Checkers, Outcome};

impl Notation for Checkers {
    const NUMBERED_SQUARES: bool = true;

    #[inline]
    fn outcome_of(&self, result: &[u8]) -> Option<Outcome> {
        match result {
            b"1-0" | b"2-0" => Some(Outcome::FirstWins),
            b"0-1" | b"0-2" => Some(Outcome::SecondWins),
            b"1/2-1/2" | b"1/2" | b"1-1" => Some(Outcome::Draw),
            _ if result.is_ascii() => None,
            _ => outcome_in_print(result),
        }
    }

    fn is_no_outcome(word: &[u8]) -> bool {
        word == b"0-0"
    }

    /// A square that the board hasn't, or squares named by letters as in other kinds of draughts.
    fn is_of_another_game(&self, word: &[u8]) -> bool {
        let is_beyond = |number: u32| (self.squares() + 1..100).contains(&number);
        is_lettered(word) || (is_numbered(word) && numbers(word).any(is_beyond))
    }

    #[inline]
    fn check_kind(&self, tags: &Tags<'_>) -> Result<(), Fault> {
        let other = |detail| Err(Fault::other_game(detail));
        if let Some(tag) = tags
            .game_type
            .filter(|tag| leading_number(tag.trim_ascii_start()) != Some(number_of(self)))
        {
            let (tag, number) = (decoded(tag), number_of(self));
            return other(format!("its GameType tag is `{tag}`, not {number}"));
        }
        match tags
            .fen
            .and_then(|fen| numbers(placement(fen)).find(|&number| number > self.squares()))
        {
            Some(number) => other(format!("its FEN tag has the square {number}")),
            None => Ok(()),
        }
    }
}

fn number_of(game: &Checkers) -> u32 {
    if game.squares() == 32 { 21 } else { 20 }
}

/// A FEN up to the counters of moves that some write after the pieces.
fn placement(fen: &[u8]) -> &[u8] {
    let end = fen.windows(2).position(|pair| matches!(pair, [b':', b'H' | b'F' | b'h' | b'f']));
    &fen[..end.unwrap_or(fen.len())]
}

/// Whether it starts with two squares named by letters: `c3-d4`, `a3b4`.
fn is_lettered(word: &[u8]) -> bool {
    let is_square = |text: &[u8]| matches!(text, [b'a'..=b'h', b'1'..=b'8', ..]);
    match word {
        [_, _, b'-' | b'x' | b':', to @ ..] | [_, _, to @ ..] => is_square(word) && is_square(to),
        _ => false,
    }
}

/// Whether it is made of digits and the signs between them, as moves are.
fn is_numbered(word: &[u8]) -> bool {
    word.first().is_some_and(u8::is_ascii_digit)
        && word.iter().all(|byte| byte.is_ascii_digit() || is_separator(*byte))
}

/// All numbers in a text. Those of more than nine digits are as large as can be.
fn numbers(text: &[u8]) -> impl Iterator<Item = u32> {
    let number = |digits: &[u8]| parsed(digits).unwrap_or(u32::MAX);
    text.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty()).map(number)
}
