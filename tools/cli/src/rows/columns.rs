//! The columns of the tables: their names, their order, what they can hold.

use super::Fault;
use std::ops::RangeInclusive;
use tabia::{NO_EVAL, TableKind, flags};

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The position's key, 64 bits.
    Key,
    /// Games won by the side to move.
    Wins,
    /// Drawn games.
    Draws,
    /// Games lost by the side to move.
    Losses,
    /// The eval for the side to move, in the game's unit, or none.
    Eval,
    /// What the eval is worth.
    Depth,
    /// The set of [`tabia::flags`].
    Flags,
    /// The move's code, as its game defines it.
    Move,
    /// The set of [`tabia::marks`].
    Marks,
}

impl Column {
    /// The columns of a table, in the order in which they are written.
    pub fn of(kind: TableKind) -> &'static [Self] {
        use Column::{Depth, Draws, Eval, Flags, Key, Losses, Marks, Move, Wins};
        match kind {
            TableKind::Positions => &[Key, Wins, Draws, Losses, Eval, Depth, Flags],
            TableKind::Moves => &[Key, Wins, Draws, Losses, Move, Marks],
        }
    }

    /// The columns without which there is no row of this table.
    fn needed(kind: TableKind) -> &'static [Self] {
        match kind {
            TableKind::Positions => &[Self::Key],
            TableKind::Moves => &[Self::Key, Self::Move],
        }
    }

    /// Its name in all formats.
    pub fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Wins => "wins",
            Self::Draws => "draws",
            Self::Losses => "losses",
            Self::Eval => "eval",
            Self::Depth => "depth",
            Self::Flags => "flags",
            Self::Move => "move",
            Self::Marks => "marks",
        }
    }

    /// The numbers it can hold; of a key nothing is said.
    pub fn range(self) -> RangeInclusive<i64> {
        match self {
            Self::Key => i64::MIN..=i64::MAX,
            Self::Wins | Self::Draws | Self::Losses => 0..=u32::MAX.into(),
            Self::Eval => i64::from(NO_EVAL) + 1..=i16::MAX.into(),
            Self::Depth | Self::Marks => 0..=u8::MAX.into(),
            Self::Flags => 0..=flags::ALL.into(),
            Self::Move => 0..=u16::MAX.into(),
        }
    }

    /// That something else stands where its value is expected; `none` is how the format writes that there is no eval.
    pub fn refuses(self, none: &str, value: &str) -> String {
        let (name, range) = (self.name(), self.range());
        match self {
            Self::Key => format!("a key is 16 hexadecimal digits, not {value}"),
            Self::Eval => format!("{name} is a whole number from {} to {}, or {none} for none, not {value}", range.start(), range.end()),
            _ => format!("{name} is a whole number from {} to {}, not {value}", range.start(), range.end()),
        }
    }

    /// The columns that a file names for its rows, made sure that rows can be had from them.
    pub fn named<'a>(kind: TableKind, names: impl IntoIterator<Item = &'a str>) -> Fault<Vec<Self>> {
        let known = Self::of(kind);
        let mut columns = Vec::new();
        for name in names {
            let list = || known.iter().map(|column| column.name()).collect::<Vec<_>>().join(" ");
            let column = known.iter().find(|column| column.name() == name);
            let column = *column.ok_or_else(|| format!("`{name}` is no column of a {kind} table; it has {}", list()))?;
            if columns.contains(&column) {
                return Err(format!("the column {name} is named twice"));
            }
            columns.push(column);
        }
        match Self::needed(kind).iter().find(|column| !columns.contains(column)) {
            Some(missing) => Err(format!("a column is missing: {}", missing.name())),
            None => Ok(columns),
        }
    }
}
