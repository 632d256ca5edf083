//! What is reported of single games and archives while they are read: a line for all skipped games,
//! and a handful for archives.

use super::foretold::Foretold;
use crate::numbers::{counted, grouped};
use crate::prelude::*;
use serde::Serialize;
use std::ops::ControlFlow;
use tabia_archives::{IngestProgress, Skipped, Warning};
use tabia_build::{BuildObserver, BuildPlan, LeftOut};

/// How many archives are listed.
const LISTED: u64 = 5;

/// Archives that were not read like others.
#[derive(Default, Serialize)]
pub struct Oddities {
    /// Those that are cut off or damaged, and were read up to there.
    truncated: Vec<Odd>,
    /// Files without a game, copies of others, and those whose games are in the book already.
    left_out: Vec<Odd>,
}

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

    /// The same for programs.
    pub fn facts(&self) -> Facts {
        Facts::default().json("truncated", &self.truncated).json("left_out", &self.left_out)
    }
}

/// Reports how a build goes.
pub struct Report<'a> {
    meter: &'a Meter,
    quiet: bool,
    /// Skipped games, and the first of them.
    skipped: u64,
    first_skipped: Option<String>,
    oddities: Oddities,
    /// Whether archives that are left out are told at the end only.
    is_deferring: bool,
    /// How to get a list of all skipped games.
    hint: &'static str,
    /// How large a book will be, if that is to be told.
    foretold: Option<Foretold>,
}

impl<'a> Report<'a> {
    /// Of a build by this plan, or of a verb that lists no skipped games in a file.
    pub fn new(console: &Console, meter: &'a Meter, plan: Option<&BuildPlan>) -> Self {
        let may_list = plan.is_some_and(|plan| plan.skipped_list.is_none());
        Self {
            meter,
            quiet: console.quiet,
            skipped: 0,
            first_skipped: None,
            oddities: Oddities::default(),
            is_deferring: false,
            hint: if may_list { "; --errors FILE lists all" } else { "" },
            foretold: None,
        }
    }

    /// Tells how large the book will be, once that can be known.
    pub fn foretelling(mut self, foretold: Foretold) -> Self {
        self.foretold = Some(foretold);
        self
    }

    /// Tells of archives that are left out at the end, if it comes to that.
    pub fn deferring(mut self) -> Self {
        self.is_deferring = true;
        self
    }

    /// Says how many archives were not listed, and which games were skipped; what is odd about
    /// archives.
    pub fn finish(mut self) -> Oddities {
        if self.is_deferring {
            let listed = self.oddities.left_out.iter().take(LISTED as usize);
            listed.for_each(|odd| self.note(&format!("left out: {}", odd.why)));
        }
        let left_out = self.oddities.left_out.len() as u64;
        if left_out > LISTED {
            let more = grouped(left_out - LISTED);
            self.note(&format!("left out: {more} more{}", self.hint));
        }
        std::mem::take(&mut self.oddities)
    }

    fn note(&self, line: &str) {
        if !self.quiet {
            self.meter.note(line);
        }
    }
}

/// Skipped games are told in the end, in one line, however the reading ends.
impl Drop for Report<'_> {
    fn drop(&mut self) {
        match (&self.first_skipped, self.skipped) {
            (None, _) => {}
            (Some(game), 1) => self.note(&format!("skipped: {game}")),
            (Some(game), games) => {
                let games = counted(games, "game");
                self.note(&format!("skipped: {games}, first {game}{}", self.hint));
            }
        }
    }
}

impl BuildObserver for Report<'_> {
    fn left_out(&mut self, file: &LeftOut) {
        self.oddities.left_out.push(Odd::new(&file.path.to_string_lossy(), &file.why));
        if !self.is_deferring && self.oddities.left_out.len() as u64 <= LISTED {
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
        self.first_skipped.get_or_insert_with(|| game.to_string());
    }

    fn warned(&mut self, warning: &Warning) {
        self.oddities.truncated.push(Odd::new(&warning.archive, &warning.to_string()));
        self.meter.note(&format!("warning: {warning}"));
    }

    fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
        if let Some(told) = self.foretold.as_mut().and_then(|foretold| foretold.tell(progress)) {
            self.note(&told);
        }
        self.meter.reading(progress)
    }
}
