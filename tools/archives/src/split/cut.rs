//! What all ways to cut files have in common, and the simple ones: games one a line, games that are
//! all of one length, and GGF, whose games start at `(;GM[`; text before the first game of a file
//! belongs to it.

use crate::format::starts_ggf;
use memchr::{memchr, memmem};

/// Finds where games start in a file, in bytes that come bit by bit.
pub(super) trait Cut: std::fmt::Debug + Send {
    /// The first byte not scanned.
    fn at(&mut self) -> &mut usize;

    /// Scans what is new in `bytes`, as far as it can be judged without the bytes to follow, and
    /// adds the starts found; the first game's is known.
    fn go_on(&mut self, bytes: &[u8], at_end: bool, starts: &mut Vec<usize>);
}

/// Games of one line each.
#[derive(Debug, Default)]
pub(super) struct Lines {
    at: usize,
    /// The line before has ended.
    after_line: bool,
}

impl Cut for Lines {
    fn at(&mut self) -> &mut usize {
        &mut self.at
    }

    fn go_on(&mut self, bytes: &[u8], _: bool, starts: &mut Vec<usize>) {
        while self.at < bytes.len() {
            if std::mem::take(&mut self.after_line) {
                starts.push(self.at);
            }
            let newline = memchr(b'\n', &bytes[self.at..]);
            self.at = newline.map_or(bytes.len(), |newline| self.at + newline + 1);
            self.after_line = newline.is_some();
        }
    }
}

/// Games of this many bytes.
#[derive(Debug)]
pub(super) struct Records {
    length: usize,
    at: usize,
}

impl Records {
    pub fn new(length: usize) -> Self {
        Self { length, at: 0 }
    }
}

impl Cut for Records {
    fn at(&mut self) -> &mut usize {
        &mut self.at
    }

    fn go_on(&mut self, bytes: &[u8], _: bool, starts: &mut Vec<usize>) {
        // What was scanned is whole games, and the last of them waits to be told from what follows.
        while bytes.len() > self.at + self.length {
            self.at += self.length;
            starts.push(self.at);
        }
    }
}

/// How many bytes have to follow a bracket to decide whether a game starts there, unless the file
/// ends before.
const LOOK_AHEAD: usize = 64;

/// Games in brackets.
#[derive(Debug, Default)]
pub(super) struct Ggf {
    at: usize,
    /// The current game's start has gone by.
    in_game: bool,
}

impl Cut for Ggf {
    fn at(&mut self) -> &mut usize {
        &mut self.at
    }

    fn go_on(&mut self, bytes: &[u8], at_end: bool, starts: &mut Vec<usize>) {
        while let Some(found) = memmem::find(&bytes[self.at..], b"(;") {
            self.at += found;
            if bytes.len() - self.at < LOOK_AHEAD && !at_end {
                return;
            }
            if starts_ggf(&bytes[self.at..]) {
                if self.in_game {
                    starts.push(self.at);
                }
                self.in_game = true;
            }
            self.at += 2;
        }
        // Half a start may stand at the end.
        self.at = self.at.max(bytes.len().saturating_sub(usize::from(!at_end)));
    }
}
