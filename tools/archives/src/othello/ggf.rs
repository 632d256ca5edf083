//! GGF, the generic game format of the server GGS:
//! `(;GM[Othello]PB[a]PW[b]RE[+4.00]TY[8]BO[8 ... *]B[d3//0.01]W[c5];)`.
//!
//! The format is that of <https://www.skatgame.net/mburo/ggsa/ggf>. A file holds any number of
//! games; text between them is skipped (GGS writes how many games a match has).
//!
//! - `TY` is the board's size, and letters: `s` before it for two games at once, `r` and a number
//!   for a start drawn at random, `k` for komi, `a` for the game in which fewer discs win, `b` and
//!   `w` for who asked for which color. Komi and anti games are other games.
//! - `BO` is the start; moves are `square/eval/seconds`, `pa` is a pass.
//! - `RE` is how much more Black has; a flag after a colon says that a player resigned or ran out
//!   of time, or that both agreed.
//! - The eval of a move, in discs for who moves, is kept as the position's before it, rounded.

use super::Replayer;
use crate::filter::{Date, GameFacts, TimeClass, rating};
use crate::format::starts_ggf;
use crate::game_record::EvalComment;
use crate::pgn::tags::decoded;
use crate::reading::{Content, Done, Fault, Games, Out, Reads, Replayed, give, pairing, parsed};
use crate::stats::Reason;
use crate::wanted::Wanted;
use memchr::memmem;
use std::borrow::Cow;
use tabia_games::othello::{GgfEnd, GgfProperties};
use tabia_games::{Game, Othello, Outcome, Side};

/// Reads GGF.
#[derive(Debug)]
pub struct GgfReader {
    replayer: Replayer,
}

/// The properties that matter before the moves.
const NAMES: [&[u8; 2]; 11] =
    [b"GM", b"TY", b"BO", b"RE", b"PC", b"DT", b"TI", b"PB", b"PW", b"RB", b"RW"];

/// What is said of a game before its moves. Of what is said twice the last counts.
#[derive(Clone, Copy, Debug, Default)]
struct Tags<'a> {
    values: [&'a [u8]; NAMES.len()],
}

impl<'a> Tags<'a> {
    fn read(text: &'a [u8]) -> Self {
        let mut tags = Self::default();
        for (name, value) in GgfProperties::of(text) {
            if let Some(place) = NAMES.iter().position(|known| known.as_slice() == name) {
                tags.values[place] = value.trim_ascii();
            }
        }
        tags
    }

    fn get(&self, name: &[u8; 2]) -> &'a [u8] {
        NAMES.iter().position(|known| *known == name).map_or(b"", |place| self.values[place])
    }

    fn players(&self) -> [Cow<'a, str>; 2] {
        [b"PB", b"PW"].map(|name| decoded(self.get(name)))
    }

    fn facts(&self) -> GameFacts<'a> {
        GameFacts {
            players: self.players(),
            ratings: [b"RB", b"RW"].map(|name| {
                rating(self.get(name).split(|&byte| byte == b'.').next().unwrap_or_default())
            }),
            date: date(self.get(b"DT")),
            time_class: time_class(self.get(b"TI")),
            outcome: self.outcome(),
            site: decoded(self.get(b"PC")),
            ..GameFacts::default()
        }
    }

    /// How it ended: by how much more Black has.
    fn outcome(&self) -> Option<Outcome> {
        let number =
            self.get(b"RE").split(|&byte| byte == b':').next().unwrap_or_default().trim_ascii();
        let difference: f64 = parsed(number)?;
        (difference.abs() <= 64.0).then(|| {
            Outcome::of_lead(if difference > 0.0 { 1 } else { -i32::from(difference < 0.0) })
        })
    }

    fn check_kind(&self) -> Result<(), Fault> {
        let other = |detail: String| Err(Fault::other_game(detail));
        if !self.get(b"GM").eq_ignore_ascii_case(b"Othello") {
            return other(format!("it is a game of `{}`", decoded(self.get(b"GM"))));
        }
        let kind = self.get(b"TY").to_ascii_lowercase();
        let kind = kind.strip_prefix(b"s").unwrap_or(&kind);
        let size = kind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let letter = kind[size..].iter().find(|letter| matches!(letter, b'a' | b'k'));
        let what = match (&kind[..size], letter) {
            // NBoard writes 0.
            (b"" | b"0" | b"8", None) => return Ok(()),
            (b"" | b"0" | b"8", Some(b'a')) => "an anti game",
            (b"" | b"0" | b"8", Some(_)) => "a game with komi",
            _ => "not a board of 8x8",
        };
        other(format!("its type is `{}`, {what}", decoded(self.get(b"TY"))))
    }

    fn start(&self, usual: &Othello) -> Result<Option<Othello>, Fault> {
        if self.get(b"BO").is_empty() {
            return Ok(None);
        }
        let text = decoded(self.get(b"BO"));
        let bad = |what: String| Fault::new(Reason::BadPosition, what);
        let (size, board) = text
            .split_once(char::is_whitespace)
            .ok_or_else(|| bad(format!("its board `{text}` is no position")))?;
        if size != "8" {
            return Err(Fault::other_game(format!("its board has the size {size}, not 8")));
        }
        usual
            .set_up(board)
            .map(Some)
            .map_err(|error| bad(format!("its board `{board}` is no position: {}", error.why)))
    }
}

impl GgfReader {
    /// A reader of what is wanted, with the keys of this start position.
    pub fn new(start: Othello, wanted: Wanted) -> Self {
        Self { replayer: Replayer::new(start, wanted) }
    }

