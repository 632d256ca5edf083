//! What a FEN of chess doesn't say of castling.

use tabia_games::{Game, Known, is_chess};

/// What is to be said of this set-up text of a game, so that a position is not taken for another
/// unseen: who may castle. None if it says so, or is none of chess.
pub fn castling_note(start: &Known, text: &str) -> Option<String> {
    let position = start.set_up(text).ok().filter(|_| is_chess(start.name()))?;
    let field = |fen: &str| fen.split_whitespace().nth(2).map(str::to_owned);
    if field(&start.setup()).as_deref() == Some("-") || text.trim() == "startpos" {
        return None;
    }
    let taken = field(&position.setup()).unwrap_or_default();
    let rights = |field: &str| field.bytes().filter(u8::is_ascii_alphabetic).count();
    match field(text) {
        None => Some(format!(
            "it doesn't say who may castle, and is taken as nobody: end it with the side to move and castling rights, as in `{}`, if somebody may",
            start.setup()
        )),
        Some(given) if rights(&given) != rights(&taken) => {
            Some(format!("of the castling rights {given} only {taken} can be in this position"))
        }
        Some(_) => None,
    }
}
