//! Which program's book a file is, by how it begins.

use std::fmt;

/// The books of other programs that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForeignBook {
    /// Arena's books of chess, `.abk`: [`crate::abk`].
    Abk,
    /// ChessBase's books of chess, `.ctg`: [`crate::ctg`].
    Ctg,
    /// Edax's books of Othello, `.dat` or `.book`: [`crate::edax`].
    Edax,
    /// Evaluations that lichess publishes, `.jsonl`: [`crate::lichess_evals`].
    LichessEvals,
    /// Monte-Carlo search trees as text, `.mcst`: [`crate::mcst`].
    Mcst,
    /// Polyglot's books of chess, `.bin`: [`crate::polyglot`].
    Polyglot,
}

impl ForeignBook {
    /// The kind of book that begins with these bytes, if they show it. A Polyglot book without a
    /// header and a ChessBase book may begin with any bytes.
    ///
    /// ```
    /// use tabia_interop::ForeignBook;
    ///
    /// assert_eq!(ForeignBook::of_start(b"XADEKOOB\x04"), Some(ForeignBook::Edax));
    /// assert_eq!(ForeignBook::of_start(b" {0 7 16"), Some(ForeignBook::Mcst));
    /// assert_eq!(ForeignBook::of_start(b""), None);
    /// ```
    pub fn of_start(start: &[u8]) -> Option<Self> {
        if start.starts_with(b"\0\0\0\0\0\0\0\0@PG@\n") {
            return Some(Self::Polyglot);
        }
        if start.starts_with(b"\x03AB2") || start.starts_with(b"\x03ABK") {
            return Some(Self::Abk);
        }
        if start.starts_with(b"XADEKOOB") {
            return Some(Self::Edax);
        }
        let text = start.trim_ascii_start();
        if text.starts_with(b"{\"fen\":") {
            return Some(Self::LichessEvals);
        }
        text.starts_with(b"{0").then_some(Self::Mcst)
    }
}

/// What it is, with an article: `an Arena book`.
impl fmt::Display for ForeignBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Abk => "an Arena book",
            Self::Ctg => "a ChessBase book",
            Self::Edax => "an Edax book",
            Self::LichessEvals => "a file of lichess's evaluations",
            Self::Mcst => "a tree in MCST",
            Self::Polyglot => "a Polyglot book",
        })
    }
}
