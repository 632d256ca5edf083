//! Othello with tags and moves as PGN has them: `1. F5 F6 2. E6 F4`, and for a result the discs of
//! both sides, `26-38`.

use super::outcome_by;
use crate::pgn::notation::{Notation, in_ascii, letters_of};
use crate::pgn::tags::{Tags, decoded};
use crate::reading::Fault;
use tabia_games::{Othello, Outcome};

impl Notation for Othello {
    fn outcome_of(&self, result: &[u8]) -> Option<Outcome> {
        outcome_of(result)
    }

    fn check_kind(&self, tags: &Tags<'_>) -> Result<(), Fault> {
        let Some(variant) = tags.variant else { return Ok(()) };
        match letters_of(variant).as_slice() {
            b"" | b"othello" | b"reversi" | b"standard" | b"normal" | b"8" | b"8x8" => Ok(()),
            _ => Err(Fault::other_game(format!("its Variant tag is `{}`", decoded(variant)))),
        }
    }

    fn takes_null(&self) -> bool {
        self.has_passed()
    }
}

/// The outcome that a result says: `38-26` is what Black and White have, discs or points; `1/2` is
/// a draw.
pub(super) fn outcome_of(result: &[u8]) -> Option<Outcome> {
    let text = in_ascii(result.get(..20).unwrap_or(result));
    if matches!(text.as_str(), "1/2" | "1/2-1/2") {
        return Some(Outcome::Draw);
    }
    let (black, white) = text.split_once('-')?;
    let [black, white] = [black, white]
        .map(|count| count.parse::<u8>().ok().filter(|&count| count <= 64 && !text.contains('+')));
    let (black, white) = (i32::from(black?), i32::from(white?));
    (1..=64).contains(&(black + white)).then(|| outcome_by(black - white))
}
