//! Which of Othello's readers reads which format.

use super::{GgfReader, TranscriptReader, WthorReader};
use crate::format::Format;
use crate::options::Options;
use crate::pgn::PgnReader;
use crate::reading::{Content, Games, Reads};
use crate::split::Segment;
use tabia_games::Othello;

/// A reader of one format's games of Othello.
#[derive(Debug)]
pub(crate) enum OthelloReader {
    Tagged(PgnReader<Othello>),
    Wthor(WthorReader),
    Ggf(GgfReader),
    Transcript(TranscriptReader),
}

impl OthelloReader {
    /// The reader for files of this format; none if games of Othello aren't written so.
    pub fn new(start: Othello, format: Format, options: &Options) -> Option<Self> {
        let wanted = options.wanted.clone();
        match format {
            Format::Tagged => Some(Self::Tagged(PgnReader::new(start, options.join_split, wanted))),
            Format::Wthor => Some(Self::Wthor(WthorReader::new(start, wanted))),
            Format::Ggf => Some(Self::Ggf(GgfReader::new(start, wanted))),
            Format::Transcript => Some(Self::Transcript(TranscriptReader::new(start, wanted))),
            Format::Sgf | Format::Lines => None,
        }
    }

    /// What is read next is this segment of this archive.
    pub fn enter(&mut self, archive: &str, segment: &Segment) {
        if let Self::Wthor(reader) = self {
            reader.enter(archive, segment);
        }
    }
}

impl Reads for OthelloReader {
    fn read<G: Games>(
        &mut self,
        segment: &[u8],
        is_last: bool,
        games: &mut G,
    ) -> Result<Content, G::Error> {
        match self {
            Self::Tagged(reader) => reader.read(segment, is_last, games),
            Self::Wthor(reader) => reader.read(segment, is_last, games),
            Self::Ggf(reader) => reader.read(segment, is_last, games),
            Self::Transcript(reader) => reader.read(segment, is_last, games),
        }
    }
}
