//! Games as text that `tabia build` and other programs can read: PGN, SGF, GGF.
//!
//! A game ends with a line of its [`Facts`](crate::Facts) in a comment, by which a match goes on
//! from its file.

mod ggf;
mod pgn;
mod sgf;

use crate::contest::Settings;
use crate::error::Error;
use crate::played::PlayedGame;
use std::any::Any;
use tabia_games::{Chess, Game, Go, Othello};

/// Letters that a name or a detail may have.
const LONGEST: usize = 300;

/// A game as text: of chess as PGN, of Go as SGF, of Othello as GGF. A blank line follows.
///
/// # Errors
/// If it is a game of another kind.
pub fn record<G: Game>(game: &PlayedGame<G>, settings: &Settings) -> Result<String, Error> {
    let any = game as &dyn Any;
    let chess = any.downcast_ref::<PlayedGame<Chess>>().map(|game| pgn::write(game, settings));
    let go = || any.downcast_ref::<PlayedGame<Go>>().map(|game| sgf::write(game, settings));
    let othello = || any.downcast_ref::<PlayedGame<Othello>>().map(ggf::write);
    chess
        .or_else(go)
        .or_else(othello)
        .ok_or_else(|| Error::NoRecord { game: game.history.start().name() })
}

/// A text that others wrote, as a part of one line: without control characters, not too long, and
/// without what could pass for a line of facts.
fn plain(text: &str) -> String {
    let letters =
        text.chars().take(LONGEST).map(|letter| if letter.is_control() { ' ' } else { letter });
    letters.collect::<String>().replace("tabia-match 1 ", "tabia-match ")
}

/// Why the game ended, with the details.
fn ending<G: Game>(game: &PlayedGame<G>) -> String {
    let reason = game.facts.reason;
    if game.detail.is_empty() {
        reason.to_string()
    } else {
        plain(&format!("{reason}: {}", game.detail))
    }
}
