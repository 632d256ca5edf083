//! Workers on threads of their own, and the tasks that they have.
//!
//! A task that a worker fails at is given out again, to another worker if there is one, a few times.
//! A worker that fails again and again isn't asked any more. So one that is lost, slow, or lies
//! costs its own task only.

use crate::error::Error;
use crate::task::{Answer, Task};
use crate::worker::{Worker, WorkerError};
use std::collections::{BTreeMap, HashMap};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often a task is given out.
const TRIES: u32 = 3;
/// How often in a row a worker may fail.
const FAILURES: u32 = 3;

/// Some workers.
pub struct Pool {
    workers: Vec<Seat>,
    heard: Receiver<Heard>,
    /// Tasks that nobody works at, by their numbers.
    waiting: BTreeMap<u64, Task>,
    /// How often each task was failed at.
    failed: HashMap<u64, u32>,
    /// How long workers worked, all together.
    busy: Duration,
}

/// A worker as its employer sees it.
struct Seat {
    name: String,
    /// Closed when it isn't asked any more.
    tasks: Option<Sender<Task>>,
    task: Option<Task>,
    failures: u32,
}

struct Heard {
    worker: usize,
    result: Result<Vec<Answer>, WorkerError>,
    took: Duration,
}

/// A task that was worked at.
pub struct Done {
    /// Who did it: for [`Pool::failed`].
    pub worker: usize,
    /// The task.
    pub task: Task,
    /// The answers, or why there are none.
    pub result: Result<Vec<Answer>, WorkerError>,
}

impl Pool {
    /// Sets workers to work, each on a thread of its own. A thread ends when the pool is gone, its
    /// worker's last answer having come.
    #[must_use]
    pub fn new(workers: Vec<Box<dyn Worker>>) -> Self {
        let (tell, heard) = channel();
        let seats = workers.into_iter().enumerate().map(|(number, worker)| {
            let name = worker.name().to_owned();
            let (tasks, given) = channel();
            let tell = tell.clone();
            thread::spawn(move || work(number, worker, &given, &tell));
            Seat { name, tasks: Some(tasks), task: None, failures: 0 }
        });
        Self {
            workers: seats.collect(),
            heard,
            waiting: BTreeMap::new(),
            failed: HashMap::new(),
            busy: Duration::ZERO,
        }
    }

    /// Gives out a task.
    pub fn give(&mut self, task: Task) {
        self.waiting.insert(task.id, task);
        self.assign();
    }

    /// How long workers have worked, all together.
    #[must_use]
    pub fn busy(&self) -> Duration {
        self.busy
    }

    /// A worker's name.
    #[must_use]
    pub fn name(&self, worker: usize) -> &str {
        &self.workers[worker].name
    }

    /// Waits so long for a task to be done.
    pub fn wait(&mut self, time: Duration) -> Option<Done> {
        let Heard { worker, result, took } = match self.heard.recv_timeout(time) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => return None,
            // All threads have ended, which they do only when they aren't asked any more.
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(time);
                return None;
            }
        };
        self.busy += took;
        let seat = &mut self.workers[worker];
        let task = seat.task.take()?;
        if result.is_ok() {
            seat.failures = 0;
        }
        self.assign();
        Some(Done { worker, task, result })
    }

    /// What a worker did is no good: the task is given out again.
    ///
    /// # Errors
    /// [`Error::Failed`] if it was given out often enough; [`Error::NoWorkers`].
    pub fn failed(&mut self, worker: usize, task: Task, why: WorkerError) -> Result<(), Error> {
        let seat = &mut self.workers[worker];
        seat.failures += 1;
        if seat.failures >= FAILURES {
            seat.tasks = None;
        }
        let times = self.failed.entry(task.id).or_default();
        *times += 1;
        if *times >= TRIES {
            let line = task.questions.first().map(|question| question.line.join(" "));
            return Err(Error::Failed {
                line: line.unwrap_or_default(),
                times: *times,
                last: why.into(),
            });
        }
        if self.workers.iter().all(|seat| seat.tasks.is_none()) {
            return Err(Error::NoWorkers { last: why.into() });
        }
        self.give(task);
        Ok(())
    }

    /// Gives the oldest tasks to those who have none.
    fn assign(&mut self) {
        for seat in &mut self.workers {
            let Some(tasks) = seat.tasks.as_ref().filter(|_| seat.task.is_none()) else { continue };
            let Some((_, task)) = self.waiting.pop_first() else { return };
            if tasks.send(task.clone()).is_ok() {
                seat.task = Some(task);
            } else {
                seat.tasks = None;
                self.waiting.insert(task.id, task);
            }
        }
    }
}

/// A worker's thread.
fn work(number: usize, mut worker: Box<dyn Worker>, tasks: &Receiver<Task>, tell: &Sender<Heard>) {
    while let Ok(task) = tasks.recv() {
        let begun = Instant::now();
        let result = worker.answer(&task);
        if tell.send(Heard { worker: number, result, took: begun.elapsed() }).is_err() {
            return;
        }
    }
}
