//! How archives are read, and what is wanted of their games, whatever their format.

use crate::filter::Filter;
use crate::format::Format;
use crate::named;
use tabia::{Columns, Keyed, Slice};
use tabia_games::{Known, Komi};

/// Which games are wanted, and what of them. By default all decided games, without evals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Which games.
    pub filter: Filter,
    /// Whether [`GameRecord::evals`](crate::GameRecord::evals) are read from comments.
    pub evals: bool,
    /// The columns that the moves of the book are to have:
    /// [`GameRecord::year`](crate::GameRecord::year) and
    /// [`GameRecord::digest`](crate::GameRecord::digest) are made only for these.
    pub columns: Columns,
    /// Whether [`GameRecord::players`](crate::GameRecord::players) is wanted; 0 else.
    pub players: bool,
    /// Whether [`GameRecord::details`](crate::GameRecord::details) are wanted, for best games.
    pub details: bool,
    /// Whether each variation, with the moves that lead to it, is handed on as a game of its own, a
    /// draw without ratings, year and digest: for [`UnknownResults::Count`] (PGN, PDN, SGF).
    pub variations: bool,
    /// Whether the keys of plies are those of positions, or of the lines up to them.
    pub keyed: Keyed,
    /// What becomes of games without a decided result.
    pub unknown_results: UnknownResults,
    /// Whether games count that start from set-up stones, handicap stones among them (SGF).
    pub set_up: bool,
    /// Whether the sequences of a game's four corners count instead of the game, and of how many
    /// rows and columns a corner is (Go).
    pub corners: Option<u8>,
    /// Which games' results are counted from their last position (Go).
    pub scored: Scored,
    /// White's points where results are counted. If none, those the game says, or 7.5.
    pub komi: Option<Komi>,
}

named! {
    /// Which games of Go are scored by area, all stones taken for alive (Chen and Zhang 2012).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Scored {
        /// None.
        Never = "never",
        /// Those without a result that ended by two passes.
        #[default]
        Finished = "finished",
        /// All without a result.
        Unknown = "unknown",
        /// Those that ended by two passes, whatever their results say; the results of the rest are
        /// believed, as of games that ended by resignation or on time.
        Passes = "passes",
        /// All, whatever their results say.
        All = "all",
    }
}

/// What to do with games of unknown result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownResults {
    /// They are skipped.
    #[default]
    Skip,
    /// They count, and every game counts as a draw, decided or not: numbers say nothing of who won.
    Count,
}

/// How archives are read: their game and format, and which games are wanted.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which game is played in the archives.
    pub game: Known,
    /// The format of all archives; if none, each archive's content and name decide.
    pub format: Option<Format>,
    /// Which games are wanted, and what of them.
    pub wanted: Wanted,
    /// The slice of each archive whose games are looked at, all if none. It is read and cut whole.
    pub slice: Option<Slice>,
    /// Whether tags and moves that two blank lines part are one game: they are, if not said. If
    /// not, as for many programs, they are one game without moves and one without a result.
    pub join_split: bool,
    /// Of the games of an archive, but for those that aren't wanted: the greatest share, in
    /// percent, that may be refused because its moves can't be read or aren't legal. If it is more,
    /// of twenty games at least, that is [`crate::ArchiveError::MostlyRefused`]: the few games that
    /// are left are legal by accident. Any share if none.
    pub most_refused: Option<u8>,
    /// About how much text goes to a worker at a time. It never shows in the result.
    pub chunk_bytes: usize,
}

impl Options {
    /// Options for archives of this game, of which all that can be counted is wanted.
    pub fn new(game: Known) -> Self {
        Self {
            game,
            format: None,
            wanted: Wanted::default(),
            slice: None,
            join_split: true,
            most_refused: None,
            chunk_bytes: 512 << 10,
        }
    }
}

/// Options for archives of chess.
#[cfg(feature = "chess")]
impl Default for Options {
    fn default() -> Self {
        Self::new(Known::Chess(tabia_games::Chess::start()))
    }
}
