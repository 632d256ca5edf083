//! What a person at a terminal sees of long work: progress and notes, on standard error; and their
//! wish to stop.

use crate::disk::Disk;
use crate::interrupt;
use crate::numbers::{bytes, clock, grouped};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tabia::{Env, Stage};
use tabia_archives::{IngestProgress, Observer};
use tabia_build::stages::{COUNTING, READING, SORTING, SYNCING, WRITING};
use tabia_build::{Course, Leg};

/// How often progress is reported where there is no terminal, a line each time.
const A_LINE_EVERY: Duration = Duration::from_secs(60);

/// How much a verb shall say.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Errors only.
    pub quiet: bool,
}

impl Console {
    /// Writes a line to standard error, unless notes are off.
    pub fn note(&self, line: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "tabia: {}", tabia_build::one_line(line));
        }
    }

    /// A line for long work, if standard error is a terminal; else a line a minute. From now on
    /// Ctrl-C asks the work to stop.
    pub fn meter(&self) -> Meter {
        self.meter_of(&[])
    }

    /// Likewise, for work whose stages are known, so that there is one figure for the whole of it.
    pub fn meter_of(&self, legs: &[Leg]) -> Meter {
        interrupt::listen();
        let target =
            if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(100), target);
        let template = match legs {
            [] => "{prefix:>8}  {wide_msg}",
            _ => "{prefix:>8} {pos:>3}% [{bar:20}]  {wide_msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("##-"));
        }
        let begun = Instant::now();
        let is_log = !self.quiet && !io::stderr().is_terminal();
        Meter {
            bar,
            begun,
            course: Mutex::new(Course::new(legs)),
            told: Mutex::new(None),
            every: if is_log { A_LINE_EVERY } else { DRAWN_EVERY },
            is_log,
        }
    }
}

/// The progress of long work.
pub struct Meter {
    bar: ProgressBar,
    begun: Instant,
    course: Mutex<Course>,
    /// When it was told last, and which stage.
    told: Mutex<Option<(Instant, &'static str)>>,
    /// How often it is told.
    every: Duration,
    /// Whether that is a line each time, as there is no terminal.
    is_log: bool,
}

/// How often the line is drawn.
const DRAWN_EVERY: Duration = Duration::from_millis(100);

impl Meter {
    /// The surroundings for the engine's work.
    pub fn env(&self) -> Env<'_> {
        Env { storage: &Disk, progress: self }
    }

    /// Shows how far the reading of archives has come; `Break` if it is to stop.
    pub fn reading(&self, progress: &IngestProgress) -> ControlFlow<()> {
        let IngestProgress { bytes: done, total_bytes, games, .. } = *progress;
        self.show(READING, done, total_bytes.unwrap_or(0), || {
            let rate = (done as f64 / self.begun.elapsed().as_secs_f64().max(0.001)) as u64;
            let of = total_bytes.map_or_else(String::new, |all| format!(" of {}", bytes(all)));
            vec![
                format!("{}{of}", bytes(done)),
                format!("{}/s", bytes(rate)),
                format!("{} games", grouped(games)),
                format!("{} of memory", bytes(memory())),
            ]
        });
        goes_on()
    }

    /// Shows how many rows of text have been read; an interruption if that is to stop.
    pub fn loading(&self, rows: u64) -> Result<(), tabia::Error> {
        self.show("loading", rows, 0, || vec![format!("{} rows", grouped(rows))]);
        or_interrupted(goes_on())
    }

    /// Shows how far a book was walked and trimmed; `Break` if that is to stop.
    pub fn trimming(&self, step: tabia_play::Step) -> ControlFlow<()> {
        use tabia_play::Step;
        let rows = |stage, done, all| self.show(stage, done, all, || of_rows(done, all));
        match step {
            Step::Reading(done, all) => rows(READING, done, all),
            Step::Walking { reached, ply } => self.show("walking", reached, 0, || {
                let positions = format!("{} positions", grouped(reached));
                // Walks that don't go ply by ply are at none.
                [positions].into_iter().chain((ply > 0).then(|| format!("ply {ply}"))).collect()
            }),
            Step::Judging(done, all) => rows("choosing", done, all),
            Step::Counting(done, all) => rows(COUNTING, done, all),
        }
        goes_on()
    }

