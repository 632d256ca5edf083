//! The tags of a game: how it ended, where it started, what it is a game of, who played it, how
//! strong they were, when, and how fast.

use super::notation::Notation;
use super::text::{Marker, Text};
use crate::filter::{Date, GameFacts, TimeClass, rating};
use crate::reading::{Fault, pairing, text_of};
use crate::stats::Reason;
use memchr::{memchr, memchr3};
use std::borrow::Cow;
use tabia_games::{Game, Outcome};

/// The tags that matter here, as written. Of a tag that occurs twice the last one counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tags<'a> {
    count: usize,
    pub(super) result: Option<&'a [u8]>,
    pub(super) fen: Option<&'a [u8]>,
    pub(crate) variant: Option<&'a [u8]>,
    pub(super) game_type: Option<&'a [u8]>,
    white: &'a [u8],
    black: &'a [u8],
    event: &'a [u8],
    site: &'a [u8],
    round: &'a [u8],
    pub(super) ratings: [&'a [u8]; 2],
    pub(super) date: &'a [u8],
    pub(super) utc_date: &'a [u8],
    pub(super) time_control: &'a [u8],
    /// Blank lines between them and the moves.
    blank_lines: usize,
    pub(super) cut_off: bool,
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
            text.at += 1 + read;
            let behind = text.ahead();
            text.skip_to_content();
            let newlines = behind[..behind.len() - text.ahead().len()]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            tags.blank_lines = newlines.saturating_sub(1);
        }
        tags
    }

    /// Whether more than one blank line separates the tags and what follows them.
    pub(super) fn are_apart(&self) -> bool {
        self.count > 0 && self.blank_lines > 1
    }

    /// The tags of moves that are separate from theirs: none.
    pub(super) fn cut_off() -> Self {
        Self { cut_off: true, ..Self::default() }
    }

    #[inline]
    fn set(&mut self, name: &[u8], value: &'a [u8]) {
        self.count += 1;
        let is = |full: &[u8]| name.eq_ignore_ascii_case(full);
        match (name.len(), name.first().map(u8::to_ascii_lowercase)) {
            (3, Some(b'f')) if is(b"FEN") => self.fen = Some(value),
            (4, Some(b'd')) if is(b"Date") => self.date = value,
            (4, Some(b's')) if is(b"Site") => self.site = value,
            (5, Some(b'e')) if is(b"Event") => self.event = value,
            (5, Some(b'r')) if is(b"Round") => self.round = value,
            (5, Some(b'w')) if is(b"White") => self.white = value,
            (5, Some(b'b')) if is(b"Black") => self.black = value,
            (6, Some(b'r')) if is(b"Result") => self.result = Some(value),
            (7, Some(b'v')) if is(b"Variant") => self.variant = Some(value),
            (7, Some(b'u')) if is(b"UTCDate") => self.utc_date = value,
            (8, Some(b'g')) if is(b"GameType") => self.game_type = Some(value),
            (8, Some(b'w')) if is(b"WhiteElo") => self.ratings[0] = value,
            (8, Some(b'b')) if is(b"BlackElo") => self.ratings[1] = value,
            (11, Some(b't')) if is(b"TimeControl") => self.time_control = value,
            // PDN's names.
            (11, Some(b'w')) if is(b"WhiteRating") && self.ratings[0].is_empty() => {
                self.ratings[0] = value
            }
            (11, Some(b'b')) if is(b"BlackRating") && self.ratings[1].is_empty() => {
                self.ratings[1] = value
            }
            _ => {}
        }
    }

    pub(super) fn are_there(&self) -> bool {
        self.count > 0
    }

    /// The players, as in `Tal, Mikhail - Botvinnik, Mikhail`; empty if not named.
    pub(super) fn players(&self) -> String {
        pairing([self.white, self.black].map(decoded))
    }

    /// What they say of the game beyond what counts. The date is that where the players are.
    pub(super) fn said<G: Notation>(&self, game: &G) -> GameFacts<'a> {
        let date = Date::of_tag(self.date).or_else(|| Date::of_tag(self.utc_date));
        let [event, site, round] = [self.event, self.site, self.round].map(decoded);
        GameFacts { date, event, site, round, ..self.facts(game) }
    }

    #[inline]
    pub(super) fn ratings<G: Game>(&self, game: &G) -> [Option<u16>; 2] {
        in_order(game, self.ratings.map(rating))
    }

    #[inline]
    pub(super) fn start<G: Game>(&self, usual: &G) -> Result<Option<G>, Fault> {
        match self.fen {
            None | Some(b"" | b"?") => Ok(None),
            Some(fen) => set_up(usual, fen).map(Some),
        }
    }

    pub(super) fn facts<G: Notation>(&self, game: &G) -> GameFacts<'a> {
        GameFacts {
            players: in_order(game, [self.white, self.black]).map(decoded),
            ratings: self.ratings(game),
            date: Date::of_tag(self.utc_date).or_else(|| Date::of_tag(self.date)),
            time_class: TimeClass::of_tag(self.time_control),
            outcome: self.result.and_then(|result| game.outcome_of(result.trim_ascii())),
            ..GameFacts::default()
        }
    }

    /// How it ended: by its tag, or else by the marker at the end of its moves.
    pub(super) fn outcome<G: Notation>(&self, game: &G, marker: Marker) -> Result<Outcome, Fault> {
        let none = |detail: String| Fault::new(Reason::NoResult, detail);
        match (self.result, marker) {
            (Some(tag), _) => game
                .outcome_of(tag.trim_ascii())
                .ok_or_else(|| none(format!("its Result tag is `{}`", decoded(tag)))),
            (None, _) if self.cut_off => {
                Err(none("its tags stand apart from it, before two blank lines".to_owned()))
            }
            (None, Marker::Decided(outcome)) => Ok(outcome),
            (None, Marker::Undecided) => Err(none("it has no Result tag and ends in *".to_owned())),
            (None, Marker::Missing) => {
                Err(none("it has no Result tag and ends without a result".to_owned()))
            }
        }
    }
}

