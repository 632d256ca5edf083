//! The position that a client asks for.

use crate::query::Request;
use crate::reply::Refusal;
use tabia::format::Keyed;
use tabia_games::{Game, SetupError, is_chess};
use tabia_play::choice::GameHistory;

/// The most moves that a request may play.
const MOST_PLIES: usize = 1024;

/// The game up to the position that `fen` and `play` ask for: a position as its game writes it (the
/// start without it), and moves with commas or spaces between.
pub fn asked<G: Game>(
    request: &Request,
    start: &G,
    keyed: Keyed,
) -> Result<GameHistory<G>, Refusal> {
    let set_up = |text: &str| match is_chess(start.name()) {
        true => start.set_up(&text.replace('_', " ")),
        false => start.set_up(text),
    };
    played(request, start, keyed, set_up)
}

/// The same, of positions that are read in a way of their own.
pub fn played<G: Game>(
    request: &Request,
    start: &G,
    keyed: Keyed,
    set_up: impl Fn(&str) -> Result<G, SetupError>,
) -> Result<GameHistory<G>, Refusal> {
    let start = match request.text("fen") {
        None => start.clone(),
        Some(text) => set_up(text).map_err(|error| Refusal::Bad(format!("fen: {error}")))?,
    };
    let mut history = GameHistory::start(start, keyed);
    let words = request.text("play").unwrap_or_default().split([',', ' ']);
    for (place, word) in words.filter(|word| !word.is_empty()).enumerate() {
        if place == MOST_PLIES {
            return Err(Refusal::Bad(format!("play has more than {MOST_PLIES} moves")));
        }
        let played = history.present().position.parse_move(word);
        let played =
            played.map_err(|error| Refusal::Bad(format!("move {} of play: {error}", place + 1)))?;
        history.play(&played);
    }
    Ok(history)
}
