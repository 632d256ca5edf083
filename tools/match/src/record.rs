//! Games as text that `tabia build` and other programs can read: PGN, SGF, GGF, PDN, lines of moves.
//!
//! A game ends with a line of its [`Facts`](crate::Facts) in a comment, by which a match goes on
//! from its file.

#[cfg(feature = "othello")]
mod ggf;
mod lines;
#[cfg(any(feature = "chess", feature = "draughts"))]
mod pgn;
#[cfg(feature = "go")]
mod sgf;
mod text;

use crate::error::Error;
use crate::played::PlayedGame;
use crate::settings::Settings;
use std::any::Any;
use tabia_games::Game;

/// A game as text: of chess as PGN, of Go as SGF, of Othello as GGF, of draughts as PDN, of other
/// games as a line of moves. A blank line follows.
///
/// # Errors
/// If it is a line of moves that doesn't start where games usually do.
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
    #[cfg(feature = "draughts")]
    if let Some(game) = any.downcast_ref::<PlayedGame<tabia_games::Checkers>>() {
        return Ok(pgn::write(game, settings));
    }
    lines::write(game).ok_or_else(|| Error::NoRecord { game: game.history.start().name() })
}
