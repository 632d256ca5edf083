//! Reading PGN: a piece of an archive, as [`crate::split`] cuts it, into replayed games.
//!
//! Only the main line counts. Comments and variations are skipped, moves are read in every spelling [`tabia_games::Chess`] knows, marks (`!`, `$1` ...)
//! are kept with their move. Text that can't be read makes the game broken: it is never passed over in the hope that it was no move.
//! (That is why this isn't built on the crate pgn-reader, which drops what it can't read. It is the oracle of the tests instead.)
//!
//! - The result is that of the `Result` tag where there is one, else that of the text's end: `1-0`, `0-1`, `1/2-1/2`, also `1/2`. Anything else is no
//!   decided result.
//! - A game goes in only if all of it can be played, to its last move.
//! - One blank line stands between tags and moves. Behind a second one the moves are a game of their own, whose result nobody knows, and the tags are one
//!   without moves; both are reported. [`PgnReader::joining`] takes them for one game instead.
//! - A game without tags starts at a move and ends at a result. Text before it that belongs to nothing makes it broken, and is no game by itself.
//! - The last game of an archive may be cut off: it goes in if its `Result` tag says how it ended. A last move that touches the very end of the
//!   archive and isn't a legal one is taken for cut off, and left out.

mod movetext;
mod tags;

use crate::played::{Played, Ply};
use crate::tally::Reason;
use movetext::{Marker, Text};
use tabia_games::chess::Trouble;
use tabia_games::{Chess, Game};
use tags::Tags;

/// Why a game was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Why.
    pub reason: Reason,
    /// What exactly.
    pub detail: String,
}

impl Fault {
    #[cold]
    fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

/// What a piece turned out to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// Nothing but spaces.
    #[default]
    Blank,
    /// Text in which there is neither a tag nor a legal move.
    Other,
    /// PGN.
    Pgn,
}

/// What becomes of the games of a piece.
pub trait Games {
    /// What stops the reading.
    type Error;

    /// A game that goes in. `at` is its first byte in the piece.
    ///
    /// # Errors
    /// Whatever shall stop the reading.
    fn played(&mut self, at: usize, game: &Played) -> Result<(), Self::Error>;

    /// A game that doesn't. `players` are as its tags name them, or empty.
    fn skipped(&mut self, at: usize, fault: Fault, players: String);
}

/// Reads PGN, game after game, in buffers it keeps.
#[derive(Debug)]
pub struct PgnReader {
    start: Chess,
    game: Played,
    join_split: bool,
}

impl Default for PgnReader {
    fn default() -> Self {
        Self { start: Chess::start(), game: Played::default(), join_split: false }
    }
}

impl PgnReader {
    /// A reader that takes tags and the moves behind them for one game, however many blank lines stand between, or not.
    #[must_use]
    pub fn joining(join_split: bool) -> Self {
        Self { join_split, ..Self::default() }
    }

    /// Reads the games of a piece. `is_last` says that the archive ends with it.
    ///
    /// # Errors
    /// What `games` stops the reading with.
    pub fn read<G: Games>(&mut self, piece: &[u8], is_last: bool, games: &mut G) -> Result<Content, G::Error> {
        let mut text = Text::new(piece, is_last);
        text.skip_to_content();
        let mut at = text.at();
        let mut tags = Tags::read(&mut text);
        let mut content = match (tags.are_there(), text.ahead()) {
            (true, _) => Content::Pgn,
            (false, []) => Content::Blank,
            (false, _) => Content::Other,
        };
        if tags.are_apart() && !self.join_split && !text.ahead().is_empty() {
            let fault = Fault::new(Reason::NoMoves, "two blank lines part it from the moves behind it (--join-split joins them)");
            games.skipped(at, fault, tags.players());
            tags = Tags::cut_off();
            at = text.at();
        }
        while let Some(verdict) = self.game(&mut text, &tags) {
            if !self.game.plies.is_empty() {
                content = Content::Pgn;
            }
            match verdict {
                Ok(()) => games.played(at, &self.game)?,
                Err(fault) => games.skipped(at, fault, tags.players()),
            }
            tags = Tags::default();
            text.skip_to_content();
            at = text.at();
        }
        Ok(content)
    }

