//! Occurrences that say more than how games ended: cells of the book's columns, or what engines
//! thought of the position.

use crate::occurrence::{Eval, ForMover, KeyedEval, Occurrence, Sortable, deeper};
use tabia::{BestGame, Cells, Column, Columns, Ratings, Years, mix};
use tabia_archives::GameRecord;
use tabia_games::Side;
use zerocopy::little_endian::U64;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// An occurrence with room for a fixed number of bytes: the cells of its columns if it counts
/// games, else an eval (i16) and its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
pub struct OccurrenceWithCells<const ROOM: usize> {
    /// The two halves of the occurrence.
    occurrence: [U64; 2],
    more: [u8; ROOM],
}

/// Bytes of an eval and its depth.
const EVAL: usize = 3;

/// Bytes that occurrences need beyond what plain ones say: for cells of these columns, and for
/// evals if those are wanted.
pub fn room_for(columns: Columns, evals: bool) -> usize {
    columns.stride().max(if evals { EVAL } else { 0 })
}

impl<const ROOM: usize> OccurrenceWithCells<ROOM> {
    #[inline]
    fn with_cells(occurrence: Occurrence, cells: &[u8]) -> Self {
        let mut more = [0; ROOM];
        more[..cells.len()].copy_from_slice(cells);
        Self { occurrence: occurrence.halves().map(U64::new), more }
    }

    /// An eval, which counts no game.
    fn of_eval(eval: &KeyedEval) -> Self {
        let [low, high] = eval.value.to_le_bytes();
        Self::with_cells(Occurrence::uncounted(eval.key), &[low, high, eval.depth])
    }

    /// Merges what another one says beyond the same occurrence.
    #[inline(never)]
    fn merge_more(&mut self, other: &Self, columns: Columns) {
        if self.occurrence().is_counted() {
            let stride = columns.stride();
            columns.merge(&mut self.more[..stride], &other.more[..stride]);
        } else if deeper(self.eval(), other.eval()) == other.eval() {
            self.more = other.more;
        }
    }
}

impl<const ROOM: usize> Default for OccurrenceWithCells<ROOM> {
    fn default() -> Self {
        Self { occurrence: [U64::ZERO; 2], more: [0; ROOM] }
    }
}

impl<const ROOM: usize> Sortable for OccurrenceWithCells<ROOM> {
    const ROOM: usize = ROOM;

    #[inline(always)]
    fn occurrence(self) -> Occurrence {
        Occurrence::of_halves(self.occurrence.map(U64::get))
    }

    #[inline(always)]
    fn cells(&self, columns: Columns) -> &[u8] {
        &self.more[..columns.stride()]
    }

    fn eval(&self) -> Option<Eval> {
        match self.more[..] {
            [low, high, depth, ..] if !self.occurrence().is_counted() => {
                Some((i16::from_le_bytes([low, high]), depth))
            }
            _ => None,
        }
    }

    #[inline]
    fn merge(&mut self, other: Self, columns: Columns) -> bool {
        let mut occurrence = self.occurrence();
        let is_same = occurrence.merge(other.occurrence());
        if is_same {
            self.occurrence = occurrence.halves().map(U64::new);
            self.merge_more(&other, columns);
        }
        is_same
    }

    fn of_game<'a>(
        occurrences: &'a [Occurrence],
        game: &GameRecord,
        columns: Columns,
        evals: &[KeyedEval],
        buffer: &'a mut Vec<Self>,
    ) -> &'a [Self] {
        buffer.clear();
        let cells = [Side::First, Side::Second].map(|side| cells_of(game, side, columns));
        if cells[0] == cells[1] {
            let with_cells = |&occurrence: &_| Self::with_cells(occurrence, cells[0].as_bytes());
            buffer.extend(occurrences.iter().map(with_cells));
        } else {
            let sides = sides(occurrences, game);
            buffer.extend(occurrences.iter().zip(sides).map(|(&occurrence, side)| {
                Self::with_cells(occurrence, cells[side.index()].as_bytes())
            }));
        }
        buffer.extend(evals.iter().map(Self::of_eval));
        buffer
    }
}

/// What a game says of the moves of this side, in these columns.
fn cells_of(game: &GameRecord, side: Side, columns: Columns) -> Cells {
    let mut cells = Cells::NONE.to(columns);
    if columns.has(Column::RATINGS)
        && let Some(ratings) = game.ratings
    {
        // In half points.
        let score = 2 - ForMover::of(game.outcome, side) as u8;
        let (mover, opponent) = (ratings[side.index()], ratings[side.other().index()]);
        cells = cells.with(Ratings::of_game(mover, opponent, score));
    }
    if columns.has(Column::GAME) {
        let rank = game.ratings.map_or(0, |[first, second]| first.saturating_add(second));
        cells = cells.with(BestGame { rank, digest: game.digest });
    }
    if columns.has(Column::YEARS) { cells.with(Years::of_game(game.year)) } else { cells }
}

