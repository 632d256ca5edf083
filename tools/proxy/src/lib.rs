//! A book between a GUI and its engine.
//!
//! A [`ProxyProtocol`] ([`Uci`], [`Gtp`], [`NBoard`]) receives each line of the GUI and of the engine,
//! and decides what to send where. It knows nothing of pipes and clocks, and asks an [`Adviser`]
//! for the book's moves. [`play()`] starts the engine and carries lines between the two, unchanged
//! and in order; what a protocol doesn't have to know passes untouched.
//!
//! Where the book answers, the engine isn't asked: the question is withheld, not the answer. So the
//! engine doesn't think, and all that it says is its own. It hears every position, so that it can
//! go on at any time.
//!
//! Features, all on if nothing else is said: `chess` for UCI, `othello` for NBoard and for Othello by
//! GTP; `go`, `draughts` and `connect` (Connect Four and tic-tac-toe) for these games by GTP.

// With a protocol off, some of what it shares with others has no user.
#![cfg_attr(not(all(feature = "chess", feature = "othello", feature = "go")), allow(dead_code))]

mod adviser;
mod book_stack;
mod error;
mod explanation;
mod gtp;
mod log;
#[cfg(feature = "othello")]
mod nboard;
mod options;
mod relay;
mod session;
mod stats;
#[cfg(feature = "chess")]
mod uci;

pub use adviser::Adviser;
pub use book_stack::{BookFiles, BookStack};
pub use error::Error;
pub use gtp::Gtp;
#[cfg(feature = "othello")]
pub use nboard::NBoard;
pub use options::BookSettings;
pub use relay::{Ends, Patience, Stop, play};
pub use session::{Action, ProxyProtocol, Session};
pub use stats::{Figures, SessionReport, SessionStats};
#[cfg(feature = "chess")]
pub use uci::Uci;
