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

mod doubt;
mod error;
pub mod lost;
pub(crate) mod read;
mod scan;
pub(crate) mod write;

pub use doubt::{Doubt, FEWEST_POINTS};
pub use error::{Fault, ReadError, TextPosition};
pub use read::{NodeRows, Read, read};
pub use write::{Written, write};

/// The most moves in a line. Games are shorter; what is deeper is no book.
pub const DEEPEST: usize = 4096;
