//! Reading archives and collecting what their games count: straight, or by way of spools in which games that are there more than once are found; and
//! taking up a build that was interrupted.

use super::skips::{SharedList, Skips};
use crate::disk::Disk;
use crate::failure::{Done, Failure, told};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tabia::{Env, Error};
use tabia_archives::collect::{Collected, Collector};
use tabia_archives::dedup::{Dedup, Duplicates, KeptSpool, SameBy, Spool, find};
use tabia_archives::{
    Collectable, Gatherer, Keepable, Keeper, Kept, Options, ResumeError, Standing, Tally, ingest_from, is_kept_in, remove_kept,
};

/// Whether and how work outlives an interruption.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resuming {
    /// Whether to go on from where an interrupted build was.
    pub resume: bool,
    /// Whether what an interrupted build left may be removed.
    pub discard: bool,
    /// How often the work is kept; never if none.
    pub every: Option<Duration>,
}

/// Archives to be read, and what to make of them.
pub struct Job<'a> {
    pub archives: &'a [PathBuf],
    pub options: &'a Options,
    pub dedup: Option<(Dedup, SameBy)>,
    pub threads: usize,
    pub memory: usize,
    pub env: Env<'a>,
    /// For what doesn't fit in memory.
    pub folder: &'a Path,
    /// For what is to outlive an interruption.
    pub kept_folder: PathBuf,
    pub resuming: Resuming,
    pub note: &'a dyn Fn(&str),
}

/// What came of it.
pub struct Gathered<T> {
    pub rows: T,
    pub tally: Tally,
    pub duplicates: Option<Duplicates>,
    pub list: Option<SharedList>,
    /// The folder to be removed when the rows are safe.
    pub kept: Option<PathBuf>,
}

impl<T> Gathered<T> {
    /// The same with the rows in another form.
    pub fn map<U>(self, form: impl FnOnce(T) -> U) -> Gathered<U> {
        let Self { rows, tally, duplicates, list, kept } = self;
        Gathered { rows: form(rows), tally, duplicates, list, kept }
    }
}

/// Of each archive, how many games and plies count.
type Counts = Vec<(u64, u64)>;

/// The archives read: the sinks, what came of the games, and the folder of what was kept.
struct Read<'a, S: Keepable> {
    sinks: Vec<S>,
    tally: Tally,
    list: Option<SharedList>,
    kept: Kept<'a, S::Record>,
}

impl<'a> Job<'a> {
    /// Does it. `list` makes the list of skipped games, which begins as the file it is given; `observer` who hears of them.
    pub fn run<V: Collectable>(
        &self,
        list: impl FnOnce(Option<&Path>) -> Done<Option<SharedList>>,
        observer: impl FnOnce(Option<SharedList>) -> Skips<'a>,
    ) -> Done<Gathered<Collected<V>>> {
        match self.dedup {
            None => self.straight(list, observer),
            Some((dedup, same_by)) => self.by_spools(dedup, same_by, list, observer),
        }
    }

    fn straight<V: Collectable>(
        &self,
        list: impl FnOnce(Option<&Path>) -> Done<Option<SharedList>>,
        observer: impl FnOnce(Option<SharedList>) -> Skips<'a>,
    ) -> Done<Gathered<Collected<V>>> {
        let kept = self.kept();
        let read = self.read(kept, list, observer, |kept, records| {
            let mut gatherers = self.gatherers::<V>();
            let runs: Vec<_> = records.into_iter().flatten().collect();
            let whole = gatherers[0].collector().take_up(kept.folder(), &runs)?;
            Ok(whole.then_some(gatherers))
        })?;
        let collectors = read.sinks.into_iter().map(Gatherer::into_collector).collect();
        let rows = Collected::join(&self.env, collectors, self.threads).map_err(|error| after(&read.kept, error))?;
        let kept = read.kept.is_there().then(|| read.kept.folder().to_owned());
        Ok(Gathered { rows, tally: read.tally, duplicates: None, list: read.list, kept })
    }

