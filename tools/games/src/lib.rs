//! The games Tabia knows: rules, keys, symmetries, move codes and notation, behind one trait.
//!
//! A book knows keys and move codes and no game; this crate is where a key comes from and what a
//! code means. It knows nothing of books, but for the mixing that keys of lines share with them
//! ([`Line`]).
//!
//! ```
//! use tabia_games::{Chess, Game};
//!
//! let mut game = Chess::start();
//! assert_eq!(game.key(), 0x463b_9618_1691_fc9c);
//! let played = game.parse_move("e4")?;
//! assert_eq!(game.coordinates(&played), "e2e4");
//! game.play(&played);
//! assert_eq!(game.key(), 0x823c_9b50_fd11_4196);
//! # Ok::<(), tabia_games::MoveError>(())
//! ```

pub mod checkers;
pub mod chess;
mod game;
pub mod go;
mod known;
mod line;
mod mix;
mod node;
pub mod othello;
mod outcome;
mod perft;
mod reach;
mod san;
mod zobrist;

pub use checkers::Checkers;
pub use chess::Chess;
pub use game::{Game, MoveError, SetupError, Trouble, set_bits};
pub use go::Go;
pub use known::{Known, WithGame};
pub use line::{Line, line_next, line_start};
pub use node::Node;
pub use othello::Othello;
pub use outcome::{Outcome, Side};
pub use perft::perft;
