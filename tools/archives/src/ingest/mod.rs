//! Archives to games, on one thread or several, with the same result.
//!
//! Every thread does all there is to do: it takes the next chunk of an archive (one thread at a
//! time reads, decompresses, digests and cuts an archive, several archives are read side by side),
//! parses and replays its games, and feeds its own sink. What came of a chunk the reporter reports
//! in the order of the archives. All of it can be kept, to go on from there.

mod readers;
mod reporter;
mod worker;

use crate::error::IngestError;
use crate::game_record::GameRecord;
use crate::input::Warning;
use crate::split::{ReadPosition, TextChunk};
use crate::stats::{Skipped, SourceStats, Stats};
use crate::wanted::Options;
use readers::Readers;
use reporter::Reporter;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use worker::Worker;

/// A receiver of games.
pub trait GameSink {
    /// Why it can't take any more.
    type Error;

    /// Takes a game. An error ends the ingestion.
    fn game(&mut self, game: &GameRecord, origin: Origin) -> Result<(), Self::Error>;
}

/// The archive and place that a game comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// Which archive, counted from 0.
    pub source: u32,
    /// The game's first byte in the archive's decompressed bytes.
    pub offset: u64,
}

/// An observer of an ingestion. Calls come one at a time, but from any of the threads; games and
/// warnings come in the order of the archives.
pub trait Observer: Send {
    /// A game was skipped.
    fn skipped(&mut self, _skipped: &Skipped) {}

    /// An archive is sound only in part.
    fn warned(&mut self, _warning: &Warning) {}

    /// There is nothing in this archive but blank space, or nothing at all.
    fn blank(&mut self, _archive: &Path) {}

    /// There is text in this archive, but no game. `Break` makes that an error.
    fn no_game(&mut self, _archive: &Path) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    /// Called every few thousand games. `Break` stops the ingestion.
    fn progress(&mut self, _progress: &IngestProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Observer for () {}

/// How far an ingestion has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IngestProgress {
    /// The first archive that isn't done, counted from 0.
    pub archive: usize,
    /// Bytes of all files consumed, as they are on disk.
    pub bytes: u64,
    /// Bytes of all files consumed, after decompression.
    pub text_bytes: u64,
    /// Bytes of all files together; none if one of them is a pipe.
    pub total_bytes: Option<u64>,
    /// Games read so far.
    pub games: u64,
    /// Plies of the games that were counted so far.
    pub plies: u64,
}

/// How far an ingestion has come: earlier games are in the sinks, later ones aren't.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Of each archive, in the order given.
    pub sources: Vec<SourceCheckpoint>,
}

/// How far one archive has been read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceCheckpoint {
    /// All of it.
    pub is_done: bool,
    /// The first game that isn't in.
    pub next: ReadPosition,
    /// How many bytes were looked at, after decompression.
    pub read: u64,
    /// XXH3-128 of those, most significant byte first.
    pub digest: [u8; 16],
    /// Bytes of the file taken in, as they are on disk.
    pub consumed: u64,
    /// What came of its games.
    pub stats: SourceStats,
    /// Whether a game was seen in it.
    pub has_games: bool,
    /// Whether anything was seen in it that isn't a game.
    pub has_other: bool,
    /// Games skipped that the observer has not heard of: archives before this one aren't done.
    pub unreported: Vec<Skipped>,
    /// Whether the observer has heard all of it, also that there is no game in it.
    pub is_reported: bool,
    /// The warning it ended with, not heard of either.
    pub unreported_warning: Option<Warning>,
}

/// Saves what was done so far, so that an interrupted ingestion can go on.
pub trait Saver<S: GameSink>: Send {
    /// Whether it is time for a checkpoint.
    fn is_due(&self, progress: &IngestProgress) -> bool;

    /// Saves how far it has come and what the sinks hold. `at_the_end`: the ingestion stops here.
    /// An error ends the ingestion.
    fn save(
        &mut self,
        checkpoint: &Checkpoint,
        sinks: &mut [&mut S],
        at_the_end: bool,
    ) -> Result<(), S::Error>;

    /// Called once all archives are read, with the last checkpoint. An error ends the ingestion.
    fn finish(&mut self, _checkpoint: &Checkpoint, _sinks: &mut [&mut S]) -> Result<(), S::Error> {
        Ok(())
    }
}

/// The lock, even if a thread panicked with it: that shows elsewhere.
fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads archives (`-` is standard input) and feeds their games to the sinks, one thread for each.
///
/// Which sink gets a game is left to chance; together they get the same games. Memory is bounded:
/// about 2 MiB for each sink, more for games of more than half a megabyte.
///
/// # Errors
/// If an archive can't be opened (all are looked at before any is read), can't be read or isn't
/// one; if a sink fails; if the observer asks to stop.
///
/// # Panics
/// If there are no sinks.
pub fn ingest<S: GameSink + Send>(
    archives: &[PathBuf],
    options: &Options,
    sinks: &mut [S],
    observer: &mut dyn Observer,
) -> Result<Stats, IngestError<S::Error>>
where
    S::Error: Send,
{
    ingest_from(Checkpoint::default(), archives, options, sinks, observer, None)
}