    fn by_spools<V: Collectable>(
        &self,
        dedup: Dedup,
        same_by: SameBy,
        list: impl FnOnce(Option<&Path>) -> Done<Option<SharedList>>,
        observer: impl FnOnce(Option<SharedList>) -> Skips<'a>,
    ) -> Done<Gathered<Collected<V>>> {
        let mut rest = Vec::new();
        let read = self.read(self.kept(), list, observer, |kept, records: Vec<KeptSpool>| {
            let mut spools = Vec::new();
            for record in &records {
                match Spool::take_up(self.options, same_by, &Disk, kept.folder(), record)? {
                    Some(spool) => spools.push(spool),
                    None => return Ok(None),
                }
            }
            // Those that no thread goes on with stay as they are.
            rest = spools.split_off(self.threads.min(spools.len()));
            kept.others = records[spools.len()..].to_vec();
            for number in spools.len()..self.threads {
                spools.push(self.spool(same_by, kept, number)?);
            }
            Ok(Some(spools))
        })?;
        let Read { sinks: mut spools, mut tally, list, kept } = read;
        spools.append(&mut rest);
        let mut work = || -> Result<_, Error> {
            spools.iter_mut().try_for_each(Spool::finish)?;
            let duplicates = find(&self.env, &spools, dedup, self.archives.len(), self.memory)?;
            let (collectors, counts) = self.gather(&spools, &duplicates)?;
            for (source, (games, plies)) in tally.sources.iter_mut().zip(&counts) {
                source.games.count_only(*games, *plies);
            }
            let (games, plies) = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
            tally.games.count_only(games, plies);
            Ok((Collected::join(&self.env, collectors, self.threads)?, duplicates))
        };
        let (rows, duplicates) = work().map_err(|error| after(&kept, error))?;
        let kept = kept.folder().exists().then(|| kept.folder().to_owned());
        Ok(Gathered { rows, tally, duplicates: Some(duplicates), list, kept })
    }

