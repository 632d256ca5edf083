//! Games as text that `tabia build` and other programs can read: PGN, SGF, GGF, PDN, lines of moves.
//!
//! A game ends with a line of its [`Facts`](crate::Facts) in a comment, by which a match goes on
//! from its file.

#[cfg(feature = "othello")]
mod ggf;
#[cfg(any(feature = "chess", feature = "draughts"))]
mod pgn;
#[cfg(feature = "go")]
mod sgf;

use crate::error::Error;
use crate::facts::result;
use crate::played::PlayedGame;
use crate::settings::Settings;
use std::fmt::Write;
use tabia_engines::unusual_setup;
use tabia_games::{Game, Side};

/// Letters that a name or a detail may have.
const LONGEST: usize = 300;

/// A game as text: of chess as PGN, of Go as SGF, of Othello as GGF, of draughts as PDN, of other
/// games as a line of moves. A blank line follows.
///
/// # Errors
/// If it is a line of moves that doesn't start where games usually do.
pub fn record<G: Game>(game: &PlayedGame<G>, settings: &Settings) -> Result<String, Error> {
    let start = game.history.start().as_own();
    #[cfg(any(feature = "chess", feature = "draughts"))]
    if start.is::<tabia_games::Chess>() || start.is::<tabia_games::Checkers>() {
        return Ok(pgn::write(game, settings));
    }
    #[cfg(feature = "go")]
    if let Some(start) = start.downcast_ref() {
        return Ok(sgf::write(game, start, settings));
    }
    #[cfg(feature = "othello")]
    if let Some(end) = game.history.position().as_own().downcast_ref() {
        return Ok(ggf::write(game, end));
    }
    lines(game)
}

/// A game without a format of its own as a line: the moves and the result, between comments.
fn lines<G: Game>(game: &PlayedGame<G>) -> Result<String, Error> {
    let start = game.history.start();
    if unusual_setup(start).is_some() {
        return Err(Error::NoRecord(start.name()));
    }
    let [first, second] = [0, 1].map(|side| plain(game.name_of_side(side)));
    let mut text = format!("# game {}: {first} - {second}, {}\n", game.facts.game, ending(game));
    for (position, played) in game.history.replay() {
        let _ = write!(text, "{} ", position.notation(played));
    }
    let _ = write!(text, "{}\n# {}\n\n", result(game.facts.outcome), game.facts);
    Ok(text)
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

fn letter(side: Side) -> char {
    if side == Side::First { 'B' } else { 'W' }
}
