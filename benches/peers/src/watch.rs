//! What probes into a file that is not in memory cost.

use crate::disk;
use anyhow::{Context, Result};
use std::path::Path;
use std::time::Instant;

/// What probes cost.
#[derive(Clone, Copy, Default)]
pub struct Spent {
    /// How long they took.
    pub seconds: f64,
    /// Pages of the file that came into memory.
    pub pages: u64,
}

impl Spent {
    pub fn add(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.pages += other.pages;
    }
}

/// Measures from when a contender is open until it has answered.
pub struct Watch<'a> {
    file: &'a Path,
    /// How many of its pages were in memory, and when.
    from: Option<(u64, Instant)>,
    /// What it cost.
    pub spent: Spent,
}

impl<'a> Watch<'a> {
    /// Of probes into this file.
    pub fn new(file: &'a Path) -> Self {
        Self { file, from: None, spent: Spent::default() }
    }

    fn pages(&self) -> Result<u64> {
        Ok(disk::resident(self.file)?.0)
    }

    /// The contender is open.
    pub fn start(&mut self) -> Result<()> {
        self.from = Some((self.pages()?, Instant::now()));
        Ok(())
    }

    /// It has answered.
    pub fn stop(&mut self) -> Result<()> {
        let (before, from) = self.from.take().context("the watch was not started")?;
        let seconds = from.elapsed().as_secs_f64();
        self.spent = Spent { seconds, pages: self.pages()? - before };
        Ok(())
    }
}
