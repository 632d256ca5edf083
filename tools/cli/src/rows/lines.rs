//! Lines of a text, with the line's number in what is said of a wrong one.

use crate::failure::{Done, Failure, told};
use std::fmt::Display;
use std::io::{BufRead, Read};

/// Reads lines of bounded length.
pub struct Lines<R> {
    text: R,
    /// What the text is called in messages.
    name: String,
    /// The longest line, in bytes.
    longest: u64,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// Reads this text, which messages call by this name.
    pub fn new(text: R, name: impl Display, longest: u64) -> Self {
        Self { text, name: name.to_string(), longest, number: 0 }
    }

    /// Reads a line, without its end; whether there was one.
    pub fn next(&mut self, line: &mut Vec<u8>) -> Done<bool> {
        line.clear();
        let read = (&mut self.text).take(self.longest).read_until(b'\n', line);
        let read = read.map_err(|error| told!("{}: cannot read after line {}: {error}", self.name, self.number))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if line.pop_if(|&mut byte| byte == b'\n').is_some() {
            line.pop_if(|&mut byte| byte == b'\r');
        } else if read as u64 == self.longest {
            return Err(self.failure("the line is too long: rows are expected, such as `tabia dump` writes"));
        }
        Ok(true)
    }

    /// What is wrong with the line that was read last.
    pub fn failure(&self, what: &str) -> Failure {
        told!("{}: line {}: {what}", self.name, self.number)
    }
}
