//! The tags of a game: how it ended, where it started, what it is a game of, who played it.

use super::Fault;
use super::movetext::{Marker, Text};
use crate::tally::Reason;
use memchr::{memchr, memchr3};
use tabia_games::{Chess, Game, Outcome};

/// The tags that matter here, as they stand in the text. Of a tag that stands there twice the last one counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tags<'a> {
    count: usize,
    result: Option<&'a [u8]>,
    fen: Option<&'a [u8]>,
    variant: Option<&'a [u8]>,
    white: &'a [u8],
    black: &'a [u8],
    /// Blank lines between them and the moves.
    blank_lines: usize,
    /// They were cut off from their moves by blank lines.
    cut_off: bool,
}

impl<'a> Tags<'a> {
    /// Reads the tags at the start of a game, and stops where its moves start.
    pub(super) fn read(text: &mut Text<'a>) -> Self {
        let mut tags = Self::default();
        while let Some(bytes) = text.ahead().strip_prefix(b"[") {
            let read = match tag(bytes) {
                Some((name, value, length)) => {
                    tags.set(name, value);
                    length
                }
                None => memchr(b'\n', bytes).unwrap_or(bytes.len()),
            };
            text.advance(1 + read);
            let behind = text.ahead();
            text.skip_to_content();
            let newlines = behind[..behind.len() - text.ahead().len()].iter().filter(|&&byte| byte == b'\n').count();
            tags.blank_lines = newlines.saturating_sub(1);
        }
        tags
    }

    /// Whether more than one blank line stands between the tags and what follows them.
    pub(super) fn are_apart(&self) -> bool {
        self.count > 0 && self.blank_lines > 1
    }

    /// The tags of moves that stand apart from theirs: none.
    pub(super) fn cut_off() -> Self {
        Self { cut_off: true, ..Self::default() }
    }

    #[inline]
    fn set(&mut self, name: &[u8], value: &'a [u8]) {
        self.count += 1;
        match name.len() {
            3 if name.eq_ignore_ascii_case(b"FEN") => self.fen = Some(value),
            5 if name.eq_ignore_ascii_case(b"White") => self.white = value,
            5 if name.eq_ignore_ascii_case(b"Black") => self.black = value,
            6 if name.eq_ignore_ascii_case(b"Result") => self.result = Some(value),
            7 if name.eq_ignore_ascii_case(b"Variant") => self.variant = Some(value),
            _ => {}
        }
    }

    /// Whether there are any.
    pub(super) fn are_there(&self) -> bool {
        self.count > 0
    }

    /// The players, as in `Tal, Mikhail - Botvinnik, Mikhail`; empty if not named.
    pub(super) fn players(&self) -> String {
        match (self.white, self.black) {
            (b"", b"") => String::new(),
            (white, black) => format!("{} - {}", decoded(white), decoded(black)),
        }
    }

    /// The position it starts from, if it isn't the usual one.
    #[inline]
    pub(super) fn start(&self) -> Result<Option<Chess>, Fault> {
        if let Some(variant) = self.variant.filter(|variant| !is_chess(variant)) {
            return Err(Fault::new(Reason::NotChess, format!("its Variant tag is `{}`", decoded(variant))));
        }
        match self.fen {
            None | Some(b"" | b"?") => Ok(None),
            Some(fen) => set_up(fen).map(Some),
        }
    }

    /// How it ended: by its tag, or if it has none by what stands at the end of its moves.
    pub(super) fn outcome(&self, marker: Marker) -> Result<Outcome, Fault> {
        let none = |detail: String| Fault::new(Reason::NoResult, detail);
        match (self.result, marker) {
            (Some(tag), _) => outcome_of(tag.trim_ascii()).ok_or_else(|| none(format!("its Result tag is `{}`", decoded(tag)))),
            (None, _) if self.cut_off => Err(none("its tags stand apart from it, before two blank lines".to_owned())),
            (None, Marker::Decided(outcome)) => Ok(outcome),
            (None, Marker::Undecided) => Err(none("it has no Result tag and ends in *".to_owned())),
            (None, Marker::Missing) => Err(none("it has no Result tag and ends without a result".to_owned())),
        }
    }
}

/// The outcome a result says, if it says a decided one.
#[inline]
pub(super) fn outcome_of(result: &[u8]) -> Option<Outcome> {
    match result {
        b"1-0" => Some(Outcome::FirstWins),
        b"0-1" => Some(Outcome::SecondWins),
        b"1/2-1/2" | b"1/2" => Some(Outcome::Draw),
        _ => outcome_in_print(result),
    }
}

/// Results with the dashes and fractions of printed text, in UTF-8 or Latin-1.
#[cold]
fn outcome_in_print(result: &[u8]) -> Option<Outcome> {
    let text = match std::str::from_utf8(result) {
        Ok(text) => text.to_owned(),
        Err(_) => result.iter().copied().map(char::from).collect(),
    };
    match text.replace(['\u{2010}', '\u{2011}', '\u{2013}', '\u{2014}', '\u{2212}'], "-").replace('\u{bd}', "1/2").as_str() {
        "1-0" => Some(Outcome::FirstWins),
        "0-1" => Some(Outcome::SecondWins),
        "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    }
}

/// Name and value of the tag whose `[` stands before this, and how long it is with its `]`.
#[inline]
fn tag(bytes: &[u8]) -> Option<(&[u8], &[u8], usize)> {
    let quote = memchr3(b'"', b'\n', b']', bytes).filter(|&found| bytes[found] == b'"')?;
    let name = bytes[..quote].trim_ascii();
    let start = quote + 1;
    let mut end = start;
    loop {
        end += memchr3(b'"', b'\\', b'\n', &bytes[end..]).unwrap_or(bytes.len() - end);
        match bytes.get(end) {
            Some(b'\\') => end = (end + 2).min(bytes.len()),
            Some(b'"') => match closing(&bytes[end + 1..]) {
                Some(length) => return Some((name, &bytes[start..end], end + 1 + length)),
                None => end += 1,
            },
            _ => return Some((name, &bytes[start..end], end)),
        }
    }
}

/// What comes behind the quote that ends a value, up to its `]` or the line's end; none if the quote is part of the value.
#[inline]
fn closing(bytes: &[u8]) -> Option<usize> {
    let spaces = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    match bytes.get(spaces) {
        Some(b']') => Some(spaces + 1),
        None | Some(b'\n') => Some(spaces),
        _ => None,
    }
}

/// A value without its escapes, for people. Bytes that aren't UTF-8 are taken for Latin-1.
fn decoded(value: &[u8]) -> String {
    let text = match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => value.iter().copied().map(char::from).collect(),
    };
    text.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// Whether a Variant tag means chess, or Chess960, whose games start from a FEN.
fn is_chess(variant: &[u8]) -> bool {
    let plain: Vec<u8> = variant.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    const CHESS: [&[u8]; 20] = [
        b"",
        b"chess",
        b"standard",
        b"standardchess",
        b"normal",
        b"normalchess",
        b"regular",
        b"orthodox",
        b"classical",
        b"fromposition",
        b"setupposition",
        b"chess960",
        b"960",
        b"fischerandom",
        b"fischerrandom",
        b"fischerandomchess",
        b"fischerrandomchess",
        b"frc",
        b"dfrc",
        b"freestyle",
    ];
    CHESS.contains(&plain.as_slice())
}

fn set_up(fen: &[u8]) -> Result<Chess, Fault> {
    let text = decoded(fen);
    Chess::from_setup(&text).map_err(|error| Fault::new(Reason::BadPosition, format!("its FEN tag `{text}` is no position: {}", error.why)))
}
