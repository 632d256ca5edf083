//! What engines said in comments: evaluations as lichess, cutechess and TCEC write them.
//!
//! | written | by | whose view | of which position |
//! |---|---|---|---|
//! | `[%eval 0.17,20]`, `[%eval #-3]` (moves) | lichess and what follows it | White's | the one after the move |
//! | `+0.25/18 4.1s`, `-M5/20 1.2s` (plies) | cutechess, WinBoard, fastchess | the mover's | the one before the move, which was searched |
//! | `d=25, sd=39, ..., wv=-M12, ...` (plies) | TCEC | White's | the one before the move |
//!
//! A number without a decimal point is skipped: some programs write pawns so, others centipawns. So
//! is `5.5/9`: points in a tournament.

use memchr::memmem;
use tabia_games::row_eval;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EngineEval {
    pub(super) of: Of,
    score: Score,
    /// 0 if not said, 255 if more.
    pub(super) depth: u8,
}

/// Which position it is of, and who sees it like that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// The position after the move, White's view.
    AfterForWhite,
    /// The position before the move, the mover's view.
    BeforeForMover,
    /// The position before the move, White's view.
    BeforeForWhite,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Score {
    Centipawns(i32),
    /// A mate in a number of plies.
    Plies {
        wins: bool,
        count: i32,
    },
    /// A mate in a number of moves of the side that mates, negative if that is the other one.
    Moves(i32),
}

impl EngineEval {
    /// Centipawns for the side to move, up to ±30,000; a mate in n plies is ±(32,000 − n), n at
    /// most 1,999. `is_white` says who that side is.
    pub(super) fn value(self, is_white: bool) -> i16 {
        let is_turned = !is_white && self.of != Of::BeforeForMover;
        let seen = |number: i32| if is_turned { -number } else { number };
        match self.score {
            Score::Centipawns(value) => row_eval::of_number(seen(value)),
            Score::Plies { wins, count } => row_eval::of_mate_in_plies(wins != is_turned, count),
            Score::Moves(count) => row_eval::of_mate_in_moves(seen(count)),
        }
    }
}

pub(super) fn read(comment: &[u8]) -> Option<EngineEval> {
    lichess(comment).or_else(|| cutechess(comment.trim_ascii_start())).or_else(|| tcec(comment))
}

fn lichess(comment: &[u8]) -> Option<EngineEval> {
    let start = memmem::find(comment, b"[%eval ")? + b"[%eval ".len();
    let (mut text, of) = (Scan(comment[start..].trim_ascii_start()), Of::AfterForWhite);
    let score = match text.take(b'#') {
        true => Score::Moves(text.signed(Scan::number)?),
        false => Score::Centipawns(text.pawns(1)?),
    };
    let depth = if text.take(b',') { text.number()? } else { 0 };
    let is_whole = text.0.trim_ascii_start().first() == Some(&b']');
    is_whole.then_some(EngineEval { of, score, depth: short(depth) })
}

fn cutechess(comment: &[u8]) -> Option<EngineEval> {
    let mut text = Scan(comment);
    let score = text.score()?;
    let depth = text.take(b'/').then(|| text.number()).flatten()?;
    let is_whole = text.0.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'.');
    is_whole.then_some(EngineEval { of: Of::BeforeForMover, score, depth: short(depth) })
}

fn tcec(comment: &[u8]) -> Option<EngineEval> {
    memmem::find(comment, b"wv=")?;
    let field = |name: &[u8]| {
        comment
            .split(|&byte| byte == b',')
            .find_map(|field| field.trim_ascii().strip_prefix(name))
            .map(Scan)
    };
    let mut value = field(b"wv=")?;
    let score = value.score().filter(|_| value.0.is_empty())?;
    let depth = field(b"d=").and_then(|mut depth| depth.number()).unwrap_or(0);
    Some(EngineEval { of: Of::BeforeForWhite, score, depth: short(depth) })
}

fn short(depth: i32) -> u8 {
    depth.min(255) as u8
}

struct Scan<'a>(&'a [u8]);

