//! Books in memory, filled by hand, as the player of a move sees it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use tabia::format::{Keyed, Results};
use tabia::{Counts, Flags, Key, Marks, MoveRow, PositionRow, Ratings, Result, TableKind};
use tabia_games::{Chess, Game};
use tabia_play::choice::{Decision, GameHistory, Limits, Player, RowLookup, RuleSpec, Seed};

/// A book in memory.
#[derive(Clone)]
pub struct Memory {
    pub positions: BTreeMap<Key, PositionRow>,
    pub moves: BTreeMap<(Key, u16), MoveRow>,
    pub tables: Vec<TableKind>,
    pub results: Results,
    pub ratings: BTreeMap<(Key, u16), Ratings>,
    pub keyed: Keyed,
}

impl RowLookup for Memory {
    fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        Ok(self.positions.get(&key).copied())
    }

    fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
        Ok(Cow::Owned(self.moves.range((key, 0)..=(key, u16::MAX)).map(|(_, row)| *row).collect()))
    }

    fn has(&self, kind: TableKind) -> bool {
        self.tables.contains(&kind)
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

/// Wins, draws and losses.
pub type Wdl = (u32, u32, u32);

fn counts((wins, draws, losses): Wdl) -> Counts {
    Counts { wins, draws, losses }
}

impl Memory {
    /// A book of both tables without rows.
    pub fn new() -> Self {
        let tables = vec![TableKind::Positions, TableKind::Moves];
        Self {
            positions: BTreeMap::new(),
            moves: BTreeMap::new(),
            tables,
            results: Results::Known,
            ratings: BTreeMap::new(),
            keyed: Keyed::Position,
        }
    }

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
        let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
        let node = history(before, self.keyed).present().clone();
        let code = node.code(&node.position.parse_move(last).unwrap());
        self.moves.insert(
            (node.key, code),
            MoveRow::new(node.key, code, counts(games)).with_marks(marks),
        );
        self
    }

    /// With the ratings of those who played the last of some moves.
    pub fn rated(mut self, moves: &str, ratings: Ratings) -> Self {
        let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
        let node = history(before, self.keyed).present().clone();
        let code = node.code(&node.position.parse_move(last).unwrap());
        self.ratings.insert((node.key, code), ratings);
        self
    }

    /// With an eval of the position after some moves, seen by whoever made the last one.
    pub fn eval(mut self, moves: &str, eval: i16, flags: Flags) -> Self {
        let key = history(moves, self.keyed).present().key;
        let row = self
            .positions
            .get(&key)
            .copied()
            .unwrap_or_else(|| PositionRow::new(key, Counts::default()));
        self.positions.insert(key, row.with_eval(-eval, 9).with_flags(flags));
        self
    }

    /// With only one table.
    pub fn only(mut self, kind: TableKind) -> Self {
        self.tables = vec![kind];
        self
    }

    /// What is decided after some moves.
    pub fn decided(&self, rule: &str, moves: &str, seed: Seed) -> Decision<<Chess as Game>::Move> {
        let history = history(moves, self.keyed);
        let spec: RuleSpec = rule.parse().unwrap();
        let rule = spec.prepare(self, &history.nodes()[0]).unwrap();
        Player::new(self, rule, seed).decide(&history, &Limits::default()).unwrap()
    }

    /// The move chosen after some moves, and why.
    pub fn chosen(&self, rule: &str, moves: &str) -> (Option<String>, String) {
        let decision = self.decided(rule, moves, Seed::default());
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

/// What was said of a move.
pub fn judged<'a>(
    decision: &'a Decision<<Chess as Game>::Move>,
    moves: &str,
    name: &str,
) -> &'a tabia_play::choice::Judged {
    let position = history(moves, Keyed::Position).present().position.clone();
    let played = position.parse_move(name).unwrap();
    let place =
        decision.candidates.iter().position(|candidate| candidate.played == played).unwrap();
    &decision.choice.judged[place]
}
