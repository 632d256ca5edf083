//! What a person at a terminal sees of long work: progress and notes, on standard error; and their
//! wish to stop.

use crate::disk::Disk;
use crate::interrupt;
use crate::numbers::{bytes, grouped};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tabia::{Env, Stage};

/// How often progress is reported where there is no terminal, a line each time.
const A_LINE_EVERY: Duration = Duration::from_secs(60);

/// How much a verb shall say.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Errors only.
    pub quiet: bool,
}

impl Console {
    /// A bar for long work, if standard error is a terminal; else a line a minute. From now on
    /// Ctrl-C asks the work to stop.
    pub fn meter(&self) -> Meter {
        interrupt::listen();
        let target =
            if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let log = (!self.quiet && !io::stderr().is_terminal()).then(|| Mutex::new(Instant::now()));
        Meter {
            bar: ProgressBar::with_draw_target(Some(0), target),
            stage: Mutex::new(None),
            begun: Instant::now(),
            log,
        }
    }
}

/// The progress of long work.
pub struct Meter {
    bar: ProgressBar,
    /// What the bar is about at the moment.
    stage: Mutex<Option<&'static str>>,
    begun: Instant,
    /// When a line was last written to a log, if there is one.
    log: Option<Mutex<Instant>>,
}

impl Meter {
    /// The surroundings for the engine's work.
    pub fn env(&self) -> Env<'_> {
        Env { storage: &Disk, progress: self }
    }

    /// Shows how far the reading of archives has come; `Break` if it is to stop.
    pub fn reading(&self, progress: &tabia_archives::IngestProgress) -> ControlFlow<()> {
        let tabia_archives::IngestProgress { bytes: done, total_bytes, games, plies, .. } =
            *progress;
        let facts = || {
            format!(
                "{} games, {} plies, {} of memory",
                grouped(games),
                grouped(plies),
                bytes(memory())
            )
        };
        self.show(
            "reading",
            "{decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec} {msg}",
            done,
            total_bytes.unwrap_or(0),
        );
        if !self.bar.is_hidden() {
            self.bar.set_message(facts());
        }
        self.log(|| {
            let rate = (done as f64 / self.begun.elapsed().as_secs_f64()) as u64;
            let left = total_bytes.map_or(0, |total| total.saturating_sub(done)) as f64
                / rate.max(1) as f64;
            let of = total_bytes.map_or_else(String::new, |total| {
                format!(" of {}, about {} left", bytes(total), about(left))
            });
            format!("reading: {}{of}; {} a second, {}", bytes(done), bytes(rate), facts())
        });
        if interrupt::wanted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Shows how many rows of text have been read; an interruption if that is to stop.
    pub fn loading(&self, rows: u64) -> Result<(), tabia::Error> {
        self.show("loading", "{human_pos} rows", rows, 0);
        if interrupt::wanted() { Err(tabia::Error::Interrupted) } else { Ok(()) }
    }

    /// Shows how far a book was walked and trimmed; `Break` if that is to stop.
    pub fn trimming(&self, step: tabia_play::Step) -> ControlFlow<()> {
        use tabia_play::Step;
        const ROWS: &str = "{human_pos}/{human_len} rows";
        match step {
            Step::Reading(rows, all) => self.show("reading", ROWS, rows, all),
            Step::Walking { reached, ply } => {
                self.show("walking", "{human_pos} positions, ply {msg}", reached, 0);
                self.bar.set_message(ply.to_string());
            }
            Step::Judging(rows, all) => self.show("choosing", ROWS, rows, all),
            Step::Counting(rows, all) => self.show("counting", ROWS, rows, all),
        }
        if interrupt::wanted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Writes a line to standard error if that is a log, once a minute.
    fn log(&self, line: impl FnOnce() -> String) {
        let Some(last) = &self.log else { return };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= A_LINE_EVERY {
            *last = Instant::now();
            drop(last);
            self.note(&line());
        }
    }

    /// Writes a line to standard error, above the bar.
    pub fn note(&self, line: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(io::stderr(), "tabia: {}", tabia_build::one_line(line));
        });
    }

    fn show(&self, stage: &'static str, facts: &str, done: u64, total: u64) {
        if self.bar.is_hidden() {
            return;
        }
        if let Ok(mut shown) = self.stage.lock()
            && *shown != Some(stage)
        {
            *shown = Some(stage);
            self.bar.reset();
            if let Ok(style) =
                ProgressStyle::with_template(&format!("{{prefix:>9}} {{wide_bar}} {facts} {{eta}}"))
            {
                self.bar.set_style(style);
            }
            self.bar.set_prefix(stage);
        }
        self.bar.set_length(total.max(done));
        self.bar.set_position(done);
    }
}

impl tabia::Progress for Meter {
    fn step(&self, stage: Stage, done: u64, total: u64) -> bool {
        const ROWS: &str = "{human_pos}/{human_len} rows";
        let (name, facts) = match stage {
            Stage::Sorting => ("sorting", ROWS),
            Stage::Counting => ("counting", ROWS),
            Stage::Writing => ("writing", ROWS),
            Stage::Syncing => ("syncing", ""),
            Stage::Checking => ("checking", "{human_pos}/{human_len}"),
            _ => ("working", ""),
        };
        self.show(name, facts, done, total);
        self.log(|| format!("{name}: {} of {}", grouped(done), grouped(total)));
        !interrupt::wanted()
    }
}

/// A time, roughly.
fn about(seconds: f64) -> String {
    HumanDuration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)).to_string()
}

/// Bytes of memory that the process has in use; 0 if the system doesn't say.
fn memory() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|sizes| sizes.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * rustix::param::page_size() as u64
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
