//! What a person at a terminal sees of long work: progress and notes, on standard error; and their wish to stop.

use crate::interrupt;
use crate::numbers::grouped;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use tabia::storage::System;
use tabia::{Env, Stage};

/// How much a verb shall say.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Errors only.
    pub quiet: bool,
}

impl Console {
    /// A bar for long work, shown if standard error is a terminal. From now on Ctrl-C asks the work to stop.
    pub fn meter(&self) -> Meter {
        interrupt::listen();
        let target = if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        Meter { bar: ProgressBar::with_draw_target(Some(0), target), stage: Mutex::new(None) }
    }
}

/// The progress of long work.
pub struct Meter {
    bar: ProgressBar,
    /// What the bar is about at the moment.
    stage: Mutex<Option<&'static str>>,
}

impl Meter {
    /// The surroundings for the engine's work.
    pub fn env(&self) -> Env<'_> {
        Env { storage: &System, progress: self }
    }

    /// Shows how far the reading of archives has come; `Break` if it is to stop.
    pub fn reading(&self, progress: &tabia_archives::Progress) -> ControlFlow<()> {
        self.show("reading", "{decimal_bytes}/{decimal_total_bytes} {msg} games", progress.bytes, progress.total_bytes.unwrap_or(0));
        self.bar.set_message(grouped(progress.games));
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
        }
        if interrupt::wanted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Writes a line to standard error, above the bar.
    pub fn note(&self, line: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(io::stderr(), "tabia: {}", crate::failure::one_line(line));
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
            if let Ok(style) = ProgressStyle::with_template(&format!("{{prefix:>9}} {{wide_bar}} {facts} {{eta}}")) {
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
        !interrupt::wanted()
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
