//! Games as text that `tabia build` and other programs can read: PGN, SGF, GGF.
//!
//! A game ends with a line of its [`Facts`](crate::Facts) in a comment, by which a match goes on
//! from its file.

mod ggf;
mod pgn;
mod sgf;
mod text;

use crate::error::Error;
use crate::played::PlayedGame;
use crate::settings::Settings;
use std::any::Any;
use tabia_games::{Chess, Game, Go, Othello};

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
