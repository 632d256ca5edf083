//! Whoever answers questions: an engine here, or a process anywhere.

use crate::task::{Answer, Task};

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
