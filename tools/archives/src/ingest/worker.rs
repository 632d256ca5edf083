//! One thread's parsing and replaying: the games of a chunk to its sink, what came of them to a report.

use super::lanes::Task;
use super::{GameSink, Options, Origin};
use crate::pgn::{Content, Fault, Games, PgnReader, roster};
use crate::played::Played;
use crate::split::{Chunk, LONGEST, Piece, newlines};
use crate::tally::{Counters, Filtered, Reason, Skipped};
use std::sync::Arc;

/// What came of the games of a chunk.
#[derive(Default)]
pub(super) struct Report {
    pub games: Counters,
    pub skipped: Vec<Skipped>,
    pub content: Content,
}

/// Parses and replays.
pub(super) struct Worker {
    reader: PgnReader,
}

impl Worker {
    pub fn new(options: &Options) -> Self {
        Self { reader: PgnReader::new(options.join_split, options.wanted.clone()) }
    }

    /// Feeds the games of a chunk to the sink; what came of them, and why the sink takes no more if so.
    pub fn work<S: GameSink>(&mut self, task: &Task, chunk: &Chunk, sink: &mut S) -> (Report, Option<S::Error>) {
        let mut report = Report::default();
        let failed = chunk.pieces.iter().try_for_each(|piece| self.piece(task, chunk, piece, sink, &mut report)).err();
        (report, failed)
    }

    fn piece<S: GameSink>(&mut self, task: &Task, chunk: &Chunk, piece: &Piece, sink: &mut S, report: &mut Report) -> Result<(), S::Error> {
        let text = &chunk.bytes[piece.start..piece.end];
        let mut games = Sorting { sink, task, piece, text, report };
        if piece.too_long {
            let detail = format!("it is longer than {} MiB", LONGEST >> 20);
            games.skipped(0, Fault { reason: Reason::Broken, detail }, String::new());
            return Ok(());
        }
        let content = self.reader.read(text, piece.is_last, &mut games)?;
        report.content = report.content.max(content);
        Ok(())
    }
}

/// Takes the games of a piece: those that go in to the sink, the others to the report.
struct Sorting<'a, S> {
    sink: &'a mut S,
    task: &'a Task,
    piece: &'a Piece,
    text: &'a [u8],
    report: &'a mut Report,
}

impl<S: GameSink> Games for Sorting<'_, S> {
    type Error = S::Error;

    fn played(&mut self, at: usize, game: &Played) -> Result<(), S::Error> {
        let origin = Origin { source: self.task.source as u32, offset: self.piece.offset + at as u64 };
        self.sink.game(game, origin)?;
        self.report.games.goes_in(game.plies.len());
        Ok(())
    }

    fn skipped(&mut self, at: usize, fault: Fault, players: String) {
        let Fault { reason, detail } = fault;
        self.report.games.skips(reason);
        // Of a game that is too long there is no text.
        let (before, text) = self.text.split_at(at.min(self.text.len()));
        let (offset, line) = (self.piece.offset + at as u64, self.piece.line + newlines(before));
        let (archive, tags) = (Arc::clone(&self.task.archive), roster(text));
        self.report.skipped.push(Skipped { archive, offset, line, reason, detail, players, tags });
    }

    fn filtered(&mut self, reason: Filtered) {
        self.report.games.filters(reason);
    }
}
