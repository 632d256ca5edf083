//! Books in memory, for tests: filled by rows, or by hand as the player of a move sees it.

use crate::negamax::toy::key;
use crate::shared::player;
use std::borrow::Cow;
use std::collections::BTreeMap;
use tabia::{
    Counts, Flags, Key, Keyed, Marks, MoveRow, PositionRow, Ratings, Result, Results, Row,
    TableKind,
};
use tabia_games::{Chess, Game};
use tabia_play::choice::{Candidate, Decision, GameHistory, Judged, Limits, RowLookup, Seed};

/// A book that is all in memory, of both tables if nothing else is said.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub positions: BTreeMap<Key, PositionRow>,
    pub moves: BTreeMap<(Key, u16), MoveRow>,
    pub only: Option<TableKind>,
    pub results: Results,
    pub ratings: BTreeMap<(Key, u16), Ratings>,
    pub keyed: Keyed,
}

impl Memory {
    pub fn add_position(&mut self, row: PositionRow) {
        self.positions.entry(row.key()).and_modify(|there| there.merge(&row)).or_insert(row);
    }

    pub fn add_move(&mut self, row: MoveRow) {
        let entry = self.moves.entry((row.key(), row.code()));
        entry.and_modify(|there| there.merge(&row)).or_insert(row);
    }

    pub fn with_eval(mut self, key: Key, eval: i16, flags: Flags) -> Self {
        let row = PositionRow::new(key, Counts::default());
        self.add_position(row.with_eval(eval, 1).with_flags(flags));
        self
    }

    /// Positions of a toy with evals.
    pub fn worth(self, evals: &[(usize, i16)]) -> Self {
        let with = |memory: Self, &(at, eval)| memory.with_eval(key(at), eval, Flags::empty());
        evals.iter().fold(self, with)
    }

    /// Positions of a toy with flags only.
    pub fn flagged(mut self, flags: Flags, positions: &[usize]) -> Self {
        for &at in positions {
            self.add_position(PositionRow::new(key(at), Counts::default()).with_flags(flags));
        }
        self
    }

    pub fn with_moves(mut self, key: Key, codes: impl IntoIterator<Item = u16>) -> Self {
        codes
            .into_iter()
            .for_each(|code| self.add_move(MoveRow::new(key, code, Counts::new(0, 1, 0))));
        self
    }

    pub fn only(self, kind: TableKind) -> Self {
        Self { only: Some(kind), ..self }
    }

    /// With what is known of positions after some moves: games seen by whoever is to move there.
    pub fn here(mut self, text: &str) -> Self {
        for (moves, counts) in games(text) {
            let key = history(moves, self.keyed).present().key;
            self.positions.insert(key, PositionRow::new(key, counts));
        }
        self
    }

    /// The same seen by whoever made the last move.
    pub fn behind(mut self, text: &str) -> Self {
        for (moves, Counts { wins, draws, losses }) in games(text) {
            let key = history(moves, self.keyed).present().key;
            self.positions.insert(key, PositionRow::new(key, Counts::new(losses, draws, wins)));
        }
        self
    }

    /// With what is known of the last of some moves: games seen by whoever made it.
    pub fn made(self, text: &str) -> Self {
        self.marked(text, Marks::empty())
    }

    /// The same, with what is known of the position behind it: it came up in these games alone.
    pub fn played(self, text: &str) -> Self {
        self.made(text).behind(text)
    }

    pub fn marked(mut self, text: &str, marks: Marks) -> Self {
        for (moves, counts) in games(text) {
            let (key, code) = self.last(moves);
            self.moves.insert((key, code), MoveRow::new(key, code, counts).with_marks(marks));
        }
        self
    }

    /// With the ratings of those who played the last of some moves.
    pub fn rated(mut self, moves: &str, ratings: Ratings) -> Self {
        self.ratings.insert(self.last(moves), ratings);
        self
    }

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

    /// With evals alone, as in `e4 30, d4 -5`.
    pub fn evals(self, text: &str) -> Self {
        text.split(", ").fold(self, |memory, entry| {
            let (moves, eval) = entry.rsplit_once(' ').unwrap();
            memory.eval(moves, eval.parse().unwrap(), Flags::empty())
        })
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

impl RowLookup for Memory {
    fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        Ok(self.positions.get(&key).copied())
    }

    fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
        Ok(Cow::Owned(self.moves.range((key, 0)..=(key, u16::MAX)).map(|(_, row)| *row).collect()))
    }

    fn has(&self, kind: TableKind) -> bool {
        self.only.is_none_or(|only| only == kind)
    }

    fn results(&self) -> Results {
        self.results
    }

    fn ratings(&self, key: Key) -> Result<Vec<(u16, Ratings)>> {
        let all = self.ratings.range((key, 0)..=(key, u16::MAX));
        Ok(all.map(|(&(_, code), &ratings)| (code, ratings)).collect())
    }

    fn has_ratings(&self) -> bool {
        !self.ratings.is_empty()
    }
}

/// The entries of a text such as `e4 e5 6/0/4, d4 3/5/2`: moves, with wins, draws and losses.
fn games(text: &str) -> impl Iterator<Item = (&str, Counts)> {
    text.split(", ").map(|entry| {
        let (moves, games) = entry.rsplit_once(' ').unwrap_or(("", entry));
        let games: Vec<u32> = games.split('/').map(|number| number.parse().unwrap()).collect();
        (moves, Counts::new(games[0], games[1], games[2]))
    })
}

pub fn history(moves: &str, keyed: Keyed) -> GameHistory<Chess> {
    let mut history = GameHistory::start(Chess::start(), keyed);
    history.play_text(moves).unwrap();
    history
}

/// What was said of a first move.
pub fn judged<'a>(decision: &'a Decision<<Chess as Game>::Move>, name: &str) -> &'a Judged {
    let played = Chess::start().parse_move(name).unwrap();
    let is_it = |candidate: &Candidate<_>| candidate.played == played;
    &decision.choice.judged[decision.candidates.iter().position(is_it).unwrap()]
}
