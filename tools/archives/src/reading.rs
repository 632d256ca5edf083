//! What a reader of archives makes of their segments: games that count, and why others don't.

use crate::digest::{GameContent, hash_of_players};
use crate::filter::{Date, Filter, GameFacts};
use crate::game_record::{GameRecord, Ply};
use crate::split::Segment;
use crate::stats::{Filtered, Reason};
use crate::wanted::{UnknownResults, Wanted};
use std::borrow::Cow;
use std::str::FromStr;
use tabia::{Column, Keyed, Marks};
use tabia_games::{Game, Line, Outcome, Side, Trouble};

/// Why the reading of games is to stop, as whoever takes them says.
pub type Stopped = Box<dyn std::error::Error>;

/// What a segment turned out to be, unless its reading was stopped.
pub type Done = Result<Content, Stopped>;

/// Reads games of one format, in buffers it keeps.
pub trait Reads {
    /// What is read next is this segment of this archive, for readers that need to know.
    fn enter(&mut self, _archive: &str, _segment: &Segment) {}

    /// Reads the games of a segment. `is_last` says that the file ends with it. Fails if `games`
    /// stops the reading.
    fn read(&mut self, segment: &[u8], is_last: bool, games: &mut dyn Games) -> Done;
}

/// Why a game was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Why.
    pub reason: Reason,
    /// What exactly.
    pub detail: String,
}

impl Fault {
    /// A fault with this reason.
    #[cold]
    pub fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }

    #[cold]
    pub(crate) fn broken(detail: impl Into<String>) -> Self {
        Self::new(Reason::Broken, detail)
    }

    #[cold]
    pub(crate) fn other_game(detail: impl Into<String>) -> Self {
        Self::new(Reason::OtherGame, detail)
    }

    /// For a text that should be the move of this ply, counted from 1.
    #[cold]
    pub(crate) fn of_move(trouble: Trouble, text: &[u8], ply: usize) -> Self {
        let (reason, what) = match trouble {
            Trouble::Unreadable => (Reason::Broken, "can't be read as a move"),
            Trouble::Null => (Reason::NullMove, "is a null move"),
            Trouble::Illegal => (Reason::IllegalMove, "is not legal"),
            Trouble::Ambiguous => (Reason::IllegalMove, "could be more than one move"),
        };
        Self::at_ply(reason, text, what, ply)
    }

    /// For a text that should be the move of this ply, and what is wrong with it.
    pub(crate) fn at_ply(reason: Reason, text: &[u8], what: &str, ply: usize) -> Self {
        Self::new(reason, format!("`{}` {what} at ply {ply}", shown(text)))
    }
}

/// The text of these bytes: UTF-8, or else Latin-1.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// What a text means that is a number and nothing else.
pub(crate) fn parsed<T: FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

pub(crate) fn leading_number(text: &[u8]) -> Option<u32> {
    parsed(&text[..text.iter().take_while(|byte| byte.is_ascii_digit()).count()])
}

/// The start of a text, for people.
pub(crate) fn shown(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&text[..text.len().min(40)])
}

/// Why a game isn't counted.
pub(crate) enum Out {
    Skipped(Fault),
    Filtered(Filtered),
}

impl From<Fault> for Out {
    fn from(fault: Fault) -> Self {
        Self::Skipped(fault)
    }
}

impl From<Filtered> for Out {
    fn from(reason: Filtered) -> Self {
        Self::Filtered(reason)
    }
}

/// Hands on the game that was read at this byte, or why it isn't counted, and who played it.
#[inline]
pub(crate) fn give(
    games: &mut dyn Games,
    at: usize,
    verdict: Result<&GameRecord, Out>,
    players: impl FnOnce() -> String,
) -> Result<(), Stopped> {
    match verdict {
        Ok(game) => return games.played(at, game),
        Err(Out::Skipped(fault)) => games.skipped(at, fault, players()),
        Err(Out::Filtered(reason)) => games.filtered(reason),
    }
    Ok(())
}

/// Makes sure that the games are wanted of which this is known before their moves.
#[inline]
pub(crate) fn judge<'a>(filter: &Filter, facts: impl FnOnce() -> GameFacts<'a>) -> Result<(), Out> {
    if filter.wants_facts() { Ok(filter.judge(&facts())?) } else { Ok(()) }
}

/// The players, as in `Go Seigen - Kitani Minoru`; empty if none is named.
pub(crate) fn pairing([first, second]: [Cow<'_, str>; 2]) -> String {
    if first.is_empty() && second.is_empty() {
        return String::new();
    }
    format!("{first} - {second}")
}

/// What a segment of an archive turned out to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// Nothing but spaces.
    #[default]
    Blank,
    /// Something in which there is no game.
    Other,
    /// Games.
    Games,
}

/// A receiver of the games of a segment.
pub trait Games {
    /// A game that counts. `at` is its first byte in the segment.
    ///
    /// # Errors
    /// If the reading is to stop.
    fn played(&mut self, at: usize, game: &GameRecord) -> Result<(), Stopped>;

    /// A game that doesn't. `players` are as its tags name them, or empty.
    fn skipped(&mut self, at: usize, fault: Fault, players: String);

    /// Of the game that was just handed on the tags and the moves are parted by two blank lines or
    /// more, and it was read as one game.
    fn joined(&mut self) {}

