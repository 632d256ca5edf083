//! Fields of cells: what not every book knows of its rows, as the engine defines it. Nothing here
//! knows what one of them means.

use super::Form;
use serde::{Serialize, Serializer};
use std::ops::RangeInclusive;
use std::sync::LazyLock;
use tabia::{Cells, Column, Columns, Field, FieldRule, mix};

/// A field of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellField {
    pub(super) column: &'static Column,
    pub(super) field: &'static Field,
    /// Where it begins among the cells of all columns.
    at: usize,
    /// A number made of its name, which tells its values from those of other fields in a checksum.
    pub(super) mark: u64,
}

/// The cells of a row as bytes, those of all columns.
pub(super) type AllCells = [u8; Columns::MOST];

static ALL: LazyLock<Vec<CellField>> = LazyLock::new(|| {
    let fields = all_columns().places().flat_map(|(start, column)| {
        column.fields().map(move |(at, field)| (column, field, start + at))
    });
    fields
        .map(|(column, field, at)| CellField { column, field, at, mark: mark_of(field.name) })
        .collect()
});

/// A number made of a name.
fn mark_of(name: &str) -> u64 {
    name.bytes().fold(mix(name.len() as u64), |mark, byte| mix(mark ^ u64::from(byte)))
}

/// The columns of which there are fields.
pub(super) fn all_columns() -> Columns {
    static ALL: LazyLock<Columns> = LazyLock::new(|| Column::ALL.iter().copied().collect());
    *ALL
}

/// The fields of all columns, in their order.
pub(super) fn all() -> impl Iterator<Item = CellField> {
    ALL.iter().copied()
}

/// Cells of any columns as those of all columns.
#[inline]
pub(super) fn spread(cells: &Cells) -> AllCells {
    let mut all = [0; Columns::MOST];
    if !cells.columns().is_empty() {
        all.copy_from_slice(cells.to(all_columns()).as_bytes());
    }
    all
}

/// The cells of these columns out of those of all columns.
#[inline]
pub(super) fn gathered(all: &AllCells, columns: Columns) -> Cells {
    if columns.is_empty() { Cells::NONE } else { Cells::of_bytes(all_columns(), all).to(columns) }
}

impl CellField {
    /// How its values look: what has 64 bits and is never added is no amount.
    #[inline]
    pub(super) fn form(self) -> Form {
        match (self.field.bytes, self.field.rule) {
            (..8, _) => Form::Number,
            (_, FieldRule::Add) => Form::Long,
            _ => Form::Word,
        }
    }

    /// The numbers it can hold; of 64 bits all.
    pub(super) fn range(self) -> RangeInclusive<i64> {
        if self.field.bytes < 8 { 0..=self.field.most().cast_signed() } else { i64::MIN..=i64::MAX }
    }

    /// Its value, as bits.
    #[inline]
    pub(super) fn get(self, cells: &AllCells) -> u64 {
        let mut word = [0; 8];
        word[..self.field.bytes].copy_from_slice(&cells[self.at..self.at + self.field.bytes]);
        u64::from_le_bytes(word)
    }

    #[inline]
    pub(super) fn set(self, cells: &mut AllCells, value: u64) {
        cells[self.at..self.at + self.field.bytes]
            .copy_from_slice(&value.to_le_bytes()[..self.field.bytes]);
    }
}

/// The fields of a row's cells as names and values, for JSON.
#[derive(Clone, Copy, Debug)]
pub struct CellFacts {
    cells: AllCells,
    columns: Columns,
}

impl CellFacts {
    /// Those of these cells.
    pub fn of(cells: &Cells) -> Self {
        Self { cells: spread(cells), columns: cells.columns() }
    }
}

impl Serialize for CellFacts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(all().filter(|field| self.columns.has(field.column)).map(|field| {
            let value = field.get(&self.cells);
            let value = if field.form() == Form::Word {
                format!("{value:016x}").into()
            } else {
                serde_json::Value::from(value)
            };
            (field.field.name, value)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia::{BestGame, Ratings, Years};

    #[test]
    fn values_are_those_of_the_cells() {
        let ratings =
            Ratings { mover_sum: Ratings::MOST, opponent_sum: 2, games: 3, score: u64::MAX };
        let game = BestGame { rank: 0xfedc, digest: 0xba98_7654_3210 };
        let cells =
            Cells::NONE.with(ratings).with(game).with(Years { first: None, last: Some(2026) });
        let all = spread(&cells);
        let values: Vec<_> =
            super::all().map(|field| (field.field.name, field.get(&all))).collect();
        let ratings = [
            ("mover_rating_sum", Ratings::MOST),
            ("opponent_rating_sum", 2),
            ("rated_games", 3),
            ("rated_score", u64::MAX),
        ];
        let others = [("game", 0xfedc_ba98_7654_3210), ("first_year", 0), ("last_year", 2026)];
        assert_eq!(values, [&ratings[..], &others].concat());
        assert_eq!(gathered(&all, cells.columns()), cells);
        let mut again = [0; Columns::MOST];
        super::all().for_each(|field| field.set(&mut again, field.get(&all)));
        assert_eq!(again, all);
        let some = Columns::NONE.with(Column::YEARS);
        assert_eq!(gathered(&all, some), cells.to(some));
    }
}
