//! Go as SGF.

use super::{ending, letter, plain};
use crate::facts::{EndReason, MARK};
use crate::played::PlayedGame;
use crate::settings::{Scoring, Settings};
use std::fmt::Write;
use tabia_engines::unusual_setup;
use tabia_games::{Game, Go, Outcome};
use tabia_play::sgf;

/// The game, which started so, as text.
pub(super) fn write<G: Game>(game: &PlayedGame<G>, start: &Go, settings: &Settings) -> String {
    let rules = &settings.rules;
    let [black, white] = [0, 1].map(|side| escaped(game.name_of_side(side)));
    let size = start.size();
    let mut text = format!(
        "(;FF[4]GM[1]CA[UTF-8]AP[tabia-match]SZ[{size}]KM[{}]PB[{black}]PW[{white}]",
        rules.komi
    );
    // A referee counts by its own rules, which it doesn't say.
    if matches!(rules.scoring, Scoring::Area) {
        text.push_str("RU[Chinese]");
    }
    let _ =
        write!(text, "RE[{}]RO[{}]GC[{}]", result(game), game.facts.game, escaped(&ending(game)));
    if let Some(setup) = unusual_setup(start) {
        text += &sgf::stones(&setup, size);
    }
    for (ply, (side, played)) in game.history.plies().iter().enumerate() {
        let line = if ply % 10 == 0 { "\n" } else { "" };
        let book =
            if game.remark(ply).is_some_and(|remark| remark.is_book) { "C[book]" } else { "" };
        let point = sgf::point(&game.history.start().notation(played), size);
        let _ = write!(text, "{line};{}[{point}]{book}", letter(*side));
    }
    // A node may have only one comment: a last move from a book is worth less than that the match
    // can go on.
    let last = text.strip_suffix("C[book]").map_or(text.len(), str::len);
    text.truncate(last);
    debug_assert!(!text.contains(MARK));
    let _ = write!(text, "\nC[{}])\n\n", game.facts);
    text
}

fn result<G: Game>(game: &PlayedGame<G>) -> String {
    let winner = match game.facts.outcome {
        Outcome::FirstWins => 'B',
        Outcome::SecondWins => 'W',
        Outcome::Draw => return "0".to_owned(),
    };
    match (&game.score, game.facts.reason) {
        (Some(score), _) => escaped(score),
        (None, EndReason::Resignation) => format!("{winner}+R"),
        (None, EndReason::TimeOver) => format!("{winner}+T"),
        (None, reason) if reason.is_fault() => format!("{winner}+F"),
        (None, _) => format!("{winner}+"),
    }
}

fn escaped(text: &str) -> String {
    sgf::escaped(&plain(text))
}
