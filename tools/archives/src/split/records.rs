//! Where games start that are all of one length.

use super::cut::Cut;

/// Games of this many bytes.
#[derive(Debug)]
pub(super) struct Scan {
    length: usize,
    at: usize,
}

impl Scan {
    pub fn new(length: usize) -> Self {
        Self { length, at: 0 }
    }
}

impl Cut for Scan {
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
