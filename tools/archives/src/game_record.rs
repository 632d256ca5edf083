//! A played game as rows need it, whatever game it is a game of; what it says of itself beyond that,
//! for the file of games beside a book.

use crate::filter::{Date, GameFacts, TimeClass};
use tabia::Marks;
use tabia_games::{Outcome, Side};

/// One ply of a game: from which position, by whom, what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The key of the position moved from, or of the line that led there.
    pub key: u64,
    /// The move's code.
    pub code: u16,
    /// Who moves.
    pub side: Side,
    /// The annotations of the move.
    pub marks: Marks,
}

/// What an engine thought of a position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalComment {
    /// The position: that after this many plies.
    pub plies: u32,
    /// For the side to move there, in the game's unit, see [`GameRecord::evals`].
    pub value: i16,
    /// How deep the engine looked: 0 if not said, 255 if more.
    pub depth: u8,
}

/// A played and decided game. One of it is reused for all games of an archive.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The plies, in order.
    pub plies: Vec<Ply>,
    /// The key of the last position (or of the whole line) and who would move there.
    pub last: (u64, Side),
    /// How it ended.
    pub outcome: Outcome,
    /// The ratings of the first and the second player, if both are known (PGN: WhiteElo and
    /// BlackElo, numbers from 100 to 9999).
    pub ratings: Option<[u16; 2]>,
    /// What engines thought of its positions, if that is wanted, in the order of the text; there
    /// may be several of one position.
    ///
    /// In chess centipawns up to ±30,000; a mate in n plies is ±(32,000 − n), n at most 1,999.
    pub evals: Vec<EvalComment>,
    /// A hash of players and date, if that is wanted, to distinguish games of equal moves.
    ///
    /// It covers the names of the first and the second player, in lower case, without spaces and
    /// question marks, and the date as far as it is known (PGN: Date, else UTCDate). So `Carlsen,M`
    /// and `Carlsen, Magnus` differ.
    pub players: u64,
    /// The year it was played in, if that is known and the book has years; 0 else.
    pub year: u16,
    /// 48 bits of a digest of all of it (format-spec/keys.md), if the book has games; 0 else.
    pub digest: u64,
    /// What else it says of itself, if [`Wanted::details`](crate::Wanted::details) asks for it.
    pub details: Option<Box<GameDetails>>,
}

impl Default for GameRecord {
    fn default() -> Self {
        Self {
            plies: Vec::with_capacity(512),
            last: (0, Side::First),
            outcome: Outcome::Draw,
            ratings: None,
            evals: Vec::new(),
            players: 0,
            year: 0,
            digest: 0,
            details: None,
        }
    }
}

/// What a game says of itself beyond what rows need. One is reused for all games of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameDetails {
    /// The names of the first and the second player; empty if not known.
    pub players: [String; 2],
    /// The event, or the tournament; empty if not known.
    pub event: String,
    /// The place; empty if not known.
    pub site: String,
    /// The round; empty if not known.
    pub round: String,
    /// The ratings of the first and the second player, each if it is known.
    pub ratings: [Option<u16>; 2],
    /// When it was played, as far as that is known.
    pub date: Option<Date>,
    /// How fast it was, if that is known.
    pub time_class: Option<TimeClass>,
    /// How it ended, if that is known: also where all games count as draws.
    pub outcome: Option<Outcome>,
    /// The set-up text of the position it starts from; empty if that is the usual one.
    pub setup: String,
    /// The moves' codes on the board as it is; in Go with a pass where a side moved twice.
    pub codes: Vec<u16>,
}

impl GameDetails {
    pub(crate) fn take(&mut self, facts: &GameFacts<'_>) {
        let [first, second] = &mut self.players;
        let texts = [
            (first, &facts.players[0]),
            (second, &facts.players[1]),
            (&mut self.event, &facts.event),
            (&mut self.site, &facts.site),
            (&mut self.round, &facts.round),
        ];
        for (text, said) in texts {
            text.clear();
            // What archives write where nothing is known.
            if said.trim() != "?" {
                text.push_str(said);
            }
        }
        self.ratings = facts.ratings;
        self.date = facts.date;
        self.time_class = facts.time_class;
    }
}
