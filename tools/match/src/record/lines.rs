//! Games without a format of their own as lines: the moves and the result, between comments.

use super::text::{ending, plain};
use crate::facts::result;
use crate::played::PlayedGame;
use std::fmt::Write;
use tabia_games::Game;

/// The game as text; none if it doesn't start where games usually do.
pub(super) fn write<G: Game>(game: &PlayedGame<G>) -> Option<String> {
    let start = game.history.start();
    let usual = start.set_up("startpos").ok()?;
    if usual.setup() != start.setup() {
        return None;
    }
    let [first, second] = [0, 1].map(|side| plain(game.name_of_side(side)));
    let mut text = format!("# game {}: {first} - {second}, {}\n", game.facts.game, ending(game));
    for (position, played) in game.history.replay() {
        let _ = write!(text, "{} ", position.notation(played));
    }
    let _ = write!(text, "{}\n# {}\n\n", result(game.facts.outcome), game.facts);
    Some(text)
}
