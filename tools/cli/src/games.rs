//! The games whose rules the command knows, and which of them a book is of.

use crate::failure::{Done, told};
use std::path::Path;
use tabia::format::{Header, Name};
use tabia_games::{Chess, Game};

/// A game whose rules the command knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum KnownGame {
    /// Chess and Chess960, with Polyglot's keys.
    Chess,
}

impl KnownGame {
    const ALL: [Self; 1] = [Self::Chess];

    /// The names that books have for the game and its keys.
    pub fn names(self) -> (Name, Name) {
        let (game, keys) = match self {
            Self::Chess => (Chess::NAME, Chess::KEYS),
        };
        let name = |text: &str| text.parse().expect("the games' names are well formed");
        (name(game), name(keys))
    }

    /// The game of the book with this header, if its rules are known.
    pub fn of(header: &Header, path: &Path) -> Done<Self> {
        let (path, game, keys) = (path.display(), header.game, header.keys);
        Self::ALL.into_iter().find(|known| known.names() == (game, keys)).ok_or_else(|| {
            told!("{path}: the rules of {game} with {keys} keys aren't known here: `tabia get` and `tabia dump` show rows of any game")
        })
    }
}
