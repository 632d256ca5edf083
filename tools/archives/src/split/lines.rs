//! Where games start that are one a line.

use super::cut::Cut;
use memchr::memchr;

/// Games of one line each.
#[derive(Debug, Default)]
pub(super) struct Scan {
    at: usize,
    /// The line before has ended.
    after_line: bool,
}

impl Cut for Scan {
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
