//! What came of the chunks, brought together: tallies at once, reports in the order of the games.

use super::readers::{End, Readers, Task};
use super::worker::Report;
use super::{Checkpoint, IngestProgress, Observer, SourceCheckpoint};
use crate::error::ArchiveError;
use crate::reader::formats;
use crate::reading::Content;
use crate::stats::{Skipped, Stats};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tabia_games::{Game, Known};

/// The fewest games of an archive of which it tells something how many are refused.
const FEWEST_GAMES: u64 = 20;

pub(super) struct Reporter<'a> {
    game: &'a Known,
    /// See [`crate::Options::most_refused`].
    most_refused: Option<u8>,
    observer: &'a mut dyn Observer,
    sources: Vec<Source>,
    /// All sources before this one are done and reported.
    current: usize,
    /// How far the reading has come.
    pub progress: IngestProgress,
}

struct Source {
    path: PathBuf,
    /// How far it has come, but for what is waiting, and for where it is read on.
    state: SourceCheckpoint,
    /// Skipped games of chunks whose turn to be reported has not come, by the chunks' numbers.
    waiting: BTreeMap<u64, Vec<Skipped>>,
    reported: u64,
    /// By how much chunks' numbers are shifted, for what was skipped before an interruption.
    shift: u64,
    /// How many chunks there are, once that is known.
    chunks: Option<u64>,
}

impl Source {
    fn new(path: &Path, from: SourceCheckpoint) -> Self {
        let mut state = from;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        state.stats.name = name;
        if state.is_done {
            state.read = state.stats.bytes;
        }
        // What was skipped before stands in the place of a chunk, so that it is reported first.
        let before = std::mem::take(&mut state.unreported);
        let shift = u64::from(!before.is_empty());
        let waiting = (shift > 0).then_some((0, before)).into_iter().collect();
        let chunks = state.is_done.then_some(shift);
        Self { path: path.to_owned(), state, waiting, reported: 0, shift, chunks }
    }

    fn is(&mut self, content: Content) {
        self.state.has_games |= content == Content::Games;
        self.state.has_other |= content == Content::Other;
    }

    /// Makes sure that of the games looked at no more than this share, in percent, were refused.
    fn check_refused(&self, most: Option<u8>) -> Result<(), ArchiveError> {
        let games = &self.state.stats.games;
        let (read, refused) = (games.games_read - games.filtered_games(), games.refused());
        let is_allowed = |most: u8| refused * 100 <= read * u64::from(most);
        if read < FEWEST_GAMES || most.is_none_or(is_allowed) {
            return Ok(());
        }
        Err(ArchiveError::MostlyRefused { path: self.path.clone(), refused, read })
    }

    /// How far it has come. Where an open archive is read on only its reader knows.
    fn checkpoint(&self, is_reported: bool) -> SourceCheckpoint {
        SourceCheckpoint {
            is_done: self.chunks.is_some(),
            unreported: self.waiting.values().flatten().cloned().collect(),
            is_reported,
            ..self.state.clone()
        }
    }
}

impl<'a> Reporter<'a> {
    pub fn new(
        archives: &[PathBuf],
        readers: &Readers<'a>,
        checkpoint: Checkpoint,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let mut before = checkpoint.sources.into_iter();
        let sources: Vec<_> = archives
            .iter()
            .map(|path| Source::new(path, before.next().unwrap_or_default()))
            .collect();
        let mut progress =
            IngestProgress { total_bytes: readers.total_bytes, ..IngestProgress::default() };
        for source in &sources {
            let SourceCheckpoint { consumed, read, stats, .. } = &source.state;
            progress.bytes += consumed;
            progress.text_bytes += read;
            progress.games += stats.games.games_read;
            progress.plies += stats.games.plies;
        }
        let crate::Options { game, most_refused, .. } = readers.options;
        Self { game, most_refused: *most_refused, observer, sources, current: 0, progress }
    }

    /// Takes what came of a chunk; `Break` if the observer wants to stop.
    pub fn take(&mut self, task: &Task, report: Report) -> Result<ControlFlow<()>, ArchiveError> {
        let source = &mut self.sources[task.source];
        source.is(report.content);
        source.state.stats.games.add(&report.games);
        source.waiting.insert(task.number + source.shift, report.skipped);
        self.progress.games += report.games.games_read;
        self.progress.plies += report.games.plies;
        self.consumed(task.source, task.consumed, task.read);
        self.report()?;
        self.progress.archive = self.current;
        Ok(self.observer.progress(&self.progress))
    }

    fn consumed(&mut self, source: usize, consumed: u64, read: u64) {
        let state = &mut self.sources[source].state;
        self.progress.bytes += consumed.saturating_sub(state.consumed);
        self.progress.text_bytes += read.saturating_sub(state.read);
        state.consumed = consumed.max(state.consumed);
        state.read = read.max(state.read);
    }

    /// An archive has no more chunks.
    pub fn ends(&mut self, number: usize, end: End) {
        self.consumed(number, end.consumed, end.bytes);
        let source = &mut self.sources[number];
        source.state.stats.digest = end.digest;
        source.state.stats.bytes = end.bytes;
        source.state.unreported_warning = end.warning;
        source.state.has_other |= end.is_foreign;
        source.chunks = Some(end.chunks + source.shift);
    }

    fn report(&mut self) -> Result<(), ArchiveError> {
        while let Some(source) = self.sources.get_mut(self.current) {
            while let Some(skipped) = source.waiting.remove(&source.reported) {
                source.reported += 1;
                skipped.iter().for_each(|skipped| self.observer.skipped(skipped));
            }
            if source.chunks != Some(source.reported) {
                break;
            }
            if let Some(warning) = source.state.unreported_warning.take() {
                self.observer.warned(&warning);
            }
            source.check_refused(self.most_refused)?;
            let SourceCheckpoint { has_games, has_other, is_reported, .. } = source.state;
            if !is_reported && !has_games {
                if !has_other {
                    self.observer.blank(&source.path);
                } else if self.observer.no_game(&source.path).is_break() {
                    let (path, game) = (source.path.clone(), self.game.name());
                    return Err(ArchiveError::NoGame { path, game, formats: formats(self.game) });
                }
            }
            self.current += 1;
        }
        Ok(())
    }

    /// How far the ingestion has come; no thread may be working.
    pub fn checkpoint(&self, readers: &Readers<'_>) -> Checkpoint {
        let numbered = self.sources.iter().enumerate();
        let mut sources: Vec<_> =
            numbered.map(|(number, source)| source.checkpoint(number < self.current)).collect();
        readers.enter(&mut sources);
        Checkpoint { sources }
    }

    /// The stats, when all is done.
    pub fn finish(mut self) -> Result<Stats, ArchiveError> {
        self.report()?;
        let mut stats = Stats::default();
        for source in self.sources {
            stats.games.add(&source.state.stats.games);
            stats.sources.push(source.state.stats);
        }
        Ok(stats)
    }
}
