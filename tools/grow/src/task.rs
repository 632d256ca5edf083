//! What is asked to expand a leaf, and what is answered, in words that any process understands; and
//! whoever answers: an engine here, or a process anywhere.

use serde::{Deserialize, Serialize};
use tabia_engines::{Ending, Eval};

/// All that has to be found out to expand one leaf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its number, by which an answer is told from late ones of other tasks.
    pub id: u64,
    /// The questions, in order.
    pub questions: Vec<Question>,
}

/// What are the best of these moves worth?
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The moves that lead from the start to the position, as programs write them.
    pub line: Vec<String>,
    /// Legal moves there.
    pub among: Vec<String>,
    /// How many of them are wanted: more, if it is sure of all these how the game ends and none wins,
    /// until there is one of which that isn't so, or there are no more.
    pub count: usize,
}

/// The best moves that were asked for, the best first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// As many as were wanted, or more, as [`Question::count`] says.
    pub moves: Vec<Valued>,
    /// Nodes that were searched, if the engine says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// A move and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Valued {
    /// The move, as it was written in the question.
    pub played: String,
    /// What it is worth, seen from the side that makes it.
    pub eval: Eval,
    /// How deep it was searched, in plies, if the engine says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How the game ends behind it, if that is sure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sure: Option<Ending>,
}

/// Somebody who answers questions about positions, one task after the other.
pub trait Worker: Send {
    /// What it is called, for people.
    fn name(&self) -> &str;

    /// Answers all questions of a task, in order. After an error it may be asked again, and is then
    /// expected to begin anew.
    ///
    /// # Errors
    /// [`WorkerError`].
    fn answer(&mut self, task: &Task) -> Result<Vec<Answer>, WorkerError>;
}

/// Why a worker gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The engine's, or the process's.
    #[error(transparent)]
    Engine(#[from] tabia_engines::Error),
    /// It answered what wasn't asked.
    #[error("{worker} answered what wasn't asked: {what}")]
    Wrong {
        /// Which worker.
        worker: String,
        /// What is wrong.
        what: String,
    },
    /// It says that it can't.
    #[error("{worker}: {why}")]
    Refused {
        /// Which worker.
        worker: String,
        /// What it says.
        why: String,
    },
}
