//! The text of SGF, token by token.

use crate::split::tree::{Lookahead, game_ahead};
use tabia_games::Trouble;

#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'a> {
    /// The capital letters of its name, one behind a zero or two; zeros for none or more.
    pub name: [u8; 2],
    /// Its first value, with its escapes.
    pub value: &'a [u8],
    /// All values with their brackets.
    all: &'a [u8],
}

impl<'a> Property<'a> {
    /// Its values.
    pub fn values(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut text = Text::new(self.all);
        std::iter::from_fn(move || {
            text.spaces();
            text.value()
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'a> {
    Node,
    Open,
    Close,
    Property(Property<'a>),
    End,
    /// It can't be read, and why.
    Broken(&'static str),
}

/// The text of a segment, and how far it has been read.
#[derive(Debug)]
pub(super) struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
    /// How many brackets of the game are open.
    depth: usize,
    /// Variations that were skipped.
    pub skipped_variations: u64,
}

impl<'a> Text<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, depth: 0, skipped_variations: 0 }
    }

    /// What has been read from this byte on, as a text of which nothing was read yet.
    pub fn since(&self, start: usize) -> Self {
        Self::new(&self.bytes[start..self.at])
    }

    /// How much has been read.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Goes on to the next game, if there is one. Text between games is skipped.
    pub fn go_to_game(&mut self) -> bool {
        self.depth = 0;
        while let Some(found) = memchr::memchr(b'(', &self.bytes[self.at..]) {
            self.at += found;
            if game_ahead(&self.bytes[self.at..]) == Lookahead::Yes {
                return true;
            }
            self.at += 1;
        }
        self.at = self.bytes.len();
        false
    }

    /// Continues after the game. Returns whether it is closed.
    pub fn skip_game(&mut self) -> bool {
        self.skip_above(0)
    }

    /// Continues after the variation that was opened last. Returns whether it is closed.
    pub fn skip_variation(&mut self) -> bool {
        self.skip_above(self.depth.saturating_sub(1))
    }

    fn skip_above(&mut self, depth: usize) -> bool {
        while self.depth > depth {
            let Some(&byte) = self.bytes.get(self.at) else { return false };
            if byte == b'[' {
                if self.value().is_none() {
                    return false;
                }
                continue;
            }
            match byte {
                b'(' => {
                    self.depth += 1;
                    self.skipped_variations += 1;
                }
                b')' => self.depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
        true
    }

    #[inline]
    pub fn next(&mut self) -> Token<'a> {
        self.spaces();
        let Some(&byte) = self.bytes.get(self.at) else { return Token::End };
        match byte {
            b';' => {
                self.at += 1;
                Token::Node
            }
            b'A'..=b'Z' | b'a'..=b'z' => self.property(),
            b'(' => {
                self.at += 1;
                self.depth += 1;
                Token::Open
            }
            b')' => {
                self.at += 1;
                self.depth = self.depth.saturating_sub(1);
                Token::Close
            }
            b'[' => Token::Broken("a value stands there without a property"),
            _ => Token::Broken("there is text outside of all properties"),
        }
    }

    /// Goes on past what isn't printed, byte order marks, and brackets that close what was never
    /// opened: in texts with several of them programs forget to escape all but the first.
    #[inline]
    fn spaces(&mut self) {
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                ..=b' ' | b']' => self.at += 1,
                0xef if self.bytes[self.at..].starts_with(b"\xef\xbb\xbf") => self.at += 3,
                _ => return,
            }
        }
    }

    #[inline]
    fn property(&mut self) -> Token<'a> {
        let name = self.name();
        self.spaces();
        let start = self.at;
        if self.bytes.get(start) != Some(&b'[') {
            return Token::Broken("a property has no value");
        }
        let Some(value) = self.value() else { return Token::Broken("a value is never closed") };
        let mut end = self.at;
        loop {
            self.spaces();
            if self.bytes.get(self.at) != Some(&b'[') {
                break;
            }
            if self.value().is_none() {
                return Token::Broken("a value is never closed");
            }
            end = self.at;
        }
        Token::Property(Property { name, value, all: &self.bytes[start..end] })
    }

