//! Polyglot's books (`.bin`), which most chess programs read: moves of positions by key, each with
//! a weight.
//!
//! Fixed by <http://hgm.nubati.net/book_format.html>, and where that is silent by the program
//! Polyglot 2.0. A file is a list of entries of 16 bytes, all integers with the highest byte first,
//! in ascending order of keys:
//!
//! ```text
//! key u64, move u16, weight u16, learn u32
//! ```
//!
//! - *Keys and moves* are those of a Tabia book of chess, bit for bit (format-spec/keys.md).
//!   Castling is the king's move to its own rook, e1h1, in both. The same bits may be a rook's or
//!   queen's move; no position allows both, so that the code is unambiguous with the board. Many
//!   books in the wild have the king's two steps instead, e1g1: [`respell`] mends them.
//! - *The weight* is by convention two for a win and one for a draw, scaled down where it doesn't
//!   fit. Moves of weight 0 are not to be played.
//! - *The learn field* is 0 in books that Polyglot makes. Polyglot that learns writes there how
//!   many games it played with the move and how many points (two for a win) it made. Other programs
//!   write other things.
//! - *A file that is none*: any bytes are entries. [`Read::doubt`] and [`doubt_of_moves`] say what
//!   no Polyglot book has.
//! - *A header* (2012) is a text in leading entries with key 0, which readers skip ([`Header`]).
//! - *Chess960*: a position in which an inner rook may castle has no place in such a book; keys of
//!   all others are as in chess.

#[cfg(feature = "chess")]
mod castling;
#[cfg(feature = "chess")]
mod doubt;
mod entry;
mod gather;
mod header;
mod legal;
mod meaning;
mod read;
mod sort;
mod sorted;
mod weights;

use crate::lost::reasons;
#[cfg(feature = "chess")]
pub use castling::{Castlings, respell};
#[cfg(feature = "chess")]
pub use doubt::{Doubt, doubt_of_moves};
pub use entry::Entry;
pub use gather::{GatherOptions, Gathered, gather};
pub use header::{BadComment, Header};
pub use legal::LegalMoves;
pub use meaning::{Learn, Meaning, Weight};
pub use read::{Read, read};
pub use sort::EntrySorter;
pub use sorted::sorted;
pub use weights::WeightBasis;

reasons! {
    /// What a Polyglot book holds and rows don't say, by reason.
    lost, is_missed: false;
    /// Those that are left out ([`super::Learn::Ignore`]).
    LEARNED: "learned", "learn fields";
    /// In their place are the games of learn fields ([`super::Learn::Results`]).
    WEIGHTS: "weights", "weights";
    UNPAIRED: "unpaired", "learn fields with more points than their games can have made";
    /// The same in all fields.
    REPEATED: "repeated", "entries that only repeat those before them";
    NULL_MOVES: "null_moves", "null moves";
    /// Beside those of a header.
    KEY_ZERO: "key_zero", "entries with key 0";
    TRAILING: "trailing", "bytes behind the last whole entry";
}

reasons! {
    /// What a book holds and a Polyglot book doesn't say, by reason.
    left_out, is_missed: false;
    POSITIONS: "positions", "positions' own games, evals and flags";
    MARKED: "marked_moves", "moves' annotations";
    RATED: "rated_moves", "moves' ratings";
}
