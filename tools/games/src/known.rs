//! The games whose rules are known, by the names that books have for them.

use crate::checkers::Checkers;
use crate::chess::Chess;
use crate::game::Game;
use crate::go::Go;
use crate::othello::Othello;

/// A game whose rules are known, as the position it starts from.
#[derive(Clone)]
pub enum Known {
    /// Chess and Chess960, with Polyglot's keys.
    Chess(Chess),
    /// Othello on the board of 8x8, images of a board together or apart.
    Othello(Othello),
    /// Go on a board of any size, with or without symmetry.
    Go(Go),
    /// English and international draughts, images of a board together or apart.
    Checkers(Checkers),
}

/// Something to be done with a game, whichever it is.
pub trait WithGame {
    /// What comes of it.
    type Output;

    /// Does the work. `start` is the position the game starts from, and represents the game.
    fn with<G: Game>(self, start: &G) -> Self::Output;
}

impl Known {
    /// All of them, in all sizes of boards and with all key schemes; of each the usual scheme
    /// first.
    pub fn all() -> impl Iterator<Item = Self> {
        let othello = [Othello::start(), Othello::without_symmetry()].map(Self::Othello);
        let draughts = [Checkers::english(), Checkers::international()];
        let checkers = draughts
            .into_iter()
            .flat_map(|start| [start.clone(), start.with_images_apart()])
            .map(Self::Checkers);
        std::iter::once(Self::Chess(Chess::start()))
            .chain(othello)
            .chain(Go::all().map(Self::Go))
            .chain(checkers)
    }

    /// The one that books call by these names of game and key scheme.
    #[must_use]
    pub fn of(name: &str, keys: &str) -> Option<Self> {
        Self::all().find(|known| (known.name(), known.keys()) == (name, keys))
    }

    /// Calls `work` with the game's start position.
    pub fn with<W: WithGame>(&self, work: W) -> W::Output {
        match self {
            Self::Chess(start) => work.with(start),
            Self::Othello(start) => work.with(start),
            Self::Go(start) => work.with(start),
            Self::Checkers(start) => work.with(start),
        }
    }

    /// The names of the first and the second player, for people.
    #[must_use]
    pub fn sides(&self) -> [&'static str; 2] {
        self.with(Names).2
    }

    /// The game's name in books.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.with(Names).0
    }

    /// The name of its key scheme in books.
    #[must_use]
    pub fn keys(&self) -> &'static str {
        self.with(Names).1
    }
}

/// Asks a game for its names.
struct Names;

impl WithGame for Names {
    type Output = (&'static str, &'static str, [&'static str; 2]);

    fn with<G: Game>(self, start: &G) -> Self::Output {
        (start.name(), start.keys(), start.sides())
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
