//! What all ways to cut files have in common, and the simple ones: games one a line, games that are
//! all of one length, and GGF, whose games start at `(;GM[`; text before the first game of a file
//! belongs to it.

use crate::format::starts_ggf;
use memchr::{memchr, memmem};

/// Finds where games start in a file, in bytes that come bit by bit.
pub(super) trait Cut: std::fmt::Debug + Send {
    /// Scans what is new in `bytes`, from the first byte not scanned, `at`, as far as it can be
    /// judged without the bytes to follow, and adds the starts found; the first game's is known.
    fn go_on(&mut self, at: &mut usize, bytes: &[u8], at_end: bool, starts: &mut Vec<usize>);
}

/// Games of one line each.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The line before has ended.
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
pub(super) struct Records(pub usize);

impl Cut for Records {
    fn go_on(&mut self, at: &mut usize, bytes: &[u8], _: bool, starts: &mut Vec<usize>) {
        // What was scanned is whole games, and the last of them waits to be told from what follows.
        while bytes.len() > *at + self.0 {
            *at += self.0;
            starts.push(*at);
        }
    }
}

/// How many bytes have to follow a bracket to decide whether a game starts there, unless the file
/// ends before.
const LOOK_AHEAD: usize = 64;

/// Games in brackets.
#[derive(Debug, Default)]
pub(super) struct Ggf {
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