    fn game(&mut self, text: &[u8], tags: &Tags<'_>, is_last: bool) -> Result<(), Out> {
        tags.check_kind()?;
        let facts = tags.facts();
        self.replayer.judge(&facts)?;
        let mut replayed = self.replayer.begin(tags.start(&self.replayer.start)?);
        let mut properties = GgfProperties::of(text);
        for (name, value) in properties.by_ref() {
            match name {
                b"B" => self.play(&mut replayed, Side::First, value)?,
                b"W" => self.play(&mut replayed, Side::Second, value)?,
                _ => {}
            }
        }
        self.check_end(properties.end(), is_last)?;
        let none = || {
            Fault::new(Reason::NoResult, format!("its result is `{}`", decoded(tags.get(b"RE"))))
        };
        self.replayer.end(&replayed, &facts, || tags.outcome().ok_or_else(none))
    }

    fn play(
        &mut self,
        replayed: &mut Replayed<Othello>,
        side: Side,
        value: &[u8],
    ) -> Result<(), Fault> {
        let mut parts = value.split(|&byte| byte == b'/').map(<[u8]>::trim_ascii);
        let text = parts.next().unwrap_or_default();
        let ply = self.replayer.game.plies.len();
        let is_disc = replayed.position.read_move(text).is_ok();
        if is_disc && replayed.position.side() != side {
            let names = replayed.position.sides();
            let detail = format!(
                "`{}` is a move of {} at ply {}, where {} is to move",
                decoded(text),
                names[side.index()],
                ply + 1,
                names[side.other().index()]
            );
            return Err(Fault::new(Reason::IllegalMove, detail));
        }
        if self.replayer.wanted.evals && is_disc {
            let eval = parts.next().and_then(parsed::<f64>).filter(|eval| eval.abs() <= 64.0);
            self.replayer.game.evals.extend(eval.map(|eval| EvalComment {
                plies: ply as u32,
                value: eval.round() as i16,
                depth: 0,
            }));
        }
        self.replayer.play(replayed, text)
    }

    /// Makes sure that a game was closed, or cut off by the end of its archive.
    fn check_end(&self, end: Option<GgfEnd>, is_last: bool) -> Result<(), Fault> {
        let what = match end {
            Some(GgfEnd::Closed) | None => return Ok(()),
            Some(GgfEnd::CutOff) if is_last => return Ok(()),
            Some(GgfEnd::CutOff) => "it is never closed by `;)`",
            Some(GgfEnd::Broken) => "what follows is no property",
        };
        Err(Fault::broken(format!("{what}, after ply {}", self.replayer.game.plies.len())))
    }
}

impl Reads for GgfReader {
    fn read(&mut self, segment: &[u8], is_last: bool, games: &mut dyn Games) -> Done {
        let mut starts =
            memmem::find_iter(segment, b"(;").filter(|&at| starts_ggf(&segment[at..])).peekable();
        let mut content =
            if segment.trim_ascii().is_empty() { Content::Blank } else { Content::Other };
        while let Some(at) = starts.next() {
            content = Content::Games;
            let (end, is_last) = (
                starts.peek().copied().unwrap_or(segment.len()),
                is_last && starts.peek().is_none(),
            );
            let text = &segment[at..end];
            let tags = Tags::read(text);
            let verdict = self.game(text, &tags, is_last);
            let players = || pairing(tags.players());
            give(games, at, verdict.map(|()| &self.replayer.game), players)?;
        }
        Ok(content)
    }
}

/// The day of `2004.09.18_05:54:38.MDT`, `2000-4-16 11:13 EST`, or of seconds since 1970.
fn date(text: &[u8]) -> Option<Date> {
    let text = std::str::from_utf8(text).ok()?;
    if let Some(seconds) = text.parse::<u32>().ok().filter(|_| text.len() > 8) {
        return Date::of_tag(day(seconds / 86_400).as_bytes());
    }
    let mut parts = text.split(|letter: char| !letter.is_ascii_digit()).take(3);
    let (year, [month, day]) =
        (parts.next()?, [parts.next(), parts.next()].map(Option::unwrap_or_default));
    Date::of_tag(format!("{year}.{month:0>2}.{day:0>2}").as_bytes())
}

/// The date of a day counted from 1 January 1970 (Hinnant, "chrono-compatible low-level date
/// algorithms": years begin in March).
fn day(day: u32) -> String {
    let (era, day) = ((day + 719_468) / 146_097, (day + 719_468) % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}.{month:02}.{day:02}", 400 * era + year + next)
}

/// How fast it was: the first time of `15:00/00:05/02:00` is for the game, the second for each
/// move; hours, minutes and seconds.
fn time_class(text: &[u8]) -> Option<TimeClass> {
    let mut times = std::str::from_utf8(text).ok()?.split('/');
    let base = seconds(times.next()?)?;
    let increment = times.next().and_then(seconds).unwrap_or(0);
    TimeClass::of_tag(format!("{base}+{increment}").as_bytes())
}

/// The seconds of `5`, `02:00` or `1:02:00`; a comma and more may follow.
fn seconds(text: &str) -> Option<u32> {
    let text = text.split(',').next()?.trim();
    let mut parts =
        text.split(':').map(|part| part.parse::<u32>().ok().filter(|&part| part < 10_000));
    parts.try_fold(0_u32, |sum, part| sum.checked_mul(60)?.checked_add(part?))
}
