//! The readers of all formats: which one reads the archives of which game.

use crate::format::Format;
use crate::lines::KnownLines;
use crate::options::Options;
#[cfg(feature = "othello")]
use crate::othello::OthelloReader;
#[cfg(any(feature = "chess", feature = "draughts"))]
use crate::pgn::PgnReader;
use crate::reading::{Content, Games, Reads};
#[cfg(feature = "go")]
use crate::sgf::SgfReader;
use crate::split::Segment;
use tabia_games::Known;

/// A reader of one format's games of one kind.
#[derive(Debug)]
pub(crate) enum Reader {
    #[cfg(feature = "chess")]
    Chess(PgnReader<tabia_games::Chess>),
    #[cfg(feature = "othello")]
    Othello(OthelloReader),
    #[cfg(feature = "draughts")]
    Checkers(PgnReader<tabia_games::Checkers>),
    #[cfg(feature = "go")]
    Go(SgfReader),
    Lines(KnownLines),
}

/// How archives of a game are written, for people.
#[must_use]
pub fn formats(game: &Known) -> &'static str {
    match game {
        Known::Chess(_) => "PGN",
        Known::Othello(_) => "WTHOR, PGN, GGF or transcripts",
        Known::Go(_) => "SGF",
        Known::Checkers(_) => "PDN",
        Known::ConnectFour(_) | Known::TicTacToe(_) => "a game a line (--lines)",
    }
}

impl Reader {
    /// The reader for such archives of the game that is wanted; none if there are none, or if it was
    /// left out of this build.
    pub fn new(format: Format, options: &Options) -> Option<Self> {
        let wanted = options.wanted.clone();
        match (&options.game, format) {
            (game, Format::Lines) => Some(Self::Lines(KnownLines::new(game, wanted))),
            #[cfg(feature = "chess")]
            (Known::Chess(start), Format::Tagged) => {
                Some(Self::Chess(PgnReader::new(start.clone(), options.join_split, wanted)))
            }
            #[cfg(feature = "othello")]
            (Known::Othello(start), format) => {
                OthelloReader::new(start.clone(), format, options).map(Self::Othello)
            }
            #[cfg(feature = "draughts")]
            (Known::Checkers(start), Format::Tagged) => {
                Some(Self::Checkers(PgnReader::new(start.clone(), options.join_split, wanted)))
            }
            #[cfg(feature = "go")]
            (Known::Go(start), Format::Sgf) => Some(Self::Go(SgfReader::new(*start, wanted))),
            _ => None,
        }
    }

    /// What is read next is this segment of this archive.
    pub fn enter(&mut self, archive: &str, segment: &Segment) {
        #[cfg(feature = "othello")]
        if let Self::Othello(reader) = self {
            reader.enter(archive, segment);
        }
        #[cfg(not(feature = "othello"))]
        let _ = (archive, segment);
    }
}

impl Reads for Reader {
    fn read<G: Games>(
        &mut self,
        segment: &[u8],
        is_last: bool,
        games: &mut G,
    ) -> Result<Content, G::Error> {
        match self {
            #[cfg(feature = "chess")]
            Self::Chess(reader) => reader.read(segment, is_last, games),
            #[cfg(feature = "othello")]
            Self::Othello(reader) => reader.read(segment, is_last, games),
            #[cfg(feature = "draughts")]
            Self::Checkers(reader) => reader.read(segment, is_last, games),
            #[cfg(feature = "go")]
            Self::Go(reader) => reader.read(segment, is_last, games),
            Self::Lines(reader) => reader.read(segment, is_last, games),
        }
    }
}
