//! What is reported of single games and archives while they are read: a handful on the terminal.

use crate::console::{Console, Meter};
use crate::numbers::{counted, grouped};
use std::ops::ControlFlow;
use tabia_archives::{IngestProgress, Skipped, Warning};
use tabia_build::{BuildObserver, BuildPlan, LeftOut};

/// How many games, and how many archives, are listed.
const LISTED: u64 = 5;

/// Reports how a build goes.
pub struct Report<'a> {
    meter: &'a Meter,
    quiet: bool,
    skipped: u64,
    left_out: u64,
    /// Whether all skipped games are written to a file.
    has_list: bool,
}

impl<'a> Report<'a> {
    /// Of a build by this plan, on this meter.
    pub fn new(console: &Console, meter: &'a Meter, plan: &BuildPlan) -> Self {
        Self {
            meter,
            quiet: console.quiet,
            skipped: 0,
            left_out: 0,
            has_list: plan.skipped_list.is_some(),
        }
    }

    /// Says how many games and archives were not listed.
    pub fn finish(self) {
        let hint = if self.has_list { "" } else { " (--errors FILE lists all)" };
        for (what, count) in [("left out", self.left_out), ("skipped", self.skipped)] {
            if count > LISTED {
                self.note(&format!("{what}: {} more{hint}", grouped(count - LISTED)));
            }
        }
    }

    fn note(&self, line: &str) {
        if !self.quiet {
            self.meter.note(line);
        }
    }
}

impl BuildObserver for Report<'_> {
    fn left_out(&mut self, file: &LeftOut) {
        self.left_out += 1;
        if self.left_out <= LISTED {
            self.note(&format!("left out: {}", file.why));
        }
    }

    fn resumed(&mut self, games: u64) {
        match games {
            0 => self.note("there is nothing to resume: building from the start"),
            games => self.note(&format!("going on after {}", counted(games, "game"))),
        }
    }

    fn skipped(&mut self, game: &Skipped) {
        self.skipped += 1;
        if self.skipped <= LISTED {
            self.note(&format!("skipped: {game}"));
        }
    }

    fn warned(&mut self, warning: &Warning) {
        self.meter.note(&format!("warning: {warning}"));
    }

    fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
        self.meter.reading(progress)
    }
}
