//! Where games start in SGF: trees of nodes in round brackets, values in square ones.
//!
//! - Outside of all trees, `(` and `;` (spaces between them) start one; other text there belongs to
//!   the game before.
//! - A line that starts as a root does (`(;GM[1]`, `(;FF[4]` and the like) starts one wherever it
//!   is, so that a game that is never closed, or a value in it, costs no other game. A quoted one
//!   has its brackets escaped.

use super::cut::Cut;
use crate::format::sgf::{Lookahead, game_ahead, root_ahead};

/// Trees.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The first byte not scanned.
    at: usize,
    /// How many round brackets are open.
    depth: usize,
    in_value: bool,
    /// The next byte of the value is an escaped one.
    is_escaped: bool,
    at_line_start: bool,
    /// A game has started.
    any: bool,
}

impl Cut for Scan {
    fn at(&mut self) -> &mut usize {
        &mut self.at
    }

    fn go_on(&mut self, bytes: &[u8], at_end: bool, starts: &mut Vec<usize>) {
        while let Some(&byte) = bytes.get(self.at) {
            let is_start = match byte {
                b'(' if self.at_line_start && self.depth > 0 => root_ahead(&bytes[self.at..]),
                b'(' if self.depth == 0 => game_ahead(&bytes[self.at..]),
                _ => Lookahead::No,
            };
            match is_start {
                Lookahead::Unknown if !at_end => return,
                Lookahead::Yes => self.starts(starts),
                _ => self.goes_on(byte),
            }
            self.at_line_start = matches!(byte, b'\n' | b'\r');
            self.at += 1;
        }
    }
}

impl Scan {
    fn starts(&mut self, starts: &mut Vec<usize>) {
        if self.any {
            starts.push(self.at);
        }
        (self.any, self.depth, self.in_value) = (true, 1, false);
        self.is_escaped = false;
    }

    /// Takes note of a byte at which no game starts.
    fn goes_on(&mut self, byte: u8) {
        match byte {
            _ if std::mem::take(&mut self.is_escaped) => {}
            b'\\' if self.in_value => self.is_escaped = true,
            b']' => self.in_value = false,
            _ if self.in_value => {}
            b'[' => self.in_value = self.depth > 0,
            b'(' if self.depth > 0 => self.depth += 1,
            b')' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}
