//! Archives to visits, on one thread or several, with the same result.
//!
//! The calling thread reads, decompresses, digests and cuts; workers parse and replay and feed each its own sink. With one sink the calling thread does
//! all of it. Chunks are taken back in the order of the archive, so that reports and tallies come in that order too.

use crate::error::{ArchiveError, IngestError};
use crate::game_visits::{Tables, VisitMaker};
use crate::input::{Input, Warning};
use crate::pgn::{Content, Fault, Games, PgnReader};
use crate::played::Played;
use crate::split::{Chunk, LONGEST, Piece, Splitter};
use crate::tally::{Counters, Filtered, Reason, Skipped, SourceTally, Tally};
use crate::visit::Visit;
use crate::wanted::Wanted;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabia_games::Side;

/// Where visits go.
pub trait VisitSink {
    /// Why it can't take any more.
    type Error;

    /// Takes what one game counts: each of its positions once and each of its moves once.
    ///
    /// # Errors
    /// Ends the ingestion.
    fn game(&mut self, visits: &[Visit]) -> Result<(), Self::Error>;
}

/// Who wants to know how it goes. All calls come from the thread that called [`ingest()`], in the order of the archives.
pub trait Observer {
    /// A game was skipped.
    fn skipped(&mut self, _skipped: &Skipped) {}

    /// An archive is sound only in part.
    fn warned(&mut self, _warning: &Warning) {}

    /// Called every few thousand games. `Break` stops the ingestion.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Observer for () {}

/// How far an ingestion has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Which archive is being read, counted from 0.
    pub archive: usize,
    /// Bytes of all files consumed, as they are on disk.
    pub bytes: u64,
    /// Bytes of all files together; none if one of them is a pipe.
    pub total_bytes: Option<u64>,
    /// Games read so far.
    pub games: u64,
}

/// What to make of archives.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is wanted of a game.
    pub tables: Tables,
    /// Visits for the moves of so many plies, and the positions between them; all if none. Games are judged whole all the same.
    pub max_ply: Option<u32>,
    /// Visits only where this side is to move, if any: a book for one color.
    pub side: Option<Side>,
    /// Which games are wanted, and what of them.
    pub wanted: Wanted,
    /// Whether tags and moves that two blank lines part are one game, instead of one without moves and one without a result.
    pub join_split: bool,
    /// About how much text goes to a worker at a time. It shows in speed and memory, never in the result.
    pub chunk_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        let tables = Tables { positions: true, moves: true };
        Self { tables, max_ply: None, side: None, wanted: Wanted::default(), join_split: false, chunk_bytes: 512 << 10 }
    }
}

/// Reads archives (`-` is standard input) and feeds the visits of their games to the sinks, one worker thread for each if there are several.
///
/// Which sink gets a game is left to chance; all of them together get the same visits, whatever their number. Memory is bounded: about 2 MiB for each sink,
/// more only for games of more than half a megabyte.
///
/// # Errors
/// If an archive can't be opened (all are looked at before any is read), can't be read or isn't one; if a sink fails; if the observer asks to stop.
///
/// # Panics
/// If there are no sinks.
pub fn ingest<S: VisitSink + Send>(
    archives: &[PathBuf],
    options: &Options,
    sinks: &mut [S],
    observer: &mut dyn Observer,
) -> Result<Tally, IngestError<S::Error>>
where
    S::Error: Send,
{
    let queue = Queue::open(archives)?;
    match sinks {
        [] => panic!("ingest needs a sink"),
        [sink] => {
            let mut worker = Worker::new(options, sink);
            let mut reading = Reading::new(options, queue, observer);
            while let Some(task) = reading.next_task()? {
                reading.take(worker.work(task))?;
            }
            Ok(reading.finish()?)
        }
        sinks => on_threads(options, queue, sinks, observer),
    }
}

fn on_threads<S: VisitSink + Send>(
    options: &Options,
    queue: Queue,
    sinks: &mut [S],
    observer: &mut dyn Observer,
) -> Result<Tally, IngestError<S::Error>>
where
    S::Error: Send,
{
    let (to_workers, tasks) = bounded(sinks.len());
    let (from_workers, done) = unbounded();
    std::thread::scope(|scope| {
        for sink in sinks {
            let (tasks, from_workers) = (tasks.clone(), from_workers.clone());
            scope.spawn(move || run_worker(options, sink, &tasks, &from_workers));
        }
        drop((tasks, from_workers));
        let mut reading = Reading::new(options, queue, observer);
        reading.run(to_workers, &done)?;
        Ok(reading.finish()?)
    })
}

fn run_worker<S: VisitSink>(options: &Options, sink: &mut S, tasks: &Receiver<Task>, done: &Sender<Done<S::Error>>) {
    let mut worker = Worker::new(options, sink);
    for task in tasks {
        let result = worker.work(task);
        if done.send(result).is_err() {
            return;
        }
    }
}

