//! The archives while they are read, several side by side, and given out in chunks of whole games.

use super::{Checkpoint, SourceCheckpoint, locked};
use crate::error::ArchiveError;
use crate::files::Files;
use crate::input::{Input, Warning};
use crate::split::{Splitter, TextChunk};
use crate::wanted::Options;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A chunk with its own identity.
pub(super) struct Task {
    /// Which archive it is of.
    pub source: usize,
    /// Its number there.
    pub number: u64,
    /// The archive, as it was given.
    pub archive: Arc<str>,
    /// Bytes of the file taken in so far, as they are on disk.
    pub consumed: u64,
    /// Bytes taken in so far, after decompression.
    pub read: u64,
}

/// What is known of an archive once all of it has been given out.
pub(super) struct End {
    /// How many chunks it had.
    pub chunks: u64,
    pub digest: [u8; 16],
    pub bytes: u64,
    pub consumed: u64,
    pub warning: Option<Warning>,
    /// It is a tar archive without a file of games.
    pub is_foreign: bool,
}

pub(super) struct Readers<'a> {
    /// What is wanted.
    pub options: &'a Options,
    state: Mutex<State>,
    brought_back: Condvar,
    pub total_bytes: Option<u64>,
    /// The most that are read side by side.
    most: usize,
}

struct State {
    waiting: VecDeque<Waiting>,
    /// Archives that no thread is reading at the moment, by their source.
    idle: BTreeMap<usize, OpenArchive>,
    out: usize,
    closed: bool,
}

/// An archive whose turn has not come. Files are opened again then, pipes stay open.
struct Waiting {
    source: usize,
    path: PathBuf,
    input: Option<Input>,
    from: SourceCheckpoint,
}

struct OpenArchive {
    source: usize,
    archive: Arc<str>,
    files: Files,
    splitter: Splitter,
    chunks: u64,
}

impl<'a> Readers<'a> {
    /// Makes sure that all can be read, as far as first bytes show; those done before are left out.
    pub fn open(
        archives: &[PathBuf],
        options: &'a Options,
        most: usize,
        checkpoint: &Checkpoint,
    ) -> Result<Self, ArchiveError> {
        if archives.iter().filter(|path| *path == Path::new("-")).count() > 1 {
            return Err(ArchiveError::StandardInputTwice);
        }
        let (mut waiting, mut total_bytes) = (VecDeque::new(), Some(0));
        for (source, path) in archives.iter().enumerate() {
            let from = checkpoint.sources.get(source).cloned().unwrap_or_default();
            if from.is_done {
                total_bytes = total_bytes.map(|total| total + from.consumed);
                continue;
            }
            let input = Input::open(path)?;
            total_bytes = total_bytes.and_then(|total| Some(total + input.length()?));
            waiting.push_back(Waiting {
                source,
                path: path.clone(),
                input: Some(input).filter(|input| input.length().is_none()),
                from,
            });
        }
        let state = State { waiting, idle: BTreeMap::new(), out: 0, closed: false };
        Ok(Self {
            options,
            state: Mutex::new(state),
            brought_back: Condvar::new(),
            total_bytes,
            most: most.max(1),
        })
    }

    /// Fills the chunk with the next games of some archive; none if there are no more. `ends` hears
    /// of archives that are at their end.
    pub fn next(
        &self,
        chunk: &mut TextChunk,
        ends: impl Fn(usize, End),
    ) -> Result<Option<Task>, ArchiveError> {
        while let Some(open) = self.take() {
            let mut open = open?;
            if !open.splitter.next(&mut open.files, chunk)? {
                ends(open.source, open.end());
                self.bring_back(None);
                continue;
            }
            let task = Task {
                source: open.source,
                number: open.chunks,
                archive: Arc::clone(&open.archive),
                consumed: open.files.input().consumed(),
                read: open.files.input().bytes_read(),
            };
            open.chunks += 1;
            self.bring_back(Some(open));
            return Ok(Some(task));
        }
        Ok(None)
    }

    /// Takes the first archive that no thread is reading, or opens one more.
    fn take(&self) -> Option<Result<OpenArchive, ArchiveError>> {
        let mut state = locked(&self.state);
        loop {
            if state.closed {
                return None;
            }
            if let Some((_, open)) = state.idle.pop_first() {
                state.out += 1;
                return Some(Ok(open));
            }
            if state.out < self.most
                && let Some(waiting) = state.waiting.pop_front()
            {
                state.out += 1;
                drop(state);
                return Some(OpenArchive::open(waiting, self.options));
            }
            if state.out == 0 {
                return None;
            }
            state = self.brought_back.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn bring_back(&self, open: Option<OpenArchive>) {
        let mut state = locked(&self.state);
        state.out -= 1;
        state.idle.extend(open.map(|open| (open.source, open)));
        drop(state);
        self.brought_back.notify_all();
    }

    /// Gives out nothing any more.
    pub fn close(&self) {
        locked(&self.state).closed = true;
        self.brought_back.notify_all();
    }

    /// Enters how far each archive that is being read has been given out; no thread may be reading.
    pub fn enter(&self, sources: &mut [SourceCheckpoint]) {
        for (&source, open) in &locked(&self.state).idle {
            let checkpoint = &mut sources[source];
            checkpoint.next = open.splitter.position(&open.files);
            checkpoint.read = open.files.input().bytes_read();
            checkpoint.digest = open.files.input().digest();
        }
    }
}

impl OpenArchive {
    fn open(waiting: Waiting, options: &Options) -> Result<Self, ArchiveError> {
        let Waiting { source, path, input, from } = waiting;
        let mut input = input.map_or_else(|| Input::open(&path), Ok)?;
        input.expect(from.read, from.digest);
        input.skip(from.next.file)?;
        let splitter = Splitter::new(from.next, options.chunk_bytes);
        Ok(Self {
            source,
            archive: path.to_string_lossy().into(),
            files: Files::new(input, options.format),
            splitter,
            chunks: 0,
        })
    }

    fn end(&self) -> End {
        let input = self.files.input();
        End {
            chunks: self.chunks,
            digest: input.digest(),
            bytes: input.bytes_read(),
            consumed: input.length().unwrap_or(input.consumed()),
            warning: self.files.warning().cloned(),
            is_foreign: !self.files.any,
        }
    }
}
