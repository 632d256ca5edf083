//! The readers of all formats: which one reads the archives of which game.

use crate::format::Format;
use crate::lines::LineReader;
#[cfg(feature = "othello")]
use crate::othello::{GgfReader, TranscriptReader, WthorReader};
#[cfg(any(feature = "chess", feature = "draughts", feature = "othello"))]
use crate::pgn::PgnReader;
use crate::reading::Reads;
#[cfg(feature = "go")]
use crate::sgf::SgfReader;
use crate::wanted::{Options, Wanted};
use tabia_games::{Game, Known, with_game};

/// A reader of one format's games of one kind.
pub(crate) type Reader = Box<dyn Reads>;

/// How archives of a game are written, for people.
pub fn formats(game: &Known) -> &'static str {
    match game {
        Known::Chess(_) => "PGN",
        Known::Othello(_) => "WTHOR, PGN, GGF or transcripts",
        Known::Go(_) => "SGF",
        Known::Checkers(_) => "PDN",
        Known::ConnectFour(_) | Known::TicTacToe(_) => "a game a line (--lines)",
    }
}

/// The reader for such archives of the wanted game, if there are such and it is built in.
pub(crate) fn reader(format: Format, options: &Options) -> Option<Reader> {
    use Format::{Ggf, Lines, Sgf, Tagged, Transcript, Wthor};
    let wanted = options.wanted.clone();
    #[cfg(any(feature = "chess", feature = "draughts", feature = "othello"))]
    let join = options.join_split;
    Some(match (options.game.clone(), format) {
        (game, Lines) => with_game!(game, start => of_lines(start, wanted)),
        #[cfg(feature = "chess")]
        (Known::Chess(start), Tagged) => Box::new(PgnReader::new(start, join, wanted)),
        #[cfg(feature = "draughts")]
        (Known::Checkers(start), Tagged) => Box::new(PgnReader::new(start, join, wanted)),
        #[cfg(feature = "othello")]
        (Known::Othello(start), Tagged) => Box::new(PgnReader::new(start, join, wanted)),
        #[cfg(feature = "othello")]
        (Known::Othello(start), Wthor) => Box::new(WthorReader::new(start, wanted)),
        #[cfg(feature = "othello")]
        (Known::Othello(start), Ggf) => Box::new(GgfReader::new(start, wanted)),
        #[cfg(feature = "othello")]
        (Known::Othello(start), Transcript) => Box::new(TranscriptReader::new(start, wanted)),
        #[cfg(feature = "go")]
        (Known::Go(start), Sgf) => Box::new(SgfReader::new(start, wanted)),
        (_, Tagged | Sgf | Ggf | Wthor | Transcript) => return None,
    })
}

fn of_lines<G: Game>(start: &G, wanted: Wanted) -> Reader {
    Box::new(LineReader::new(start.clone(), wanted))
}
