//! A book as a graph: positions, and the moves that were played from one to the next. Walking it,
//! and trimming a book to a part of it.
//!
//! [`Rule`] says which moves of a position are kept, and which are best; [`Trim`] holds what a
//! [`TrimPlan`] keeps of a book, found row by row or by walking from where its lines start, reports
//! what is dropped for which [`Reason`], and writes the smaller book.

pub mod choice;
mod error;
mod graph;
mod kept;
mod leaves;
pub mod mix;
pub mod negamax;
mod pointers;
mod rule;
mod score;
mod stats;
mod trim;
mod trim_plan;
mod walk;
mod watch;

pub use error::Error;
pub use kept::KeptRows;
pub use pointers::{Pointers, Successor};
pub use rule::Rule;
pub use score::{BadPercent, Order, Percent};
pub use stats::{Reason, TableStats, TrimStats};
pub use trim::Trim;
pub use trim_plan::{Solution, TrimPlan};
pub use walk::Walked;
pub use watch::{Step, Watch};
