//! What is said of a game: its kind, how it ended, who played it, how strong, when, and how fast.

use super::text::Property;
use crate::filter::{Date, GameFacts, TimeClass, rating};
use crate::reading::{Fault, parsed, shown, text_of};
use crate::stats::Reason;
use crate::wanted::Scored;
use std::borrow::Cow;
use tabia_games::go::{Komi, Suicide};
use tabia_games::{Outcome, Side, letters_of};

/// The detail of a fault: a game without a result that could have one.
pub(super) const RESULT_IS_MISSING: &str = "it has no result (RE)";

const NAMES: [&[u8; 2]; 15] = [
    b"GM", b"SZ", b"RE", b"KM", b"RU", b"DT", b"TM", b"OT", b"PB", b"PW", b"BR", b"WR", b"EV",
    b"PC", b"RO",
];

/// Their values, as written in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Info<'a> {
    values: [Option<&'a [u8]>; NAMES.len()],
}

impl<'a> Info<'a> {
    pub fn set(&mut self, property: &Property<'a>) {
        if let Some(place) = NAMES.iter().position(|name| **name == property.name) {
            self.values[place].get_or_insert(property.value);
        }
    }

    fn get(&self, name: &[u8; 2]) -> Option<&'a [u8]> {
        self.values[NAMES.iter().position(|known| *known == name)?]
    }

    /// The ratings of Black and White.
    pub fn ratings(&self) -> [Option<u16>; 2] {
        [b"BR", b"WR"].map(|name| self.get(name).and_then(rating))
    }

    /// The size of the board, if it is a square one of at most the 52 lines that SGF can name.
    pub fn size(&self) -> Option<usize> {
        let Some(size) = self.get(b"SZ") else { return Some(19) };
        let number = |text: &[u8]| {
            std::str::from_utf8(text).ok()?.trim().parse::<usize>().ok().filter(|size| *size <= 52)
        };
        match size.iter().position(|&byte| byte == b':') {
            None => number(size),
            Some(colon) => number(&size[..colon])
                .filter(|&size_of_row| number(&size[colon + 1..]) == Some(size_of_row)),
        }
    }

    /// Whether it is Go, on a board of this size.
    pub fn check_kind(&self, size: usize) -> Result<(), Fault> {
        let kind = self.get(b"GM").unwrap_or(b"1").trim_ascii();
        if kind != b"1" {
            let what = if kind == b"2" { ", which is Othello" } else { "" };
            let kind = shown(kind);
            return Err(Fault::other_game(format!("it is no game of Go: GM[{kind}]{what}")));
        }
        match self.size() {
            Some(own) if own == size => Ok(()),
            Some(own) => {
                // The name of the game that it is one of, if there is such.
                let name =
                    if (2..=19).contains(&own) { format!(" (go-{own})") } else { String::new() };
                let detail = format!("its board is {own}x{own}{name}, not {size}x{size}");
                Err(Fault::other_game(detail))
            }
            None => Err(Fault::other_game(format!(
                "its board is SZ[{}], not {size}x{size}",
                shown(self.get(b"SZ").unwrap_or_default())
            ))),
        }
    }

    /// What its rules say of suicide.
    pub fn suicide(&self) -> Suicide {
        match letters_of(self.get(b"RU").unwrap_or_default()).as_slice() {
            b"nz" | b"newzealand" => Suicide::Legal,
            b"goe" | b"ing" | b"tromptaylor" | b"trompandtaylor" | b"tt" => Suicide::OfSeveral,
            _ => Suicide::Illegal,
        }
    }

    pub fn outcome(&self) -> Result<Outcome, Fault> {
        let none = |detail: String| Fault::new(Reason::NoResult, detail);
        match self.get(b"RE").map(<[u8]>::trim_ascii) {
            None | Some(b"" | b"?") => Err(none(RESULT_IS_MISSING.to_owned())),
            Some(result) => outcome_of(result)
                .ok_or_else(|| none(format!("its result is RE[{}]", shown(result)))),
        }
    }

    /// White's points, if they can be read.
    pub fn komi(&self) -> Option<Komi> {
        parsed(self.get(b"KM")?)
    }

    /// The names of Black and White, empty if not named.
    pub fn names(&self) -> [Cow<'a, str>; 2] {
        [b"PB", b"PW"].map(|name| self.text(name))
    }

    /// What it says of the game beyond what counts.
    pub fn said(&self) -> GameFacts<'a> {
        let [event, site, round] = [b"EV", b"PC", b"RO"].map(|name| self.text(name));
        GameFacts { event, site, round, ..self.facts(Scored::Never) }
    }

    fn text(&self, name: &[u8; 2]) -> Cow<'a, str> {
        simple_text(self.get(name).unwrap_or_default())
    }

    /// How fast it was. Overtime is written in many ways: with it the time for the game doesn't say.
    fn time_class(&self) -> Option<TimeClass> {
        let has_overtime =
            self.get(b"OT").is_some_and(|overtime| !overtime.trim_ascii().is_empty());
        self.get(b"TM").filter(|_| !has_overtime).and_then(TimeClass::of_tag)
    }

    pub fn facts(&self, scored: Scored) -> GameFacts<'a> {
        GameFacts {
            players: self.names(),
            ratings: self.ratings(),
            date: self.get(b"DT").and_then(Date::of_tag),
            time_class: self.time_class(),
            outcome: self
                .outcome()
                .ok()
                .filter(|_| !matches!(scored, Scored::All | Scored::Passes)),
            ..GameFacts::default()
        }
    }
}