/// Name and value of the tag whose `[` is before this, and how long it is with its `]`.
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

/// How far the `]` or the line's end is from a quote that ends a value; none if it is part of one.
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
pub(crate) fn decoded(value: &[u8]) -> Cow<'_, str> {
    let text = text_of(value);
    if memchr(b'\\', value).is_none() {
        text
    } else {
        Cow::Owned(text.replace("\\\"", "\"").replace("\\\\", "\\"))
    }
}

/// The tags that the game of this text is known by, as `[Event "x"] [Site "y"]`.
pub(crate) fn roster(text: &[u8]) -> String {
    const KNOWN_BY: [&[u8]; 7] =
        [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"];
    let (mut found, mut rest) = (Vec::new(), text.trim_ascii_start());
    while let Some(bytes) = rest.strip_prefix(b"[") {
        let Some((name, value, length)) = tag(bytes) else { break };
        if KNOWN_BY.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            found.push(format!("[{} \"{}\"]", decoded(name), decoded(value)));
        }
        rest = bytes[length..].trim_ascii_start();
    }
    found.join(" ")
}

fn set_up<G: Game>(usual: &G, fen: &[u8]) -> Result<G, Fault> {
    let text = decoded(fen);
    usual.set_up(&text).map_err(|error| {
        Fault::new(
            Reason::BadPosition,
            format!("its FEN tag `{text}` is no position: {}", error.why),
        )
    })
}

/// Orders White's and Black's values so that the first player's comes first.
#[inline]
pub(super) fn in_order<G: Game, T>(game: &G, [white, black]: [T; 2]) -> [T; 2] {
    if game.sides()[0] == "Black" { [black, white] } else { [white, black] }
}
