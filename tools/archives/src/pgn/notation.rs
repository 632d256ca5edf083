//! What archives of tags and moves look like in one game or another: PGN for chess, PDN for
//! draughts, the text of other games made after them.

use super::tags::{Tags, decoded};
use crate::filter::Variant;
use crate::reading::Fault;
use tabia_games::{Game, Outcome};

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

    /// Which kind of it is played, by its tags and by where it starts if that isn't as usual.
    fn variant(_tags: &Tags<'_>, _start: Option<&Self>) -> Variant {
        Variant::Standard
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

/// A result, in UTF-8 or Latin-1, with plain dashes and fractions in place of those in print.
pub(crate) fn in_ascii(result: &[u8]) -> String {
    decoded(result)
        .replace(['\u{2010}', '\u{2011}', '\u{2013}', '\u{2014}', '\u{2212}'], "-")
        .replace('\u{bd}', "1/2")
}
