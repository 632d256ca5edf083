//! What probes into a file that is not in memory cost.

use crate::{disk, raw};
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
    /// Faults for which the disk was read.
    pub faults: u64,
    /// Bytes that this process had read from the disk.
    pub bytes: u64,
}

/// Measures from when a contender is open until it has answered.
pub struct Watch<'a> {
    file: &'a Path,
    from: Option<(Spent, Instant)>,
    /// What it cost.
    pub spent: Spent,
}

impl<'a> Watch<'a> {
    /// Of probes into this file.
    pub fn new(file: &'a Path) -> Self {
        Self { file, from: None, spent: Spent::default() }
    }

    fn now(&self) -> Result<Spent> {
        Ok(Spent {
            seconds: 0.0,
            pages: disk::resident(self.file)?.0,
            faults: raw::major_faults(),
            bytes: disk::bytes_read(),
        })
    }

    /// The contender is open.
    pub fn start(&mut self) -> Result<()> {
        self.from = Some((self.now()?, Instant::now()));
        Ok(())
    }

    /// It has answered.
    pub fn stop(&mut self) -> Result<()> {
        let (before, from) = self.from.take().context("the watch was not started")?;
        let seconds = from.elapsed().as_secs_f64();
        let now = self.now()?;
        let (pages, faults, bytes) =
            (now.pages - before.pages, now.faults - before.faults, now.bytes - before.bytes);
        self.spent = Spent { seconds, pages, faults, bytes };
        Ok(())
    }
}
