//! Workers on threads of their own, and the tasks that they have.
//!
//! A task that a worker fails at is given out again, to one that hasn't failed at it if there is one:
//! until all have, and it was tried a few times. A worker that fails again and again isn't asked any
//! more. So one that is lost, slow, or lies costs its own task only.

use crate::answers;
use crate::error::Error;
use crate::expansion::Asked;
use crate::progress::{Grown, Watch};
use crate::task::{Answer, Task, Worker, WorkerError};
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often the watch is told of something at least.
pub const TICK: Duration = Duration::from_millis(100);
/// How often a task is given out at least before it is given up.
const TRIES: u32 = 3;
/// How often in a row a worker may fail.
const FAILURES: u32 = 3;

/// Some workers.
pub struct Pool {
    workers: Vec<Seat>,
    heard: Receiver<Heard>,
    /// Tasks that nobody works at, by their numbers.
    waiting: BTreeMap<u64, Task>,
    /// Who failed at each task, once for each time.
    failed: HashMap<u64, Vec<usize>>,
    /// How long workers worked, all together.
    busy: Duration,
    /// Nodes that were searched for answers that fit, as far as engines say so.
    nodes: u64,
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
    /// Who did it.
    worker: usize,
    /// The task.
    pub task: Task,
    /// The answers, or why there are none.
    result: Result<Vec<Answer>, WorkerError>,
}

impl Pool {
    /// Sets workers to work, each on a thread of its own. A thread ends when the pool is gone, its
    /// worker's last answer having come.
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
            nodes: 0,
        }
    }

    /// Gives out a task.
    pub fn give(&mut self, task: Task) {
        self.waiting.insert(task.id, task);
        self.assign();
    }

    /// Tells what workers have done since something began.
    pub fn tell(&self, begun: Instant, grown: &mut Grown) {
        (grown.time, grown.busy, grown.nodes) = (begun.elapsed(), self.busy, self.nodes);
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
        self.assign();
        Some(Done { worker, task, result })
    }

    /// The answers to what was asked in a task, if they fit it; else it is given out again, and the
    /// watch is told.
    ///
    /// # Errors
    /// [`Error::Failed`] if it was given out often enough; [`Error::NoWorkers`].
    pub fn take(
        &mut self,
        done: Done,
        asked: &[Asked],
        watch: &dyn Watch,
    ) -> Result<Option<Vec<Answer>>, Error> {
        let Done { worker, task, result } = done;
        let result = result.and_then(|answers| match answers::misfit(asked, &answers) {
            None => Ok(answers),
            Some(what) => {
                Err(WorkerError::Wrong { worker: self.workers[worker].name.clone(), what })
            }
        });
        match result {
            Ok(answers) => {
                self.workers[worker].failures = 0;
                let nodes = answers.iter().filter_map(|answer| answer.nodes);
                self.nodes = nodes.fold(self.nodes, u64::saturating_add);
                Ok(Some(answers))
            }
            Err(error) => {
                watch.note(&format!("a task is given out again: {error}"));
                self.failed(worker, task, error)?;
                Ok(None)
            }
        }
    }

    fn failed(&mut self, worker: usize, task: Task, why: WorkerError) -> Result<(), Error> {
        let seat = &mut self.workers[worker];
        seat.failures += 1;
        if seat.failures >= FAILURES {
            seat.tasks = None;
        }
        self.failed.entry(task.id).or_default().push(worker);
        let times = self.failed[&task.id].len() as u32;
        if times >= TRIES && self.all_failed_at(task.id) {
            let line = task.questions.first().map(|question| question.line.join(" "));
            return Err(Error::Failed { line: line.unwrap_or_default(), times, last: why.into() });
        }
        if self.workers.iter().all(|seat| seat.tasks.is_none()) {
            return Err(Error::NoWorkers { last: why.into() });
        }
        self.give(task);
        Ok(())
    }

    /// Whether all who are still asked have failed at a task.
    fn all_failed_at(&self, task: u64) -> bool {
        let seats = self.workers.iter().enumerate().filter(|(_, seat)| seat.tasks.is_some());
        seats.map(|(worker, _)| worker).all(|worker| self.has_failed_at(worker, task))
    }

    fn has_failed_at(&self, worker: usize, task: u64) -> bool {
        self.failed.get(&task).is_some_and(|workers| workers.contains(&worker))
    }

    /// Gives the oldest tasks to those who have none and haven't failed at them.
    fn assign(&mut self) {
        for worker in 0..self.workers.len() {
            let is_for = |id: &u64| !self.has_failed_at(worker, *id) || self.all_failed_at(*id);
            let id = self.waiting.keys().copied().find(is_for);
            let seat = &mut self.workers[worker];
            let Some(tasks) = seat.tasks.as_ref().filter(|_| seat.task.is_none()) else { continue };
            let Some(task) = id.and_then(|id| self.waiting.remove(&id)) else { continue };
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
        // One that breaks has only failed.
        let result = catch_unwind(AssertUnwindSafe(|| worker.answer(&task))).unwrap_or_else(|_| {
            let (worker, why) = (worker.name().to_owned(), "it panicked".to_owned());
            Err(WorkerError::Refused { worker, why })
        });
        if tell.send(Heard { worker: number, result, took: begun.elapsed() }).is_err() {
            return;
        }
    }
}
