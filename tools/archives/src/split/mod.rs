//! Cutting the files of an archive into games, so that each can be read on its own, on any thread,
//! and so that the byte at which it starts is known.
//!
//! Where a game starts depends on the file alone, never on how it was read or how many threads
//! there are; how it is found hangs on the format (`split/tagged.rs` for PGN). A segment may still
//! hold several games, which its reader takes apart. A segment of more than [`LONGEST`] bytes is
//! none: it is reported as broken and its bytes are never held in memory at once.

mod tagged;
pub(crate) mod tree;

use crate::error::ArchiveError;
use crate::files::{File, Files};
use crate::format::{Format, WTHOR_GAME, starts_ggf};
use memchr::{memchr, memchr_iter, memmem};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// The most bytes a game may have, comments and variations included.
pub const LONGEST: usize = 4 << 20;

/// Games of an archive, whole ones, in order.
#[derive(Debug, Default)]
pub struct TextChunk {
    /// Their text.
    pub bytes: Vec<u8>,
    /// Where each game is in `bytes`.
    pub segments: Vec<Segment>,
}

/// A segment of an archive: where a game is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The file it is in.
    pub file: Arc<File>,
    /// Its first byte in the file, decompressed.
    pub offset: u64,
    /// The line it starts in, counted from 1.
    pub line: u64,
    /// Its first byte in [`TextChunk::bytes`].
    pub start: usize,
    /// The byte after its last one there.
    pub end: usize,
    /// It is longer than [`LONGEST`]: its text is not here.
    pub too_long: bool,
    /// It is the file's last one, and may have been cut off.
    pub is_last: bool,
}

impl Segment {
    /// Whether it is all there is in a file of a tar archive.
    pub(crate) fn is_all_of_a_file(&self) -> bool {
        self.is_last && self.offset == self.file.head.len() as u64 && self.file.name.is_some()
    }
}

fn cut_for(format: Format) -> Box<dyn Cut> {
    match format {
        Format::Tagged => Box::<tagged::Scan>::default(),
        Format::Sgf => Box::<tree::Scan>::default(),
        Format::Ggf => Box::<Ggf>::default(),
        Format::Wthor => Box::new(Records(WTHOR_GAME)),
        Format::Transcript | Format::Lines => Box::<Lines>::default(),
    }
}

/// Where to go on in an archive: at a game, given by its file's position and its own in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadPosition {
    /// Where in the archive reading has to begin to come to the file: not 0 only in tar archives.
    pub file: u64,
    /// The game's first byte in the file, or 0.
    pub game: u64,
    /// How many lines end before it.
    pub lines: u64,
}

/// Cuts one archive into chunks of whole games.
#[derive(Debug)]
pub struct Splitter {
    begin: ReadPosition,
    current: Option<Current>,
    /// What was read of the current file and not yet given out: the game that isn't complete.
    rest: Vec<u8>,
    /// A buffer to be reused.
    starts: Vec<usize>,
    chunk_bytes: usize,
}

#[derive(Debug)]
struct Current {
    file: Arc<File>,
    cut: Box<dyn Cut>,
    /// The first byte not scanned, in what is kept.
    at: usize,
    /// Where the game that isn't complete starts, in the file, after what was dropped of it.
    offset: u64,
    /// How many bytes of the game were dropped, because it is too long.
    dropped: u64,
    /// How many lines end before it.
    lines: u64,
    /// How many lines end in what was dropped.
    dropped_lines: u64,
    /// No game of it was given out.
    is_new: bool,
}

impl Splitter {
    /// For chunks of about this many bytes, from a position in the archive on.
    pub fn new(begin: ReadPosition, chunk_bytes: usize) -> Self {
        Self {
            begin,
            current: None,
            rest: Vec::new(),
            starts: Vec::new(),
            chunk_bytes: chunk_bytes.max(1),
        }
    }

    /// Where the first game is that was not given out.
    pub fn position(&self, files: &Files) -> ReadPosition {
        match &self.current {
            Some(current) => ReadPosition {
                file: current.file.from,
                game: current.offset - current.dropped,
                lines: current.lines,
            },
            None if self.begin == ReadPosition::default() => {
                ReadPosition { file: files.next_from(), ..ReadPosition::default() }
            }
            None => self.begin,
        }
    }

    /// Fills the chunk with the next games. Returns whether there were any. Fails if the archive
    /// can't be read.
    pub fn next(&mut self, files: &mut Files, chunk: &mut TextChunk) -> Result<bool, ArchiveError> {
        chunk.segments.clear();
        chunk.bytes.clear();
        chunk.bytes.append(&mut self.rest);
        let mut starts = std::mem::take(&mut self.starts);
        // Where the game stands that isn't complete.
        let mut base = 0;
        while chunk.bytes.len() < self.chunk_bytes || chunk.segments.is_empty() {
            let Some(mut current) = self
                .current
                .take()
                .map_or_else(|| self.open(files), |current| Ok(Some(current)))?
            else {
                break;
            };
            let ended = !files.read(self.chunk_bytes, &mut chunk.bytes)?;
            current.cut.go_on(&mut current.at, &chunk.bytes[base..], ended, &mut starts);
            let scanned = current.at as u64 + current.dropped;
            if starts.is_empty() && !ended && scanned > LONGEST as u64 {
                current.drop_some(&mut chunk.bytes, base);
            }
            base = current.give_out(chunk, base, &starts, ended);
            starts.clear();
            self.current = Some(current).filter(|_| !ended);
        }
        self.starts = starts;
        self.rest.extend_from_slice(&chunk.bytes[base..]);
        chunk.bytes.truncate(base);
        Ok(!chunk.segments.is_empty())
    }

