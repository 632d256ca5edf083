//! Moves of openings, as they are written.

use tabia_engines::MoveHistory;
use tabia_games::Game;

/// Makes the move that a text means.
pub(super) fn play<G: Game>(history: &mut MoveHistory<G>, text: &str) -> Result<(), String> {
    let played = history
        .position()
        .parse_move(text)
        .map_err(|error| format!("ply {}: {error}", history.plies().len() + 1))?;
    history.play(&played);
    Ok(())
}
