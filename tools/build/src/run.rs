//! Reading archives and sorting what their games count: straight, or by way of files of games in
//! which copies are found; going on from the parts of a build that was interrupted; and who hears of
//! it.

use crate::archive_list::{ArchiveList, LeftOut};
use crate::counter::{GameCounter, count_games};
use crate::dedup::{Copies, Dedup, Fingerprints, GameLog, NewLines, SameBy, find_copies};
use crate::error::{BuildError, Result};
use crate::game_collector::{Collecting, GameCollector};
use crate::occurrence::{Occurrence, Sortable};
use crate::parts::{Parts, Saved, State};
use crate::plan::{BuildPlan, Resume};
use crate::skipped_list::{SharedList, SkippedList, locked};
use crate::sorter::SortedRows;
use crate::with_cells::{OccurrenceWithCells, room_for};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tabia::bytes::Pread;
use tabia::stream::RowSet;
use tabia::{Book, BookRows, Columns, Digest, Env, MoveRow, PositionRow};
use tabia_archives::{
    Checkpoint, IngestProgress, Observer, Saver, Skipped, Stats, Warning, ingest_from,
};
use tabia_gamefile::SortedGames;

/// Hears how the reading of archives goes. Calls come one at a time, but from any of the build's
/// threads; games and warnings come in the order of the archives. What comes after reading
/// (sorting, writing) is reported to [`tabia::Progress`].
pub trait BuildObserver: Send {
    /// A file is left out: it isn't wanted, or there is no game in it.
    fn left_out(&mut self, _file: &LeftOut) {}

    /// The build goes on after this many games of an interrupted one; 0 if there was nothing to go
    /// on from.
    fn resumed(&mut self, _games: u64) {}

    /// A game was skipped.
    fn skipped(&mut self, _game: &Skipped) {}

    /// An archive is sound only in part.
    fn warned(&mut self, _warning: &Warning) {}

    /// Called every few thousand games. `Break` stops the build.
    fn progress(&mut self, _progress: &IngestProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Hears of nothing, and never stops.
impl BuildObserver for () {}

/// Archives to be read, and what to make of them.
pub(crate) struct Run<'a> {
    pub plan: &'a BuildPlan,
    pub env: Env<'a>,
    pub archives: &'a ArchiveList,
    /// For what doesn't fit in memory.
    pub folder: &'a Path,
    /// The fingerprints of its games, if copies are left out.
    pub known: Option<&'a Fingerprints<'a>>,
    /// The parts of a build; games that are added have none.
    pub parts: Option<Parts<'a>>,
    /// Whether games are gathered for the file beside the book.
    pub gathers_games: bool,
    /// What was gathered.
    pub gathered: Vec<GameCollector<'a>>,
}

pub(crate) struct Outcome<'a> {
    pub rows: Box<dyn RowTables>,
    pub stats: Stats,
    pub copies: Option<Copies>,
    /// The lines of the games, if copies are left out.
    pub new_lines: Option<NewLines>,
    /// The games for the file beside the book, if they are gathered.
    pub games: Option<SortedGames<'a>>,
    pub list: Option<SharedList<'a>>,
}

pub(crate) trait RowTables {
    fn positions(&self) -> Box<dyn RowSet<PositionRow> + '_>;
    fn moves(&self) -> Box<dyn RowSet<MoveRow> + '_>;
}

impl<V: Sortable> RowTables for SortedRows<V> {
    fn positions(&self) -> Box<dyn RowSet<PositionRow> + '_> {
        Box::new(self.positions())
    }

    fn moves(&self) -> Box<dyn RowSet<MoveRow> + '_> {
        Box::new(self.moves())
    }
}

/// Those of the parts.
impl RowTables for Vec<Book<Pread>> {
    fn positions(&self) -> Box<dyn RowSet<PositionRow> + '_> {
        Box::new(BookRows::new(self))
    }

    fn moves(&self) -> Box<dyn RowSet<MoveRow> + '_> {
        Box::new(BookRows::new(self))
    }
}

/// What came of reading: the sinks, what is known of the archives, and the list of skipped games.
type Read<'a, S> = (Vec<S>, Stats, Option<SharedList<'a>>);

/// Hears of archives that are read, and tells a [`BuildObserver`] of them; a build's list of skipped
/// games, too.
pub struct ReadingObserver<'a, 'o> {
    observer: &'o mut dyn BuildObserver,
    list: Option<SharedList<'a>>,
}

