//! A book between a GUI and its engine.
//!
//! A [`Protocol`] ([`Uci`], [`Gtp`], [`NBoard`]) is told each line that the GUI or the engine says,
//! and says what goes where: it knows nothing of pipes and clocks, and asks whoever [`BookPlayer`]s
//! it for the book's moves. [`play()`] starts the engine and carries lines between the two, as they
//! are and in order; what a protocol doesn't have to know passes untouched.
//!
//! Features, all on if nothing else is said: `chess` for UCI, `othello` for NBoard and for Othello by
//! GTP, `go` for Go by GTP.

// With a protocol off, some of what it shares with others has no user.
#![cfg_attr(not(all(feature = "chess", feature = "othello", feature = "go")), allow(dead_code))]

mod announced;
mod book_player;
mod book_stack;
mod error;
mod exchange;
mod gtp;
mod lines;
mod log;
#[cfg(feature = "othello")]
mod nboard;
mod relay;
mod settings;
mod stats;
#[cfg(feature = "chess")]
mod uci;

pub use book_player::{Adviser, BookPlayer, Query};
pub use book_stack::BookStack;
pub use error::Error;
pub use exchange::{Action, Exchange, Protocol};
pub use gtp::{Gtp, OnBoard, Put};
pub use log::Log;
#[cfg(feature = "othello")]
pub use nboard::NBoard;
pub use relay::{Ends, play};
pub use settings::Settings;
pub use stats::{Figures, Report, SessionStats};
#[cfg(feature = "chess")]
pub use uci::Uci;