    /// Reads one game into `self.game`, or says why it can't go in. None if there is no more.
    fn game(&mut self, text: &mut Text<'_>, tags: &Tags<'_>) -> Option<Result<(), Fault>> {
        self.game.plies.clear();
        let mut replay =
            Replay { game: self.start.clone(), plies: &mut self.game.plies, fault: None, in_game: tags.are_there(), stray: false };
        match tags.start() {
            Ok(None) => {}
            Ok(Some(start)) => replay.game = start,
            Err(fault) => replay.fault = Some(fault),
        }
        let marker = text.moves(&mut replay);
        let Replay { game, fault, in_game, .. } = replay;
        in_game.then(|| self.verdict(&game, fault, tags, marker))
    }

    fn verdict(&mut self, end: &Chess, fault: Option<Fault>, tags: &Tags<'_>, marker: Marker) -> Result<(), Fault> {
        if let Some(fault) = fault {
            return Err(fault);
        }
        if self.game.plies.is_empty() {
            return Err(Fault::new(Reason::NoMoves, "it has no moves"));
        }
        self.game.last = (end.key(), end.side());
        self.game.outcome = tags.outcome(marker)?;
        Ok(())
    }
}

/// A game being replayed.
struct Replay<'a> {
    game: Chess,
    plies: &'a mut Vec<Ply>,
    /// Once there is one, nothing is replayed any more.
    fault: Option<Fault>,
    /// It has tags or a move: it is a game.
    in_game: bool,
    /// There was text before it that belongs to nothing.
    stray: bool,
}

impl Replay<'_> {
    /// Plays the move a text means. `may_be_cut` says that the archive ends with it.
    #[inline]
    fn play(&mut self, text: &[u8], may_be_cut: bool) {
        if self.fault.is_some() {
            return;
        }
        match self.game.read_move(text) {
            Ok(played) if self.in_game => {
                let (key, side, code) = (self.game.key(), self.game.side(), self.game.code(&played));
                self.plies.push(Ply { key, code, side, marks: 0 });
                self.game.play(&played);
            }
            Ok(_) => {
                self.begin();
                self.play(text, may_be_cut);
            }
            Err(_) if may_be_cut => {}
            Err(trouble) => self.fails(trouble, text),
        }
    }

    /// A game without tags begins with its first move.
    #[cold]
    fn begin(&mut self) {
        self.in_game = true;
        if self.stray {
            self.fault = Some(Fault::new(Reason::Broken, "text that belongs to no tag stands before its moves"));
        }
    }

    #[cold]
    fn fails(&mut self, trouble: Trouble, text: &[u8]) {
        if !self.in_game {
            if matches!(trouble, Trouble::Unreadable | Trouble::Null) {
                self.stray = true;
                return;
            }
            self.begin();
        }
        let (reason, what) = match trouble {
            Trouble::Unreadable => (Reason::Broken, "can't be read as a move"),
            Trouble::Null => (Reason::NullMove, "is a null move"),
            Trouble::Illegal => (Reason::IllegalMove, "is not legal"),
            Trouble::Ambiguous => (Reason::IllegalMove, "could be more than one move"),
        };
        let text = String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
        self.fault.get_or_insert_with(|| Fault::new(reason, format!("`{text}` {what} at ply {}", self.plies.len() + 1)));
    }

    /// The game can't be read, unless that is known already.
    #[cold]
    fn breaks(&mut self, detail: &str) {
        if self.fault.is_none() {
            self.fault = Some(Fault::new(Reason::Broken, format!("{detail}, after ply {}", self.plies.len())));
        }
    }

    /// Adds marks to the last move.
    fn mark(&mut self, marks: u8) {
        if let Some(ply) = self.plies.last_mut().filter(|_| self.fault.is_none()) {
            ply.marks |= marks;
        }
    }
}
