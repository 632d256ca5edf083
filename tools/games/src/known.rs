//! The games whose rules are known, by the names that books have for them.

use crate::checkers::Checkers;
use crate::chess::Chess;
use crate::game::Game;

/// A game whose rules are known, as the position it starts from.
#[derive(Clone)]
pub enum Known {
    /// Chess and Chess960, with Polyglot's keys.
    Chess(Chess),
    /// English draughts (checkers) and international draughts.
    Checkers(Checkers),
}

/// Something to be done with a game, whichever it is.
pub trait WithGame {
    /// What comes of it.
    type Output;

    /// Does it. `start` is the position the game starts from, and stands for the game.
    fn with<G: Game>(self, start: &G) -> Self::Output;
}

impl Known {
    /// All of them, in all sizes of boards and with all key schemes.
    pub fn all() -> impl Iterator<Item = Self> {
        let checkers = [Checkers::english(), Checkers::international()];
        let apart = checkers.clone().map(Checkers::with_images_apart);
        std::iter::once(Self::Chess(Chess::start())).chain(checkers.into_iter().chain(apart).map(Self::Checkers))
    }

    /// The one that books call by these names of game and key scheme.
    #[must_use]
    pub fn of(name: &str, keys: &str) -> Option<Self> {
        Self::all().find(|known| (known.name(), known.keys()) == (name, keys))
    }

    /// Does something with it.
    pub fn with<W: WithGame>(&self, work: W) -> W::Output {
        match self {
            Self::Chess(start) => work.with(start),
            Self::Checkers(start) => work.with(start),
        }
    }

    /// The game's name in books.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Chess(start) => start.name(),
            Self::Checkers(start) => start.name(),
        }
    }

    /// The name of its key scheme in books.
    #[must_use]
    pub fn keys(&self) -> &'static str {
        match self {
            Self::Chess(start) => start.keys(),
            Self::Checkers(start) => start.keys(),
        }
    }
}

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.name(), self.keys())
    }
}

impl PartialEq for Known {
    fn eq(&self, other: &Self) -> bool {
        (self.name(), self.keys()) == (other.name(), other.keys())
    }
}

impl Eq for Known {}