/// Who moves at each of these occurrences, which are in the order of the game's plies.
fn sides(occurrences: &[Occurrence], game: &GameRecord) -> impl Iterator<Item = Side> {
    let mut rest = game.plies.iter().map(|ply| (ply.key, ply.code, ply.side)).chain([(
        game.last.0,
        0,
        game.last.1,
    )]);
    occurrences.iter().map(move |&occurrence| {
        let is_here = |&(key, code, _): &(u64, u16, Side)| {
            mix(key) == occurrence.hash() && (!occurrence.is_of_move() || code == occurrence.code())
        };
        rest.find(is_here).map_or(Side::First, |(.., side)| side)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_occurrences::OccurrenceMaker;
    use crate::game_occurrences::tests::game as game_of;
    use crate::plan::Tables;
    use tabia::Cell;

    type Rich = OccurrenceWithCells<36>;

    fn all() -> Columns {
        [Column::RATINGS, Column::GAME, Column::YEARS].into_iter().collect()
    }

    fn game() -> GameRecord {
        GameRecord {
            ratings: Some([2000, 1500]),
            year: 1999,
            digest: 0xabcd,
            ..game_of(&[(1, 10), (2, 20), (1, 10), (2, 21)], 3)
        }
    }

    fn occurrences(columns: Columns) -> Vec<Rich> {
        let mut maker = OccurrenceMaker::new(None, Tables::BOTH);
        let game = game();
        Rich::of_game(maker.occurrences(&game), &game, columns, &[], &mut Vec::new()).to_vec()
    }

    fn get<C: Cell>(occurrence: &Rich, columns: Columns) -> C {
        Cells::of_bytes(columns, occurrence.cells(columns)).get().unwrap()
    }

    #[test]
    fn ratings_are_the_movers_and_the_opponents() {
        for columns in [Columns::NONE.with(Column::RATINGS), all()] {
            let ratings: Vec<Ratings> =
                occurrences(columns).iter().map(|occurrence| get(occurrence, columns)).collect();
            let first = Ratings { mover_sum: 2000, opponent_sum: 1500, games: 1, score: 2 };
            let second = Ratings { mover_sum: 1500, opponent_sum: 2000, games: 1, score: 0 };
            assert_eq!(ratings, [first, second, second, first]);
        }
    }

    #[test]
    fn games_and_years_are_those_of_the_game() {
        for occurrence in occurrences(all()) {
            let game = BestGame { rank: 3500, digest: 0xabcd };
            assert_eq!(get::<BestGame>(&occurrence, all()), game);
            assert_eq!(get::<Years>(&occurrence, all()), Years::of_game(1999));
        }
        let unrated = GameRecord { ratings: None, ..game() };
        let best = Some(BestGame { rank: 0, digest: 0xabcd });
        assert_eq!(cells_of(&unrated, Side::First, all()).get(), best);
        let strong = GameRecord { ratings: Some([u16::MAX, 9]), ..game() };
        assert_eq!(cells_of(&strong, Side::First, all()).get::<BestGame>().unwrap().rank, u16::MAX);
    }

    #[test]
    fn m2_the_deeper_eval_of_a_position_counts_then_the_one_nearer_to_zero_then_the_lower() {
        let eval = |key, value, depth| Rich::of_eval(&KeyedEval { key, value, depth });
        for (one, other, left) in [
            ((30, 9), (20, 9), (20, 9)),
            ((-30, 9), (20, 9), (20, 9)),
            ((-20, 9), (20, 9), (-20, 9)),
            ((-5, 9), (-7, 8), (-5, 9)),
            ((i16::MAX, 0), (i16::MIN + 1, 255), (i16::MIN + 1, 255)),
            ((i16::MAX, 7), (i16::MIN + 1, 7), (i16::MIN + 1, 7)),
        ] {
            for (first, second) in [(one, other), (other, one)] {
                let mut first = eval(1, first.0, first.1);
                assert!(first.merge(eval(1, second.0, second.1), all()));
                assert_eq!(first.eval(), Some(left));
            }
        }
        for other in [eval(2, 0, 0), occurrences(all())[0]] {
            assert!(!eval(1, 0, 0).merge(other, all()));
        }
        assert_eq!(occurrences(all())[0].eval(), None);
    }

    #[test]
    fn sums_of_ratings_saturate() {
        let mut occurrence = occurrences(all())[0];
        for _ in 0..60 {
            let same = occurrence;
            assert!(occurrence.merge(same, all()));
        }
        let Ratings { mover_sum, opponent_sum, games, .. } = get(&occurrence, all());
        assert_eq!((mover_sum, opponent_sum, games), (Ratings::MOST, Ratings::MOST, u32::MAX));
        assert_eq!(get::<Years>(&occurrence, all()), Years::of_game(1999));
    }

    #[test]
    fn occurrences_have_room_for_what_they_say() {
        assert_eq!(room_for(Columns::NONE, false), 0);
        assert_eq!(room_for(Columns::NONE, true), 3);
        assert_eq!(room_for(Columns::NONE.with(Column::YEARS), true), 4);
        assert_eq!(room_for(all(), true), 36);
    }
}
