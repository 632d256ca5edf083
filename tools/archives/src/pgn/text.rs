//! The text of games while it is read.

use memchr::memchr;
use tabia_games::Outcome;

/// The text of a segment, and how far it has been read.
pub(super) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// The archive ends with it.
    pub(super) is_last: bool,
    pub(super) skipped_variations: u64,
}

/// The marker at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// A result.
    Decided(Outcome),
    /// A star, or what else says that there is no result.
    Undecided,
    /// Nothing: the text ends.
    Missing,
}

impl<'a> Text<'a> {
    pub(super) fn new(bytes: &'a [u8], is_last: bool) -> Self {
        Self { bytes, at: 0, is_last, skipped_variations: 0 }
    }

    /// What has been read, as a text of which nothing was read yet.
    pub(super) fn read(&self) -> Self {
        Self::new(&self.bytes[..self.at], self.is_last)
    }

    /// What hasn't been read.
    #[inline]
    pub(super) fn ahead(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Goes on past spaces, byte order marks and lines that start with `%`.
    #[inline]
    pub(super) fn skip_to_content(&mut self) {
        loop {
            match self.ahead() {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => self.at += 1,
                [b'%', ..] if self.at_line_start() => self.skip_line(),
                [0xef, 0xbb, 0xbf, ..] if self.at_line_start() => self.at += 3,
                _ => return,
            }
        }
    }

    pub(super) fn at_line_start(&self) -> bool {
        self.at == 0 || self.bytes[self.at - 1] == b'\n'
    }

    pub(super) fn skip_line(&mut self) {
        self.skip_past(b'\n');
    }

    /// Goes on past this byte, or to the end if it doesn't come. Returns whether it came.
    #[inline]
    pub(super) fn skip_past(&mut self, byte: u8) -> bool {
        let found = memchr(byte, self.ahead());
        self.at = found.map_or(self.bytes.len(), |found| self.at + found + 1);
        found.is_some()
    }

    /// Goes on past this byte, if it comes next.
    #[inline(always)]
    pub(super) fn skip_one(&mut self, byte: u8) {
        if self.bytes.get(self.at) == Some(&byte) {
            self.at += 1;
        }
    }
}
