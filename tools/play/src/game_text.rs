//! Games of a file of games, replayed, and written as PGN, PDN, SGF or GGF.

mod ggf;
pub mod sgf;
pub mod tagged;

use tabia_gamefile::StoredGame;
use tabia_games::{Game, Replay, SetupError};

/// How a game is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameFormat {
    /// Portable Game Notation: chess, and any other game likewise.
    Pgn,
    /// Portable Draughts Notation.
    Pdn,
    /// Smart Game Format, FF[4]: Go.
    Sgf,
    /// The Generic Game Format of GGS: Othello.
    Ggf,
}

impl GameFormat {
    /// The usual one of the game that books call by this name.
    pub fn of(game: &str) -> Self {
        match game {
            "othello" => Self::Ggf,
            "checkers" | "draughts-10" => Self::Pdn,
            _ if game.starts_with("go-") => Self::Sgf,
            _ => Self::Pgn,
        }
    }

    /// Whether the game that books call by this name can be written so: as PGN any game can, the
    /// others are for their own games.
    pub fn fits(self, game: &str) -> bool {
        self == Self::Pgn || self == Self::of(game)
    }
}

/// A game as text, with a line feed at its end. `like` is any position of the same game. Moves from
/// the first one on that isn't legal by the rules known here are left out, and a comment says how
/// many.
///
/// # Errors
/// If the game's set-up text is no position.
pub fn game_text<G: Game>(
    like: &G,
    game: &StoredGame,
    format: GameFormat,
) -> Result<String, SetupError> {
    match format {
        GameFormat::Pgn | GameFormat::Pdn => tagged::write(like, game, format),
        GameFormat::Sgf => sgf::write(like, game),
        GameFormat::Ggf => ggf::write(like, game),
    }
}

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

/// A date with these signs for what isn't known, and this one between its parts; without signs as
/// far as it is known, empty without a year.
pub(crate) fn date(game: &StoredGame, between: char, unknown: Option<&str>) -> String {
    let part = |number: u8| match (number, unknown) {
        (0, unknown) => unknown.map(str::to_owned),
        (number, _) => Some(format!("{number:02}")),
    };
    let year = match (game.year, unknown) {
        (0, None) => return String::new(),
        (0, Some(sign)) => sign.repeat(2),
        (year, _) => format!("{year:04}"),
    };
    let parts = [Some(year), part(game.month), part(game.day)];
    parts.into_iter().map_while(|part| part).collect::<Vec<_>>().join(&between.to_string())
}

/// What is said of moves that can't be replayed, if there are any.
fn left_out(moves: usize, game: &StoredGame) -> Option<String> {
    let left = game.moves.len().saturating_sub(moves);
    (left > 0).then(|| format!("{left} moves follow that the rules known here don't allow"))
}