impl<'o> ReadingObserver<'_, 'o> {
    /// What tells this observer.
    pub fn new(observer: &'o mut dyn BuildObserver) -> Self {
        Self { observer, list: None }
    }

    fn leave_out(&mut self, path: &Path, why: String) {
        let left_out = LeftOut { path: path.to_owned(), why };
        self.observer.left_out(&left_out);
        if let Some(list) = &self.list {
            locked(list).add_archive(&left_out);
        }
    }
}

impl Observer for ReadingObserver<'_, '_> {
    fn skipped(&mut self, skipped: &Skipped) {
        self.observer.skipped(skipped);
        if let Some(list) = &self.list {
            locked(list).add(skipped);
        }
    }

    fn warned(&mut self, warning: &Warning) {
        self.observer.warned(warning);
    }

    fn blank(&mut self, archive: &Path) {
        self.leave_out(archive, format!("{} is empty", archive.display()));
    }

    fn no_game(&mut self, archive: &Path) -> ControlFlow<()> {
        self.leave_out(archive, format!("there is no game in {}", archive.display()));
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
        self.observer.progress(progress)
    }
}

impl<'a> Run<'a> {
    /// Does it, with elements that have room for what is wanted.
    pub fn run(&mut self, observer: &mut dyn BuildObserver) -> Result<Outcome<'a>> {
        let wanted = &self.plan.read.wanted;
        match room_for(wanted.columns, wanted.evals) {
            0 => self.run_with::<Occurrence>(observer),
            1..=8 => self.run_with::<OccurrenceWithCells<8>>(observer),
            9..=24 => self.run_with::<OccurrenceWithCells<24>>(observer),
            _ => self.run_with::<OccurrenceWithCells<{ Columns::MOST }>>(observer),
        }
    }

    fn run_with<V: Sortable>(&mut self, observer: &mut dyn BuildObserver) -> Result<Outcome<'a>> {
        match (self.plan.dedup, self.known) {
            (Some((dedup, same_by)), Some(known)) => {
                self.without_copies::<V>(dedup, same_by, known, observer)
            }
            _ => self.straight::<V>(observer),
        }
    }

    /// What an error means that ended the work, and what is left of that.
    pub fn after(&self, error: BuildError) -> BuildError {
        match &self.parts {
            Some(parts) => parts.after(error),
            None => error,
        }
    }

    fn straight<V: Sortable>(&mut self, observer: &mut dyn BuildObserver) -> Result<Outcome<'a>> {
        let (counters, stats, list) = self.read(observer, |run, _| {
            Ok((0..run.plan.threads).map(|_| run.counter::<V>()).collect())
        })?;
        let rows: Box<dyn RowTables> = match &self.parts {
            Some(parts) if parts.count > 0 => Box::new(parts.books()?),
            _ => {
                let sorters = counters.into_iter().map(GameCounter::into_sorter).collect();
                Box::new(SortedRows::join(&self.env, sorters, self.plan.threads)?)
            }
        };
        let games = self.gathered_games()?;
        Ok(Outcome { rows, stats, copies: None, new_lines: None, games, list })
    }

    fn without_copies<V: Sortable>(
        &mut self,
        dedup: Dedup,
        same_by: SameBy,
        known: &Fingerprints<'_>,
        observer: &mut dyn BuildObserver,
    ) -> Result<Outcome<'a>> {
        let mut others = Vec::new();
        let (mut logs, mut stats, list) = self.read(observer, |run, state| {
            let mut logs = Vec::new();
            if let (Some(parts), Some(state)) = (&mut run.parts, state) {
                logs = parts.logs(state, same_by)?;
                // Those that no thread goes on with stay as they are.
                others = logs.split_off(run.plan.threads.min(logs.len()));
                parts.other_logs = state.logs[logs.len()..].to_vec();
            }
            while logs.len() < run.plan.threads {
                logs.push(run.log(same_by)?);
            }
            Ok(logs)
        })?;
        logs.append(&mut others);
        logs.iter_mut().try_for_each(GameLog::finish)?;
        let mut new_lines = NewLines::new(self.env.storage, self.folder)?;
        let archives = stats.sources.iter().map(|source| Digest(source.digest));
        let (archives, memory) = (archives.collect::<Vec<_>>(), self.plan.memory);
        let copies =
            find_copies(&self.env, &logs, dedup, &archives, memory, known, &mut new_lines)?;
        let counter = || self.counter::<V>();
        let (env, plan, gathers) = (&self.env, self.plan, self.gathers_games);
        let counted = count_games(env, self.folder, plan, counter, &logs, &copies, gathers)?;
        for (source, (games, plies)) in stats.sources.iter_mut().zip(&counted.games) {
            source.games.count_only(*games, *plies);
        }
        let (games, plies) =
            counted.games.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        stats.games.count_only(games, plies);
        Ok(Outcome {
            rows: Box::new(counted.rows),
            stats,
            copies: Some(copies),
            new_lines: Some(new_lines),
            games: self
                .gathered_games()?
                .map(|games| counted.origins.into_iter().fold(games, SortedGames::only_origins)),
            list,
        })
    }

    fn counter<V: Sortable>(&self) -> GameCounter<'a, V> {
        let memory = self.memory() / self.plan.threads;
        GameCounter::new(self.plan, self.env.storage, self.folder, memory)
    }

    /// Bytes for what games count; a quarter of all is for the games, if these are gathered.
    fn memory(&self) -> usize {
        if self.gathers_games { self.plan.memory / 4 * 3 } else { self.plan.memory }
    }

    fn gathered_games(&mut self) -> Result<Option<SortedGames<'a>>> {
        if !self.gathers_games {
            return Ok(None);
        }
        let mut all = self.parts.as_ref().map_or(Ok(Vec::new()), Parts::games)?;
        for collector in &mut self.gathered {
            all.push(collector.take()?);
        }
        Ok(SortedGames::join(all)?)
    }

    /// A new file of games, which outlives the process if parts are written.
    fn log(&mut self, same_by: SameBy) -> Result<GameLog> {
        let (plan, storage) = (self.plan, self.env.storage);
        let Some(parts) = self.parts.as_mut().filter(|_| plan.part_bytes.is_some()) else {
            return Ok(GameLog::new(plan.max_ply, same_by, storage, self.folder, None)?);
        };
        parts.make_folder()?;
        let name = parts.free_name("log");
        Ok(GameLog::new(plan.max_ply, same_by, storage, &parts.folder, Some(&name))?)
    }

    /// Reads the archives, from where an interrupted build was if that is wanted. `sinks` makes the
    /// sinks, which hold what that build's last part says that they held.
    fn read<S>(
        &mut self,
        observer: &mut dyn BuildObserver,
        sinks: impl FnOnce(&mut Self, Option<&State>) -> Result<Vec<S>>,
    ) -> Result<Read<'a, S>>
    where
        S: Saved<'a> + Send,
    {
        let found = self.parts.as_mut().map_or(Ok(None), Parts::resume)?;
        let (state, begun) = found.map_or((None, None), |(state, list)| (Some(state), list));
        let sinks = sinks(self, state.as_ref())?;
        let mut sinks = self.collecting(sinks);
        if self.plan.resume == Resume::Continue {
            let sources = state.iter().flat_map(|state| &state.checkpoint.sources);
            observer.resumed(sources.map(|source| source.stats.games.games_read).sum());
        }
        let list = self.list(begun.as_deref())?;
        if let Some(parts) = &mut self.parts {
            parts.list.clone_from(&list);
        }
        for left_out in &self.archives.left_out {
            observer.left_out(left_out);
            // A list that an interrupted build began has them already.
            if let Some(list) = list.as_ref().filter(|_| begun.is_none()) {
                locked(list).add_archive(left_out);
            }
        }
        let mut observers = ReadingObserver { observer, list: list.clone() };
        let checkpoint = state.map_or_else(Checkpoint::default, |state| state.checkpoint);
        let mut options = self.plan.read.clone();
        options.wanted.details = self.gathers_games;
        let stats = ingest_from(
            checkpoint,
            &self.archives.paths,
            &options,
            &mut sinks,
            &mut observers,
            self.parts.as_mut().map(|parts| parts as &mut dyn Saver<Collecting<'a, S>>),
        );
        if let Some(parts) = &mut self.parts {
            parts.list = None;
        }
        let mut plain = Vec::new();
        for Collecting { sink, collector } in sinks {
            plain.push(sink);
            self.gathered.extend(collector);
        }
        Ok((plain, stats?, list))
    }

    /// These sinks, each with what gathers games beside it, if that is wanted.
    fn collecting<S>(&self, sinks: Vec<S>) -> Vec<Collecting<'a, S>> {
        let memory = self.plan.memory / 4 / sinks.len().max(1);
        let collector = || GameCollector::new(self.plan, self.env.storage, self.folder, memory);
        let with = |sink| Collecting { sink, collector: self.gathers_games.then(collector) };
        sinks.into_iter().map(with).collect()
    }

    fn list(&self, begun: Option<&Path>) -> Result<Option<SharedList<'a>>> {
        let Some(path) = &self.plan.skipped_list else { return Ok(None) };
        Ok(Some(Arc::new(Mutex::new(SkippedList::create(self.env.storage, path, begun)?))))
    }
}
