//! The games Tabia knows: rules, keys, symmetries, move codes and notation, behind one trait.
//!
//! A book knows keys and move codes and no game; this crate is where a key comes from and what a
//! code means. It knows nothing of books but the mixing of their keys ([`Line`]).
//!
//! Features, all on if nothing else is said: `chess` (with shakmaty), `othello`, `go`, `draughts`
//! and `connect` (Connect Four and tic-tac-toe). A game whose feature is off is not in
//! [`Known::all`].
//!
//! ```
//! # #[cfg(feature = "chess")] {
//! use tabia_games::{Chess, Game};
//!
//! let mut game = Chess::start();
//! assert_eq!(game.key(), 0x463b_9618_1691_fc9c);
//! let played = game.parse_move("e4")?;
//! assert_eq!(game.coordinates(&played), "e2e4");
//! game.play(&played);
//! assert_eq!(game.key(), 0x823c_9b50_fd11_4196);
//! # }
//! # Ok::<(), tabia_games::MoveError>(())
//! ```

// With a game off, some of what the games share has no user.
#![cfg_attr(not(feature = "default"), allow(dead_code))]

#[cfg(not(feature = "default"))]
mod built_without;
#[cfg(feature = "draughts")]
pub mod checkers;
#[cfg(feature = "chess")]
pub mod chess;
#[cfg(feature = "connect")]
pub mod connect_four;
#[cfg(feature = "chess")]
mod en_passant;
mod game;
#[cfg(feature = "go")]
pub mod go;
pub mod gtp;
mod known;
mod komi;
mod line;
mod node;
#[cfg(feature = "othello")]
pub mod othello;
mod outcome;
#[cfg(feature = "chess")]
mod reach;
pub mod row_eval;
mod rows;
#[cfg(feature = "chess")]
mod san;
#[cfg(feature = "connect")]
pub mod tic_tac_toe;
mod variants;
mod zobrist;

#[cfg(not(feature = "draughts"))]
use built_without as checkers;
#[cfg(not(feature = "chess"))]
use built_without as chess;
#[cfg(not(feature = "connect"))]
use built_without as connect_four;
#[cfg(not(feature = "go"))]
use built_without as go;
#[cfg(not(feature = "othello"))]
use built_without as othello;
#[cfg(not(feature = "connect"))]
use built_without as tic_tac_toe;

pub use checkers::Checkers;
pub use chess::Chess;
pub use connect_four::ConnectFour;
pub use game::{
    CornerGame, Game, GameNames, MoveError, SetupError, Trouble, after_number, perft, set_bits,
};
pub use go::Go;
#[doc(hidden)]
pub use known::other_game;
pub use known::{Known, KnownMove, OwnType, missing_feature, names};
pub use komi::{BadKomi, Komi};
pub use line::{Line, line_next, line_start, mix};
pub use node::{Node, Replay};
pub use othello::Othello;
pub use outcome::{Outcome, Side};
pub use tic_tac_toe::TicTacToe;
pub use variants::{VariantNames, is_chess, letters_of, variant_named};
