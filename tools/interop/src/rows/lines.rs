//! Lines of a text, with the line's number in what is said of a wrong one.

use super::{Fault, ReadError};
use std::io::{BufRead, Read};

/// Reads lines of bounded length.
pub(super) struct Lines<R> {
    text: R,
    /// The longest line, in bytes.
    longest: u64,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// Reads this text.
    pub fn new(text: R, longest: u64) -> Self {
        Self { text, longest, number: 0 }
    }

    /// Reads a line, without its end; whether there was one.
    pub fn next(&mut self, line: &mut Vec<u8>) -> Result<bool, ReadError> {
        line.clear();
        let read = (&mut self.text).take(self.longest).read_until(b'\n', line);
        let read = read.map_err(|source| ReadError::After { line: self.number, source })?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if line.pop_if(|&mut byte| byte == b'\n').is_some() {
            line.pop_if(|&mut byte| byte == b'\r');
        } else if read as u64 == self.longest {
            return Err(self.error(Fault::LongLine));
        }
        Ok(true)
    }

    /// What is wrong with the line that was read last.
    pub fn error(&self, fault: Fault) -> ReadError {
        ReadError::Line { line: self.number, fault }
    }
}