    /// Shows how far a walk from the start has come; an interruption if that is to stop.
    pub fn walking(&self, reached: u64, ply: u32) -> Result<(), tabia::Error> {
        or_interrupted(self.trimming(tabia_play::Step::Walking { reached, ply }))
    }

    /// Shows how far a book has grown: with the facts of it, and of the budget so much of so much.
    pub fn growing(&self, [done, total]: [u64; 2], facts: impl FnOnce() -> Vec<String>) {
        self.show("growing", done, total, facts);
    }

    /// Writes a line to standard error, above the line of progress.
    pub fn note(&self, line: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(io::stderr(), "tabia: {}", tabia_build::one_line(line));
        });
    }

    /// Tells how far a stage has come, and so the whole, if that is due.
    fn show(
        &self,
        stage: &'static str,
        done: u64,
        total: u64,
        facts: impl FnOnce() -> Vec<String>,
    ) {
        let time = self.begun.elapsed();
        let (whole, left) = {
            let mut course = self.course.lock().unwrap_or_else(PoisonError::into_inner);
            (course.hear(stage, done, total, time), course.left(time))
        };
        if !self.is_due(stage) {
            return;
        }
        let percent = whole.map(|whole| (whole * 100.0) as u64);
        let left = left.map(|left| format!("{} left", clock(left)));
        let facts = left.into_iter().chain(facts());
        if self.is_log {
            let percent = percent.map(|percent| format!("{percent}% of all"));
            let facts: Vec<String> = percent.into_iter().chain(facts).collect();
            self.note(&format!("{stage}: {}", facts.join(", ")));
        } else {
            // All is done when the work has ended, and then there is no line.
            self.bar.set_position(percent.unwrap_or(0).min(99));
            self.bar.set_prefix(stage);
            self.bar.set_message(facts.collect::<Vec<_>>().join(", "));
        }
    }

    /// Whether to tell it now: in a log a minute after the last time, on a terminal sooner, and at
    /// once if it is another stage.
    fn is_due(&self, stage: &'static str) -> bool {
        if !self.is_log && self.bar.is_hidden() {
            return false;
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, of) = told.unwrap_or((self.begun, ""));
        let is_due = last.elapsed() >= self.every || (!self.is_log && of != stage);
        if is_due {
            *told = Some((Instant::now(), stage));
        }
        is_due
    }
}

impl tabia::Progress for Meter {
    fn step(&self, stage: Stage, done: u64, total: u64) -> bool {
        match stage {
            Stage::Sorting => self.show(SORTING, done, total, Vec::new),
            Stage::Counting => self.show(COUNTING, done, total, || of_rows(done, total)),
            Stage::Writing => self.show(WRITING, done, total, || of_rows(done, total)),
            Stage::Syncing => self.show(SYNCING, done, total, Vec::new),
            Stage::Checking => self.show("checking", done, total, || {
                vec![format!("{} of {}", bytes(done), bytes(total))]
            }),
            _ => self.show("working", done, total, Vec::new),
        }
        !interrupt::wanted()
    }
}

/// Whether work goes on: it doesn't if the user wants to stop.
fn goes_on() -> ControlFlow<()> {
    if interrupt::wanted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

fn or_interrupted(flow: ControlFlow<()>) -> tabia::Result<()> {
    if flow.is_break() { Err(tabia::Error::Interrupted) } else { Ok(()) }
}

/// Archives are read where nothing but their progress is shown.
impl Observer for &Meter {
    fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
        self.reading(progress)
    }
}

/// How many rows of how many, if that is known.
fn of_rows(done: u64, total: u64) -> Vec<String> {
    if total == 0 {
        return vec![grouped(done)];
    }
    vec![format!("{} of {} rows", grouped(done), grouped(total))]
}

/// Bytes of memory that the process has in use; 0 if the system doesn't say.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let used = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.strip_suffix(" kB"));
    used.and_then(|used| used.trim().parse::<u64>().ok()).unwrap_or(0) << 10
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
