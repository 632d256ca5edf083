//! How much disk a book takes at most, told while it is built, once enough of its archives was read to
//! know how many plies there are.

use crate::BuildPlan;
use std::path::{Path, PathBuf};
use tabia_archives::IngestProgress;

/// Smaller books are not worth a note.
const WORTH_TELLING: u64 = 256 << 20;
/// The share of the archives that has to be read: one part of so many.
const PART: u64 = 20;

/// What is known of a book before it is built.
#[derive(Debug)]
pub struct Foretold {
    plan: BuildPlan,
    folder: PathBuf,
    /// Where scratch files go.
    temp: Vec<PathBuf>,
    is_told: bool,
}

/// Room on a disk: what is needed at most, and what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// The bytes that are needed at most.
    pub most: u64,
    /// The bytes that are free in the folder, or in all of several.
    pub free: u64,
}

impl Foretold {
    /// For a book that is built in this folder by this plan, with scratch files in these folders, or
    /// beside it.
    pub fn new(plan: &BuildPlan, folder: &Path, temp: &[PathBuf]) -> Self {
        let beside = if temp.is_empty() { vec![folder.to_owned()] } else { temp.to_owned() };
        Self { plan: plan.clone(), folder: folder.to_owned(), temp: beside, is_told: false }
    }

    /// What is to be told now, once, if it is worth it: what the book needs, and what its scratch files do.
    /// `free` says how many bytes are free where a folder is.
    pub fn tell(
        &mut self,
        progress: &IngestProgress,
        free: impl Fn(&Path) -> u64,
    ) -> Option<[Need; 2]> {
        let total = progress.total_bytes?;
        if self.is_told || progress.bytes == 0 || progress.bytes < total / PART {
            return None;
        }
        self.is_told = true;
        let (most, sorted) = self.plan.most_bytes(progress, total);
        let in_temp = self.temp.iter().map(|folder| free(folder)).fold(0, u64::saturating_add);
        let book = Need { most, free: free(&self.folder) };
        (most >= WORTH_TELLING).then_some([book, Need { most: sorted, free: in_temp }])
    }
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
        let mut foretold = Foretold::new(&plan, Path::new("."), &["a".into(), "b".into()]);
        let free = |folder: &Path| if folder == Path::new(".") { 1 } else { 2 };
        assert_eq!(foretold.tell(&progress(4), free), None, "too early to tell");
        let [book, scratch] = foretold.tell(&progress(5), free).unwrap();
        assert_eq!(book, Need { most: 1_200_000_000, free: 1 });
        assert_eq!(scratch.free, 4, "both folders");
        assert_eq!(foretold.tell(&progress(6), free), None);
        plan.max_ply = Some(10);
        let mut short = Foretold::new(&plan, Path::new("."), &[]);
        assert_eq!(short.tell(&progress(5), free), None, "240 MB");
    }
}
