//! The peers: each holds the same keys and the same payload in its best configuration, and answers
//! the same questions.

pub mod cdb;
pub mod fjall;
pub mod lmdb;
pub mod odht;
pub mod redb;
#[cfg(feature = "rocksdb")]
pub mod rocksdb;
pub mod sorted;
pub mod sqlite;

use crate::args::Args;
use crate::measure::{Probe, compare, seconds};
use crate::ours::{LINES, Positions, file_length, map_and_touch, setting};
use crate::raw;
use crate::report::{Compared, Report, Rival, duration};
use crate::workload::key;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use tabia::PositionRow;

/// A peer: how it is named, made and asked.
pub struct Peer {
    pub name: &'static str,
    /// What it must be beaten by, in hits and misses.
    pub faster: f64,
    /// What is to be said of how it is set up.
    pub note: &'static str,
}

impl Peer {
    /// Its file, if this path is what it was told to make. None if it keeps many.
    pub fn file(&self, path: &Path) -> Option<PathBuf> {
        let file = if path.is_dir() { path.join("data.mdb") } else { path.to_owned() };
        file.is_file().then_some(file)
    }
}

/// A comparison with a peer in the making.
pub struct Contest<'a> {
    /// What to measure.
    pub args: &'a Args,
    pub book: &'a Path,
    /// Where the peer's file is to be.
    pub path: &'a Path,
    /// The table.
    pub report: &'a mut Report,
}

impl Contest<'_> {
    /// Makes a peer's file, timed.
    pub fn make(
        &mut self,
        peer: &Peer,
        make: impl FnOnce(&Args, &Path) -> Result<()>,
    ) -> Result<()> {
        let (time, ()) = seconds(|| make(self.args, self.path))
            .with_context(|| format!("making {}", peer.name))?;
        if let Some(file) = peer.file(self.path) {
            raw::lay(&file, self.args.huge)?;
        }
        self.report.note(format!(
            "{}: {} Its file took {} to make.",
            peer.name,
            peer.note,
            duration(time)
        ));
        Ok(())
    }

    /// Asks both, and compares bytes.
    pub fn run(&mut self, peer: &Peer, theirs: &impl Probe, their_bytes: u64) -> Result<()> {
        let book = map_and_touch::<PositionRow>(self.book)?;
        let ours = Positions(book.position_table().context("no positions")?);
        for (_, line) in LINES {
            let rival = Rival::new(peer.name, Compared::Speed(Some(peer.faster)));
            compare(self.report, setting(self.args, true), line, &ours, rival, theirs)?;
        }
        if let Some(file) = peer.file(self.path) {
            self.report.note(format!("{}: {}.", peer.name, raw::residence(&file)));
        }
        let (ours, rival) = (file_length(self.book)?, Rival::new(peer.name, Compared::Cost(None)));
        self.report.add_bytes("bytes a position", self.args.rows, ours, rival, their_bytes);
        Ok(())
    }
}

pub fn sorted_keys(args: &Args) -> Vec<u64> {
    sorted_by(args, |key| key)
}

/// All keys, in the order that a peer takes them for.
pub fn sorted_by<T: Ord>(args: &Args, order: fn(u64) -> T) -> Vec<u64> {
    let mut keys: Vec<u64> = (0..args.rows).map(key).collect();
    keys.sort_unstable_by_key(|&key| order(key));
    keys
}
