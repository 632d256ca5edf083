//! The formats of archives, recognized by their first bytes, or else by their names.

use crate::named;
use std::path::Path;

named! {
    /// How games are written down in an archive.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Format {
        /// Tags and moves: PGN, PDN and what is made after them.
        Tagged = "text with tags and moves (PGN, PDN)",
        /// SGF: trees of nodes with properties.
        Sgf = "SGF",
        /// GGF: Othello games in brackets.
        Ggf = "GGF",
        /// WTHOR: Othello games of 68 bytes.
        Wthor = "WTHOR",
        /// Othello games, one a line, squares run together: `f5d6c3`.
        Transcript = "Othello transcripts",
        /// Games of any kind, one a line, moves with spaces between them.
        Lines = "games one a line",
    }
}

impl Format {
    /// The format of a file that starts with these bytes, some thousands of them or all.
    pub fn of_content(start: &[u8]) -> Option<Self> {
        if looks_like_wthor(start) {
            return Some(Self::Wthor);
        }
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        if looks_like_ggf(text) {
            return Some(Self::Ggf);
        }
        if text.strip_prefix(b"(").is_some_and(|text| text.trim_ascii_start().starts_with(b";")) {
            return Some(Self::Sgf);
        }
        looks_like_transcript(text).then_some(Self::Transcript)
    }

    /// The format of a file by how its name ends.
    pub fn of_name(name: &str) -> Option<Self> {
        let ending = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "pgn" | "pdn" => Some(Self::Tagged),
            "sgf" => Some(Self::Sgf),
            "ggf" => Some(Self::Ggf),
            "wtb" => Some(Self::Wthor),
            "lines" => Some(Self::Lines),
            _ => None,
        }
    }

    /// How many bytes at the start of a file belong to no game.
    pub const fn head(self) -> usize {
        match self {
            Self::Wthor => WTHOR_HEADER,
            _ => 0,
        }
    }
}

pub(crate) fn starts_ggf(text: &[u8]) -> bool {
    text.strip_prefix(b"(;").is_some_and(|text| text.trim_ascii_start().starts_with(b"GM["))
}

/// Whether this starts GGF, whose games have names where SGF has numbers; a number may come first.
pub(crate) fn looks_like_ggf(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = text[digits..].trim_ascii_start();
    let game = text
        .strip_prefix(b"(;")
        .map(<[u8]>::trim_ascii_start)
        .and_then(|text| text.strip_prefix(b"GM["));
    game.is_some_and(|game| game.trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic))
}

/// What stands in a line, between spaces and signs.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b':' | 0))
        .filter(|word| !word.is_empty())
}

/// Whether the first line that is a game begins with four squares or more, nothing between them.
pub(crate) fn looks_like_transcript(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let word = lines
        .find(|line| !line.is_empty() && !line.starts_with(b"#"))
        .and_then(|line| words(line).next())
        .unwrap_or_default();
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    word.len() >= 8 && word[..8].chunks(2).all(is_square)
}

pub(crate) const WTHOR_GAME: usize = 68;
pub(crate) const WTHOR_HEADER: usize = 16;

/// Whether this is the header of a file of games: the day it was made, the number of games, no
/// number of names, a year, a board of 8 or 10.
pub(crate) fn looks_like_wthor(start: &[u8]) -> bool {
    let [century, year, month, day, games0, games1, games2, games3, 0, 0, _, _, board, ..] = *start
    else {
        return false;
    };
    let is_date = matches!(century, 19..=21)
        && year < 100
        && matches!(month, 1..=12)
        && matches!(day, 1..=31);
    start.len() >= WTHOR_HEADER
        && is_date
        && matches!(board, 0 | 8 | 10)
        && [games0, games1, games2, games3] != [0; 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_first_bytes() {
        let cases: [(&[u8], Option<Format>); 10] = [
            (b"(;GM[1]FF[4]SZ[9];B[ee])", Some(Format::Sgf)),
            (b"\xef\xbb\xbf\n( ;B[aa])", Some(Format::Sgf)),
            (b"(;GM[Othello]PC[GGS]", Some(Format::Ggf)),
            (b"2 (;GM[Othello]PC[GGS]", Some(Format::Ggf)),
            (b"\n# two games\nF5D6C3D3C4\n", Some(Format::Transcript)),
            (b"f5d6c3d3c4f4 1-0\n", Some(Format::Transcript)),
            (b"[Event \"x\"]\n1. e4 e5 1-0", None),
            (b"1. e4 (;) 1-0", None),
            (b"", None),
            (&[20, 9, 12, 22, 157, 16, 0, 0, 0, 0, 208, 7, 8, 0, 24, 0, 22], Some(Format::Wthor)),
        ];
        for (start, format) in cases {
            assert_eq!(Format::of_content(start), format, "{}", String::from_utf8_lossy(start));
        }
    }

    #[test]
    fn names_tell_where_content_does_not() {
        assert_eq!(Format::of_name("ogs/a.SGF"), Some(Format::Sgf));
        assert_eq!(Format::of_name("README"), None);
    }
}