    /// What was just handed on is a variation of a game.
    fn is_variation(&mut self) {}

    /// The game that was just handed on has so many variations, which aren't wanted.
    fn variations_left_out(&mut self, _variations: u64) {}

    /// A game that isn't wanted.
    fn filtered(&mut self, _reason: Filtered) {}
}

/// A game being replayed: its position, and what its plies are keyed by.
#[derive(Clone, Debug)]
pub(crate) struct Replayed<G> {
    /// The position it has come to.
    pub position: G,
    /// The line it has made, if that is what is wanted.
    line: Option<Line>,
    /// What goes into its digest, if that is wanted.
    told: Option<GameContent>,
}

impl<G: Game> Replayed<G> {
    /// A game that starts from this position. `played` loses what it held of another.
    #[inline]
    pub fn start(position: G, wanted: &Wanted, played: &mut GameRecord) -> Self {
        played.plies.clear();
        played.evals.clear();
        let line = (wanted.keyed == Keyed::Line).then(|| Line::start(&position));
        let told = (!wanted.columns.is_empty() && wanted.columns.has(Column::GAME))
            .then(|| GameContent::start(&position, wanted.details));
        Self { position, line, told }
    }

    /// Makes a legal move and writes it down.
    #[inline]
    pub fn play(&mut self, legal: &G::Move, plies: &mut Vec<Ply>) {
        self.note(legal, plies);
        self.position.play(legal);
    }

    /// Goes to another position by a move that isn't written down.
    pub fn go_to(&mut self, position: G, by: &G::Move) {
        if let Some(line) = &mut self.line {
            *line = line.after(&self.position, by);
        }
        if let Some(told) = &mut self.told {
            told.push(&self.position, by);
        }
        self.position = position;
    }

    /// Writes a move down that the position is still to make.
    #[inline]
    pub fn note(&mut self, legal: &G::Move, plies: &mut Vec<Ply>) {
        if let Some(told) = &mut self.told {
            told.push(&self.position, legal);
        }
        let side = self.position.side();
        let (key, code) = match &mut self.line {
            None => (self.position.key(), self.position.code(legal)),
            Some(line) => {
                let before = (line.key(), line.code(&self.position, legal));
                *line = line.after(&self.position, legal);
                before
            }
        };
        plies.push(Ply { key, code, side, marks: Marks::empty() });
    }

    /// What [`GameRecord::digest`] is to be of the game between these players on this day.
    pub fn digest<T: AsRef<str>>(
        &self,
        players: impl FnOnce() -> [T; 2],
        date: Option<Date>,
    ) -> u64 {
        self.told.as_ref().map_or(0, |told| told.digest(players(), date))
    }

    /// What [`GameRecord::last`] is to be.
    #[inline]
    pub fn last(&self) -> (u64, Side) {
        (self.line.map_or_else(|| self.position.key(), Line::key), self.position.side())
    }
}

impl GameRecord {
    /// The game was replayed to its end: writes down how it ended and what is wanted of what its
    /// archive said, or says why it isn't counted.
    #[inline]
    pub(crate) fn ends<'a, G: Game>(
        &mut self,
        end: &Replayed<G>,
        outcome: impl FnOnce() -> Result<Outcome, Fault>,
        [first, second]: [Option<u16>; 2],
        wanted: &Wanted,
        said: impl FnOnce() -> GameFacts<'a>,
    ) -> Result<(), Out> {
        if self.plies.is_empty() {
            return Err(Fault::new(Reason::NoMoves, "it has no moves").into());
        }
        let outcome = outcome();
        if wanted.details {
            self.details.get_or_insert_default().outcome = outcome.as_ref().ok().copied();
        }
        self.outcome = counted(outcome, wanted)?;
        self.last = end.last();
        self.ratings = first.zip(second).map(<[u16; 2]>::from);
        wanted.filter.judge_length(self.plies.len())?;
        if wanted.players || !wanted.columns.is_empty() {
            self.tell(end, wanted, said());
        }
        Ok(())
    }

    fn tell<G: Game>(&mut self, end: &Replayed<G>, wanted: &Wanted, said: GameFacts<'_>) {
        if wanted.players {
            self.players = hash_of_players(said.players.each_ref(), said.date);
        }
        if wanted.columns.has(Column::YEARS) {
            self.year = said.date.map_or(0, Date::year);
        }
        if let (true, Some(told)) = (wanted.details, &end.told) {
            let details = self.details.get_or_insert_default();
            details.take(&said);
            told.setup.clone_into(&mut details.setup);
            details.codes.clear();
            details.codes.extend(told.codes());
        }
        self.digest = end.digest(|| said.players, said.date);
    }
}

/// How a game counts that ended like this.
#[inline]
fn counted(outcome: Result<Outcome, Fault>, wanted: &Wanted) -> Result<Outcome, Out> {
    let outcome = match (outcome, wanted.unknown_results) {
        (Ok(outcome), _) => Some(outcome),
        (Err(_), UnknownResults::Count) => None,
        (Err(fault), UnknownResults::Skip) => return Err(fault.into()),
    };
    wanted.filter.judge_outcome(outcome)?;
    Ok(outcome.filter(|_| wanted.unknown_results == UnknownResults::Skip).unwrap_or(Outcome::Draw))
}
