//! The readers of all formats: which one reads the archives of which game.

use crate::format::Format;
use crate::lines::LineReader;
use crate::options::Options;
#[cfg(feature = "othello")]
use crate::othello::{GgfReader, TranscriptReader, WthorReader};
#[cfg(any(feature = "chess", feature = "draughts", feature = "othello"))]
use crate::pgn::PgnReader;
use crate::reading::{Found, Games, Reads};
#[cfg(feature = "go")]
use crate::sgf::SgfReader;
use crate::split::Segment;
use tabia_games::{Checkers, Chess, ConnectFour, Go, Known, Othello, TicTacToe};

/// A reader of one format's games of one kind.
#[derive(Debug)]
#[allow(clippy::enum_variant_names, reason = "with all other formats off there are lines alone")]
pub(crate) enum Reader {
    #[cfg(feature = "chess")]
    Chess(PgnReader<Chess>),
    #[cfg(feature = "draughts")]
    Checkers(PgnReader<Checkers>),
    #[cfg(feature = "othello")]
    Othello(PgnReader<Othello>),
    #[cfg(feature = "othello")]
    Wthor(WthorReader),
    #[cfg(feature = "othello")]
    Ggf(GgfReader),
    #[cfg(feature = "othello")]
    Transcript(TranscriptReader),
    #[cfg(feature = "go")]
    Sgf(SgfReader),
    ChessLines(LineReader<Chess>),
    CheckersLines(LineReader<Checkers>),
    OthelloLines(LineReader<Othello>),
    GoLines(LineReader<Go>),
    ConnectFourLines(LineReader<ConnectFour>),
    TicTacToeLines(LineReader<TicTacToe>),
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
        use Format::{Ggf, Lines, Sgf, Tagged, Transcript, Wthor};
        let wanted = options.wanted.clone();
        #[cfg(any(feature = "chess", feature = "draughts", feature = "othello"))]
        let join = options.join_split;
        Some(match (options.game.clone(), format) {
            (Known::Chess(start), Lines) => Self::ChessLines(LineReader::new(start, wanted)),
            (Known::Checkers(start), Lines) => Self::CheckersLines(LineReader::new(start, wanted)),
            (Known::Othello(start), Lines) => Self::OthelloLines(LineReader::new(start, wanted)),
            (Known::Go(start), Lines) => Self::GoLines(LineReader::new(start, wanted)),
            (Known::ConnectFour(start), Lines) => {
                Self::ConnectFourLines(LineReader::new(start, wanted))
            }
            (Known::TicTacToe(start), Lines) => {
                Self::TicTacToeLines(LineReader::new(start, wanted))
            }
            #[cfg(feature = "chess")]
            (Known::Chess(start), Tagged) => Self::Chess(PgnReader::new(start, join, wanted)),
            #[cfg(feature = "draughts")]
            (Known::Checkers(start), Tagged) => Self::Checkers(PgnReader::new(start, join, wanted)),
            #[cfg(feature = "othello")]
            (Known::Othello(start), format) => match format {
                Tagged => Self::Othello(PgnReader::new(start, join, wanted)),
                Wthor => Self::Wthor(WthorReader::new(start, wanted)),
                Ggf => Self::Ggf(GgfReader::new(start, wanted)),
                Transcript => Self::Transcript(TranscriptReader::new(start, wanted)),
                Sgf | Lines => return None,
            },
            #[cfg(feature = "go")]
            (Known::Go(start), Sgf) => Self::Sgf(SgfReader::new(start, wanted)),
            (_, Tagged | Sgf | Ggf | Wthor | Transcript) => return None,
        })
    }

    /// What is read next is this segment of this archive.
    pub fn enter(&mut self, archive: &str, segment: &Segment) {
        #[cfg(feature = "othello")]
        if let Self::Wthor(reader) = self {
            reader.enter(archive, segment);
        }
        #[cfg(not(feature = "othello"))]
        let _ = (archive, segment);
    }
}

impl Reads for Reader {
    fn read<G: Games>(&mut self, segment: &[u8], is_last: bool, games: &mut G) -> Found<G> {
        match self {
            #[cfg(feature = "chess")]
            Self::Chess(reader) => reader.read(segment, is_last, games),
            #[cfg(feature = "draughts")]
            Self::Checkers(reader) => reader.read(segment, is_last, games),
            #[cfg(feature = "othello")]
            Self::Othello(reader) => reader.read(segment, is_last, games),
            #[cfg(feature = "othello")]
            Self::Wthor(reader) => reader.read(segment, is_last, games),
            #[cfg(feature = "othello")]
            Self::Ggf(reader) => reader.read(segment, is_last, games),
            #[cfg(feature = "othello")]
            Self::Transcript(reader) => reader.read(segment, is_last, games),
            #[cfg(feature = "go")]
            Self::Sgf(reader) => reader.read(segment, is_last, games),
            Self::ChessLines(reader) => reader.read(segment, is_last, games),
            Self::CheckersLines(reader) => reader.read(segment, is_last, games),
            Self::OthelloLines(reader) => reader.read(segment, is_last, games),
            Self::GoLines(reader) => reader.read(segment, is_last, games),
            Self::ConnectFourLines(reader) => reader.read(segment, is_last, games),
            Self::TicTacToeLines(reader) => reader.read(segment, is_last, games),
        }
    }
}
