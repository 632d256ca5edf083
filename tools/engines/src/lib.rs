//! Engines as child processes, from the side that asks: UCI, GTP and NBoard's protocol.
//!
//! [`Process`] is a child process that reads and writes lines, and isn't trusted: every wait has a
//! deadline, every line and every answer a limit, and no child outlives its handle. [`Engine`] is the
//! interface of all protocols: a position given by the moves that led to it ([`MoveHistory`]), a limit
//! ([`Limit`]), and a move that is legal by the rules of [`tabia_games`] or an answer that says it
//! isn't. [`Launch`] says how an engine is started, [`EvalUnit`] what its evals are in the rows of a
//! book. [`GtpServer`] is the other side: an engine of this process that is asked by GTP.
//!
//! The feature `chess`, on if nothing else is said, tells UCI engines of Chess960.
//!
//! No method here waits forever. An engine that dies, hangs, floods, writes what is no text or
//! refuses a command is an [`Error`] that says which engine it was and what it said last; a move
//! that isn't legal is no error but an [`Answer`], since it is a game that it decides.

mod answer;
mod engine;
mod error;
mod eval_unit;
mod group;
mod gtp;
mod gtp_engine;
mod gtp_ranking;
mod gtp_server;
mod launch;
mod limit;
mod nboard;
mod nboard_engine;
mod process;
mod uci;
mod uci_engine;

pub use answer::{Answer, BookUse, Ending, Eval, Ranked, Ranking, Thought};
pub use engine::{Choice, Engine, Hears, MoveHistory, Query, unusual_setup};
pub use error::{Error, Fault};
pub use eval_unit::EvalUnit;
pub use gtp_engine::GtpEngine;
pub use gtp_server::GtpServer;
pub use launch::{BadCommand, BadProtocol, Command, Launch, Protocol, StartEngine};
pub use limit::{BadDice, BadLimit, BadTimeControl, Clock, Dice, Limit, TimeControl};
pub use process::{Line, Process};
