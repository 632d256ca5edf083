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
//!   without moves; both are reported. [`PgnReader::new`] with `join_split` takes them for one game instead.
//! - A game without tags starts at a move and ends at a result. Text before it that belongs to nothing makes it broken, and is no game by itself.
//! - The last game of an archive may be cut off: it goes in if its `Result` tag says how it ended. A last move that touches the very end of the
//!   archive and isn't a legal one is taken for cut off, and left out.
//! - A game that a [`Filter`](crate::filter::Filter) leaves out by its tags is read to its end, but not replayed: its faults, if it has any, stay unknown.

mod evals;
mod movetext;
mod tags;

use crate::filter::Variant;
use crate::played::{Eval, Played, Ply};
use crate::tally::{Filtered, Reason};
use crate::wanted::{UnknownResults, Wanted};
use evals::Of;
use movetext::{Marker, Text};
use tabia::format::Keyed;
use tabia_games::{Chess, Game, Outcome, Side, Trouble, line_next, line_start};
pub(crate) use tags::roster;
use tags::{Names, Tags};

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
    pub(crate) fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

/// Why a game doesn't go in.
enum Out {
    Skipped(Fault),
    Filtered(Filtered),
}

impl From<Fault> for Out {
    fn from(fault: Fault) -> Self {
        Self::Skipped(fault)
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

    /// A game that isn't wanted.
    fn filtered(&mut self, _reason: Filtered) {}
}

/// Reads PGN, game after game, in buffers it keeps.
#[derive(Debug)]
pub struct PgnReader {
    start: Chess,
    game: Played,
    join_split: bool,
    wanted: Wanted,
    names: Names,
}

impl Default for PgnReader {
    fn default() -> Self {
        Self::new(false, Wanted::default())
    }
}

impl PgnReader {
    /// A reader of what is wanted. With `join_split` it takes tags and the moves behind them for one game, however many blank lines stand between.
    #[must_use]
    pub fn new(join_split: bool, wanted: Wanted) -> Self {
        Self { start: Chess::start(), game: Played::default(), join_split, wanted, names: Names::default() }
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
            self.without_moves(at, &tags, games);
            tags = Tags::cut_off();
            at = text.at();
        }
        while let Some(verdict) = self.game(&mut text, &tags) {
            if !self.game.plies.is_empty() {
                content = Content::Pgn;
            }
            match verdict {
                Ok(()) => games.played(at, &self.game)?,
                Err(Out::Skipped(fault)) => games.skipped(at, fault, tags.players()),
                Err(Out::Filtered(reason)) => games.filtered(reason),
            }
            tags = Tags::default();
            text.skip_to_content();
            at = text.at();
        }
        Ok(content)
    }

    /// Reports tags that stand apart from the moves behind them.
    #[cold]
    fn without_moves<G: Games>(&self, at: usize, tags: &Tags<'_>, games: &mut G) {
        if let Err(Out::Filtered(reason)) = self.start(tags) {
            return games.filtered(reason);
        }
        let fault = Fault::new(Reason::NoMoves, "two blank lines part it from the moves behind it (--join-split joins them)");
        games.skipped(at, fault, tags.players());
    }

    /// Reads one game into `self.game`, or says why it doesn't go in. None if there is no more.
    fn game(&mut self, text: &mut Text<'_>, tags: &Tags<'_>) -> Option<Result<(), Out>> {
        let (start, out) = match self.start(tags) {
            Ok(start) => (start, None),
            Err(out) => (None, Some(out)),
        };
        // Without tags it takes a replay to know whether there is a game at all.
        let (out, out_if_game) = if tags.are_there() { (out, None) } else { (None, out) };
        self.game.plies.clear();
        self.game.evals.clear();
        let mut replay = Replay {
            game: start.unwrap_or_else(|| self.start.clone()),
            plies: &mut self.game.plies,
            evals: self.wanted.evals.then_some(&mut self.game.evals),
            out,
            in_game: tags.are_there(),
            stray: false,
        };
        let marker = text.moves(&mut replay);
        let Replay { game, out, in_game, .. } = replay;
        in_game.then(|| self.verdict(&game, out_if_game.or(out), tags, marker))
    }

    /// The position a game with these tags starts from, if it isn't the usual one, or why it doesn't go in whatever its moves are.
    #[inline]
    fn start(&self, tags: &Tags<'_>) -> Result<Option<Chess>, Out> {
        let filter = &self.wanted.filter;
        tags.check_variant()?;
        if let Some(reason) = filter.wants_facts().then(|| filter.judge(&tags.facts())).flatten() {
            return Err(Out::Filtered(reason));
        }
        let start = tags.start()?;
        if filter.variant.is_some() {
            let is_drawn = tags.are_chess960() || start.as_ref().is_some_and(Chess::is_chess960);
            let variant = if is_drawn { Variant::Chess960 } else { Variant::Standard };
            filter.judge_variant(variant).map_or(Ok(()), |reason| Err(Out::Filtered(reason)))?;
        }
        Ok(start)
    }