    fn gatherers<V: Collectable>(&self) -> Vec<Gatherer<'a, V>> {
        let share = self.memory / self.threads;
        (0..self.threads).map(|_| Gatherer::new(self.options, &Disk, self.folder, share)).collect()
    }

    /// A new spool, which can outlive the process if anything is to.
    fn spool(&self, same_by: SameBy, kept: &mut Kept<'a, KeptSpool>, number: usize) -> Result<Spool, Error> {
        if self.resuming.every.is_none() {
            return Spool::new(self.options, same_by, &Disk, self.folder, None);
        }
        kept.make_folder()?;
        Spool::new(self.options, same_by, &Disk, kept.folder(), Some(&format!("{}-spool-{number}", kept.number())))
    }

    /// Collects the games of all spools that count; of each archive, how many games and plies these are.
    fn gather<V: Collectable>(&self, spools: &[Spool], duplicates: &Duplicates) -> Result<(Vec<Collector<'a, V>>, Counts), Error> {
        let waiting = Mutex::new(0..spools.len());
        let work = |mut gatherer: Gatherer<'a, V>| {
            let mut counts = vec![(0, 0); self.archives.len()];
            loop {
                let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(spool) = next else { return Ok((gatherer.into_collector(), counts)) };
                let mut done = 0u64;
                duplicates.games(spools, spool, |game, origin, plies| {
                    done += 1;
                    if done.is_multiple_of(4096) && !self.env.progress.step(tabia::Stage::Sorting, done, spools[spool].len()) {
                        return Err(Error::Interrupted);
                    }
                    let count = &mut counts[origin.source as usize];
                    *count = (count.0 + 1, count.1 + plies);
                    gatherer.add(game)
                })?;
            }
        };
        let done = std::thread::scope(|scope| {
            let all: Vec<_> = self.gatherers().into_iter().map(|gatherer| scope.spawn(|| work(gatherer))).collect();
            all.into_iter()
                .map(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect::<Result<Vec<_>, Error>>()
        })?;
        let mut counts = vec![(0, 0); self.archives.len()];
        let mut collectors = Vec::new();
        for (collector, mine) in done {
            collectors.push(collector);
            counts.iter_mut().zip(mine).for_each(|(all, mine)| *all = (all.0 + mine.0, all.1 + mine.1));
        }
        Ok((collectors, counts))
    }

    fn kept<K: serde::Serialize + serde::de::DeserializeOwned + Clone + Send>(&self) -> Kept<'a, K> {
        let job = format!("{:?} {:?} {:?}", self.archives, self.options, self.dedup);
        Kept::new(&Disk, &self.kept_folder, job, self.resuming.every)
    }

    /// Reads the archives, from where an interrupted build was if that is wanted. `sinks` makes the sinks and gives them what these records speak of; none if
    /// that is damaged.
    fn read<S: Keepable>(
        &self,
        mut kept: Kept<'a, S::Record>,
        list: impl FnOnce(Option<&Path>) -> Done<Option<SharedList>>,
        observer: impl FnOnce(Option<SharedList>) -> Skips<'a>,
        sinks: impl FnOnce(&mut Kept<'a, S::Record>, Vec<S::Record>) -> Result<Option<Vec<S>>, Error>,
    ) -> Done<Read<'a, S>>
    where
        Kept<'a, S::Record>: Keeper<S>,
    {
        let (standing, records, also) = self.resume(&mut kept)?;
        let Some(mut sinks) = sinks(&mut kept, records)? else {
            return Err(told!("{}: what was kept here is damaged: remove this folder and build anew", kept.folder().display()));
        };
        if kept.is_there() {
            let games = standing.sources.iter().map(|source| source.tally.games.games_read).sum();
            (self.note)(&format!("going on after {}", crate::numbers::counted(games, "game")));
        }
        let list = list(also.first().map(PathBuf::as_path))?;
        if let Some(list) = list.clone() {
            kept.also = Box::new(move |folder, name| {
                let path = folder.join(name);
                let copied = list.lock().unwrap_or_else(PoisonError::into_inner).copy_to(&path);
                copied.map_err(|source| Error::Io { action: "write", path, source })?;
                Ok(vec![name.to_owned()])
            });
        }
        let mut skips = observer(list.clone());
        match ingest_from(standing, self.archives, self.options, &mut sinks, &mut skips, Some(&mut kept)) {
            Ok(tally) => {
                skips.finish();
                kept.also = Box::new(|_, _| Ok(Vec::new()));
                Ok(Read { sinks, tally, list, kept })
            }
            Err(error) => {
                drop(sinks);
                Err(after(&kept, error))
            }
        }
    }

    /// What an interrupted build left, if that is to be gone on with; the way is cleared otherwise.
    fn resume<K: serde::Serialize + serde::de::DeserializeOwned + Clone + Send>(
        &self,
        kept: &mut Kept<'a, K>,
    ) -> Done<(Standing, Vec<K>, Vec<PathBuf>)> {
        if self.resuming.resume {
            match kept.find() {
                Ok((found, also)) => return Ok((found.standing, found.sinks, also)),
                Err(ResumeError::Nothing) => {}
                Err(ResumeError::System(error)) => return Err(error.into()),
                Err(error) => return Err(told!("{error}")),
            }
        } else if is_kept_in(kept.folder()) && !self.resuming.discard {
            let folder = kept.folder().display();
            return Err(told!("{folder}: an interrupted build was kept here: --resume goes on with it, --force starts anew"));
        }
        kept.remove()?;
        if self.resuming.resume {
            (self.note)("there is nothing to resume: building from the start");
        }
        Ok((Standing::default(), Vec::new(), Vec::new()))
    }
}

fn after<K>(kept: &Kept<'_, K>, error: impl Into<Failure>) -> Failure {
    after_failure(kept.folder(), error.into())
}

/// A failure when something may have been kept in this folder: that is said, or else nothing is left behind.
pub fn after_failure(folder: &Path, error: Failure) -> Failure {
    if is_kept_in(folder) {
        return if matches!(error, Failure::Interrupted) { Failure::Kept(folder.to_owned()) } else { error };
    }
    if folder.exists() {
        let _ = remove_kept(folder);
    }
    error
}