/// A chunk on its way to a worker.
struct Task {
    number: u64,
    source: usize,
    archive: Arc<str>,
    chunk: Chunk,
}

/// What came of it, with the chunk to be filled again.
struct Done<E> {
    number: u64,
    source: usize,
    chunk: Chunk,
    report: Report,
    error: Option<E>,
}

/// What came of the games of a chunk.
#[derive(Default)]
struct Report {
    games: Counters,
    skipped: Vec<Skipped>,
    content: Content,
}

/// Parses, replays and makes visits.
struct Worker<'a, S> {
    reader: PgnReader,
    maker: VisitMaker,
    sink: &'a mut S,
}

impl<'a, S: VisitSink> Worker<'a, S> {
    fn new(options: &Options, sink: &'a mut S) -> Self {
        let reader = PgnReader::new(options.join_split, options.wanted.clone());
        Self { reader, maker: VisitMaker::new(options.max_ply, options.tables).of_side(options.side), sink }
    }

    fn work(&mut self, task: Task) -> Done<S::Error> {
        let mut report = Report::default();
        let error = task.chunk.pieces.iter().try_for_each(|piece| self.piece(&task, piece, &mut report)).err();
        Done { number: task.number, source: task.source, chunk: task.chunk, report, error }
    }

    fn piece(&mut self, task: &Task, piece: &Piece, report: &mut Report) -> Result<(), S::Error> {
        let mut games = Sorting { maker: &mut self.maker, sink: self.sink, archive: &task.archive, offset: piece.offset, report };
        if piece.too_long {
            let detail = format!("it is longer than {} MiB", LONGEST >> 20);
            games.skipped(0, Fault { reason: Reason::Broken, detail }, String::new());
            return Ok(());
        }
        let content = self.reader.read(&task.chunk.bytes[piece.start..piece.end], piece.is_last, &mut games)?;
        report.content = report.content.max(content);
        Ok(())
    }
}

/// Takes the games of a piece: visits to the sink, the others to the report.
struct Sorting<'a, S> {
    maker: &'a mut VisitMaker,
    sink: &'a mut S,
    archive: &'a Arc<str>,
    offset: u64,
    report: &'a mut Report,
}

impl<S: VisitSink> Games for Sorting<'_, S> {
    type Error = S::Error;

    fn played(&mut self, game: &Played) -> Result<(), S::Error> {
        self.sink.game(self.maker.visits(game))?;
        self.report.games.goes_in(game.plies.len());
        Ok(())
    }

    fn skipped(&mut self, at: usize, fault: Fault, players: String) {
        let Fault { reason, detail } = fault;
        self.report.games.skips(reason);
        let offset = self.offset + at as u64;
        self.report.skipped.push(Skipped { archive: Arc::clone(self.archive), offset, reason, detail, players });
    }

    fn filtered(&mut self, reason: Filtered) {
        self.report.games.filters(reason);
    }
}

/// The archives still to be read.
struct Queue {
    /// In reverse order. Files are opened again when their turn comes, pipes stay open.
    waiting: Vec<Waiting>,
    total_bytes: Option<u64>,
}

struct Waiting {
    path: PathBuf,
    input: Option<Input>,
}

impl Queue {
    /// Makes sure that all of them can be read, as far as their first bytes show.
    fn open(archives: &[PathBuf]) -> Result<Self, ArchiveError> {
        if archives.iter().filter(|path| *path == Path::new("-")).count() > 1 {
            return Err(ArchiveError::StandardInputTwice);
        }
        let mut queue = Self { waiting: Vec::new(), total_bytes: Some(0) };
        for path in archives.iter().rev() {
            let input = Input::open(path)?;
            queue.total_bytes = queue.total_bytes.and_then(|total| Some(total + input.length()?));
            queue.waiting.push(Waiting { path: path.clone(), input: Some(input).filter(|input| !input.is_reopenable()) });
        }
        Ok(queue)
    }

    fn next(&mut self) -> Result<Option<Input>, ArchiveError> {
        let Some(Waiting { path, input }) = self.waiting.pop() else { return Ok(None) };
        match input {
            Some(input) => Ok(Some(input)),
            None => Input::open(&path).map(Some),
        }
    }
}

/// The reading side: chunks out, reports in.
struct Reading<'a> {
    options: &'a Options,
    queue: Queue,
    current: Option<Current>,
    observer: &'a mut dyn Observer,
    tally: Tally,
    sources: Vec<Source>,
    /// The sources before this one are known to be done.
    settled: usize,
    progress: Progress,
    /// Bytes of the files that are finished.
    bytes_before: u64,
    tasks: u64,
    spare: Vec<Chunk>,
}

