//! Lines of moves of any game whose rules are known.

use super::LineReader;
use crate::reading::{Content, Games, Reads};
use crate::wanted::Wanted;
use tabia_games::{Checkers, Chess, ConnectFour, Go, Known, Othello, TicTacToe};

/// A reader for one of the games.
#[derive(Debug)]
pub(crate) enum KnownLines {
    Chess(LineReader<Chess>),
    Othello(LineReader<Othello>),
    Go(LineReader<Go>),
    Checkers(LineReader<Checkers>),
    ConnectFour(LineReader<ConnectFour>),
    TicTacToe(LineReader<TicTacToe>),
}

impl KnownLines {
    /// A reader of what is wanted of this game's games.
    #[allow(clippy::clone_on_copy, reason = "what a game is built without is Copy")]
    pub fn new(game: &Known, wanted: Wanted) -> Self {
        match game {
            Known::Chess(start) => Self::Chess(LineReader::new(start.clone(), wanted)),
            Known::Othello(start) => Self::Othello(LineReader::new(start.clone(), wanted)),
            Known::Go(start) => Self::Go(LineReader::new(*start, wanted)),
            Known::Checkers(start) => Self::Checkers(LineReader::new(start.clone(), wanted)),
            Known::ConnectFour(start) => Self::ConnectFour(LineReader::new(start.clone(), wanted)),
            Known::TicTacToe(start) => Self::TicTacToe(LineReader::new(start.clone(), wanted)),
        }
    }
}

impl Reads for KnownLines {
    fn read<G: Games>(
        &mut self,
        segment: &[u8],
        is_last: bool,
        games: &mut G,
    ) -> Result<Content, G::Error> {
        match self {
            Self::Chess(reader) => reader.read(segment, is_last, games),
            Self::Othello(reader) => reader.read(segment, is_last, games),
            Self::Go(reader) => reader.read(segment, is_last, games),
            Self::Checkers(reader) => reader.read(segment, is_last, games),
            Self::ConnectFour(reader) => reader.read(segment, is_last, games),
            Self::TicTacToe(reader) => reader.read(segment, is_last, games),
        }
    }
}
