//! The words of a tree, one after the other, each with its place.

use super::{Fault, ReadError, TextPosition};
use std::io::{self, BufRead};

/// The longest word that errors quote whole.
const LONGEST: usize = 40;

/// Reads words. No more than one of them is held.
pub(super) struct Scanner<R> {
    input: R,
    /// The place of the next byte.
    next: TextPosition,
    /// The place of the last word.
    pub at: TextPosition,
    /// The last word: a brace, a sign, or all characters between those and spaces.
    pub word: Vec<u8>,
    /// How long it is, as far as it is held or not.
    length: usize,
}

impl<R: BufRead> Scanner<R> {
    pub fn new(input: R) -> Self {
        let next = TextPosition { line: 1, column: 1 };
        Self { input, next, at: next, word: Vec::new(), length: 0 }
    }

    /// Goes on to the next word; an empty one is the end.
    pub fn advance(&mut self) -> io::Result<&[u8]> {
        self.word.clear();
        self.length = 0;
        while self.peek()?.is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.step();
        }
        self.at = self.next;
        while let Some(byte) = self.peek()? {
            let is_alone = matches!(byte, b'{' | b'}' | b'+' | b'-');
            if byte.is_ascii_whitespace() || (is_alone && self.length > 0) {
                break;
            }
            self.push(byte);
            self.step();
            if is_alone {
                break;
            }
        }
        Ok(&self.word)
    }

    fn push(&mut self, byte: u8) {
        self.length += 1;
        if self.word.len() < LONGEST {
            self.word.push(byte);
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    /// Passes over the byte that was looked at.
    fn step(&mut self) {
        let is_newline = self.input.fill_buf().is_ok_and(|bytes| bytes.first() == Some(&b'\n'));
        self.input.consume(1);
        self.next = match is_newline {
            true => TextPosition { line: self.next.line + 1, column: 1 },
            false => TextPosition { column: self.next.column + 1, ..self.next },
        };
    }

    /// The last word as a natural number, if it is one that 64 bits hold; too large a one is as
    /// large as can be.
    pub fn number(&self) -> Option<u64> {
        let is_number = !self.word.is_empty() && self.word.iter().all(u8::is_ascii_digit);
        let digit = |number: u64, byte: &u8| {
            number.saturating_mul(10).saturating_add(u64::from(byte - b'0'))
        };
        is_number.then(|| {
            if self.length > self.word.len() { u64::MAX } else { self.word.iter().fold(0, digit) }
        })
    }

    /// The last word for people.
    pub fn shown(&self) -> String {
        let dots = if self.length > self.word.len() { "..." } else { "" };
        String::from_utf8_lossy(&self.word).into_owned() + dots
    }

    /// An error: something else is expected in place of the last word.
    #[cold]
    pub fn unexpected(&self, expected: &'static str) -> ReadError {
        let found = if self.word.is_empty() {
            "the end of the text".to_owned()
        } else {
            format!("`{}`", self.shown())
        };
        self.fault(Fault::Unexpected(found, expected))
    }

    /// That something is wrong in the last word's place.
    #[cold]
    pub fn fault(&self, fault: Fault) -> ReadError {
        ReadError::Fault(self.at, fault)
    }
}
