//! What is reported of single games and archives while they are read: a handful on the terminal.

use crate::console::{Console, Meter};
use crate::numbers::{counted, grouped};
use serde::Serialize;
use std::ops::ControlFlow;
use tabia_archives::{IngestProgress, Skipped, Warning};
use tabia_build::{BuildObserver, BuildPlan, LeftOut};

/// How many games, and how many archives, are listed.
const LISTED: u64 = 5;

/// Archives that were not read like others.
#[derive(Default, Serialize)]
pub struct Oddities {
    /// Those that are cut off or damaged, and were read up to there.
    truncated: Vec<Odd>,
    /// Files without a game, copies of others, and those whose games are in the book already.
    left_out: Vec<Odd>,
}

/// An archive, and what is odd about it.
#[derive(Serialize)]
struct Odd {
    archive: String,
    why: String,
}

impl Odd {
    fn new(archive: &str, why: &str) -> Self {
        Self { archive: archive.to_owned(), why: why.to_owned() }
    }
}

impl Oddities {
    /// Adds archives that were left out before any was read, and says so.
    pub fn leave_out(&mut self, files: &[LeftOut], meter: &Meter) {
        for file in files {
            meter.note(&format!("left out: {}", file.why));
            self.left_out.push(Odd::new(&file.path.to_string_lossy(), &file.why));
        }
    }
}

/// Reports how a build goes.
pub struct Report<'a> {
    meter: &'a Meter,
    quiet: bool,
    skipped: u64,
    oddities: Oddities,
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
            oddities: Oddities::default(),
            hint: if plan.skipped_list.is_some() { "" } else { " (--errors FILE lists all)" },
        }
    }

    /// For a verb that lists no skipped games in a file.
    pub fn without_list(console: &Console, meter: &'a Meter) -> Self {
        let oddities = Oddities::default();
        Self { meter, quiet: console.quiet, skipped: 0, oddities, hint: "" }
    }

    /// Says how many games and archives were not listed; what is odd about archives.
    pub fn finish(self) -> Oddities {
        for (what, count) in
            [("left out", self.oddities.left_out.len() as u64), ("skipped", self.skipped)]
        {
            if count > LISTED {
                self.note(&format!("{what}: {} more{}", grouped(count - LISTED), self.hint));
            }
        }
        self.oddities
    }

    fn note(&self, line: &str) {
        if !self.quiet {
            self.meter.note(line);
        }
    }
}

impl BuildObserver for Report<'_> {
    fn left_out(&mut self, file: &LeftOut) {
        self.oddities.left_out.push(Odd::new(&file.path.to_string_lossy(), &file.why));
        if self.oddities.left_out.len() as u64 <= LISTED {
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
        self.oddities.truncated.push(Odd::new(&warning.archive, &warning.to_string()));
        self.meter.note(&format!("warning: {warning}"));
    }

    fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
        self.meter.reading(progress)
    }
}
