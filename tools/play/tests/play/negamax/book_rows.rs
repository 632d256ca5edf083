//! Rows in memory, for tests.

use std::borrow::Cow;
use std::collections::BTreeMap;
use tabia::format::Results;
use tabia::row::Row;
use tabia::{Counts, Flags, Key, MoveRow, PositionRow, Result, TableKind};
use tabia_play::choice::RowLookup;

/// A book that is all in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub positions: BTreeMap<Key, PositionRow>,
    pub moves: BTreeMap<Key, BTreeMap<u16, MoveRow>>,
    /// Whether it has a table of moves.
    pub has_no_moves: bool,
    pub list: BTreeMap<Key, Vec<MoveRow>>,
}

pub fn counts(wins: u32, draws: u32, losses: u32) -> Counts {
    Counts { wins, draws, losses }
}

impl Memory {
    /// Merges a row into it.
    pub fn add_position(&mut self, row: PositionRow) {
        self.positions.entry(row.key()).and_modify(|there| there.merge(&row)).or_insert(row);
    }

    /// Merges a row into it.
    pub fn add_move(&mut self, row: MoveRow) {
        self.moves
            .entry(row.key())
            .or_default()
            .entry(row.code())
            .and_modify(|there| there.merge(&row))
            .or_insert(row);
        let of_one = &self.moves[&row.key()];
        self.list.insert(row.key(), of_one.values().copied().collect());
    }

    /// A position with an eval.
    pub fn with_eval(mut self, key: Key, eval: i16, flags: Flags) -> Self {
        self.add_position(
            PositionRow::new(key, Counts::default()).with_eval(eval, 1).with_flags(flags),
        );
        self
    }

    /// A position with flags only.
    pub fn with_flags(mut self, key: Key, flags: Flags) -> Self {
        self.add_position(PositionRow::new(key, Counts::default()).with_flags(flags));
        self
    }

    /// Moves by their codes.
    pub fn with_moves(mut self, key: Key, codes: impl IntoIterator<Item = u16>) -> Self {
        codes.into_iter().for_each(|code| self.add_move(MoveRow::new(key, code, counts(0, 1, 0))));
        self
    }
}

impl RowLookup for Memory {
    fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        Ok(self.positions.get(&key).copied())
    }

    fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
        Ok(Cow::Borrowed(self.list.get(&key).map_or(&[], Vec::as_slice)))
    }

    fn has(&self, kind: TableKind) -> bool {
        kind == TableKind::Positions || !self.has_no_moves
    }

    fn results(&self) -> Results {
        Results::Known
    }
}
