//! Replaying a game that a file of games holds.

use tabia_gamefile::StoredGame;
use tabia_games::{Game, Replay, SetupError};

/// The moves of a game, each with the position it is made in; less than all if one isn't legal.
///
/// # Errors
/// If the game's set-up text is no position.
pub fn replayed<G: Game>(like: &G, game: &StoredGame) -> Result<Vec<(G, G::Move)>, SetupError> {
    let mut replay = Replay::start(like, &game.setup, &game.moves, false)?;
    let mut moves = Vec::with_capacity(game.moves.len());
    while let Some(played) = replay.next_move() {
        moves.push((replay.node().position.clone(), played.clone()));
        replay.play(&played);
    }
    Ok(moves)
}
