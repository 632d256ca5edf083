//! A book between a GUI and its engine.
//!
//! A [`ProxyProtocol`] ([`Uci`], [`Gtp`], [`NBoard`]) receives each line of the GUI and of the engine,
//! and decides what to send where. It knows nothing of pipes and clocks, and asks a [`BookPlayer`]
//! for the book's moves. [`play()`] starts the engine and carries lines between the two, unchanged
//! and in order; what a protocol doesn't have to know passes untouched.
//!
//! Where the book answers, the engine isn't asked: the question is withheld, not the answer. So the
//! engine doesn't think, and all that it says is its own. It hears every position, so that it can
//! go on at any time.

mod book_player;
mod book_stack;
mod error;
mod exchange;
mod explanation;
mod gtp;
mod lines;
mod log;
mod nboard;
mod relay;
mod settings;
mod stats;
mod uci;

pub use book_player::{Adviser, BookPlayer, Query};
pub use book_stack::BookStack;
pub use error::Error;
pub use exchange::{Action, Exchange, ProxyProtocol};
pub use gtp::{Gtp, OnBoard, Put};
pub use log::Log;
pub use nboard::NBoard;
pub use relay::{Ends, play};
pub use settings::BookSettings;
pub use stats::{Figures, SessionReport, SessionStats};
pub use uci::Uci;
