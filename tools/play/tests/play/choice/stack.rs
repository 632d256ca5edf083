//! Books in memory, filled by hand, as the player of a move sees it.

use crate::memory::Memory;
use crate::shared::player;
use tabia::format::Keyed;
use tabia::{Counts, Flags, Key, Marks, MoveRow, PositionRow, Ratings};
use tabia_games::{Chess, Game};
use tabia_play::choice::{Candidate, Decision, GameHistory, Judged, Limits, Seed};

/// Wins, draws and losses.
pub type Wdl = (u32, u32, u32);

fn counts((wins, draws, losses): Wdl) -> Counts {
    Counts { wins, draws, losses }
}

impl Memory {
    /// With what is known of the position after some moves: games seen by whoever is to move there.
    pub fn here(mut self, moves: &str, games: Wdl) -> Self {
        let key = history(moves, self.keyed).present().key;
        self.positions.insert(key, PositionRow::new(key, counts(games)));
        self
    }

    /// The same seen by whoever made the last move.
    pub fn behind(self, moves: &str, (wins, draws, losses): Wdl) -> Self {
        self.here(moves, (losses, draws, wins))
    }

    /// With what is known of the last of some moves: games seen by whoever made it.
    pub fn made(self, moves: &str, games: Wdl) -> Self {
        self.marked(moves, games, Marks::empty())
    }

    /// The same with marks.
    pub fn marked(mut self, moves: &str, games: Wdl, marks: Marks) -> Self {
        let (key, code) = self.last(moves);
        self.moves.insert((key, code), MoveRow::new(key, code, counts(games)).with_marks(marks));
        self
    }

    /// With the ratings of those who played the last of some moves.
    pub fn rated(mut self, moves: &str, ratings: Ratings) -> Self {
        self.ratings.insert(self.last(moves), ratings);
        self
    }

    /// What the last of some moves is known by.
    fn last(&self, moves: &str) -> (Key, u16) {
        let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
        let node = history(before, self.keyed).present().clone();
        (node.key, node.code(&node.position.parse_move(last).unwrap()))
    }

    /// With an eval of the position after some moves, seen by whoever made the last one.
    pub fn eval(mut self, moves: &str, eval: i16, flags: Flags) -> Self {
        let key = history(moves, self.keyed).present().key;
        let row = self.positions.get(&key).copied();
        let row = row.unwrap_or_else(|| PositionRow::new(key, Counts::default()));
        self.positions.insert(key, row.with_eval(-eval, 9).with_flags(flags));
        self
    }

    /// What is decided after some moves.
    pub fn decided(&self, rule: &str, moves: &str) -> Decision<<Chess as Game>::Move> {
        self.drawn(rule, moves, Seed::default())
    }

    /// The same with these dice.
    pub fn drawn(&self, rule: &str, moves: &str, seed: Seed) -> Decision<<Chess as Game>::Move> {
        let history = history(moves, self.keyed);
        let mut player = player(self, rule, &history);
        player.seed = seed;
        player.decide(&history, &Limits::default()).unwrap()
    }

    /// Why a move is out of the question at the start, if it is.
    pub fn out(&self, rule: &str, name: &str) -> Option<String> {
        judged(&self.decided(rule, ""), name).out.clone()
    }

    /// The move chosen after some moves, and why.
    pub fn chosen(&self, rule: &str, moves: &str) -> (Option<String>, String) {
        let decision = self.decided(rule, moves);
        let position = history(moves, self.keyed).present().position.clone();
        (decision.played().map(|played| position.notation(played)), decision.choice.why)
    }

    /// Makes sure that a move is chosen.
    pub fn plays(&self, rule: &str, moves: &str, expected: &str) {
        let (played, why) = self.chosen(rule, moves);
        assert_eq!(played.as_deref(), Some(expected), "{rule} after {moves:?}: {why}");
    }

    /// Makes sure that none is chosen, for a reason that says this.
    pub fn refuses(&self, rule: &str, moves: &str, said: &str) {
        let (played, why) = self.chosen(rule, moves);
        assert_eq!(played, None, "{rule} after {moves:?}: {why}");
        assert!(why.contains(said), "{rule} after {moves:?}: {why}");
    }
}

/// A game of chess.
pub fn history(moves: &str, keyed: Keyed) -> GameHistory<Chess> {
    moves.split_whitespace().fold(GameHistory::start(Chess::start(), keyed), |mut history, text| {
        let played = history.present().position.parse_move(text).unwrap();
        history.play(&played);
        history
    })
}

/// What was said of a first move.
pub fn judged<'a>(decision: &'a Decision<<Chess as Game>::Move>, name: &str) -> &'a Judged {
    let played = Chess::start().parse_move(name).unwrap();
    let is_it = |candidate: &Candidate<_>| candidate.played == played;
    &decision.choice.judged[decision.candidates.iter().position(is_it).unwrap()]
}
