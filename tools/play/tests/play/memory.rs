//! Books in memory, for tests.

use crate::negamax::toy::key;
use std::borrow::Cow;
use std::collections::BTreeMap;
use tabia::{
    Counts, Flags, Key, Keyed, MoveRow, PositionRow, Ratings, Result, Results, Row, TableKind,
};
use tabia_play::choice::RowLookup;

/// A book that is all in memory.
#[derive(Clone, Debug)]
pub struct Memory {
    pub positions: BTreeMap<Key, PositionRow>,
    pub moves: BTreeMap<(Key, u16), MoveRow>,
    pub tables: Vec<TableKind>,
    pub results: Results,
    pub ratings: BTreeMap<(Key, u16), Ratings>,
    pub keyed: Keyed,
}

impl Default for Memory {
    /// A book of both tables without rows.
    fn default() -> Self {
        Self {
            positions: BTreeMap::new(),
            moves: BTreeMap::new(),
            tables: vec![TableKind::Positions, TableKind::Moves],
            results: Results::Known,
            ratings: BTreeMap::new(),
            keyed: Keyed::Position,
        }
    }
}

pub fn counts(wins: u32, draws: u32, losses: u32) -> Counts {
    Counts { wins, draws, losses }
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
        codes.into_iter().for_each(|code| self.add_move(MoveRow::new(key, code, counts(0, 1, 0))));
        self
    }

    pub fn only(self, kind: TableKind) -> Self {
        Self { tables: vec![kind], ..self }
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