impl Scan<'_> {
    fn take(&mut self, byte: u8) -> bool {
        let rest = self.0.strip_prefix(&[byte]);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// A number with a sign before it, or without.
    fn signed(&mut self, number: impl FnOnce(&mut Self) -> Option<i32>) -> Option<i32> {
        let is_minus = self.take(b'-');
        if !is_minus {
            self.take(b'+');
        }
        number(self).map(|number| if is_minus { -number } else { number })
    }

    fn number(&mut self) -> Option<i32> {
        let length = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) =
            self.0.split_at_checked(length).filter(|_| (1..=6).contains(&length))?;
        self.0 = rest;
        Some(digits.iter().fold(0, |value, digit| value * 10 + i32::from(digit - b'0')))
    }

    /// Pawns with a decimal point and one or two digits after it, at least `least`, as centipawns.
    fn pawns(&mut self, least: usize) -> Option<i32> {
        self.signed(|text| {
            let whole = text.number()?;
            let before = text.take(b'.').then_some(text.0.len())?;
            let part = text.number()?;
            match before - text.0.len() {
                1 if least == 1 => Some(whole * 100 + part * 10),
                2 => Some(whole * 100 + part),
                _ => None,
            }
        })
    }

    /// `+0.25`, or `-M5` for a mate in five plies.
    fn score(&mut self) -> Option<Score> {
        if let [b'M', ..] | [b'+' | b'-', b'M', ..] = self.0 {
            let wins = self.0[0] != b'-';
            let count = self.signed(|text| text.take(b'M').then(|| text.number())?)?.abs();
            return Some(Score::Plies { wins, count });
        }
        self.pawns(2).map(Score::Centipawns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where it belongs, its value if White is to move there, if Black is, and its depth.
    fn said(comment: &str) -> Option<(Of, [i16; 2], u8)> {
        read(comment.as_bytes())
            .map(|said| (said.of, [said.value(true), said.value(false)], said.depth))
    }

    #[test]
    fn lichess_sees_the_position_after_the_move_for_white() {
        for (comment, values, depth) in [
            ("[%eval 0.17]", [17, -17], 0),
            (" [%eval 0.17,20] ", [17, -17], 20),
            ("good [%eval -1.3] [%clk 0:05:00]", [-130, 130], 0),
            ("[%clk 0:05:00] [%eval 0.0]", [0, 0], 0),
            ("[%eval +12.05,300]", [1205, -1205], 255),
            ("[%eval 999.99]", [30_000, -30_000], 0),
            ("[%eval -9999.99]", [-30_000, 30_000], 0),
            ("[%eval #1]", [31_999, -31_998], 0),
            ("[%eval #3,22]", [31_995, -31_994], 22),
            ("[%eval #-3]", [-31_994, 31_995], 0),
            ("[%eval #5000]", [30_001, -30_001], 0),
            ("[%eval #0]", [-32_000, -32_000], 0),
            ("[%eval #-0]", [-32_000, -32_000], 0),
        ] {
            assert_eq!(said(comment), Some((Of::AfterForWhite, values, depth)), "{comment}");
        }
    }

    #[test]
    fn cutechess_sees_the_position_before_the_move_for_the_mover() {
        for (comment, value, depth) in [
            ("+0.25/18 4.1s", 25, 18),
            (" -0.05/30 44s ", -5, 30),
            ("0.00/31 0s, Draw by 3-fold repetition", 0, 31),
            ("+0.56/29-45 36s", 56, 29),
            ("+3.39/15", 339, 15),
            ("-M8/8 0.007s", -31_992, 8),
            ("+M1/127 0.003s, White mates", 31_999, 127),
            ("M5/300 1s", 31_995, 255),
            ("+M999999/1 1s", 30_001, 1),
            ("-400.00/9 1s", -30_000, 9),
        ] {
            let expected = (Of::BeforeForMover, [value, value], depth);
            assert_eq!(said(comment), Some(expected), "{comment}");
        }
    }

    #[test]
    fn tcec_sees_the_position_before_the_move_for_white() {
        for (comment, values, depth) in [
            ("d=28, sd=30, mt=347606, pv=Qh4+ Kf1 e8=Q, tb=4, wv=-0.29, R50=49,", [-29, 29], 28),
            ("d=39, wv=141.23", [14_123, -14_123], 39),
            ("d=300, wv=M53, R50=1", [31_947, -31_947], 255),
            ("wv=-M14,", [-31_986, 31_986], 0),
            ("d=7,\nwv=0.00,", [0, 0], 7),
        ] {
            assert_eq!(said(comment), Some((Of::BeforeForWhite, values, depth)), "{comment}");
        }
    }

    #[test]
    fn other_comments_say_nothing() {
        let comments = "|book|book, mb=+0+0+0+0+0,|1/2-1/2 Kasparov - Anand|5.5/9 was enough|+0.25|\
            +0.25 / 18|0.25/|+0.25/1x|+0.25/18.5|25/18|+.25/18|+0.251/18|M/20|--1.00/20|+-1.00/20|\
            0.25/9999999|99999999999.00/5|[%eval 17]|[%eval 17,20]|[%eval 0.17|[%eval 0.175]|\
            [%eval .17]|[%eval 0.17,]|[%eval 0.17;20]|[%eval #]|[%eval ##3]|[%evp 0,34,19]|\
            [%clk 0:05:00]|wv=|d=20, wv=abc,|d=20, wv=0.25x,|d=20, xwv=0.25,|d=20, wv=0,25";
        for comment in comments.split('|') {
            assert_eq!(said(comment), None, "{comment}");
        }
    }
}