    #[inline]
    fn name(&mut self) -> [u8; 2] {
        let (mut name, mut capitals) = (0u16, 0);
        while let Some(byte) = self.bytes.get(self.at).filter(|byte| byte.is_ascii_alphanumeric()) {
            if byte.is_ascii_uppercase() {
                name = name << 8 | u16::from(*byte);
                capitals += 1;
            }
            self.at += 1;
        }
        if capitals > 2 { [0; 2] } else { name.to_be_bytes() }
    }

    /// Reads a value in brackets. None if there is none, or, at the text's end, it isn't closed.
    ///
    /// A bracket behind which no text of SGF can go on is one that should have been escaped, as
    /// people forget in names (`PB[Ann [A] Lee]`): the value goes on, if it is closed on the same
    /// line before the next node begins.
    #[inline]
    fn value(&mut self) -> Option<&'a [u8]> {
        if self.bytes.get(self.at) != Some(&b'[') {
            return None;
        }
        let start = self.at + 1;
        let mut end = start;
        loop {
            match self.bytes.get(end) {
                Some(b']') => match self.bytes.get(end + 1) {
                    Some(b';' | b')' | b'[' | b']') | None => break,
                    Some(_) => match self.unescaped(end + 1) {
                        Some(next) => end = next,
                        None => break,
                    },
                },
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
                None => {
                    self.at = self.bytes.len();
                    return None;
                }
            }
        }
        self.at = end + 1;
        Some(&self.bytes[start..end])
    }

    /// Where the value is closed whose bracket, before this byte, was none but a part of its text;
    /// none if that bracket closes it.
    fn unescaped(&self, behind: usize) -> Option<usize> {
        let rest = &self.bytes[behind..];
        if goes_on(rest) {
            return None;
        }
        let length = rest.iter().position(|byte| matches!(byte, b']' | b';' | b'\n' | b'\r'))?;
        (rest[length] == b']').then_some(behind + length)
    }
}

/// Whether the text goes on as it may behind a value: with a bracket, node, property or its end.
fn goes_on(behind: &[u8]) -> bool {
    let is_passed = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'(';
    let text = &behind[behind.iter().take_while(|byte| is_passed(byte)).count()..];
    let letters = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    match text.first() {
        None | Some(b';' | b')' | b'[' | b']') => true,
        Some(0xef) => text.starts_with(b"\xef\xbb\xbf"),
        // A name, or one that the text was cut off in.
        Some(byte) if byte.is_ascii_alphabetic() => {
            // Names have capitals; one without is no word of a text if it is glued to the bracket.
            let is_name =
                text[..letters].iter().any(u8::is_ascii_uppercase) || text.len() == behind.len();
            is_name && matches!(text[letters..].trim_ascii_start().first(), Some(b'[') | None)
        }
        Some(byte) => *byte <= b' ',
    }
}

/// The point of a move, or none for a pass.
#[inline]
pub(super) fn move_point(value: &[u8], size: usize) -> Result<Option<u16>, Trouble> {
    match *value.trim_ascii() {
        [column @ b'a'..=b'z', row @ b'a'..=b'z'] => match point(column, row, size) {
            Some(point) => Ok(Some(point)),
            None if (column, row) == (b't', b't') => Ok(None),
            None => Err(Trouble::Illegal),
        },
        [] => Ok(None),
        ref word if word.eq_ignore_ascii_case(b"pass") => Ok(None),
        _ => Err(Trouble::Unreadable),
    }
}

#[inline]
fn point(column: u8, row: u8, size: usize) -> Option<u16> {
    let [column, row] = [column, row].map(|letter| usize::from(letter.wrapping_sub(b'a')));
    (column < size && row < size).then_some((row * size + column) as u16)
}

/// The points of a value: one, or those of a rectangle given by two of its corners.
pub(super) fn points(value: &[u8], size: usize) -> Option<Vec<u16>> {
    let [left, top, right, bottom] = match *value.trim_ascii() {
        [column, row] => [column, row, column, row],
        [left, top, b':', right, bottom] => {
            [left.min(right), top.min(bottom), left.max(right), top.max(bottom)]
        }
        _ => return None,
    };
    let (from, to) = (point(left, top, size)?, point(right, bottom, size)?);
    let size = size as u16;
    let columns = |row| (from % size..=to % size).map(move |column| row * size + column);
    Some((from / size..=to / size).flat_map(columns).collect())
}
