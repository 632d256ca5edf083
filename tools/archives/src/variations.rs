//! Variations of a game, handed on as games of their own: nobody played them to an end, so they have
//! no result, no ratings, no year and no digest.

use crate::game_record::{EvalComment, GameRecord, Ply};
use crate::reading::{Fault, Games, Out, Stopped, give};
use crate::wanted::Wanted;
use tabia_games::Side;

/// The most variations that may be open inside each other.
pub(crate) const DEEPEST: usize = 10_000;

/// The most plies that the variations of a game may have together, with the moves that lead to them.
const MOST_PLIES: usize = 1 << 24;

pub(crate) struct Variation<'a> {
    /// Its first byte in the segment.
    pub at: usize,
    /// Its moves, from the start of the game on.
    pub plies: &'a [Ply],
    /// What engines thought of its positions.
    pub evals: &'a [EvalComment],
    /// See [`GameRecord::last`].
    pub last: (u64, Side),
    /// Why it isn't counted, if so.
    pub out: Option<Out>,
}

pub(crate) struct HandOn<'a> {
    games: &'a mut dyn Games,
    wanted: &'a Wanted,
    line: GameRecord,
    players: String,
    /// Plies that may still come.
    left: usize,
    /// Whether they are still taken.
    done: Result<(), Stopped>,
}

impl<'a> HandOn<'a> {
    /// For the variations of this game, whose players' names are these.
    pub fn new(
        games: &'a mut dyn Games,
        wanted: &'a Wanted,
        game: &GameRecord,
        players: String,
    ) -> Self {
        let line = GameRecord { players: game.players, ..GameRecord::default() };
        Self { games, wanted, line, players, left: MOST_PLIES, done: Ok(()) }
    }

    /// Hands one on; nothing any more once there were too many, or they aren't taken any more.
    pub fn take(&mut self, variation: Variation<'_>) {
        if self.done.is_err() || self.left == 0 {
            return;
        }
        let Variation { at, plies, evals, last, out } = variation;
        let out = match out {
            None if plies.len() > self.left => {
                self.left = 0;
                let what = format!(
                    "the variations from here on are left out: with those before they have more than {MOST_PLIES} plies"
                );
                Some(Fault::broken(what).into())
            }
            None => self.wanted.filter.judge_length(plies.len()).err().map(Out::from),
            Some(Out::Skipped(Fault { reason, detail })) => {
                Some(Fault::new(reason, format!("in a variation: {detail}")).into())
            }
            filtered => filtered,
        };
        if out.is_none() {
            self.left -= plies.len();
            plies.clone_into(&mut self.line.plies);
            evals.clone_into(&mut self.line.evals);
            self.line.last = last;
        }
        let verdict = out.map_or(Ok(&self.line), Err);
        self.done = give(self.games, at, verdict, || self.players.clone());
        self.games.is_variation();
    }

    /// All were read.
    pub fn finish(self) -> Result<(), Stopped> {
        self.done
    }
}
