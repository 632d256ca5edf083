//! PGN: games of chess.

use super::notation::{Notation, outcome_in_print};
use super::tags::{Tags, decoded};
use crate::filter::Variant;
use crate::reading::Fault;
use crate::stats::Reason;
use tabia_games::{Chess, Game, Outcome, letters_of, variant_named};

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
        let game = match tags.variant {
            Some(tag) if kind_of(tag).is_none() => variant_named(tag).map(|names| names.game),
            _ => Some("chess"),
        };
        if game == Some(self.name()) {
            return Ok(());
        }
        Err(match tags.variant {
            Some(tag) if self.name() == "chess" => {
                Fault::new(Reason::NotChess, format!("its Variant tag is `{}`", decoded(tag)))
            }
            Some(tag) => Fault::other_game(format!("its Variant tag is `{}`", decoded(tag))),
            None => Fault::other_game("it has no Variant tag".to_owned()),
        })
    }

    fn variant(tags: &Tags<'_>, start: Option<&Self>) -> Variant {
        let is_drawn = tags.variant.and_then(kind_of) == Some(Variant::Chess960)
            || start.is_some_and(Chess::is_chess960);
        if is_drawn { Variant::Chess960 } else { Variant::Standard }
    }
}

/// Which kind of chess a Variant tag means, if it means chess. Games of Chess960 start from a FEN.
fn kind_of(variant: &[u8]) -> Option<Variant> {
    const STANDARD: &str = "|chess|standard|standardchess|normal|normalchess|regular|orthodox|\
        classical|fromposition|setupposition";
    const CHESS960: &str = "chess960|960|fischerandom|fischerrandom|fischerandomchess|\
        fischerrandomchess|frc|dfrc|freestyle";
    let plain = letters_of(variant);
    let is_one_of = |names: &str| names.split('|').any(|name| name.as_bytes() == plain);
    if is_one_of(STANDARD) {
        return Some(Variant::Standard);
    }
    is_one_of(CHESS960).then_some(Variant::Chess960)
}
