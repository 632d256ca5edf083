//! Why a match can't be played, or goes no further.

use std::io;
use std::path::PathBuf;

/// Why a match can't be played, or goes no further. What is finished is in the games' file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A game can't be learned.
    #[error("{}: {why}", path.display())]
    Learning {
        /// The book.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A game that a book grows by was void again and again.
    #[error("game {game} was void {tries} times: {why}; what was played before is kept")]
    Void {
        /// Which game.
        game: u32,
        /// How often it was tried.
        tries: u32,
        /// What happened the last time.
        why: String,
    },
    /// The book can't be read or written.
    #[error(transparent)]
    Book(#[from] tabia::Error),
    /// An engine can't be started, set up or brought back after a fault.
    #[error(transparent)]
    Engine(#[from] tabia_engines::Error),
    /// The referee engine says something that is no score.
    #[error("the referee {engine} scored a game as `{said}`: a score is written B+3.5, W+12 or 0")]
    Referee {
        /// The referee.
        engine: String,
        /// What it said.
        said: String,
    },
    /// A file can't be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was to be done with it.
        action: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The name of a file, which an engine's command has to have, is no text.
    #[error("{}: its name is no text", .0.display())]
    NotText(PathBuf),
    /// There is no opening in a file.
    #[error("{}: there is no opening in it: give lines of moves, positions or PGN", .0.display())]
    NoOpening(PathBuf),
    /// An opening can't be played.
    #[error("{}: opening {number}: {why}", path.display())]
    Opening {
        /// The file.
        path: PathBuf,
        /// Which one, counted from 1.
        number: usize,
        /// What is wrong.
        why: String,
    },
    /// Random openings of this length can't be found.
    #[error("no opening of {0} random plies is left: give fewer plies, or fewer games")]
    NoRandomOpening(u32),
    /// A parameter is given twice.
    #[error("the parameter {0} is given twice")]
    ParameterTwice(String),
    /// An engine doesn't depend on a parameter.
    #[error(
        "{{{0}}} is nowhere in the engine's command, options or set-up: write it where the value of {0} belongs"
    )]
    NoPlaceholder(String),
    /// Tuning would take too many games.
    #[error("tuning has at most {0} games: give fewer iterations, pairs or games")]
    TooManyGames(u32),
    /// The games' file is there already.
    #[error("{} exists: --resume goes on with it, --replace begins anew", .0.display())]
    Exists(PathBuf),
    /// The games' file is of another match.
    #[error("{} has games of another match: its engines, openings, limits or rules differ; --replace begins anew", .0.display())]
    OtherMatch(PathBuf),
    /// What was played for a book was played otherwise.
    #[error("{}: was played by another plan: its engines, archive, limits, komi or seed differ: give the same, or grow another book", .0.display())]
    OtherPlan(PathBuf),
    /// A book counts other games than were played for it.
    #[error("{}: it counts games that aren't those of the file beside it, or that the same engines don't play again: put its file of games back, or grow another book", .0.display())]
    LacksGames(PathBuf),
    /// A game of this kind that starts from a set-up position has no form in which it is written.
    #[error("games of {0} that start from a set-up position aren't written by matches")]
    NoRecord(&'static str),
}

impl Error {
    /// Makes an error of reading or writing a file.
    pub(crate) fn file(
        path: &std::path::Path,
        action: &'static str,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, action, source }
    }
}
