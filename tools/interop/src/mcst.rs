//! MCST: the compact text in which Chen and Zhang keep Monte-Carlo search trees and opening books
//! of 9x9 Go ("Building Opening Books for 9x9 Go Without Relying on Human Go Expertise", 2012). It
//! says a tree of moves, and of each node how many games passed through it and how many of these
//! were won.
//!
//! ```text
//! MCST   = "{" move wins games MCST* "}"
//! move   = "0" | sign point | sign pass        (0 at the root, and nowhere else)
//! sign   = "+" | "-" | nothing                 (+ or nothing: the first player moves, Black in Go; -: the second)
//! point, wins, games = a natural number
//! ```
//!
//! The paper leaves some of it open, which is fixed here so:
//!
//! - *Points* are numbered row by row from the top left corner, from 1: `row * size + column + 1`.
//!   This is the move's code on the board as it is, and one more, so that trees of other games can
//!   be written too.
//! - *A pass* is written as the word `pass`, and read as that or as the number after the last point
//!   (82 on 9x9).
//! - *Wins* are those of who moved to the node; at the root those of who is not to move, in Go the
//!   second player. (Where sides alternate, as in Go, all wins are those of who is not to move at
//!   the node.)
//! - *Draws* can't be said: each game through a node is won or not.
//! - *The board's size* isn't said, so that it has to be known before. A tree that uses only points
//!   of a smaller board is of that, as it seems ([`Read::doubt`]).
//! - *Space* separates numbers, and may be anywhere except within a number or a word. There are no
//!   comments.
//!
//! A tree is a book keyed by line. A node makes a row for the line that leads to it, which is worth
//! what its games were for the side to move there, and, but for the root, a row for its move in the
//! line before it, which is worth the same for the mover. Lines that are images of each other are
//! one line ([`tabia_games::Line`]): their games are added, and so are those of a move that occurs
//! twice in a node.
//!
//! A book holds more than a tree can say: draws, evals, flags, marks, ratings, sources.
//! [`Written::lost`] counts what is left out.
//!
//! A node is written from its move's row, not from that of the position after it. In a book of
//! games keyed by line both agree; where they don't, as in a book assembled by hand, the export
//! counts it. Drawn games are left out of a node and not made half a win each: wins and games are
//! whole numbers, and two draws would come back as a win and a loss. So a book with draws is
//! exported only if losses are allowed (`--lossy`).

mod read;
mod scan;
mod write;

pub use crate::lost::Written;
use crate::lost::reasons;
pub use read::{Read, read};
use std::fmt;
use std::io;
pub use write::write;

/// The most moves in a line. Games are shorter; what is deeper is no book.
pub const DEEPEST: usize = 4096;

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
    /// It is no tree, or no tree of this game: where, and what is wrong.
    #[error("{0}: {1}")]
    Fault(TextPosition, Fault),
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// This is here where that is expected.
    #[error("{0} stands where {1} should")]
    Unexpected(String, &'static str),
    /// More wins, or losses, than a row can count.
    #[error("{0} is more than a book can count: at most 4294967295 wins and as many losses")]
    Count(String),
    /// So many wins can't be among so many games.
    #[error("{0} wins are more than {1} games")]
    Wins(u32, u64),
    /// No point of any board has this number.
    #[error("{0} is the number of no point")]
    OffBoard(String),
    /// A move of this side, which isn't to move, by its sign.
    #[error("`{0}` is a move of {1}, who is not to move")]
    Side(String, &'static str),
    /// A move that isn't legal for this side.
    #[error("`{0}` is not legal here ({1} to move)")]
    Illegal(String, &'static str),
    /// The line is too long.
    #[error("this line has more than {DEEPEST} moves")]
    Deep,
}

reasons! {
    /// What a book holds and a tree can't say, by reason.
    lost, is_missed: true;
    /// They are not among a node's games.
    DRAWS: "draws", "draws, a game counted at each node";
    /// An eval, a depth or flags.
    JUDGED: "judged_positions", "positions with evals or flags";
    MARKED: "marked_moves", "moves with marks";
    RATED: "rated_moves", "moves with ratings";
    /// None of legal moves from the start.
    UNREACHED: "unreached_rows", "rows to which no line leads";
    /// Or that have a move to them and no counts.
    DIFFERING: "differing_positions", "positions that aren't worth what the move to them is";
}

/// The boards that most games are played on, besides that of 19x19.
const USUAL: [u64; 2] = [9, 13];

/// How many points of its board a tree has to use before something is concluded from their being
/// the first of them.
const FEWEST_POINTS: u64 = 4;

/// Why a tree is of another board, as far as can be told: it uses none of the points that only a
/// larger board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it looks like a tree of {size}x{size}: of its {points} points none is beyond {greatest}")]
pub struct Doubt {
    /// The size of the board that it fits.
    pub size: u64,
    /// How many points it uses.
    pub points: u64,
    /// The greatest number of a point on that board, its pass among them.
    pub greatest: u64,
}

impl Read {
    /// What speaks against the tree's being of this game, given by its name. Of Go on a board
    /// larger than 9x9 or 13x13 it is doubted if all its points are those of such a smaller board
    /// (with its pass, the number after the last point), and there are four or more.
    pub fn doubt(&self, game: &str) -> Option<Doubt> {
        let size: u64 = game.strip_prefix("go-")?.parse().ok()?;
        let fits = |smaller: &u64| *smaller < size && self.greatest <= smaller * smaller + 1;
        let smaller = USUAL.into_iter().find(fits).filter(|_| self.points >= FEWEST_POINTS)?;
        Some(Doubt { size: smaller, points: self.points, greatest: smaller * smaller + 1 })
    }
}
