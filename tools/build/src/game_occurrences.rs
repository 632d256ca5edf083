//! Occurrences of a game: each position and each move of a position once, however often the game
//! comes back to it.

use crate::occurrence::{ForMover, Occurrence};
use crate::plan::{BuildPlan, Tables};
use tabia::Key;
use tabia_archives::GameRecord;
use tabia_games::Side;

/// Makes the occurrences of games, one game after the other, in buffers it keeps.
#[derive(Debug)]
pub struct OccurrenceMaker {
    max_ply: usize,
    tables: Tables,
    side: Option<Side>,
    seen: Seen,
    occurrences: Vec<Occurrence>,
    /// For each of `occurrences`, one more than the index of the one before it at the same
    /// position, 0 if it is the first.
    earlier: Vec<u32>,
}

impl OccurrenceMaker {
    /// For the moves of the first `max_ply` plies, and the positions after 0 to `max_ply` of them;
    /// all if `None`.
    pub(crate) fn new(max_ply: Option<u32>, tables: Tables) -> Self {
        Self {
            max_ply: max_ply.map_or(usize::MAX, |plies| plies as usize),
            tables,
            side: None,
            seen: Seen::default(),
            occurrences: Vec::new(),
            earlier: Vec::new(),
        }
    }

    /// For what this plan wants of a game.
    pub fn of(plan: &BuildPlan) -> Self {
        Self { side: plan.side, ..Self::new(plan.max_ply, plan.tables) }
    }

    /// The key of the position after `plies` plies of a game, if occurrences are made for it.
    pub fn position(&self, game: &GameRecord, plies: u32) -> Option<Key> {
        let plies = plies as usize;
        let (key, side) = match game.plies.get(plies) {
            Some(ply) => (ply.key, ply.side),
            None if plies == game.plies.len() => game.last,
            None => return None,
        };
        (self.tables.positions && plies <= self.max_ply && self.takes(side)).then_some(key)
    }

    #[inline(always)]
    fn takes(&self, side: Side) -> bool {
        self.side.is_none_or(|wanted| wanted == side)
    }

    /// The occurrences of a game, in its order.
    pub fn occurrences(&mut self, game: &GameRecord) -> &[Occurrence] {
        let plies = &game.plies[..game.plies.len().min(self.max_ply)];
        let last = game.plies.get(plies.len()).map_or(game.last, |ply| (ply.key, ply.side));
        let results =
            [ForMover::of(game.outcome, Side::First), ForMover::of(game.outcome, Side::Second)];
        self.occurrences.clear();
        self.earlier.clear();
        self.seen.next_game(plies.len() + 1);
        for ply in plies {
            if !self.takes(ply.side) {
                continue;
            }
            let slot = self.seen.slot(ply.key);
            let mut occurrence = Occurrence::new(ply.key, results[ply.side.index()]);
            if slot.is_new && self.tables.positions {
                occurrence = occurrence.of_position();
            }
            if self.tables.moves {
                if !slot.is_new
                    && let Some(index) =
                        same_move(&self.occurrences, &self.earlier, slot.last_occurrence, ply.code)
                {
                    self.occurrences[index] = self.occurrences[index].with_marks(ply.marks);
                    continue;
                }
                occurrence = occurrence.of_move(ply.code, ply.marks);
            } else if !slot.is_new {
                continue;
            }
            self.occurrences.push(occurrence);
            self.earlier.push(slot.last_occurrence);
            self.seen.set_last_occurrence(slot.index, self.occurrences.len() as u32);
        }
        if self.tables.positions && self.takes(last.1) && self.seen.slot(last.0).is_new {
            self.occurrences.push(Occurrence::new(last.0, results[last.1.index()]).of_position());
        }
        &self.occurrences
    }
}

/// The index of the occurrence with this move at a position, given one more than the index of the
/// last occurrence there.
#[cold]
fn same_move(
    occurrences: &[Occurrence],
    earlier: &[u32],
    mut last: u32,
    code: u16,
) -> Option<usize> {
    while last > 0 {
        let index = last as usize - 1;
        if occurrences[index].code() == code {
            return Some(index);
        }
        last = earlier[index];
    }
    None
}

/// The positions of one game: an open-addressed table whose slots hold the number of the game that
/// wrote them, so that nothing is cleared between games.
#[derive(Debug, Default)]
struct Seen {
    slots: Vec<Slot>,
    shift: u32,
    game: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    game: u32,
    /// One more than the index of the last occurrence here, 0 if none.
    last_occurrence: u32,
}

/// What is known of a position of the game.
struct Found {
    index: usize,
    is_new: bool,
    last_occurrence: u32,
}

impl Seen {
    /// Forgets the positions of the game before and makes room for this many.
    fn next_game(&mut self, positions: usize) {
        let size = (positions * 2).next_power_of_two().max(512);
        if size > self.slots.len() || self.game == u32::MAX {
            self.slots.clear();
            self.slots.resize(size.max(self.slots.len()), Slot::default());
            self.shift = 64 - self.slots.len().trailing_zeros();
            self.game = 0;
        }
        self.game += 1;
    }

    /// The slot of a position, which is taken for it if the game hasn't been there.
    #[inline(always)]
    fn slot(&mut self, key: u64) -> Found {
        let mask = self.slots.len() - 1;
        let mut index = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize & mask;
        loop {
            let slot = &mut self.slots[index];
            if slot.game != self.game {
                *slot = Slot { key, game: self.game, last_occurrence: 0 };
                return Found { index, is_new: true, last_occurrence: 0 };
            }
            if slot.key == key {
                return Found { index, is_new: false, last_occurrence: slot.last_occurrence };
            }
            index = (index + 1) & mask;
        }
    }

