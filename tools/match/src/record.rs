//! Games as text that `tabia build` and everybody's programs read back: PGN, SGF, GGF.
//!
//! A game ends with a line of its [`Facts`](crate::Facts) in a comment, by which a match goes on
//! from its file.

#[cfg(feature = "othello")]
mod ggf;
#[cfg(feature = "chess")]
mod pgn;
#[cfg(feature = "go")]
mod sgf;

use crate::contest::Settings;
use crate::error::Error;
use crate::played::PlayedGame;
use std::any::Any;
use tabia_games::Game;

/// Letters that a name or a detail may have.
const LONGEST: usize = 300;

/// A game as text: of chess as PGN, of Go as SGF, of Othello as GGF. A blank line stands behind it.
///
/// # Errors
/// If it is a game of another kind.
pub fn record<G: Game>(game: &PlayedGame<G>, settings: &Settings) -> Result<String, Error> {
    let any = game as &dyn Any;
    #[cfg(feature = "chess")]
    if let Some(game) = any.downcast_ref::<PlayedGame<tabia_games::Chess>>() {
        return Ok(pgn::write(game, settings));
    }
    #[cfg(feature = "go")]
    if let Some(game) = any.downcast_ref::<PlayedGame<tabia_games::Go>>() {
        return Ok(sgf::write(game, settings));
    }
    #[cfg(feature = "othello")]
    if let Some(game) = any.downcast_ref::<PlayedGame<tabia_games::Othello>>() {
        return Ok(ggf::write(game));
    }
    Err(Error::NoRecord { game: game.history.start().name() })
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
