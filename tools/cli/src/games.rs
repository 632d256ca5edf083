//! Which of the games whose rules are known a book is of.

use crate::failure::{Done, told};
use std::path::Path;
use tabia::format::{Header, Name};
use tabia_games::Known;

/// The names that books have for a game and its keys.
pub fn names(game: &Known) -> (Name, Name) {
    let name = |text: &str| text.parse().expect("the games' names are well formed");
    (name(game.name()), name(game.keys()))
}

/// The game that a user names.
pub fn named(name: &str) -> Result<Known, String> {
    let known = Known::all().find(|known| known.name() == name);
    known.ok_or_else(|| {
        let names: Vec<_> = Known::all().map(|known| known.name()).collect();
        format!("give one of {}", names.join(", "))
    })
}

/// The game of the book with this header, if its rules are known.
pub fn of(header: &Header, path: &Path) -> Done<Known> {
    let (path, game, keys) = (path.display(), header.game, header.keys);
    Known::of(game.as_str(), keys.as_str()).ok_or_else(|| {
        told!("{path}: the rules of {game} with {keys} keys aren't known here: `tabia get` and `tabia dump` show rows of any game")
    })
}

/// Makes sure that the moves of a game are points of a board, as formats of trees want them.
pub fn check_points(game: &Known) -> Done<()> {
    if matches!(game, Known::Go(_) | Known::Othello(_)) {
        return Ok(());
    }
    Err(told!("a move of {} is no point of a board: this format has games such as go-9", game.name()))
}
