//! What is told of single games and archives while they are read: a handful on the terminal, all skipped games in a file if that is wanted.

use super::archives::{Archives, LeftOut};
use super::list::List;
use crate::console::{Console, Meter};
use crate::numbers::grouped;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tabia_archives::{Observer, Progress, Skipped, Warning};

/// How many games are listed on the terminal.
const LISTED: u64 = 5;

/// A list that is written while others may want to copy it.
pub type SharedList = Arc<Mutex<List>>;

/// Hears of skipped games while archives are read.
pub struct Skips<'a> {
    meter: &'a Meter,
    quiet: bool,
    skipped: u64,
    /// Archives that were left out.
    left_out: u64,
    list: Option<SharedList>,
    archives: &'a Archives,
}

impl<'a> Skips<'a> {
    /// Writes all of them to this list, if any.
    pub fn new(console: &Console, meter: &'a Meter, archives: &'a Archives, list: Option<SharedList>) -> Self {
        let mut skips = Self { meter, quiet: console.quiet, skipped: 0, left_out: 0, list, archives };
        archives.left_out.iter().for_each(|left_out| skips.leaves_out(&left_out.why));
        skips
    }

    fn leaves_out(&mut self, why: &str) {
        self.left_out += 1;
        if self.left_out <= LISTED && !self.quiet {
            self.meter.note(&format!("left out: {why}"));
        }
    }

    /// Says how many games and archives were not listed.
    pub fn finish(self) {
        let hint = if self.list.is_some() { "" } else { " (--errors FILE lists all)" };
        for (what, count) in [("left out", self.left_out), ("skipped", self.skipped)] {
            if count > LISTED && !self.quiet {
                self.meter.note(&format!("{what}: {} more{hint}", grouped(count - LISTED)));
            }
        }
    }
}

impl Observer for Skips<'_> {
    fn skipped(&mut self, skipped: &Skipped) {
        self.skipped += 1;
        if self.skipped <= LISTED && !self.quiet {
            self.meter.note(&format!("skipped: {skipped}"));
        }
        if let Some(list) = &self.list {
            list.lock().unwrap_or_else(PoisonError::into_inner).add(skipped);
        }
    }

    fn warned(&mut self, warning: &Warning) {
        self.meter.note(&format!("warning: {warning}"));
    }

    fn no_game(&mut self, archive: &Path) -> ControlFlow<()> {
        if !self.archives.is_found(archive) {
            return ControlFlow::Break(());
        }
        let left_out = LeftOut { path: archive.to_owned(), why: format!("there is no game in {}", archive.display()) };
        self.leaves_out(&left_out.why);
        if let Some(list) = &self.list {
            list.lock().unwrap_or_else(PoisonError::into_inner).add_archive(&left_out);
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.meter.reading(progress)
    }
}
