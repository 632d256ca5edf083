//! The readers of all formats: which one reads the archives of which game.

use crate::format::Format;
use crate::lines::LineReader;
#[cfg(feature = "othello")]
use crate::othello::{GgfReader, TranscriptReader, WthorReader};
#[cfg(any(feature = "chess", feature = "draughts", feature = "othello"))]
use crate::pgn::PgnReader;
use crate::reading::{Content, Games, Reads};
#[cfg(feature = "go")]
use crate::sgf::SgfReader;
use crate::split::Segment;
use crate::wanted::{Options, Wanted};
use tabia_games::{Game, Known, with_game};

/// A reader of one format's games of one kind.
pub(crate) type Reader = Box<dyn ReadsSegments>;

/// That the reading of games is to stop; whoever takes them knows why.
pub(crate) struct Stopped;

type AnyGames<'a> = dyn Games<Error = Stopped> + 'a;

/// [`Reads`], whatever the type is.
pub(crate) trait ReadsSegments {
    /// Reads the games of this segment of this archive, given its text.
    fn segment(
        &mut self,
        of: (&str, &Segment),
        text: &[u8],
        games: &mut AnyGames<'_>,
    ) -> Result<Content, Stopped>;
}

impl<R: Reads> ReadsSegments for R {
    fn segment(
        &mut self,
        (archive, segment): (&str, &Segment),
        text: &[u8],
        games: &mut AnyGames<'_>,
    ) -> Result<Content, Stopped> {
        self.enter(archive, segment);
        self.read(text, segment.is_last, games)
    }
}

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

/// The reader for such archives of the game that is wanted; none if there are none, or if it was left
/// out of this build.
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
