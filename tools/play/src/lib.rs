//! A book as a graph: positions, and the moves that were played from one to the next. Walking it,
//! and trimming a book to a part of it.
//!
//! [`Thresholds`] says which moves of a position are kept, and which are best; [`Trim`] holds what a
//! [`TrimPlan`] keeps of a book, found row by row or by walking from where its lines start, reports
//! what is dropped for which [`TrimReason`], and writes the smaller book.

mod backed_up;
mod breadth_first;
pub mod choice;
mod coverage;
mod differing;
mod expanded;
pub mod explore;
mod game_text;
mod holes;
mod kept;
mod leaves;
mod marked;
pub mod mix;
mod move_graph;
pub mod negamax;
mod passage;
mod pointers;
mod score;
mod stats;
mod survey;
pub mod text;
mod thresholds;
mod top_games;
mod tree;
mod trim;
mod walk;
mod watch;

pub use coverage::{Coverage, Exit, GameNumber, GamesInBook, KnownMoves, PlayedMove};
pub use differing::{Differing, ListedDifference};
pub use expanded::{Expanded, Incomplete, MIN_GAMES, min_games, unexpand, unexpand_all};
pub use game_text::{GameFormat, game_text, replayed, sgf, tagged};
pub use holes::{Hole, Holes, HolesPlan};
pub use marked::{AllMarked, MarkedMove};
pub use pointers::{Pointers, Successor};
pub use score::{BadPercent, Order, Percent};
pub use stats::{TableStats, TrimReason, TrimStats};
pub use survey::{Level, Levels, Survey};
pub use thresholds::Thresholds;
pub use top_games::{TopGame, TopGames, TopGamesPlan};
pub use tree::{Edge, LeftOut, Tree, TreeNode, TreePlan};
pub use trim::{Solution, Trim, TrimPlan};
pub use walk::Walked;
pub use watch::{Step, Watch};

use std::path::PathBuf;

/// A book that can't be walked, trimmed or played from as was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine's word.
    #[error(transparent)]
    Engine(#[from] tabia::Error),
    /// A position to start from that the book knows nothing of.
    #[error("{}: the position to start from isn't in the book: {setup}", path.display())]
    NotThere {
        /// The book.
        path: PathBuf,
        /// The position's set-up text.
        setup: String,
    },
    /// A rule that can't be followed in these books.
    #[error("{rule}: {why}")]
    Rule {
        /// The rule.
        rule: String,
        /// Why not, and what to do instead.
        why: &'static str,
    },
    /// More positions or moves than are held in memory.
    #[error(
        "more than 4,294,967,295 positions or moves are reached: read only positions with more games (min-games)"
    )]
    TooLarge,
}
