//! Othello's archives: WTHOR, GGF, transcripts of a game a line, and text with tags as PGN has
//! them.
//!
//! - Passes aren't written in most of them. Where one is, it has to be due; it is no ply.
//! - Disc counts are Black's and White's. Where the game is over its empty squares are the
//!   winner's.
//! - A game that breaks off before it is over counts if its archive says how it ended: records were
//!   lost, clocks ran out, players resigned.

mod directory;
mod ggf;
mod notation;
mod transcript;
mod wthor;

use crate::filter::GameFacts;
use crate::game_details::Said;
use crate::game_record::GameRecord;
use crate::names::Names;
use crate::reading::{Fault, Out, Replayed, judge};
use crate::wanted::Wanted;
pub use ggf::GgfReader;
use std::borrow::Cow;
use tabia_games::{Game, Othello, Outcome, Trouble};
pub use transcript::TranscriptReader;
pub use wthor::WthorReader;

/// Replays games that a reader takes apart, in buffers it keeps.
#[derive(Debug)]
struct Replayer {
    start: Othello,
    wanted: Wanted,
    game: GameRecord,
    names: Names,
}

impl Replayer {
    fn new(start: Othello, wanted: Wanted) -> Self {
        Self { start, wanted, game: GameRecord::default(), names: Names::default() }
    }

    /// Makes sure that a game is wanted of which this is known.
    fn judge(&self, facts: &GameFacts<'_>) -> Result<(), Out> {
        judge(&self.wanted.filter, || facts.clone())
    }

    fn begin(&mut self, start: Option<Othello>) -> Replayed<Othello> {
        Replayed::start(start.unwrap_or_else(|| self.start.clone()), &self.wanted, &mut self.game)
    }

    /// Plays what a text means: a square, or a pass that is due.
    fn play(&mut self, replayed: &mut Replayed<Othello>, text: &[u8]) -> Result<(), Fault> {
        match replayed.position.read_move(text) {
            Ok(played) => replayed.play(&played, &mut self.game.plies),
            Err(Trouble::Null) if replayed.position.has_passed() => {}
            Err(trouble) => return Err(Fault::of_move(trouble, text, self.game.plies.len() + 1)),
        }
        Ok(())
    }

    /// Writes down how a game ended, and what is known of it: event and place too.
    fn end(
        &mut self,
        replayed: &Replayed<Othello>,
        facts: &GameFacts<'_>,
        [event, site]: [&str; 2],
        outcome: impl FnOnce() -> Result<Outcome, Fault>,
    ) -> Result<(), Out> {
        self.game.ends(replayed, outcome, &self.wanted)?;
        let [first, second] = facts.ratings;
        self.game.ratings = first.zip(second).map(<[u16; 2]>::from);
        self.game.tells(replayed, &self.wanted, &mut self.names, || {
            let [event, site] = [event, site].map(Cow::Borrowed);
            Said { facts: facts.clone(), event, site, ..Said::default() }
        });
        Ok(())
    }
}

/// The outcome in which Black has more by this: discs, or anything else.
fn outcome_by(difference: i32) -> Outcome {
    match difference {
        1.. => Outcome::FirstWins,
        0 => Outcome::Draw,
        _ => Outcome::SecondWins,
    }
}

/// The players as reports name them.
fn named([first, second]: [&str; 2]) -> String {
    if first.is_empty() && second.is_empty() {
        String::new()
    } else {
        format!("{first} - {second}")
    }
}
