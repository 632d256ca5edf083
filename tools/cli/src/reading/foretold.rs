//! How large a book will be at most, told while it is built, once enough of its archives was read to
//! know how many plies there are.

use crate::numbers::bytes;
use std::path::{Path, PathBuf};
use tabia_archives::IngestProgress;
use tabia_build::BuildPlan;

/// Smaller books are not worth a note.
const WORTH_TELLING: u64 = 256 << 20;
/// The share of the archives that has to be read: one part of so many.
const PART: u64 = 20;

/// What is known of a book before it is built.
pub struct Foretold {
    /// Bytes that a ply takes if its position and its move are new, in thousandths of bytes.
    ply: u64,
    max_ply: Option<u32>,
    folder: PathBuf,
    is_told: bool,
}

impl Foretold {
    /// For a book that is built in this folder by this plan.
    pub fn new(plan: &BuildPlan, folder: &Path) -> Self {
        Self {
            ply: plan.most_bytes_a_ply(),
            max_ply: plan.max_ply,
            folder: folder.to_owned(),
            is_told: false,
        }
    }

    /// What is to be said now: once, if it is worth it.
    pub fn tell(&mut self, progress: &IngestProgress) -> Option<String> {
        let total = progress.total_bytes?;
        if self.is_told || progress.bytes == 0 || progress.bytes < total / PART {
            return None;
        }
        self.is_told = true;
        let most = self.most(progress, total);
        let free = rustix::fs::statvfs(&self.folder).ok().map(|disk| disk.f_bavail * disk.f_frsize);
        (most >= WORTH_TELLING).then(|| said(most, free))
    }

    /// The most bytes that the book can have, if the rest of its archives is as what was read.
    fn most(&self, progress: &IngestProgress, total: u64) -> u64 {
        let in_all =
            |count: u64| u128::from(count) * u128::from(total) / u128::from(progress.bytes);
        let plies = in_all(progress.plies);
        let wanted = self.max_ply.map_or(plies, |most| in_all(progress.games) * u128::from(most));
        u64::try_from(plies.min(wanted) * u128::from(self.ply) / 1000).unwrap_or(u64::MAX)
    }
}

fn said(most: u64, free: Option<u64>) -> String {
    let room = match free {
        Some(free) if free < most => format!("; {} are free there", bytes(free)),
        _ => String::new(),
    };
    format!(
        "the book will have {} at most, and less the more games share positions{room}",
        bytes(most)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_games::{Chess, Known};

    /// A hundredth of the archives in `bytes` of 100, with a million plies in 20,000 games.
    fn progress(bytes: u64) -> IngestProgress {
        IngestProgress {
            bytes,
            total_bytes: Some(100),
            games: 20_000,
            plies: 1_000_000,
            ..IngestProgress::default()
        }
    }

    #[test]
    fn the_size_is_told_once_and_bounded_by_the_plies() {
        let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
        let mut foretold = Foretold::new(&plan, Path::new("."));
        assert_eq!(foretold.tell(&progress(4)), None, "too early to tell");
        let told = foretold.tell(&progress(5)).unwrap_or_default();
        assert!(told.starts_with("the book will have 1.2 GB at most"), "{told}");
        assert_eq!(foretold.tell(&progress(6)), None);
        plan.packed = true;
        let packed = Foretold::new(&plan, Path::new("."));
        assert_eq!(packed.most(&progress(5), 100), 20_000_000 * 13);
        plan.packed = false;
        plan.max_ply = Some(10);
        let mut short = Foretold::new(&plan, Path::new("."));
        assert_eq!(short.most(&progress(5), 100), 20 * 20_000 * 10 * 60);
        assert_eq!(short.tell(&progress(5)), None, "240 MB");
    }

    #[test]
    fn too_little_room_is_said() {
        assert_eq!(
            said(3_000_000_000, Some(1_000_000_000)),
            "the book will have 3.0 GB at most, and less the more games share positions; 1.0 GB are free there"
        );
        assert!(!said(3_000_000_000, Some(4_000_000_000)).contains("free"));
    }
}
