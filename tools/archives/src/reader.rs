//! The readers of all formats: which one reads the archives of which game.

use crate::format::Format;
use crate::lines::KnownLines;
use crate::options::Options;
use crate::othello::{GgfReader, TranscriptReader, WthorReader};
use crate::pgn::PgnReader;
use crate::reading::{Content, Games, Reads};
use crate::sgf::SgfReader;
use crate::split::Piece;
use tabia_games::{Checkers, Chess, Known, Othello};

/// A reader of one format's games of one kind.
#[derive(Debug)]
pub(crate) enum Reader {
    Chess(PgnReader<Chess>),
    Othello(PgnReader<Othello>),
    Checkers(PgnReader<Checkers>),
    Go(SgfReader),
    Wthor(WthorReader),
    Ggf(GgfReader),
    Transcript(TranscriptReader),
    Lines(KnownLines),
}

/// How archives of a game are written, for people.
pub(crate) fn formats(game: &Known) -> &'static str {
    match game {
        Known::Chess(_) => "PGN",
        Known::Othello(_) => "WTHOR, PGN, GGF or transcripts",
        Known::Go(_) => "SGF",
        Known::Checkers(_) => "PDN",
    }
}

impl Reader {
    /// The reader for such archives of the game that is wanted; none if there are none.
    pub fn new(format: Format, options: &Options) -> Option<Self> {
        let (wanted, join_split) = (options.wanted.clone(), options.join_split);
        match (&options.game, format) {
            (Known::Chess(start), Format::Tagged) => {
                Some(Self::Chess(PgnReader::new(start.clone(), join_split, wanted)))
            }
            (Known::Othello(start), Format::Tagged) => {
                Some(Self::Othello(PgnReader::new(start.clone(), join_split, wanted)))
            }
            (Known::Othello(start), Format::Wthor) => {
                Some(Self::Wthor(WthorReader::new(start.clone(), wanted)))
            }
            (Known::Othello(start), Format::Ggf) => {
                Some(Self::Ggf(GgfReader::new(start.clone(), wanted)))
            }
            (Known::Othello(start), Format::Transcript) => {
                Some(Self::Transcript(TranscriptReader::new(start.clone(), wanted)))
            }
            (Known::Checkers(start), Format::Tagged) => {
                Some(Self::Checkers(PgnReader::new(start.clone(), join_split, wanted)))
            }
            (Known::Go(start), Format::Sgf) => Some(Self::Go(SgfReader::new(*start, wanted))),
            (game, Format::Lines) => Some(Self::Lines(KnownLines::new(game, wanted))),
            _ => None,
        }
    }

    /// What is read next is this piece of this archive.
    pub fn enter(&mut self, archive: &str, piece: &Piece) {
        if let Self::Wthor(reader) = self {
            reader.enter(archive, piece);
        }
    }
}

impl Reads for Reader {
    fn read<G: Games>(
        &mut self,
        piece: &[u8],
        is_last: bool,
        games: &mut G,
    ) -> Result<Content, G::Error> {
        match self {
            Self::Chess(reader) => reader.read(piece, is_last, games),
            Self::Othello(reader) => reader.read(piece, is_last, games),
            Self::Wthor(reader) => reader.read(piece, is_last, games),
            Self::Ggf(reader) => reader.read(piece, is_last, games),
            Self::Transcript(reader) => reader.read(piece, is_last, games),
            Self::Checkers(reader) => reader.read(piece, is_last, games),
            Self::Go(reader) => reader.read(piece, is_last, games),
            Self::Lines(reader) => reader.read(piece, is_last, games),
        }
    }
}
