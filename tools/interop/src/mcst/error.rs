//! What can be wrong with a tree.

use super::DEEPEST;
use std::fmt;
use std::io;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// The line, counted from 1.
    pub line: u64,
    /// The byte of the line, counted from 1.
    pub column: u64,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a text couldn't be read as a tree.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system's word.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// It is no tree, or no tree of this game.
    #[error("{at}: {fault}")]
    Fault {
        /// Where.
        at: TextPosition,
        /// What.
        fault: Fault,
    },
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Something else is expected here.
    #[error("{found} stands where {expected} should")]
    Unexpected {
        /// What is there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// More wins, or losses, than a row can count.
    #[error("{0} is more than a book can count: at most 4294967295 wins and as many losses")]
    Count(String),
    /// Not all wins can be among the games.
    #[error("{wins} wins are more than {games} games")]
    Wins {
        /// Wins.
        wins: u32,
        /// Games.
        games: u64,
    },
    /// No point of any board has this number.
    #[error("{0} is the number of no point")]
    OffBoard(String),
    /// The sign is that of the side that isn't to move.
    #[error("`{text}` is a move of {side}, who is not to move")]
    Side {
        /// The move.
        text: String,
        /// Whose it is.
        side: &'static str,
    },
    /// The move isn't legal.
    #[error("`{text}` is not legal here ({side} to move)")]
    Illegal {
        /// The move.
        text: String,
        /// Who is to move.
        side: &'static str,
    },
    /// The line is too long.
    #[error("this line has more than {DEEPEST} moves")]
    Deep,
}
