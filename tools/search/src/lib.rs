//! A game-playing search of our own, for any game: so that books grow without an engine.
//!
//! [`engine`] gives a [`tabia_engines::Engine`] for a game. It searches by alpha-beta, principal
//! variations first, deeper and deeper, with a hash table; it knows of each game what [`Evaluate`]
//! says, and of a game that isn't ours only how it ends. It plays Othello, draughts and Connect Four
//! tolerably, chess like a beginner who counts, and Go badly: programs made for one game are better
//! at it.
//!
//! - *Deterministic.* Nothing is kept from one question to the next, and the clock is looked at only
//!   if a limit of time is given: the same position, moves and limit of nodes or depth give the same
//!   answer. The best limit is one of nodes; it always holds. Without any limit [`Options::nodes`] is
//!   it. A limit of depth alone also ends after `patience`.
//! - *Exact values.* [`Engine::rank`] gives each move it returns its own value. All are searched to
//!   the same depth; moves that a small limit left unsearched have depth 0 and the estimate of the
//!   position before them.
//! - *Sure ends are proven.* [`tabia_engines::Ranked::sure`] is set only where the move's value
//!   follows from ends of games by the rules of [`tabia_games`]: not from an estimate, not from a
//!   repetition (which counts as a draw, unproven), not where moves were left out. Wins by mate and
//!   the like are told as [`tabia_engines::Eval::Mate`]; the number of moves need not be the least.
//! - *Units.* Hundredths of a pawn in chess, of a man in draughts, of a disc in Othello, of a point
//!   of area in Go (with 7.5 points of komi), of a nominal point in Connect Four.
//!
//! [`PlayoutTree`] is another search, of which books are made: Monte-Carlo tree search by games that
//! chance plays. [`MonteCarlo`] is an engine that plays by it, the better one in Go.
//!
//! Features, all on if nothing else is said: `chess`, `othello`, `go`, `draughts` and `connect`.
//!
//! ```
//! # #[cfg(feature = "connect")] {
//! use std::time::Duration;
//! use tabia_engines::{Answer, Eval, Limit, MoveHistory};
//! use tabia_games::{Game, TicTacToe};
//!
//! let mut history = MoveHistory::new(TicTacToe::start());
//! for text in ["a1", "b1", "a2", "b2"] {
//!     let played = history.position().parse_move(text)?;
//!     history.play(&played);
//! }
//! let mut engine = tabia_search::engine::<TicTacToe>();
//! let thought = engine.think(&history, &Limit::default(), Duration::from_secs(10))?;
//! let Answer::Move(played) = thought.answer else { panic!("a move") };
//! assert_eq!(history.position().notation(&played), "a3");
//! assert_eq!(thought.eval, Some(Eval::Mate(1)));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Engine::rank`]: tabia_engines::Engine::rank

mod budget;
#[cfg(feature = "chess")]
mod chess;
#[cfg(feature = "connect")]
mod connect_four;
#[cfg(feature = "draughts")]
mod draughts;
mod evaluate;
mod games;
#[cfg(feature = "go")]
mod go;
#[cfg(feature = "go")]
mod go_playout;
mod known;
mod monte_carlo;
mod ordering;
#[cfg(feature = "othello")]
mod othello;
mod playout;
mod score;
mod search;
mod table;
mod tree;
mod uct;

pub use budget::Budget;
#[cfg(feature = "chess")]
pub use chess::ChessKnowledge;
#[cfg(feature = "connect")]
pub use connect_four::ConnectFourKnowledge;
#[cfg(feature = "draughts")]
pub use draughts::DraughtsKnowledge;
pub use evaluate::{End, Evaluate, Plain, Unrest};
pub use games::{engine, engine_with, starting};
#[cfg(feature = "go")]
pub use go::GoKnowledge;
pub use monte_carlo::{MonteCarlo, TREE_NAME};
#[cfg(feature = "othello")]
pub use othello::OthelloKnowledge;
pub use search::{NAME, Options, Search};
pub use uct::{EXPANDED_AT, PlayoutTree, Simulation, TreeLine};
