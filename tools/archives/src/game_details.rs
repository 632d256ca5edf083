//! What a game says of itself beyond what rows need: for the file of games beside a book.

use crate::filter::{Date, GameFacts, TimeClass};
use std::borrow::Cow;
use tabia_games::Outcome;

/// What a game says of itself beyond what rows need. One of it is reused for all games of an
/// archive.
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
    /// The moves' codes on the board as it is, as they go into [`GameRecord::digest`]: in Go with a
    /// pass where a side moved twice.
    ///
    /// [`GameRecord::digest`]: crate::GameRecord::digest
    pub codes: Vec<u16>,
}

/// What an archive says of a game, in the order of its game's players.
#[derive(Debug, Default)]
pub(crate) struct Said<'a> {
    pub facts: GameFacts<'a>,
    pub event: Cow<'a, str>,
    pub site: Cow<'a, str>,
    pub round: Cow<'a, str>,
}

impl GameDetails {
    /// Takes what an archive says of the game.
    pub(crate) fn take(&mut self, said: &Said<'_>) {
        let [first, second] = &mut self.players;
        let texts = [
            (first, &said.facts.players[0]),
            (second, &said.facts.players[1]),
            (&mut self.event, &said.event),
            (&mut self.site, &said.site),
            (&mut self.round, &said.round),
        ];
        for (text, said) in texts {
            text.clear();
            // What archives write where nothing is known.
            if said.trim() != "?" {
                text.push_str(said);
            }
        }
        self.ratings = said.facts.ratings;
        self.date = said.facts.date;
        self.time_class = said.facts.time_class;
    }
}
