//! Books that extend themselves: leaves of a book's graph are chosen, expanded by engines, and
//! written to the book, one batch of the journal for each.
//!
//! The way of the data: a [`Plan`] says how to grow. A [`Tree`] is the graph of the book in memory;
//! a [`Method`] chooses the next leaf of it. An expansion is what has to be found out there, and
//! its [`Task`] is that in words, to be carried out by any [`Worker`]: an engine in this process
//! ([`EngineWorker`]), or another process, perhaps on another machine ([`RemoteWorker`], [`serve`]).
//! The answers become rows, which go to the [`GrowingBook`] and back into the tree. [`grow`] does
//! all of it until the plan's [`Budget`] is used up; [`PlayedGames`] does it along games that were
//! played, and adds these. [`Learner`] is what plays and learns from its games needs of that.
//!
//! [`grow_stages`] makes books of Monte-Carlo trees, which need no engine.
//!
//! [`Following`] finds out where games of archives leave a book.
//!
//! [`learning`] is something else: an overlay that makes a player leave the lines it loses with.
//!
//! After every batch each expanded position has an evaluated deviation, or all its legal moves are
//! in the book (Buro 1999, "Toward Opening Book Learning", section 4).

mod answers;
mod asking;
mod best_first;
mod drop_out;
mod engine_worker;
mod error;
mod expansion;
mod following;
mod game_line;
mod grow;
mod growing_book;
pub mod learning;
mod monte_carlo;
mod plan;
mod played;
mod pool;
mod progress;
mod remote;
mod resume;
mod task;
mod text;
mod tree;
mod written_book;

pub use drop_out::{LineCosts, cheapest_end};
pub use engine_worker::EngineWorker;
pub use error::Error;
pub use expansion::Expansion;
pub use following::{Following, GameList};
pub use game_line::GameLine;
pub use grow::grow;
pub use growing_book::GrowingBook;
pub use monte_carlo::{Grove, PLAYOUTS, Stages, WIDTHS, grow_stages};
pub use plan::{BadBudget, Budget, EvalFact, Method, NODES, Plan, usual_limit};
pub use played::{Counted, Learner, PlayedGames};
pub use progress::{Grown, Progress, Report, Stop, Watch};
pub use remote::{Greeting, RemoteWorker, serve};
pub use task::{Answer, Question, Task, Valued, Worker, WorkerError};
pub use tree::Tree;
