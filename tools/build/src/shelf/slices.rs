//! Which slices the games of archives fall into.

use super::{Facet, Facets};
use crate::archive_list::ArchiveList;
use crate::error::{BuildError, Result};
use crate::plan::BuildPlan;
use crate::run::BuildObserver;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use tabia::Column;
use tabia_archives::{GameRecord, GameSink, IngestProgress, Observer, Origin, ingest};

/// The slices that the games of archives fall into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slices {
    /// How many games each has.
    pub games: BTreeMap<Facets, u64>,
    /// Games that don't say what they would be sliced by: they go into no slice.
    pub unknown: u64,
}

impl Slices {
    /// The slices of the games that a plan wants, by these facets: reads the archives once.
    ///
    /// # Errors
    /// [`BuildError`] if an archive can't be read, or the observer asks to stop.
    pub fn of(
        plan: &BuildPlan,
        archives: &ArchiveList,
        facets: &[Facet],
        observer: &mut dyn BuildObserver,
    ) -> Result<Self> {
        let mut options = plan.read.clone();
        options.wanted.details = true;
        options.wanted.columns = options.wanted.columns.with(Column::GAME);
        let sink = || Slicing { facets, slices: Self::default() };
        let mut sinks: Vec<_> = (0..plan.threads.max(1)).map(|_| sink()).collect();
        ingest(&archives.paths, &options, &mut sinks, &mut Watching(observer))?;
        let mut all = Self::default();
        for Slicing { slices, .. } in sinks {
            all.unknown += slices.unknown;
            for (facets, games) in slices.games {
                *all.games.entry(facets).or_default() += games;
            }
        }
        Ok(all)
    }
}

/// Counts games of slices.
struct Slicing<'a> {
    facets: &'a [Facet],
    slices: Slices,
}

impl GameSink for Slicing<'_> {
    type Error = BuildError;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<()> {
        match Facets::of(self.facets, game) {
            Some(facets) => *self.slices.games.entry(facets).or_default() += 1,
            None => self.slices.unknown += 1,
        }
        Ok(())
    }
}

/// Passes on how far reading is.
struct Watching<'a>(&'a mut dyn BuildObserver);

impl Observer for Watching<'_> {
    fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
        self.0.progress(progress)
    }
}
