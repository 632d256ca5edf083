//! Texts that others wrote, made fit for records.

use crate::played::PlayedGame;
use tabia_games::Game;

/// Letters that a name or a detail may have.
const LONGEST: usize = 300;

/// A text that others wrote, as a part of one line: without control characters, not too long, and
/// without what could pass for a line of facts.
pub(super) fn plain(text: &str) -> String {
    let letters =
        text.chars().take(LONGEST).map(|letter| if letter.is_control() { ' ' } else { letter });
    letters.collect::<String>().replace("tabia-match 1 ", "tabia-match ")
}

/// Why the game ended, with the details.
pub(super) fn ending<G: Game>(game: &PlayedGame<G>) -> String {
    let reason = game.facts.reason;
    if game.detail.is_empty() {
        reason.to_string()
    } else {
        plain(&format!("{reason}: {}", game.detail))
    }
}
