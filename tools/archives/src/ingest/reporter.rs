//! Where what came of the chunks is brought together: tallies at once, reports in the order of the
//! archives and of their games.

use super::checkpoint::{Checkpoint, SourceCheckpoint};
use super::observer::{IngestProgress, Observer};
use super::readers::{End, Readers, Task};
use super::worker::Report;
use crate::error::ArchiveError;
use crate::input::Warning;
use crate::reader::formats;
use crate::reading::Content;
use crate::stats::{Skipped, SourceStats, Stats};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tabia_games::Known;

/// How many games a text of one game a line has at least before something is concluded from how
/// many of them are refused.
const FEWEST_LINES: u64 = 20;

/// The reporter.
pub(super) struct Reporter<'a> {
    game: &'a Known,
    /// See [`crate::Options::most_refused`].
    most_refused: Option<u8>,
    observer: &'a mut dyn Observer,
    sources: Vec<Source>,
    /// All sources before this one are done and reported.
    current: usize,
    progress: IngestProgress,
}

/// What is known of an archive.
struct Source {
    path: PathBuf,
    stats: SourceStats,
    content: Content,
    /// Games written one a line, and how many of these were refused.
    lines: (u64, u64),
    consumed: u64,
    /// Bytes taken in, after decompression.
    read: u64,
    /// Skipped games of chunks whose turn to be reported has not come, by the chunks' numbers.
    waiting: BTreeMap<u64, Vec<Skipped>>,
    /// How many chunks have been reported.
    reported: u64,
    /// By how much the chunks' numbers are shifted, to make room for what was skipped before an
    /// interruption.
    shift: u64,
    /// How many chunks there are, once that is known.
    chunks: Option<u64>,
    warning: Option<Warning>,
    /// Whether the observer heard all of it before an interruption.
    was_reported: bool,
}

impl Source {
    fn new(path: &Path, from: SourceCheckpoint) -> Self {
        let content = match (from.has_games, from.has_other) {
            (true, _) => Content::Games,
            (false, true) => Content::Other,
            (false, false) => Content::Blank,
        };
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        // What was skipped before stands in the place of a chunk, so that it is reported first.
        let shift = u64::from(!from.unreported.is_empty());
        let waiting = (shift > 0).then_some((0, from.unreported)).into_iter().collect();
        Self {
            path: path.to_owned(),
            stats: SourceStats { name, ..from.stats },
            content,
            lines: (from.lines, from.refused_lines),
            consumed: from.consumed,
            read: if from.is_done { from.stats.bytes } else { from.read },
            waiting,
            reported: 0,
            shift,
            chunks: from.is_done.then_some(shift),
            warning: from.unreported_warning,
            was_reported: from.is_reported,
        }
    }

    /// Makes sure that no more of its games than this share, in percent, were refused, of those
    /// that are written one a line.
    fn check_lines(&self, most: Option<u8>) -> Result<(), ArchiveError> {
        let (read, refused) = self.lines;
        let is_allowed = |most: u8| refused * 100 <= read * u64::from(most);
        if read < FEWEST_LINES || most.is_none_or(is_allowed) {
            return Ok(());
        }
        Err(ArchiveError::MostlyRefused { path: self.path.clone(), refused, read })
    }

    /// How far it has come, but for what only the reading that reads it knows.
    fn checkpoint(&self, is_reported: bool) -> SourceCheckpoint {
        SourceCheckpoint {
            is_done: self.chunks.is_some(),
            consumed: self.consumed,
            stats: self.stats.clone(),
            lines: self.lines.0,
            refused_lines: self.lines.1,
            has_games: self.content == Content::Games,
            has_other: self.content == Content::Other,
            unreported: self.waiting.values().flatten().cloned().collect(),
            unreported_warning: self.warning.clone(),
            is_reported,
            ..SourceCheckpoint::default()
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
            progress.bytes += source.consumed;
            progress.text_bytes += source.read;
            progress.games += source.stats.games.games_read;
            progress.plies += source.stats.games.plies;
        }
        let crate::Options { game, most_refused, .. } = readers.options();
        Self { game, most_refused: *most_refused, observer, sources, current: 0, progress }
    }

    /// Takes what came of a chunk; `Break` if the observer wants to stop.
    pub fn take(&mut self, task: &Task, report: Report) -> Result<ControlFlow<()>, ArchiveError> {
        let source = &mut self.sources[task.source];
        source.content = source.content.max(report.content);
        source.stats.games.add(&report.games);
        source.lines.0 += report.lines;
        source.lines.1 += report.refused_lines;
        source.waiting.insert(task.number + source.shift, report.skipped);
        self.progress.games += report.games.games_read;
        self.progress.plies += report.games.plies;
        self.consumed(task.source, task.consumed, task.read);
        self.report()?;
        self.progress.archive = self.current;
        Ok(self.observer.progress(&self.progress))
    }

    fn consumed(&mut self, source: usize, consumed: u64, read: u64) {
        let Source { consumed: consumed_before, read: read_before, .. } = &mut self.sources[source];
        self.progress.bytes += consumed.saturating_sub(*consumed_before);
        self.progress.text_bytes += read.saturating_sub(*read_before);
        *consumed_before = consumed.max(*consumed_before);
        *read_before = read.max(*read_before);
    }

    /// An archive has no more chunks.
    pub fn ends(&mut self, number: usize, end: End) {
        self.consumed(number, end.consumed, end.bytes);
        let source = &mut self.sources[number];
        source.stats.digest = end.digest;
        source.stats.bytes = end.bytes;
        source.warning = end.warning;
        if end.is_foreign {
            source.content = source.content.max(Content::Other);
        }
        source.chunks = Some(end.chunks + source.shift);
    }

    /// Reports what can be, in order.
    fn report(&mut self) -> Result<(), ArchiveError> {
        while let Some(source) = self.sources.get_mut(self.current) {
            while let Some(skipped) = source.waiting.remove(&source.reported) {
                source.reported += 1;
                skipped.iter().for_each(|skipped| self.observer.skipped(skipped));
            }
            if source.chunks != Some(source.reported) {
                break;
            }
            if let Some(warning) = source.warning.take() {
                self.observer.warned(&warning);
            }
            source.check_lines(self.most_refused)?;
            let content = Some(source.content).filter(|_| !source.was_reported);
            if content == Some(Content::Blank) {
                self.observer.blank(&source.path);
            }
            if content == Some(Content::Other) && self.observer.no_game(&source.path).is_break() {
                let (path, game, formats) =
                    (source.path.clone(), self.game.name(), formats(self.game));
                return Err(ArchiveError::NoGame { path, game, formats });
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

    /// How far the reading has come.
    pub fn progress(&self) -> &IngestProgress {
        &self.progress
    }

    /// The stats, when all is done.
    pub fn finish(mut self) -> Result<Stats, ArchiveError> {
        self.report()?;
        let mut stats = Stats::default();
        for source in self.sources {
            stats.games.add(&source.stats.games);
            stats.sources.push(source.stats);
        }
        Ok(stats)
    }
}
