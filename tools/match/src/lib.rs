//! Games between two engines, by our own rules: what a book is worth, in points and in time.
//!
//! A [`Contest`] says who plays what: two engines ([`Player`]), openings ([`Openings`]), rules
//! ([`Rules`]). Each opening is played twice with sides swapped; game n is always that of opening
//! (n - 1) / 2, whichever worker plays it, so that deterministic engines that always do the same
//! play the same match with any number of them. [`run()`] plays it, [`GamesFile`] is the file that
//! finished games are written to and from which a match continues, [`Report`] holds the results.
//! With [`Sprt`] a match ends when its pairs have shown enough, and [`Tuning`] finds numbers in an
//! engine's command. A [`Learner`] puts each game into a book; in [`SelfPlay`] an overlay learns
//! which lines to leave.
//!
//! [`tabia_games`] is the referee: a move that isn't legal, a crash, no move at all, and time over
//! are losses, each counted apart ([`EndReason`]).
//!
//! # What is equal when a book answers
//!
//! With a book in front of one of two copies of an engine, no comparison is equal in everything,
//! and the limit says in what:
//!
//! - *Equal nodes a move* (`--nodes`). Where the book answers, its side searches nothing: it plays
//!   a known move, while the other side searched its full nodes for the same ply. Unused nodes
//!   aren't carried over. So the score compares the book's moves with those that the engine finds
//!   with this number of nodes, and nothing else: from the first position out of book both sides
//!   search alike. It understates the book: the time it saves is worth nothing. That time is
//!   reported apart, as the share of time saved. The result doesn't depend on the machine, on its
//!   load or on the number of workers, which makes this the default advice.
//! - *Equal clocks* (`--clock 10+0.1`). What the book saves stays on its clock and makes later
//!   moves better: this is what a book is worth in play, and includes how well an engine uses time.
//!   It depends on the machine and its load.
//! - *Equal time a move* (`--movetime`) is equal nodes with the machine's noise added.
//!
//! Three things can spoil each of them. Openings that both sides are given must end before the book
//! does, or no book move is ever played: the report says how many book moves there were a game.
//! Without openings two engines that always do the same play one game again and again: with equal
//! nodes take openings, or a book rule that draws its moves. And an engine remembers what it
//! searched: where the book answers, it comes to its first search without a filled hash table, as
//! it would in play.
//!
//! The share of time saved is 1 - (seconds of the side with the book) / (seconds of the other
//! side), over the same games; as book moves are the early ones, whose searches under a clock are
//! the long ones, it isn't the share of moves without thinking, which is reported beside it.
//!
//! Features, all on if nothing else is said: a game each, `chess`, `othello`, `go`, `draughts` and
//! `connect` (Connect Four and tic-tac-toe); and `mix`, which finds mixed strategies.

// With a game off, some of what its record shares with others has no user.
#![cfg_attr(not(feature = "default"), allow(dead_code, unused_variables))]

mod adjudication;
mod book_player;
mod clocks;
mod contest;
mod error;
mod estimate;
mod facts;
mod game_runner;
mod games_file;
mod judge;
mod learner;
#[cfg(feature = "mix")]
pub mod mixing;
mod openings;
mod played;
pub mod playing;
mod record;
mod report;
mod run;
mod self_play;
mod settings;
mod sprt;
mod spsa;
mod tuning;

pub use adjudication::{Adjudication, BadAdjudication, DrawRule, WinRule};
pub use book_player::BookPlayer;
pub use contest::Contest;
pub use error::Error;
pub use estimate::Estimate;
pub use facts::{EndReason, EngineFacts, Facts};
pub use games_file::GamesFile;
pub use learner::Learner;
pub use openings::{BadOpenings, Openings};
pub use played::{PlayedGame, Remark};
pub use record::record;
pub use report::{GameReport, PlayerReport, Report, SideReport, line};
pub use run::{play_one, run, run_until};
pub use self_play::{SelfPlay, SelfPlayError};
pub use settings::{Player, Rules, Scoring, Settings, told_apart};
pub use sprt::{BadSprt, Hypothesis, Sprt, SprtReport};
pub use spsa::{BadParameter, Parameter, Spsa};
pub use tuning::{Iteration, TunedParameter, Tuning, TuningReport};
