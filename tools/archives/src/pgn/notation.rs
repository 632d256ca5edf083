//! What archives of tags and moves look like in one game or another: PGN for chess, PDN for
//! draughts, the text of other games made after them.

use super::tags::{Tags, decoded};
use crate::filter::Variant;
use crate::reading::Fault;
use crate::stats::Reason;
use tabia_games::{Chess, Game, Outcome};

/// A game whose archives have tags and moves as PGN has them.
pub trait Notation: Game {
    /// Whether moves are made of the numbers of squares: `11-15`, `11x18`.
    const NUMBERED_SQUARES: bool = false;

    /// The outcome that a result says, if it says a decided one. Moves may be followed by it
    /// without a space only in forms of PGN.
    fn outcome_of(&self, result: &[u8]) -> Option<Outcome>;

    /// Whether this word ends a game without saying who won, as a star does.
    fn is_no_outcome(_word: &[u8]) -> bool {
        false
    }

    /// Whether a word that is no legal move is one of another game.
    fn is_of_another_game(&self, _word: &[u8]) -> bool {
        false
    }

    /// Makes sure that it is this game, by its tags.
    ///
    /// # Errors
    /// If it is another one.
    fn check_kind(&self, tags: &Tags<'_>) -> Result<(), Fault>;

    /// Whether a null move that is written here is none: a pass that the game makes by itself.
    fn takes_null(&self) -> bool {
        false
    }

    /// Which kind of it is played, by its tags and by the position it starts from if that isn't the
    /// usual one.
    fn variant(_tags: &Tags<'_>, _start: Option<&Self>) -> Variant {
        Variant::Standard
    }
}

impl Notation for Chess {
    #[inline]
    fn outcome_of(&self, result: &[u8]) -> Option<Outcome> {
        match result {
            b"1-0" => Some(Outcome::FirstWins),
            b"0-1" => Some(Outcome::SecondWins),
            b"1/2-1/2" | b"1/2" => Some(Outcome::Draw),
            _ => outcome_in_print(result),
        }
    }

    #[inline]
    fn check_kind(&self, tags: &Tags<'_>) -> Result<(), Fault> {
        match tags.variant.filter(|variant| kind_of(variant).is_none()) {
            Some(variant) => Err(Fault::new(
                Reason::NotChess,
                format!("its Variant tag is `{}`", decoded(variant)),
            )),
            None => Ok(()),
        }
    }

    fn variant(tags: &Tags<'_>, start: Option<&Self>) -> Variant {
        let is_drawn = tags.variant.and_then(kind_of) == Some(Variant::Chess960)
            || start.is_some_and(Chess::is_chess960);
        if is_drawn { Variant::Chess960 } else { Variant::Standard }
    }
}

/// Results with the dashes and fractions of printed text, in UTF-8 or Latin-1.
#[cold]
pub(super) fn outcome_in_print(result: &[u8]) -> Option<Outcome> {
    match in_ascii(result).as_str() {
        "1-0" => Some(Outcome::FirstWins),
        "0-1" => Some(Outcome::SecondWins),
        "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    }
}

/// A result, in UTF-8 or Latin-1, with plain dashes and fractions in place of those of printed
/// text.
pub(crate) fn in_ascii(result: &[u8]) -> String {
    decoded(result)
        .replace(['\u{2010}', '\u{2011}', '\u{2013}', '\u{2014}', '\u{2212}'], "-")
        .replace('\u{bd}', "1/2")
}

/// Which kind of chess a Variant tag means, if it means chess. Games of Chess960 start from a FEN.
fn kind_of(variant: &[u8]) -> Option<Variant> {
    const STANDARD: [&[u8]; 11] = [
        b"",
        b"chess",
        b"standard",
        b"standardchess",
        b"normal",
        b"normalchess",
        b"regular",
        b"orthodox",
        b"classical",
        b"fromposition",
        b"setupposition",
    ];
    const CHESS960: [&[u8]; 9] = [
        b"chess960",
        b"960",
        b"fischerandom",
        b"fischerrandom",
        b"fischerandomchess",
        b"fischerrandomchess",
        b"frc",
        b"dfrc",
        b"freestyle",
    ];
    let plain: Vec<u8> = variant
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    if STANDARD.contains(&plain.as_slice()) {
        return Some(Variant::Standard);
    }
    CHESS960.contains(&plain.as_slice()).then_some(Variant::Chess960)
}