/// The outcome that a result says: `B+3.5`, `W+R`, `0`, `Draw`, and as people wrote before FF[4]. A
/// win by nothing, `B+0`, is a draw.
fn outcome_of(result: &[u8]) -> Option<Outcome> {
    let text: String = result
        .iter()
        .map(|&byte| char::from(byte).to_ascii_lowercase())
        .filter(|letter| !letter.is_whitespace())
        .collect();
    if matches!(text.as_str(), "0" | "draw" | "jigo") {
        return Some(Outcome::Draw);
    }
    let (side, rest) =
        [("black", Side::First), ("white", Side::Second), ("b", Side::First), ("w", Side::Second)]
            .iter()
            .find_map(|&(name, side)| text.strip_prefix(name).map(|rest| (side, rest)))?;
    let by = rest.strip_prefix('+');
    let is_nothing = by.is_some_and(|by| {
        by.starts_with('0') && by.bytes().all(|byte| matches!(byte, b'0' | b'.'))
    });
    match by {
        Some(_) if is_nothing => Some(Outcome::Draw),
        Some(_) => Some(Outcome::won_by(side)),
        None => {
            let starts = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
            let is_lost = starts(&["resign", "lose", "lost", "forfeit"]);
            (is_lost || starts(&["win", "won"]))
                .then(|| Outcome::won_by(if is_lost { side.other() } else { side }))
        }
    }
}

/// A value as people read it: without escapes, on one line.
fn simple_text(value: &[u8]) -> Cow<'_, str> {
    let text = text_of(value);
    if !text.contains(['\\', '\n', '\r', '\t']) {
        return text;
    }
    let (mut plain, mut letters) = (String::with_capacity(text.len()), text.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.extend(letters.next().filter(|letter| !matches!(letter, '\n' | '\r'))),
            letter if letter.is_whitespace() => plain.push(' '),
            letter => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_as_they_are_written() {
        let [first, draw, second] =
            [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins].map(Some);
        for (results, outcome) in [
            (
                "B+3.5|B+R|B+Resign|B+T|B+Time|B+F|B+|b+12|Black+2|B + 3|B+0.5|black won|\
                 Black wins by resignation|White resigns|W lost on time",
                first,
            ),
            ("W+0.5|W+Resign|W+|White +7|white wins|Black resigns.|black forfeits", second),
            ("0|Draw|draw|Jigo|W+0|B+0.0", draw),
            ("Void|void|unknown|W|B|+3|Both lost|3.5|W-3|Blue wins", None),
        ] {
            for result in results.split('|') {
                assert_eq!(outcome_of(result.as_bytes()), outcome, "{result}");
            }
        }
    }

    #[test]
    fn text_without_escapes() {
        for (value, text) in [
            ("plain", "plain"),
            (r"a\]b", "a]b"),
            (r"a\\b", r"a\b"),
            ("a\\\nb", "ab"),
            ("a\nb", "a b"),
            ("a\\", "a"),
            (r"\:x", ":x"),
        ] {
            assert_eq!(simple_text(value.as_bytes()), text);
        }
        assert_eq!(simple_text(b"M\xfcller"), "M\u{fc}ller");
    }
}
