//! Cutting the text of an archive into games, so that each can be read on its own, on any thread, and so that the byte at which it starts is known.
//!
//! Where a game starts depends on the text alone, never on how it was read or how many threads there are:
//!
//! - S-1. The first line that isn't blank starts one. (A line is blank if it holds nothing but spaces; a byte order mark before a line is no part of it.)
//! - S-2. Outside a `{}` comment, a tag line (`[Name "`) after text that is no tag starts one.
//! - S-3. A tag line of the name `Event` starts one, too, where the game so far is nothing but tags, if one of them was an `Event` or a blank line lies
//!   between; and inside a comment, after a blank line: a comment that is never closed costs its own game and no other.
//! - S-4. Outside a comment, text after a blank line starts one if the last text before it ended in `1-0`, `0-1`, `1/2-1/2` or `*`: archives without tags.
//!
//! A piece so cut may still hold several games without tags; [`crate::pgn`] takes them apart. A piece of more than [`LONGEST`] bytes is none: it is reported as
//! broken and its bytes are never held in memory at once.

use crate::error::ArchiveError;
use crate::input::Input;
use memchr::{memchr, memchr_iter, memchr2, memchr3};

/// The most bytes a game may have, comments and variations included.
pub const LONGEST: usize = 4 << 20;

/// How much of a line must be there to tell what kind of line it is, unless it ends before.
const LOOK_AHEAD: usize = 300;

/// Games of an archive, whole ones, in order.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Their text.
    pub bytes: Vec<u8>,
    /// Where each stands in `bytes`.
    pub pieces: Vec<Piece>,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its first byte in the archive's decompressed bytes.
    pub offset: u64,
    /// The line it starts in, counted from 1.
    pub line: u64,
    /// Its first byte in [`Chunk::bytes`].
    pub start: usize,
    /// The byte after its last one there.
    pub end: usize,
    /// It is longer than [`LONGEST`]: its text is not here.
    pub too_long: bool,
    /// It is the archive's last one, and may have been cut off.
    pub is_last: bool,
}

/// Cuts one archive into chunks of whole games.
#[derive(Debug)]
pub struct Splitter {
    /// What was read and not yet given out: the game that isn't complete.
    rest: Vec<u8>,
    /// Where `rest` starts in the archive.
    offset: u64,
    /// How many bytes of the current game were dropped before `rest`, because it is too long.
    dropped: u64,
    /// How many lines end before the current game.
    lines: u64,
    /// How many lines end in what was dropped.
    dropped_lines: u64,
    scan: Scan,
    chunk_bytes: usize,
    at_end: bool,
}

impl Splitter {
    /// For chunks of about this many bytes.
    #[must_use]
    pub fn new(chunk_bytes: usize) -> Self {
        let (rest, scan) = (Vec::new(), Scan::default());
        Self { rest, offset: 0, dropped: 0, lines: 0, dropped_lines: 0, scan, chunk_bytes: chunk_bytes.max(1), at_end: false }
    }

    /// For the games from this byte on, where one starts, behind so many lines.
    #[must_use]
    pub fn starting_at(offset: u64, lines: u64, chunk_bytes: usize) -> Self {
        Self { offset, lines, ..Self::new(chunk_bytes) }
    }

    /// How many lines end before the first game that was not given out.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The first game that was not given out: its first byte in the archive.
    #[must_use]
    pub fn next_game(&self) -> u64 {
        self.offset - self.dropped
    }

    /// Fills the chunk with the next games. Returns whether there were any.
    ///
    /// # Errors
    /// If the archive can't be read.
    pub fn next(&mut self, input: &mut Input, chunk: &mut Chunk) -> Result<bool, ArchiveError> {
        chunk.pieces.clear();
        chunk.bytes.clear();
        chunk.bytes.append(&mut self.rest);
        let mut starts = std::mem::take(&mut self.scan.starts);
        while starts.is_empty() && !self.at_end {
            self.at_end = !input.read(self.chunk_bytes, &mut chunk.bytes)?;
            self.scan.go_on(&chunk.bytes, self.at_end, &mut starts);
            if starts.is_empty() && self.scan.at as u64 + self.dropped > LONGEST as u64 {
                self.drop_some(&mut chunk.bytes);
            }
        }
        self.give_out(chunk, &starts);
        starts.clear();
        self.scan.starts = starts;
        Ok(!chunk.pieces.is_empty())
    }

