//! The readers of all formats: which one reads the archives of which game.

use crate::files::File;
use crate::format::Format;
use crate::ingest::Options;
use crate::lines::KnownLines;
use crate::pgn::PgnReader;
use crate::reading::{Content, Games, Reads};
use std::sync::Arc;
use tabia_games::{Chess, Known};

/// A reader of one format's games of one kind.
#[derive(Debug)]
pub(crate) enum Reader {
    Chess(PgnReader<Chess>),
    Lines(KnownLines),
}

impl Reader {
    /// The reader for such archives of the game that is wanted; none if there are none.
    pub fn new(format: Format, options: &Options) -> Option<Self> {
        let (wanted, join_split) = (options.wanted.clone(), options.join_split);
        match (&options.game, format) {
            (Known::Chess(start), Format::Tagged) => Some(Self::Chess(PgnReader::new(start.clone(), join_split, wanted))),
            (game, Format::Lines) => Some(Self::Lines(KnownLines::new(game, wanted))),
            _ => None,
        }
    }

    /// What is read next is of this file.
    pub fn enter(&mut self, _archive: &str, _file: &Arc<File>) {
        match self {
            Self::Chess(_) | Self::Lines(_) => {}
        }
    }
}

impl Reads for Reader {
    fn read<G: Games>(&mut self, piece: &[u8], is_last: bool, games: &mut G) -> Result<Content, G::Error> {
        match self {
            Self::Chess(reader) => reader.read(piece, is_last, games),
            Self::Lines(reader) => reader.read(piece, is_last, games),
        }
    }
}
