//! What is reported of single games and archives while they are read: a handful on the terminal.

use crate::console::{Console, Meter};
use crate::numbers::{counted, grouped};
use std::ops::ControlFlow;
use tabia_archives::{Progress, Skipped, Warning};
use tabia_build::{BuildObserver, BuildPlan, LeftOut};

/// How many games, and how many archives, are listed.
const LISTED: u64 = 5;

/// Reports how a build goes.
pub struct Report<'a> {
    meter: &'a Meter,
    quiet: bool,
    skipped: u64,
    left_out: u64,
    /// How to get a list of all skipped games.
    hint: &'static str,
}

impl<'a> Report<'a> {
    /// Of a build by this plan, on this meter.
    pub fn new(console: &Console, meter: &'a Meter, plan: &BuildPlan) -> Self {
        Self {
            meter,
            quiet: console.quiet,
            skipped: 0,
            left_out: 0,
            hint: if plan.skipped_list.is_some() { "" } else { " (--errors FILE lists all)" },
        }
    }

    /// For a verb that lists no skipped games in a file.
    pub fn without_list(console: &Console, meter: &'a Meter) -> Self {
        Self { meter, quiet: console.quiet, skipped: 0, left_out: 0, hint: "" }
    }

    /// Says how many games and archives were not listed.
    pub fn finish(self) {
        for (what, count) in [("left out", self.left_out), ("skipped", self.skipped)] {
            if count > LISTED {
                self.note(&format!("{what}: {} more{}", grouped(count - LISTED), self.hint));
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

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.meter.reading(progress)
    }
}