    #[inline(always)]
    fn set_last_occurrence(&mut self, index: usize, last_occurrence: u32) {
        self.slots[index].last_occurrence = last_occurrence;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::occurrence::FromOccurrence;
    use std::collections::BTreeMap;
    use tabia::row::{Marks, MoveRow, PositionRow, Row};
    use tabia_archives::Ply;
    use tabia_games::Outcome;

    const BOTH: Tables = Tables::BOTH;

    /// A game of these positions and moves, won by the first player.
    pub fn game(keys_and_codes: &[(u64, u16)], last: u64) -> GameRecord {
        let side = |index: usize| if index.is_multiple_of(2) { Side::First } else { Side::Second };
        let ply = |(index, &(key, code)): (usize, &(u64, u16))| Ply {
            key,
            code,
            side: side(index),
            marks: Marks::empty(),
        };
        let plies: Vec<Ply> = keys_and_codes.iter().enumerate().map(ply).collect();
        GameRecord {
            last: (last, side(plies.len())),
            plies,
            outcome: Outcome::FirstWins,
            ..GameRecord::default()
        }
    }

    /// The rows of one kind that these occurrences count in.
    fn rows<R: FromOccurrence>(occurrences: &[Occurrence]) -> Vec<R> {
        occurrences.iter().filter_map(|&occurrence| R::from_occurrence(occurrence)).collect()
    }

    fn positions(occurrences: &[Occurrence]) -> Vec<u64> {
        rows::<PositionRow>(occurrences).iter().map(Row::key).collect()
    }

    fn moves(occurrences: &[Occurrence]) -> Vec<(u64, u16)> {
        rows::<MoveRow>(occurrences).iter().map(|row| (row.key(), row.code())).collect()
    }

    #[test]
    fn a_game_counts_once_however_often_it_comes_back() {
        // 1 -a-> 2 -b-> 1 -a-> 2 -c-> 1 -d-> 3
        let shuffle = game(&[(1, 10), (2, 20), (1, 10), (2, 21), (1, 11)], 2);
        let mut maker = OccurrenceMaker::new(None, BOTH);
        for _ in 0..2 {
            let occurrences = maker.occurrences(&shuffle);
            assert_eq!(positions(occurrences), [1, 2]);
            assert_eq!(moves(occurrences), [(1, 10), (2, 20), (2, 21), (1, 11)]);
        }
    }

    #[test]
    fn one_table_alone_has_the_same_rows() {
        let shuffle = game(&[(1, 10), (2, 20), (1, 10), (2, 21), (1, 11)], 3);
        let mut maker = OccurrenceMaker::new(None, Tables { positions: true, moves: false });
        let occurrences = maker.occurrences(&shuffle);
        assert_eq!((occurrences.len(), positions(occurrences)), (3, vec![1, 2, 3]));
        assert_eq!(moves(occurrences), []);
        let mut maker = OccurrenceMaker::new(None, Tables { positions: false, moves: true });
        let occurrences = maker.occurrences(&shuffle);
        assert_eq!(positions(occurrences), [0; 0]);
        assert_eq!(moves(occurrences), [(1, 10), (2, 20), (2, 21), (1, 11)]);
    }

    #[test]
    fn max_ply_keeps_that_many_moves_and_one_more_position() {
        let three = game(&[(1, 10), (2, 20), (3, 30)], 4);
        let sizes = |max_ply| {
            let mut maker = OccurrenceMaker::new(max_ply, BOTH);
            let occurrences = maker.occurrences(&three);
            (positions(occurrences).len(), moves(occurrences).len())
        };
        let cut = [Some(0), Some(1), Some(2), Some(3), Some(4), None].map(sizes);
        assert_eq!(cut, [(1, 0), (2, 1), (3, 2), (4, 3), (4, 3), (4, 3)]);
    }

    #[test]
    fn marks_of_a_repeated_move_are_united() {
        let mut twice = game(&[(1, 10), (2, 20), (1, 10)], 2);
        twice.plies[0].marks = Marks::GOOD;
        twice.plies[2].marks = Marks::BAD;
        let mut maker = OccurrenceMaker::new(None, BOTH);
        assert_eq!(rows::<MoveRow>(maker.occurrences(&twice))[0].marks(), Marks::GOOD | Marks::BAD);
    }

    #[test]
    fn long_games_and_many_games_agree_with_a_map() {
        let mut maker = OccurrenceMaker::new(None, BOTH);
        let mut random = 1u64;
        for plies in [0usize, 1, 5, 300, 2_000, 3, 40, 5_000, 700] {
            let step = |_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (random >> 54, (random >> 40) as u16 % 4)
            };
            let keys: Vec<(u64, u16)> = (0..plies).map(step).collect();
            let occurrences = maker.occurrences(&game(&keys, 7));
            let expected: BTreeMap<(u64, u16), ()> = keys.iter().map(|&pair| (pair, ())).collect();
            let mut found = moves(occurrences);
            found.sort_unstable();
            assert_eq!(found, expected.into_keys().collect::<Vec<_>>());
            let distinct: std::collections::BTreeSet<u64> =
                keys.iter().map(|pair| pair.0).chain([7]).collect();
            assert_eq!(positions(occurrences).len(), distinct.len());
        }
    }
}