/// Reads archives as [`ingest()`] does, from a checkpoint of an interrupted ingestion, whose games
/// the sinks hold already; and saves checkpoints itself.
///
/// # Errors
/// As [`ingest()`]; [`crate::ArchiveError::Changed`] if an archive isn't what it was.
///
/// # Panics
/// If there are no sinks.
pub fn ingest_from<'a, S: GameSink + Send>(
    checkpoint: Checkpoint,
    archives: &[PathBuf],
    options: &'a Options,
    sinks: &'a mut [S],
    observer: &'a mut dyn Observer,
    saver: Option<&'a mut dyn Saver<S>>,
) -> Result<Stats, IngestError<S::Error>>
where
    S::Error: Send,
{
    let readers = Readers::open(archives, options, sinks.len(), &checkpoint)?;
    let reporter = Reporter::new(archives, &readers, checkpoint, observer);
    let sinks: Vec<_> = sinks.iter_mut().map(Mutex::new).collect();
    let pool = Pool {
        options,
        readers,
        reporter: Mutex::new(reporter),
        sinks,
        saver: saver.map(Mutex::new),
        gate: RwLock::new(()),
        ended: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        let pool = &pool;
        let spawn = |number| scope.spawn(move || pool.work(number));
        let others: Vec<_> = (1..pool.sinks.len()).map(spawn).collect();
        let first = pool.work(0);
        others.into_iter().fold(first, |done, other| {
            done.and(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    })?;
    pool.finish()?;
    Ok(pool.reporter.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?)
}

struct Pool<'a, S: GameSink> {
    options: &'a Options,
    readers: Readers<'a>,
    reporter: Mutex<Reporter<'a>>,
    sinks: Vec<Mutex<&'a mut S>>,
    saver: Option<Mutex<&'a mut dyn Saver<S>>>,
    /// Held for reading by every working thread, for writing by one that needs all others to pause.
    gate: RwLock<()>,
    /// A thread failed, or the observer asked to stop.
    ended: AtomicBool,
}

impl<S: GameSink> Pool<'_, S> {
    /// One thread's work, until there is no more or something goes wrong.
    fn work(&self, number: usize) -> Result<(), IngestError<S::Error>> {
        let done = self.work_on(number);
        if done.is_err() {
            self.ended.store(true, Ordering::SeqCst);
            self.readers.close();
        }
        done
    }

    fn work_on(&self, number: usize) -> Result<(), IngestError<S::Error>> {
        let (mut worker, mut chunk) = (Worker::new(self.options), TextChunk::default());
        while self.chunk(number, &mut worker, &mut chunk)? {
            if self.is_save_due() {
                let _all_rest = self.gate.write().unwrap_or_else(PoisonError::into_inner);
                self.save(false)?;
            }
        }
        Ok(())
    }

    fn chunk(
        &self,
        number: usize,
        worker: &mut Worker<'_>,
        chunk: &mut TextChunk,
    ) -> Result<bool, IngestError<S::Error>> {
        let at_work = self.gate.read().unwrap_or_else(PoisonError::into_inner);
        if self.ended.load(Ordering::SeqCst) {
            return Ok(false);
        }
        let Some(task) =
            self.readers.next(chunk, |source, end| locked(&self.reporter).ends(source, end))?
        else {
            return Ok(false);
        };
        let (report, failed) = worker.work(&task, chunk, *locked(&self.sinks[number]));
        let goes_on = locked(&self.reporter).take(&task, report)?;
        chunk.bytes.shrink_to(2 * self.options.chunk_bytes);
        drop(at_work);
        failed.map_or(Ok(()), |error| Err(IngestError::Sink(error)))?;
        if goes_on.is_break() {
            let _all_rest = self.gate.write().unwrap_or_else(PoisonError::into_inner);
            self.save(true)?;
            return Err(IngestError::Stopped);
        }
        Ok(true)
    }

    fn is_save_due(&self) -> bool {
        let Some(saver) = &self.saver else { return false };
        let progress = locked(&self.reporter).progress.clone();
        locked(saver).is_due(&progress)
    }

    /// Saves what was done so far, while all others rest; `at_the_end`: the work stops here.
    fn save(&self, at_the_end: bool) -> Result<(), IngestError<S::Error>> {
        // Another thread may have saved it meanwhile.
        let is_wanted = at_the_end || self.is_save_due();
        let Some(saver) =
            self.saver.as_ref().filter(|_| is_wanted && !self.ended.load(Ordering::SeqCst))
        else {
            return Ok(());
        };
        self.with_checkpoint(|checkpoint, sinks| locked(saver).save(checkpoint, sinks, at_the_end))
    }

    fn finish(&self) -> Result<(), IngestError<S::Error>> {
        let Some(saver) = &self.saver else { return Ok(()) };
        self.with_checkpoint(|checkpoint, sinks| locked(saver).finish(checkpoint, sinks))
    }

    /// Hands over how far the archives are read, and the sinks; no thread may be working.
    fn with_checkpoint(
        &self,
        take: impl FnOnce(&Checkpoint, &mut [&mut S]) -> Result<(), S::Error>,
    ) -> Result<(), IngestError<S::Error>> {
        let mut sinks: Vec<_> = self.sinks.iter().map(locked).collect();
        let mut sinks: Vec<&mut S> = sinks.iter_mut().map(|sink| &mut ***sink).collect();
        let checkpoint = locked(&self.reporter).checkpoint(&self.readers);
        take(&checkpoint, &mut sinks).map_err(IngestError::Sink)
    }
}
