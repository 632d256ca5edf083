//! The formats of archives, recognized by their first bytes, or else by their names.

pub(crate) mod ggf;
pub(crate) mod sgf;
pub(crate) mod transcript;
pub(crate) mod wthor;

use std::path::Path;

/// How games are written down in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Tags and moves: PGN, PDN and what is made after them.
    Tagged,
    /// SGF: trees of nodes with properties.
    Sgf,
    /// GGF: Othello games in brackets.
    Ggf,
    /// WTHOR: Othello games of 68 bytes.
    Wthor,
    /// Othello games, one a line, squares run together: `f5d6c3`.
    Transcript,
    /// Games of any kind, one a line, moves with spaces between them.
    Lines,
}

impl Format {
    /// The name of the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tagged => "text with tags and moves (PGN, PDN)",
            Self::Sgf => "SGF",
            Self::Ggf => "GGF",
            Self::Wthor => "WTHOR",
            Self::Transcript => "Othello transcripts",
            Self::Lines => "games one a line",
        }
    }

    /// The format of a file that starts with these bytes, some thousands of them or all.
    #[must_use]
    pub fn of_content(start: &[u8]) -> Option<Self> {
        if wthor::looks_like(start) {
            return Some(Self::Wthor);
        }
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        if ggf::looks_like(text) {
            return Some(Self::Ggf);
        }
        if text.strip_prefix(b"(").is_some_and(|text| text.trim_ascii_start().starts_with(b";")) {
            return Some(Self::Sgf);
        }
        transcript::looks_like(text).then_some(Self::Transcript)
    }

    /// The format of a file by how its name ends.
    #[must_use]
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
    #[must_use]
    pub const fn head(self) -> usize {
        match self {
            Self::Wthor => wthor::HEADER,
            _ => 0,
        }
    }
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
