//! Where games start that stand one a line.

use super::Cut;
use memchr::memchr;

/// Games of one line each.
#[derive(Debug, Default)]
pub(super) struct Scan {
    at: usize,
}

impl Cut for Scan {
    fn at(&mut self) -> &mut usize {
        &mut self.at
    }

    fn go_on(&mut self, bytes: &[u8], _: bool, starts: &mut Vec<usize>) {
        while let Some(newline) = memchr(b'\n', &bytes[self.at..]) {
            self.at += newline + 1;
            if self.at < bytes.len() {
                starts.push(self.at);
            }
        }
        self.at = bytes.len();
    }
}
