//! Where games of tags and moves start, in PGN and texts made after it:
//!
//! - S-1. The first line that isn't blank starts one. (A line is blank if it holds nothing but
//!   spaces; a byte order mark before a line is no part of it.)
//! - S-2. Outside a `{}` comment, a tag line (`[Name "`) after text that is no tag starts one.
//!   Moves or a star after the tags of a line are such text.
//! - S-3. A tag line of the name `Event` starts one, too, where the game so far is nothing but
//!   tags, if one of them was an `Event` or a blank line lies between; and inside a comment, after
//!   a blank line: a comment that is never closed costs its own game and no other.
//! - S-4. Outside a comment, text after a blank line starts one if the last text before it ended in
//!   a result (`1-0`, `0-1`, `1/2-1/2` or `*`; with a space before it also `2-0`, `1-1`, `0-2` or
//!   `0-0`): archives without tags.

use super::Cut;
use memchr::{memchr, memchr2, memchr3};

/// How many bytes of a line must be there to decide its kind, unless it ends before.
const LOOK_AHEAD: usize = 300;

/// Where the scan for starts is, and what it has seen of the current game.
#[derive(Debug, Default)]
pub(super) struct Scan {
    state: ScanState,
    in_comment: bool,
    has_tag: bool,
    has_event: bool,
    has_text: bool,
    after_blank: bool,
    after_result: bool,
}

/// The part of a line in which the scan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ScanState {
    #[default]
    LineStart,
    Text,
    /// A part that holds no braces that count: a tag, a `;` comment, a `%` line.
    Rest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Blank,
    Escape,
    Tag { is_event: bool },
    Bracket,
    Text,
}

impl Cut for Scan {
    fn go_on(&mut self, at: &mut usize, bytes: &[u8], at_end: bool, starts: &mut Vec<usize>) {
        while *at < bytes.len() {
            let ahead = &bytes[*at..];
            match self.state {
                ScanState::LineStart => {
                    let line_end = memchr(b'\n', &ahead[..ahead.len().min(LOOK_AHEAD)]);
                    if line_end.is_none() && ahead.len() < LOOK_AHEAD && !at_end {
                        return;
                    }
                    let is_whole = line_end.is_some() || ahead.len() < LOOK_AHEAD;
                    let line = &ahead[..line_end.unwrap_or(ahead.len().min(LOOK_AHEAD))];
                    if self.line_starts(line, is_whole) {
                        starts.push(*at);
                    }
                }
                ScanState::Rest => *at += self.skip_past(memchr(b'\n', ahead), ahead),
                ScanState::Text if self.in_comment => *at += self.comment(ahead),
                ScanState::Text => *at += self.text(bytes, *at),
            }
        }
    }
}

impl Scan {
    /// How far it is past a newline found, or to the end of the bytes.
    fn skip_past(&mut self, newline: Option<usize>, ahead: &[u8]) -> usize {
        let Some(newline) = newline else { return ahead.len() };
        self.state = ScanState::LineStart;
        newline + 1
    }

    /// How far the scan comes in a comment.
    fn comment(&mut self, ahead: &[u8]) -> usize {
        match memchr2(b'}', b'\n', ahead) {
            Some(brace) if ahead[brace] == b'}' => {
                self.in_comment = false;
                brace + 1
            }
            newline => self.skip_past(newline, ahead),
        }
    }

    /// How far the scan comes in text outside of comments.
    fn text(&mut self, bytes: &[u8], at: usize) -> usize {
        let ahead = &bytes[at..];
        match memchr3(b'{', b';', b'\n', ahead) {
            Some(found) if ahead[found] == b'{' => {
                self.in_comment = true;
                found + 1
            }
            Some(found) if ahead[found] == b';' => {
                self.state = ScanState::Rest;
                found + 1
            }
            newline => {
                self.after_result =
                    newline.is_some_and(|newline| ends_in_result(&bytes[..at + newline]));
                self.skip_past(newline, ahead)
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
            (self.in_comment, self.has_tag, self.has_event, self.has_text) =
                (false, false, false, false);
        }
        self.note(kind);
        self.has_text |= !self.in_comment && matches!(kind, Line::Tag { .. }) && has_moves(line);
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
            Line::Text => {
                !self.in_comment && self.after_blank && self.after_result && self.has_text
            }
        }
    }

    fn note(&mut self, line: Line) {
        self.after_blank = line == Line::Blank;
        self.state = ScanState::Rest;
        match line {
            Line::Blank => {}
            _ if self.in_comment => self.state = ScanState::Text,
            Line::Escape => {}
            Line::Tag { is_event } => {
                self.has_tag = true;
                self.has_event |= is_event;
            }
            Line::Bracket if self.has_tag && !self.has_text => {}
            Line::Bracket | Line::Text => {
                self.has_text = true;
                self.after_result = false;
                self.state = ScanState::Text;
            }
        }
    }
}

fn kind_of(line: &[u8]) -> Line {
    match line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii_start() {
        [] => Line::Blank,
        [b'%', ..] if line[0] == b'%' => Line::Escape,
        [b'[', tag @ ..] => tag_name(tag).map_or(Line::Bracket, |name| Line::Tag {
            is_event: name.eq_ignore_ascii_case(b"event"),
        }),
        _ => Line::Text,
    }
}

/// Whether moves or a star follow the tags of this line.
fn has_moves(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    if line.ends_with(b"]") {
        return false;
    }
    let end = line.windows(2).rposition(|pair| pair == b"\"]");
    end.is_some_and(|end| matches!(line[end + 2..].trim_ascii_start(), [b'0'..=b'9' | b'*', ..]))
}

/// The name of a tag whose `[` is before this, if a quoted value follows.
fn tag_name(tag: &[u8]) -> Option<&[u8]> {
    let tag = tag.trim_ascii_start();
    let length = tag.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let (name, value) = tag.split_at(length);
    let is_tag =
        name.first()?.is_ascii_alphabetic() && value.trim_ascii_start().first() == Some(&b'"');
    is_tag.then_some(name)
}

fn ends_in_result(text: &[u8]) -> bool {
    const RESULTS: [&[u8]; 7] = [b"1-0", b"0-1", b"1/2-1/2", b" 2-0", b" 1-1", b" 0-2", b" 0-0"];
    match text.trim_ascii_end() {
        [.., b'*'] => true,
        text @ [.., b'0'..=b'2'] => RESULTS.iter().any(|result| text.ends_with(result)),
        _ => false,
    }
}