    /// Forgets what was scanned of a game that is too long, but for a few bytes that the scan may look back at.
    fn drop_some(&mut self, bytes: &mut Vec<u8>) {
        let count = self.scan.at.saturating_sub(16);
        self.dropped_lines += newlines(&bytes[..count]);
        bytes.drain(..count);
        self.scan.at -= count;
        self.dropped += count as u64;
        self.offset += count as u64;
    }

    /// Makes pieces of the games between the starts; keeps the last one for later, unless the archive is at its end.
    fn give_out(&mut self, chunk: &mut Chunk, starts: &[usize]) {
        let mut start = 0;
        for &end in starts {
            self.piece(chunk, start, end, false);
            start = end;
        }
        if self.at_end {
            self.piece(chunk, start, chunk.bytes.len(), true);
            start = chunk.bytes.len();
        } else {
            self.rest.extend_from_slice(&chunk.bytes[start..]);
            chunk.bytes.truncate(start);
            self.scan.at -= start;
        }
        self.offset += start as u64;
    }

    fn piece(&mut self, chunk: &mut Chunk, start: usize, end: usize, is_last: bool) {
        let dropped = std::mem::take(&mut self.dropped);
        let length = (end - start) as u64 + dropped;
        if length > 0 {
            let too_long = length > LONGEST as u64;
            let offset = self.offset + start as u64 - dropped;
            let line = self.lines + 1;
            self.lines += std::mem::take(&mut self.dropped_lines) + newlines(&chunk.bytes[start..end]);
            chunk.pieces.push(Piece { offset, line, start: if too_long { end } else { start }, end, too_long, is_last });
        }
    }
}

/// How many lines end in this text.
pub(crate) fn newlines(text: &[u8]) -> u64 {
    memchr_iter(b'\n', text).count() as u64
}

/// Where the scan for starts stands, and what it has seen of the current game.
#[derive(Debug, Default)]
struct Scan {
    /// The first byte not scanned.
    at: usize,
    place: Place,
    in_comment: bool,
    has_tag: bool,
    has_event: bool,
    has_text: bool,
    /// The line before is blank.
    after_blank: bool,
    /// The last text ended in a result.
    after_result: bool,
    /// A buffer to be reused.
    starts: Vec<usize>,
}

/// In which part of a line the scan stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    LineStart,
    Text,
    /// A part that holds no braces that count: a tag, a `;` comment, a `%` line.
    Rest,
}

/// What kind of line it is, by its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Blank,
    Escape,
    Tag { is_event: bool },
    Bracket,
    Text,
}

impl Scan {
    /// Scans what is new in `bytes`, as far as can be told without what comes behind it, and adds the starts found.
    fn go_on(&mut self, bytes: &[u8], at_end: bool, starts: &mut Vec<usize>) {
        while self.at < bytes.len() {
            let ahead = &bytes[self.at..];
            match self.place {
                Place::LineStart => {
                    let line_end = memchr(b'\n', &ahead[..ahead.len().min(LOOK_AHEAD)]);
                    if line_end.is_none() && ahead.len() < LOOK_AHEAD && !at_end {
                        return;
                    }
                    let is_whole = line_end.is_some() || ahead.len() < LOOK_AHEAD;
                    if self.line_starts(&ahead[..line_end.unwrap_or(ahead.len().min(LOOK_AHEAD))], is_whole) {
                        starts.push(self.at);
                    }
                }
                Place::Rest => self.skip_past(memchr(b'\n', ahead), bytes.len()),
                Place::Text if self.in_comment => self.comment(ahead, bytes.len()),
                Place::Text => self.text(bytes),
            }
        }
    }

