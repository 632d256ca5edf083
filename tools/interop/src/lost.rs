//! What one side of a conversion holds and the other can't say, or what is odd in it: how much of
//! it, by reason. And why a book couldn't be written at all.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// The most reasons of one format.
const MOST: usize = 12;

/// A reason for which something is left out. Each format has its own, in its modules `lost`
/// (reading, or the only way there is) and `left_out` (writing).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossReason {
    /// A word for programs: `illegal`.
    pub name: &'static str,
    /// What is left out, in the plural: `moves that are not legal`.
    pub what: &'static str,
    /// Whether a user would miss it, so that a program should ask before it is left out.
    pub is_missed: bool,
}

/// Makes a module of a format's reasons, each with its word for programs and what is left out, and
/// `ALL` of them, in the order in which they are reported.
macro_rules! reasons {
    (
        $(#[$about:meta])*
        $module:ident, is_missed: $is_missed:literal;
        $($(#[$doc:meta])* $name:ident: $word:literal, $what:literal;)+
    ) => {
        $(#[$about])*
        pub mod $module {
            $(
                #[doc = concat!("`", $word, "`: ", $what, ".")]
                $(#[$doc])*
                pub const $name: $crate::LossReason =
                    $crate::LossReason { name: $word, what: $what, is_missed: $is_missed };
            )+

            /// All of these, in the order in which they are reported.
            pub const ALL: &[$crate::LossReason] = &[$($name),+];
        }
    };
}
pub(crate) use reasons;

/// The account of a conversion: how much was left out, or was odd, for each reason that its format
/// knows.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Losses {
    reasons: &'static [LossReason],
    counts: [u64; MOST],
}

impl Losses {
    /// Nothing lost, of these reasons.
    ///
    /// # Panics
    /// If there are more than twelve.
    pub const fn new(reasons: &'static [LossReason]) -> Self {
        assert!(reasons.len() <= MOST, "no format has so many reasons");
        Self { reasons, counts: [0; MOST] }
    }

    /// Counts what is lost for one of its reasons.
    ///
    /// # Panics
    /// If it is none of its reasons.
    pub fn add(&mut self, reason: LossReason, count: u64) {
        if count == 0 {
            return;
        }
        let place = self
            .place(reason)
            .unwrap_or_else(|| panic!("{} is no reason of this format", reason.name));
        self.counts[place] += count;
    }

    /// How much is lost for this reason.
    pub fn of(&self, reason: LossReason) -> u64 {
        self.place(reason).map_or(0, |place| self.counts[place])
    }

    /// Whether something is lost.
    pub fn any(&self) -> bool {
        self.counts != [0; MOST]
    }

    /// All reasons and how much is lost for each, in the order in which they are reported.
    pub fn each(&self) -> impl Iterator<Item = (LossReason, u64)> + use<> {
        self.reasons.iter().copied().zip(self.counts)
    }

    fn place(&self, reason: LossReason) -> Option<usize> {
        self.reasons.iter().position(|other| *other == reason)
    }
}

/// The result of writing a tree: what was written, and what was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Nodes, also a root that is none of a move.
    pub nodes: u64,
    /// The moves of the longest line.
    pub plies: usize,
    /// What the book holds and the tree doesn't say.
    pub lost: Losses,
}

/// All that isn't zero, or `nothing`.
impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lost = self.each().filter(|(_, count)| *count > 0);
        let Some((first, count)) = lost.next() else { return f.write_str("nothing") };
        write!(f, "{count} {}", first.what)?;
        lost.try_for_each(|(reason, count)| write!(f, "; {count} {}", reason.what))
    }
}

/// As people read it.
impl fmt::Debug for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Losses({self})")
    }
}

/// Why a book couldn't be written to a file of another format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The engine's word: the book can't be read, or the work was to stop.
    #[error(transparent)]
    Book(#[from] tabia::Error),
    /// The system's word: the file can't be written.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// Of Arena's books: the book is of this game, and not of chess.
    #[error("{}: it is a book of {}, and Arena's are of chess", .0.display(), .1)]
    Game(PathBuf, String),
    /// Of trees: the book is keyed by position, where transpositions meet.
    #[error("{}: it is keyed by position, and a tree has lines: build a book with --keyed line", .0.display())]
    ByPosition(PathBuf),
    /// Of trees: the book's rows don't make one.
    #[error("{}: its rows are no tree: a line goes on for more than {} moves, or leads to rows more than once", .0.display(), crate::mcst::DEEPEST)]
    NoTree(PathBuf),
    /// Of rows: those of other than one table were to be written to a Parquet file.
    #[error("a Parquet file holds one table")]
    OneTable,
    /// Of rows: this crate was built without its feature `parquet`.
    #[error("this program was built without the feature `parquet`")]
    NoParquet,
}