    fn verdict(&mut self, end: &Chess, out: Option<Out>, tags: &Tags<'_>, marker: Marker) -> Result<(), Out> {
        if let Some(out) = out {
            return Err(out);
        }
        if self.game.plies.is_empty() {
            return Err(Fault::new(Reason::NoMoves, "it has no moves").into());
        }
        self.game.outcome = self.outcome(tags, marker)?;
        if let Some(reason) = self.wanted.filter.judge_length(self.game.plies.len()) {
            return Err(Out::Filtered(reason));
        }
        self.game.last = (end.key(), end.side());
        self.game.ratings = tags.ratings();
        if self.wanted.players {
            self.game.players = self.names.hash(tags);
        }
        if self.wanted.keyed == Keyed::Line {
            key_by_line(&mut self.game);
        }
        Ok(())
    }

    /// How the game counts.
    #[inline]
    fn outcome(&self, tags: &Tags<'_>, marker: Marker) -> Result<Outcome, Out> {
        let outcome = match (tags.outcome(marker), self.wanted.unknown_results) {
            (Ok(outcome), _) => Some(outcome),
            (Err(_), UnknownResults::Count) => None,
            (Err(fault), UnknownResults::Skip) => return Err(fault.into()),
        };
        match (self.wanted.filter.judge_outcome(outcome), self.wanted.unknown_results, outcome) {
            (Some(reason), _, _) => Err(Out::Filtered(reason)),
            (None, UnknownResults::Skip, Some(outcome)) => Ok(outcome),
            _ => Ok(Outcome::Draw),
        }
    }
}

/// Puts the keys of lines in place of those of positions.
fn key_by_line(game: &mut Played) {
    let start = game.plies.first().map_or(game.last.0, |ply| ply.key);
    let after = |line, ply: &mut Ply| {
        ply.key = line;
        line_next(line, ply.code)
    };
    game.last.0 = game.plies.iter_mut().fold(line_start(start), after);
}

/// A game being replayed.
struct Replay<'a> {
    game: Chess,
    plies: &'a mut Vec<Ply>,
    /// What engines said, if that is wanted.
    evals: Option<&'a mut Vec<Eval>>,
    /// Once there is a reason why it doesn't go in, nothing is replayed any more.
    out: Option<Out>,
    /// It has tags or a move: it is a game.
    in_game: bool,
    /// There was text before it that belongs to nothing.
    stray: bool,
}

impl Replay<'_> {
    /// Plays the move a text means. `may_be_cut` says that the archive ends with it.
    #[inline]
    fn play(&mut self, text: &[u8], may_be_cut: bool) {
        if self.out.is_some() {
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
            self.out = Some(Fault::new(Reason::Broken, "text that belongs to no tag stands before its moves").into());
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
        self.out.get_or_insert_with(|| Fault::new(reason, format!("`{text}` {what} at ply {}", self.plies.len() + 1)).into());
    }

    /// The game can't be read, unless that is known already.
    #[cold]
    fn breaks(&mut self, detail: &str) {
        if self.out.is_none() {
            self.out = Some(Fault::new(Reason::Broken, format!("{detail}, after ply {}", self.plies.len())).into());
        }
    }

    /// Adds marks to the last move.
    fn mark(&mut self, marks: u8) {
        if let Some(ply) = self.plies.last_mut().filter(|_| self.out.is_none()) {
            ply.marks |= marks;
        }
    }

    /// Takes what an engine says in a comment behind the last move, if that is wanted.
    #[inline]
    fn comment(&mut self, comment: &[u8]) {
        if self.evals.is_some() && self.in_game && self.out.is_none() {
            self.eval(comment);
        }
    }

    #[inline(never)]
    fn eval(&mut self, comment: &[u8]) {
        let (Some(evals), Some(said)) = (&mut self.evals, evals::read(comment)) else { return };
        let position = match said.of {
            Of::AfterForWhite => Some((self.plies.len(), self.game.side())),
            Of::BeforeForMover | Of::BeforeForWhite => self.plies.last().map(|ply| (self.plies.len() - 1, ply.side)),
        };
        if let Some((plies, side)) = position {
            let (plies, value) = (u32::try_from(plies).unwrap_or(u32::MAX), said.value(side == Side::First));
            evals.push(Eval { plies, value, depth: said.depth });
        }
    }
}