/// The archive being read.
struct Current {
    input: Input,
    splitter: Splitter,
}

/// What is known of an archive once it has been opened.
struct Source {
    path: PathBuf,
    name: Arc<str>,
    content: Content,
}

impl<'a> Reading<'a> {
    fn new(options: &'a Options, queue: Queue, observer: &'a mut dyn Observer) -> Self {
        let progress = Progress { total_bytes: queue.total_bytes, ..Progress::default() };
        let (tally, sources, spare) = (Tally::default(), Vec::new(), Vec::new());
        Self { options, queue, current: None, observer, tally, sources, settled: 0, progress, bytes_before: 0, tasks: 0, spare }
    }

    /// Hands all tasks to the workers and takes back what they make of them.
    fn run<E>(&mut self, to_workers: Sender<Task>, done: &Receiver<Done<E>>) -> Result<(), IngestError<E>> {
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        while let Some(task) = self.next_task()? {
            if to_workers.send(task).is_err() {
                break;
            }
            while let Ok(result) = done.try_recv() {
                waiting.insert(result.number, result);
            }
            self.take_in_order(&mut waiting, &mut next)?;
        }
        drop(to_workers);
        for result in done {
            waiting.insert(result.number, result);
            self.take_in_order(&mut waiting, &mut next)?;
        }
        Ok(())
    }

    fn take_in_order<E>(&mut self, waiting: &mut BTreeMap<u64, Done<E>>, next: &mut u64) -> Result<(), IngestError<E>> {
        while let Some(result) = waiting.remove(next) {
            *next += 1;
            self.take(result)?;
        }
        Ok(())
    }

    /// The next games of the archives, in order. None at the end.
    fn next_task(&mut self) -> Result<Option<Task>, ArchiveError> {
        loop {
            if self.current.is_none() && !self.open_next()? {
                return Ok(None);
            }
            let mut chunk = self.spare.pop().unwrap_or_default();
            if let Some(Current { input, splitter }) = &mut self.current
                && splitter.next(input, &mut chunk)?
            {
                self.progress.bytes = self.bytes_before + input.consumed();
                let source = self.sources.len() - 1;
                let task = Task { number: self.tasks, source, archive: Arc::clone(&self.sources[source].name), chunk };
                self.tasks += 1;
                return Ok(Some(task));
            }
            self.spare.push(chunk);
            self.close_current();
        }
    }

    fn open_next(&mut self) -> Result<bool, ArchiveError> {
        let Some(input) = self.queue.next()? else { return Ok(false) };
        let path = input.path().to_owned();
        self.tally.sources.push(SourceTally { name: input.name(), ..SourceTally::default() });
        self.sources.push(Source { name: path.to_string_lossy().into(), path, content: Content::Blank });
        self.current = Some(Current { input, splitter: Splitter::new(self.options.chunk_bytes) });
        Ok(true)
    }

    fn close_current(&mut self) {
        let Some(Current { input, .. }) = self.current.take() else { return };
        if let Some(source) = self.tally.sources.last_mut() {
            source.digest = input.digest();
            source.bytes = input.bytes_read();
        }
        self.bytes_before += input.length().unwrap_or(input.consumed());
        if let Some(warning) = input.warning() {
            self.observer.warned(warning);
        }
    }

    /// Takes what came of a task; must be called in the order of tasks.
    fn take<E>(&mut self, done: Done<E>) -> Result<(), IngestError<E>> {
        let Done { source, mut chunk, report, error, .. } = done;
        self.settle(source)?;
        for skipped in &report.skipped {
            self.observer.skipped(skipped);
        }
        self.sources[source].content = self.sources[source].content.max(report.content);
        self.tally.sources[source].games.add(&report.games);
        self.tally.games.add(&report.games);
        if let Some(error) = error {
            return Err(IngestError::Sink(error));
        }
        chunk.bytes.shrink_to(2 * self.options.chunk_bytes);
        self.spare.push(chunk);
        self.progress.archive = source;
        self.progress.games = self.tally.games.games_read;
        if self.observer.progress(&self.progress).is_break() {
            return Err(IngestError::Stopped);
        }
        Ok(())
    }

    /// Makes sure that the archives before this one, which are done, were archives.
    fn settle(&mut self, before: usize) -> Result<(), ArchiveError> {
        while self.settled < before {
            let source = &self.sources[self.settled];
            if source.content == Content::Other {
                return Err(ArchiveError::NoGame { path: source.path.clone() });
            }
            self.settled += 1;
        }
        Ok(())
    }

    /// The tally, when all is done.
    fn finish(mut self) -> Result<Tally, ArchiveError> {
        self.settle(self.sources.len())?;
        Ok(self.tally)
    }
}
