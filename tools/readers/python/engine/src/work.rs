//! Work without the interpreter's lock: short work in place, long work on a thread of its own,
//! while the caller's thread tells Python of progress and looks for Ctrl-C.

use crate::failure::Failure;
use pyo3::prelude::*;
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tabia::{Env, Progress, Stage};
use tabia_archives::IngestProgress;
use tabia_build::BuildObserver;

/// How often Python is told of progress and asked for signals.
const TICK: Duration = Duration::from_millis(50);

/// How far long work is: what it is doing, and how much of it is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Step {
    stage: &'static str,
    done: u64,
    total: u64,
}

/// What the thread that works and the one that waits have in common.
#[derive(Debug, Default)]
pub struct Watch {
    stop: AtomicBool,
    step: Mutex<Step>,
    ended: Mutex<bool>,
    end: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    /// The environment that reports here.
    pub fn env(&self) -> Env<'_> {
        Env { progress: self, ..Env::default() }
    }

    fn set(&self, step: Step) -> bool {
        *lock(&self.step) = step;
        !self.stop.load(Ordering::Relaxed)
    }

    /// Waits for the end of the work, a tick at most; whether it has ended.
    fn wait(&self) -> bool {
        let (ended, _) = self
            .end
            .wait_timeout_while(lock(&self.ended), TICK, |ended| !*ended)
            .unwrap_or_else(PoisonError::into_inner);
        *ended
    }
}

impl Progress for Watch {
    fn step(&self, stage: Stage, done: u64, total: u64) -> bool {
        let stage = match stage {
            Stage::Sorting => "sorting",
            Stage::Counting => "counting",
            Stage::Writing => "writing",
            Stage::Syncing => "syncing",
            Stage::Checking => "checking",
            _ => "working",
        };
        self.set(Step { stage, done, total })
    }
}

/// Hears of the reading of archives, in bytes of their files.
pub struct Ear<'a>(pub &'a Watch);

impl BuildObserver for Ear<'_> {
    fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
        let total = progress.total_bytes.unwrap_or(0);
        match self.0.set(Step { stage: "reading", done: progress.bytes, total }) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

/// Says that the work has ended, however it did.
struct Ends<'a>(&'a Watch);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        *lock(&self.0.ended) = true;
        self.0.end.notify_all();
    }
}

/// Calls Python's progress function where there is something new, and lets signals be handled.
struct Teller {
    progress: Option<Py<PyAny>>,
    told: Step,
}

impl Teller {
    fn tell(&mut self, py: Python<'_>, watch: &Watch) -> PyResult<()> {
        py.check_signals()?;
        let step = *lock(&watch.step);
        if let Some(progress) = self.progress.as_ref().filter(|_| step != self.told) {
            self.told = step;
            progress.call1(py, (step.stage, step.done, step.total))?;
        }
        Ok(())
    }
}

/// Does long work on another thread. What Ctrl-C or the progress function raises stops it, and is
/// raised here when it has ended.
pub fn long<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let (watch, mut teller) = (Watch::default(), Teller { progress, told: Step::default() });
    let mut raised = None;
    let outcome = py.detach(|| {
        thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let _ends = Ends(&watch);
                work(&watch)
            });
            while !watch.wait() {
                if raised.is_none() {
                    raised = Python::attach(|py| teller.tell(py, &watch)).err();
                    watch.stop.store(raised.is_some(), Ordering::Relaxed);
                }
            }
            worker.join()
        })
    });
    if raised.is_none() {
        raised = teller.tell(py, &watch).err();
    }
    match (outcome, raised) {
        (Err(panic), _) => Err(of_panic(&*panic).raise(py)),
        (Ok(Err(failure)), Some(error)) if failure.is_interruption() => {
            error.set_cause(py, Some(failure.raise(py)));
            Err(error)
        }
        (Ok(Err(failure)), _) => Err(failure.raise(py)),
        (Ok(Ok(_)), Some(error)) => Err(error),
        (Ok(Ok(done)), None) => Ok(done),
    }
}

/// Does short work in place, without the interpreter's lock.
pub fn short<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> PyResult<T> {
    py.detach(|| caught(work)).map_err(|failure| failure.raise(py))
}

/// Does work of less than a microsecond or two in place, with the interpreter's lock.
pub fn brief<T>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failure>) -> PyResult<T> {
    caught(work).map_err(|failure| failure.raise(py))
}

/// What work gives; its panic is a failure, too.
fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(of_panic(&*panic)))
}

fn of_panic(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    Failure::Other(format!("an error within the engine, which should be reported: {text}"))
}

/// Panics, on another thread or in place: for tests of what becomes of it.
#[pyfunction]
pub fn fail(py: Python<'_>, on_a_thread: bool) -> PyResult<()> {
    let work = || panic!("asked to");
    if on_a_thread { long(py, None, |_| work()) } else { short(py, work) }
}
