//! One thread's parsing and replaying: a chunk's games to its sink, what came of them to a report.

use super::readers::Task;
use super::{GameSink, Origin};
use crate::files::File;
use crate::format::Format;
use crate::game_record::GameRecord;
use crate::pgn::roster;
use crate::reader::{Reader, reader};
use crate::reading::{Content, Fault, Games, Stopped};
use crate::split::{LONGEST, Segment, TextChunk, newlines};
use crate::stats::{Filtered, GameCounts, Reason, Skipped};
use crate::wanted::Options;
use std::collections::BTreeMap;
use std::sync::Arc;
use tabia::Slice;
use tabia_games::Game;

/// What came of the games of a chunk.
#[derive(Default)]
pub(super) struct Report {
    pub games: GameCounts,
    pub skipped: Vec<Skipped>,
    pub content: Content,
}

pub(super) struct Worker<'a> {
    options: &'a Options,
    /// The readers that were needed so far; none where there is none for the game.
    readers: BTreeMap<Format, Option<Reader>>,
}

impl<'a> Worker<'a> {
    pub fn new(options: &'a Options) -> Self {
        Self { options, readers: BTreeMap::new() }
    }

    /// Feeds the games of a chunk to the sink; what came of them, and why it takes no more if so.
    pub fn work<S: GameSink>(
        &mut self,
        task: &Task,
        chunk: &TextChunk,
        sink: &mut S,
    ) -> (Report, Option<S::Error>) {
        let mut report = Report::default();
        let failed = chunk
            .segments
            .iter()
            .try_for_each(|segment| self.segment(task, chunk, segment, sink, &mut report))
            .err();
        (report, failed)
    }

    fn segment<S: GameSink>(
        &mut self,
        task: &Task,
        chunk: &TextChunk,
        segment: &Segment,
        sink: &mut S,
        report: &mut Report,
    ) -> Result<(), S::Error> {
        if self.options.slice.is_some_and(|slice| !is_in(slice, segment)) {
            // What else there is in the archive is for others to tell.
            report.content = Content::Games;
            return Ok(());
        }
        let text = &chunk.bytes[segment.start..segment.end];
        let mut games = Sorting { sink, task, segment, text, report, failed: None };
        if segment.too_long {
            let detail = format!("it is longer than {} MiB", LONGEST >> 20);
            games.skipped(0, Fault { reason: Reason::Broken, detail }, String::new());
            return Ok(());
        }
        let format = segment.file.format;
        let known = self.readers.entry(format).or_insert_with(|| reader(format, self.options));
        let read = known.as_mut().map_or(Ok(Content::Other), |reader| {
            reader.enter(&task.archive, segment);
            reader.read(text, segment.is_last, &mut games)
        });
        let Ok(content) = read else { return games.failed.map_or(Ok(()), Err) };
        if content != Content::Games && segment.is_all_of_a_file() {
            let (reason, detail) = match known {
                Some(_) => (Reason::Broken, "there is no game in it".to_owned()),
                None => (
                    Reason::OtherGame,
                    format!("it is {}, not {}", format.name(), self.options.game.name()),
                ),
            };
            games.skipped(0, Fault { reason, detail }, String::new());
        }
        report.content = report.content.max(content);
        Ok(())
    }
}

/// Neighbouring games are of one slice if their first bytes are of one such block, of 64 KiB.
const SLICE_BITS: u32 = 16;

fn is_in(slice: Slice, segment: &Segment) -> bool {
    let block = (segment.file.offset + segment.offset) >> SLICE_BITS;
    block % u64::from(slice.count()) + 1 == u64::from(slice.number())
}

/// Takes the games of a segment: those that count to the sink, the others to the report.
struct Sorting<'a, S: GameSink> {
    sink: &'a mut S,
    failed: Option<S::Error>,
    task: &'a Task,
    segment: &'a Segment,
    text: &'a [u8],
    report: &'a mut Report,
}

impl<S: GameSink> Sorting<'_, S> {
    /// The archive as it was given, and the file in it if it is a tar archive.
    fn archive(&self) -> Arc<str> {
        match &self.segment.file.name {
            Some(name) => format!("{}:{name}", self.task.archive).into(),
            None => Arc::clone(&self.task.archive),
        }
    }
}

impl<S: GameSink> Games for Sorting<'_, S> {
    fn played(&mut self, at: usize, game: &GameRecord) -> Result<(), Stopped> {
        let File { offset, .. } = *self.segment.file;
        let origin = Origin {
            source: self.task.source as u32,
            offset: offset + self.segment.offset + at as u64,
        };
        if let Err(error) = self.sink.game(game, origin) {
            self.failed = Some(error);
            return Err("the sink takes no more".into());
        }
        self.report.games.goes_in(game.plies.len());
        Ok(())
    }

    fn skipped(&mut self, at: usize, fault: Fault, players: String) {
        let Fault { reason, detail } = fault;
        self.report.games.skips(reason);
        // Of a game that is too long there is no text.
        let (before, text) = self.text.split_at(at.min(self.text.len()));
        let (offset, line) =
            (self.segment.offset + at as u64, self.segment.line + newlines(before));
        let (archive, tags) = (self.archive(), roster(text));
        self.report.skipped.push(Skipped { archive, offset, line, reason, detail, players, tags });
    }

    fn joined(&mut self) {
        self.report.games.joined += 1;
    }

    fn is_variation(&mut self) {
        self.report.games.variations += 1;
    }

    fn variations_left_out(&mut self, variations: u64) {
        self.report.games.variations_left_out += variations;
    }

    fn filtered(&mut self, reason: Filtered) {
        self.report.games.filters(reason);
    }
}