    fn open(&mut self, files: &mut Files) -> Result<Option<Current>, ArchiveError> {
        let Some(file) = files.open_next()? else { return Ok(None) };
        let ReadPosition { game, lines, .. } = std::mem::take(&mut self.begin);
        let head = file.head.len() as u64;
        files.pass_over(game.saturating_sub(head))?;
        let (cut, offset) = (cut_for(file.format), game.max(head));
        Ok(Some(Current {
            file,
            cut,
            at: 0,
            offset,
            dropped: 0,
            lines,
            dropped_lines: 0,
            is_new: offset == head,
        }))
    }
}

impl Current {
    /// Forgets what was scanned of a game that is too long, but what the scan may look back at.
    fn drop_some(&mut self, bytes: &mut Vec<u8>, base: usize) {
        let count = self.at.saturating_sub(16);
        self.dropped_lines += newlines(&bytes[base..base + count]);
        bytes.drain(base..base + count);
        self.at -= count;
        self.dropped += count as u64;
        self.offset += count as u64;
    }

    /// Makes segments of the games between the starts, which count from `base`; the last one is kept
    /// for later, unless the file has ended. Returns where the kept bytes are.
    fn give_out(
        &mut self,
        chunk: &mut TextChunk,
        base: usize,
        starts: &[usize],
        ended: bool,
    ) -> usize {
        let mut start = base;
        for end in starts.iter().map(|&end| base + end) {
            self.segment(chunk, base, start..end, false);
            start = end;
        }
        if ended {
            let end = chunk.bytes.len();
            self.segment(chunk, base, start..end, true);
            start = end;
        } else {
            self.at -= start - base;
        }
        self.offset += (start - base) as u64;
        start
    }

    fn segment(
        &mut self,
        chunk: &mut TextChunk,
        base: usize,
        Range { start, end }: Range<usize>,
        is_last: bool,
    ) {
        let dropped = std::mem::take(&mut self.dropped);
        let length = (end - start) as u64 + dropped;
        // An empty file in a tar archive is there all the same.
        if length == 0 && !(self.is_new && self.file.name.is_some()) {
            return;
        }
        let too_long = length > LONGEST as u64;
        let offset = self.offset + (start - base) as u64 - dropped;
        let line = self.lines + 1;
        self.lines += std::mem::take(&mut self.dropped_lines) + newlines(&chunk.bytes[start..end]);
        self.is_new = false;
        let start = if too_long { end } else { start };
        chunk.segments.push(Segment {
            file: Arc::clone(&self.file),
            offset,
            line,
            start,
            end,
            too_long,
            is_last,
        });
    }
}

pub(crate) fn newlines(text: &[u8]) -> u64 {
    memchr_iter(b'\n', text).count() as u64
}

/// Finds where games start in a file, in bytes that come bit by bit.
trait Cut: std::fmt::Debug + Send {
    /// Scans what is new in `bytes`, from the first byte not scanned, `at`, as far as it can be
    /// judged without the bytes to follow, and adds the starts found; the first game's is known.
    fn go_on(&mut self, at: &mut usize, bytes: &[u8], at_end: bool, starts: &mut Vec<usize>);
}

#[derive(Debug, Default)]
struct Lines {
    after_line: bool,
}

impl Cut for Lines {
    fn go_on(&mut self, at: &mut usize, bytes: &[u8], _: bool, starts: &mut Vec<usize>) {
        while *at < bytes.len() {
            if std::mem::take(&mut self.after_line) {
                starts.push(*at);
            }
            let newline = memchr(b'\n', &bytes[*at..]);
            *at = newline.map_or(bytes.len(), |newline| *at + newline + 1);
            self.after_line = newline.is_some();
        }
    }
}

/// Games of this many bytes.
#[derive(Debug)]
struct Records(usize);

impl Cut for Records {
    fn go_on(&mut self, at: &mut usize, bytes: &[u8], _: bool, starts: &mut Vec<usize>) {
        // What was scanned is whole games, and the last of them waits to be told from what follows.
        while bytes.len() > *at + self.0 {
            *at += self.0;
            starts.push(*at);
        }
    }
}

/// How many bytes have to follow a bracket, or end the file, to decide whether a game starts there.
const LOOK_AHEAD: usize = 64;

/// Games in brackets; text before the first game of a file belongs to it.
#[derive(Debug, Default)]
struct Ggf {
    /// The current game's start has gone by.
    in_game: bool,
}

impl Cut for Ggf {
    fn go_on(&mut self, at: &mut usize, bytes: &[u8], at_end: bool, starts: &mut Vec<usize>) {
        while let Some(found) = memmem::find(&bytes[*at..], b"(;") {
            *at += found;
            if bytes.len() - *at < LOOK_AHEAD && !at_end {
                return;
            }
            if starts_ggf(&bytes[*at..]) {
                if self.in_game {
                    starts.push(*at);
                }
                self.in_game = true;
            }
            *at += 2;
        }
        // Half a start may stand at the end.
        *at = (*at).max(bytes.len().saturating_sub(usize::from(!at_end)));
    }
}
