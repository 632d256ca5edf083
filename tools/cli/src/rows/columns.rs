//! The columns of the tables: their names, their order, what they can hold.

use super::Fault;
use std::ops::RangeInclusive;
use tabia::{NO_EVAL, Ratings, TableKind, flags};

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
    /// The sum of the ratings of those who made the move.
    MoverRatingSum,
    /// The sum of the ratings of their opponents.
    OpponentRatingSum,
    /// The rated games.
    RatedGames,
    /// Two for each rated game that was won, one for each that was drawn.
    RatedScore,
}

/// Rows of which table are meant, and whether they have ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The table.
    pub kind: TableKind,
    /// Whether its moves have ratings.
    pub rated: bool,
}

impl Sheet {
    /// The columns, in the order in which they are written.
    pub fn columns(self) -> &'static [Column] {
        use Column::{
            Depth, Draws, Eval, Flags, Key, Losses, Marks, Move, MoverRatingSum, OpponentRatingSum, RatedGames, RatedScore, Wins,
        };
        match (self.kind, self.rated) {
            (TableKind::Positions, _) => &[Key, Wins, Draws, Losses, Eval, Depth, Flags],
            (TableKind::Moves, false) => &[Key, Wins, Draws, Losses, Move, Marks],
            (TableKind::Moves, true) => &[Key, Wins, Draws, Losses, Move, Marks, MoverRatingSum, OpponentRatingSum, RatedGames, RatedScore],
        }
    }
}

impl Column {
    /// All columns, in the order of their declaration.
    pub const ALL: [Self; 13] = [
        Self::Key,
        Self::Wins,
        Self::Draws,
        Self::Losses,
        Self::Eval,
        Self::Depth,
        Self::Flags,
        Self::Move,
        Self::Marks,
        Self::MoverRatingSum,
        Self::OpponentRatingSum,
        Self::RatedGames,
        Self::RatedScore,
    ];

    /// Whether it is one of those that only rated moves have.
    pub fn is_rating(self) -> bool {
        matches!(self, Self::MoverRatingSum | Self::OpponentRatingSum | Self::RatedGames | Self::RatedScore)
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
            Self::MoverRatingSum => "mover_rating_sum",
            Self::OpponentRatingSum => "opponent_rating_sum",
            Self::RatedGames => "rated_games",
            Self::RatedScore => "rated_score",
        }
    }

    /// The numbers it can hold; of a key nothing is said.
    pub fn range(self) -> RangeInclusive<i64> {
        match self {
            Self::Key => i64::MIN..=i64::MAX,
            Self::Wins | Self::Draws | Self::Losses | Self::RatedGames => 0..=u32::MAX.into(),
            Self::Eval => i64::from(NO_EVAL) + 1..=i16::MAX.into(),
            Self::Depth | Self::Marks => 0..=u8::MAX.into(),
            Self::Flags => 0..=flags::ALL.into(),
            Self::Move => 0..=u16::MAX.into(),
            Self::MoverRatingSum | Self::OpponentRatingSum => 0..=Ratings::MOST.cast_signed(),
            Self::RatedScore => 0..=i64::MAX,
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
        let known = Sheet { kind, rated: true }.columns();
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
