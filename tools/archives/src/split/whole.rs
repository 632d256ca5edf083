//! Files that are one game.

use super::Cut;

/// One game.
#[derive(Debug, Default)]
pub(super) struct Scan {
    at: usize,
}

impl Cut for Scan {
    fn at(&mut self) -> &mut usize {
        &mut self.at
    }

    fn go_on(&mut self, bytes: &[u8], _: bool, _: &mut Vec<usize>) {
        self.at = bytes.len();
    }
}