    /// Moves behind a newline found, or to the end of what there is.
    fn skip_past(&mut self, newline: Option<usize>, end: usize) {
        match newline {
            Some(newline) => {
                self.at += newline + 1;
                self.place = Place::LineStart;
            }
            None => self.at = end,
        }
    }

    fn comment(&mut self, ahead: &[u8], end: usize) {
        match memchr2(b'}', b'\n', ahead) {
            Some(brace) if ahead[brace] == b'}' => {
                self.at += brace + 1;
                self.in_comment = false;
            }
            newline => self.skip_past(newline, end),
        }
    }

    fn text(&mut self, bytes: &[u8]) {
        let ahead = &bytes[self.at..];
        match memchr3(b'{', b';', b'\n', ahead) {
            Some(found) if ahead[found] == b'{' => {
                self.at += found + 1;
                self.in_comment = true;
            }
            Some(found) if ahead[found] == b';' => {
                self.at += found + 1;
                self.place = Place::Rest;
            }
            newline => {
                self.after_result = newline.is_some_and(|newline| ends_in_result(&bytes[..self.at + newline]));
                self.skip_past(newline, bytes.len());
            }
        }
    }

    /// Takes note of a line by its start and says whether a game starts with it.
    fn line_starts(&mut self, line: &[u8], is_whole: bool) -> bool {
        let kind = match kind_of(line) {
            Line::Blank if !is_whole => Line::Text,
            kind => kind,
        };
        let is_start = self.is_start(kind);
        if is_start {
            (self.in_comment, self.has_tag, self.has_event, self.has_text) = (false, false, false, false);
        }
        self.note(kind);
        is_start
    }

    fn is_start(&self, line: Line) -> bool {
        let is_empty = !self.has_tag && !self.has_text;
        match line {
            Line::Blank | Line::Escape | Line::Bracket => false,
            _ if is_empty => false,
            Line::Tag { is_event } if self.in_comment => is_event && self.after_blank,
            Line::Tag { .. } if self.has_text => true,
            Line::Tag { is_event } => is_event && (self.has_event || self.after_blank),
            Line::Text => !self.in_comment && self.after_blank && self.after_result && self.has_text,
        }
    }

    fn note(&mut self, line: Line) {
        self.after_blank = line == Line::Blank;
        self.place = Place::Rest;
        match line {
            Line::Blank => {}
            _ if self.in_comment => self.place = Place::Text,
            Line::Escape => {}
            Line::Tag { is_event } => {
                self.has_tag = true;
                self.has_event |= is_event;
            }
            Line::Bracket if self.has_tag && !self.has_text => {}
            Line::Bracket | Line::Text => {
                self.has_text = true;
                self.after_result = false;
                self.place = Place::Text;
            }
        }
    }
}

/// The line without a byte order mark and the spaces before it.
fn without_indent(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii_start()
}

fn kind_of(line: &[u8]) -> Line {
    match without_indent(line) {
        [] => Line::Blank,
        [b'%', ..] if line[0] == b'%' => Line::Escape,
        [b'[', tag @ ..] => tag_name(tag).map_or(Line::Bracket, |name| Line::Tag { is_event: name.eq_ignore_ascii_case(b"event") }),
        _ => Line::Text,
    }
}

/// The name of a tag whose `[` stands before this, if a quoted value follows.
fn tag_name(tag: &[u8]) -> Option<&[u8]> {
    let tag = tag.trim_ascii_start();
    let length = tag.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let (name, value) = tag.split_at(length);
    let is_tag = name.first()?.is_ascii_alphabetic() && value.trim_ascii_start().first() == Some(&b'"');
    is_tag.then_some(name)
}

fn ends_in_result(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    [b"1-0".as_slice(), b"0-1", b"1/2-1/2", b"*"].iter().any(|result| text.ends_with(result))
}
