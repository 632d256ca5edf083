//! What the weight and the learn field of an entry become in a row.
//!
//! A weight says how much a move is to be played, and nothing of how games ended: it becomes as many
//! games whose results aren't known. By Polyglot's convention it is in points, two for a win and one
//! for a draw; where it is read so, half of it become wins and the rest a draw, and losses aren't
//! known. Either way it comes back as it was.

use super::{Entry, lost};
use crate::Losses;
use tabia::{Cells, Column, Columns, Counts, MoveRow, Ratings, Results, WithCells};

/// What the weight of an entry counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weight {
    /// Games of which it isn't known how they ended.
    #[default]
    Games,
    /// Half points: two for a win, one for a draw, as Polyglot's own books have them. The row gets
    /// half of it as wins, and a draw if it is odd; of losses the entry knows nothing, so that no
    /// score of such rows means anything.
    Points,
}

/// What to do with the learn field of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Learn {
    /// It is left out.
    #[default]
    Ignore,
    /// It is kept as it is, so that it can be written again ([`Learn::kept`]).
    Keep,
    /// It is what Polyglot learned: the games it played with the move, in the upper half, and the
    /// points it made (two for a win), in the lower. They become the games of the row, in place of
    /// the weight.
    Results,
}

impl Learn {
    /// What is kept of a learn field in a row; 0 if nothing is.
    ///
    /// It is stored as the score of rated games in the ratings of a row that has no such games,
    /// where it affects no average and no performance. Merged with rows that have rated games it is
    /// lost, and spoils their performance.
    pub fn kept(cells: &Cells) -> u32 {
        let Ratings { games, score, .. } = cells.get().unwrap_or_default();
        if games == 0 { u32::try_from(score).unwrap_or_default() } else { 0 }
    }

    /// Wins, draws and losses of the games that Polyglot learned from; none if a field can't be
    /// that.
    pub fn results(learn: u32) -> Option<Counts> {
        let (games, points) = (learn >> 16, learn & 0xffff);
        let (wins, draws) = (points / 2, points % 2);
        games.checked_sub(wins + draws).map(|losses| Counts::new(wins, draws, losses))
    }
}

/// What entries mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// What their weights count.
    pub weight: Weight,
    /// What becomes of their learn fields.
    pub learn: Learn,
}

impl Meaning {
    /// The columns of which rows need cells.
    pub fn columns(self) -> Columns {
        if self.learn == Learn::Keep { Columns::NONE.with(Column::RATINGS) } else { Columns::NONE }
    }

    /// Whether the rows know how games ended.
    pub fn results(self) -> Results {
        if self.weight == Weight::Games && self.learn != Learn::Results {
            Results::Unknown
        } else {
            Results::Known
        }
    }

    /// The row that an entry makes. One of weight 0 has no games, and stays apart from moves that
    /// are not in the book at all.
    pub fn row(self, entry: Entry) -> WithCells<MoveRow> {
        let learned = Cells::NONE.with(Ratings { score: entry.learn.into(), ..Ratings::default() });
        WithCells {
            row: MoveRow::new(entry.key, entry.code, self.counts(entry)),
            cells: learned.to(self.columns()),
        }
    }

    /// Counts what [`Meaning::row`] leaves out of an entry.
    pub fn count_lost(self, entry: Entry, losses: &mut Losses) {
        let by_results = self.learn == Learn::Results;
        losses.add(lost::WEIGHTS, u64::from(by_results && entry.weight != 0));
        losses.add(lost::LEARNED, u64::from(self.learn == Learn::Ignore && entry.learn != 0));
        losses.add(lost::UNPAIRED, u64::from(by_results && Learn::results(entry.learn).is_none()));
    }

    fn counts(self, entry: Entry) -> Counts {
        let weight = u32::from(entry.weight);
        match (self.learn, self.weight) {
            (Learn::Results, _) => Learn::results(entry.learn).unwrap_or_default(),
            (_, Weight::Points) => Counts::new(weight / 2, weight % 2, 0),
            (_, Weight::Games) => Counts::new(0, weight, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tabia::Row;

    #[test]
    fn what_polyglot_learned_is_games_and_points() {
        let counts = |wins, draws, losses| Some(Counts::new(wins, draws, losses));
        assert_eq!(Learn::results(0), counts(0, 0, 0));
        assert_eq!(Learn::results(10 << 16 | 13), counts(6, 1, 3));
        assert_eq!(Learn::results(1 << 16 | 3), None, "three half points of one game");
        assert_eq!(Learn::results(u32::MAX), counts(32767, 1, 32767));
    }

    proptest! {
        #[test]
        fn weights_and_learn_fields_come_back(key: u64, code: u16, weight: u16, learn: u32) {
            let entry = Entry { key, code, weight, learn };
            for meaning in [Weight::Points, Weight::Games].map(|weight| Meaning { weight, learn: Learn::Keep }) {
                let WithCells { row, cells } = meaning.row(entry);
                let Counts { wins, draws, losses } = row.counts();
                prop_assert_eq!((2 * wins + draws, losses), (weight.into(), 0));
                prop_assert!(meaning.results() == Results::Known || wins == 0);
                let ratings: Ratings = cells.get().unwrap();
                prop_assert_eq!((Learn::kept(&cells), cells.columns()), (learn, meaning.columns()));
                prop_assert_eq!((ratings.average(), ratings.performance()), (None, None));
            }
        }
    }
}
