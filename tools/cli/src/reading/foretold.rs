//! How much disk a book takes at most, told while it is built, once enough of its archives was read to
//! know how many plies there are.

use crate::platform::free_bytes;
use crate::prelude::*;
use tabia_archives::IngestProgress;

/// Smaller books are not worth a note.
const WORTH_TELLING: u64 = 256 << 20;
/// The share of the archives that has to be read: one part of so many.
const PART: u64 = 20;

/// What is known of a book before it is built.
pub struct Foretold {
    plan: BuildPlan,
    folder: PathBuf,
    /// Where scratch files go.
    temp: Vec<PathBuf>,
    is_told: bool,
}

impl Foretold {
    /// For a book that is built in this folder by this plan, with scratch files in these folders, or
    /// beside it.
    pub fn new(plan: &BuildPlan, folder: &Path, temp: &[PathBuf]) -> Self {
        let beside = if temp.is_empty() { vec![folder.to_owned()] } else { temp.to_owned() };
        Self { plan: plan.clone(), folder: folder.to_owned(), temp: beside, is_told: false }
    }

    /// What is to be said now: once, if it is worth it.
    pub fn tell(&mut self, progress: &IngestProgress) -> Option<String> {
        let total = progress.total_bytes?;
        if self.is_told || progress.bytes == 0 || progress.bytes < total / PART {
            return None;
        }
        self.is_told = true;
        let (most, sorted) = self.plan.most_bytes(progress, total);
        let in_temp =
            self.temp.iter().fold(0, |all: u64, folder| all.saturating_add(free_bytes(folder)));
        (most >= WORTH_TELLING).then(|| said((most, free_bytes(&self.folder)), (sorted, in_temp)))
    }
}

/// How many bytes of what are needed at most, and free in its place: of the book, and of scratch files.
fn said(book: (u64, u64), sorted: (u64, u64)) -> String {
    let room = |(most, free)| match free < most {
        true => format!("; {} are free there", bytes(free)),
        false => String::new(),
    };
    let sorting = match sorted.0 {
        0 => String::new(),
        most => format!("; sorting takes up to {} of disk{}", bytes(most), room(sorted)),
    };
    format!(
        "the book will have {} at most, and less the more games share positions{}{sorting}",
        bytes(book.0),
        room(book)
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
    fn the_size_is_told_once_if_it_is_worth_it() {
        let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
        let mut foretold = Foretold::new(&plan, Path::new("."), &[]);
        assert_eq!(foretold.tell(&progress(4)), None, "too early to tell");
        let told = foretold.tell(&progress(5)).unwrap_or_default();
        assert!(told.starts_with("the book will have 1.2 GB at most"), "{told}");
        assert_eq!(foretold.tell(&progress(6)), None);
        plan.max_ply = Some(10);
        let mut short = Foretold::new(&plan, Path::new("."), &[]);
        assert_eq!(short.tell(&progress(5)), None, "240 MB");
    }

    #[test]
    fn too_little_room_is_said() {
        assert_eq!(
            said((3_000_000_000, 1_000_000_000), (0, 0)),
            "the book will have 3.0 GB at most, and less the more games share positions; 1.0 GB are free there"
        );
        assert_eq!(
            said((3_000_000_000, 4_000_000_000), (8_000_000_000, 4_000_000_000)),
            "the book will have 3.0 GB at most, and less the more games share positions; sorting takes up to 8.0 GB of disk; 4.0 GB are free there"
        );
    }
}
