//! Where games of GGF start: at `(;GM[`. Text before the first game of a file belongs to it.

use super::cut::Cut;
use crate::format::ggf::starts_game;
use memchr::memmem;

/// How many bytes have to follow a bracket to decide whether a game starts there, unless the file
/// ends before.
const LOOK_AHEAD: usize = 64;

/// Games in brackets.
#[derive(Debug, Default)]
pub(super) struct Scan {
    at: usize,
    /// The current game's start has gone by.
    in_game: bool,
}

impl Cut for Scan {
    fn at(&mut self) -> &mut usize {
        &mut self.at
    }

    fn go_on(&mut self, bytes: &[u8], at_end: bool, starts: &mut Vec<usize>) {
        while let Some(found) = memmem::find(&bytes[self.at..], b"(;") {
            self.at += found;
            if bytes.len() - self.at < LOOK_AHEAD && !at_end {
                return;
            }
            if starts_game(&bytes[self.at..]) {
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
