//! Rows of a game: each position and each move of a position once, however often the game comes back to it.

use crate::played::{Played, Ply};
use tabia::row::{Counts, MoveRow, PositionRow};
use tabia_games::{Outcome, Side};

/// Makes the rows of games, one game after the other, in buffers it keeps.
#[derive(Debug)]
pub struct RowMaker {
    max_ply: usize,
    seen: Seen,
    positions: Vec<PositionRow>,
    moves: Vec<MoveRow>,
    /// For each of `moves`, one more than the index of the move before it at the same position, 0 if it is the first.
    earlier: Vec<u32>,
}

impl RowMaker {
    /// For the moves of the first `max_ply` plies, and the positions after 0 to `max_ply` of them; all if `None`.
    #[must_use]
    pub fn new(max_ply: Option<u32>) -> Self {
        let max_ply = max_ply.map_or(usize::MAX, |plies| plies as usize);
        Self { max_ply, seen: Seen::default(), positions: Vec::new(), moves: Vec::new(), earlier: Vec::new() }
    }

    /// The rows of a game, in the order in which it first came to them.
    pub fn rows(&mut self, game: &Played) -> (&[PositionRow], &[MoveRow]) {
        let plies = &game.plies[..game.plies.len().min(self.max_ply)];
        let last = game.plies.get(plies.len()).map_or(game.last, |ply| (ply.key, ply.side));
        let counts = [counts_for(game.outcome, Side::First), counts_for(game.outcome, Side::Second)];
        self.positions.clear();
        self.moves.clear();
        self.earlier.clear();
        self.seen.next_game(plies.len() + 1);
        for ply in plies {
            let counts = counts[ply.side.index()];
            let slot = self.seen.slot(ply.key);
            if slot.is_new {
                self.positions.push(PositionRow::new(ply.key, counts));
            } else if let Some(index) = same_move(&self.moves, &self.earlier, slot.last_move, ply.code) {
                let row = &mut self.moves[index];
                *row = row.with_marks(row.marks() | ply.marks);
                continue;
            }
            self.moves.push(move_row(ply, counts));
            self.earlier.push(slot.last_move);
            self.seen.set_last_move(slot.index, self.moves.len() as u32);
        }
        if self.seen.slot(last.0).is_new {
            self.positions.push(PositionRow::new(last.0, counts[last.1.index()]));
        }
        (&self.positions, &self.moves)
    }
}

#[inline]
fn move_row(ply: &Ply, counts: Counts) -> MoveRow {
    MoveRow::new(ply.key, ply.code, counts).with_marks(ply.marks)
}

/// The index of the row of this move at a position, given one more than the index of the position's last move.
#[cold]
fn same_move(moves: &[MoveRow], earlier: &[u32], mut last: u32, code: u16) -> Option<usize> {
    while last > 0 {
        let index = last as usize - 1;
        if moves[index].code() == code {
            return Some(index);
        }
        last = earlier[index];
    }
    None
}

fn counts_for(outcome: Outcome, side: Side) -> Counts {
    let [wins, draws, losses] = outcome.counts_for(side);
    Counts { wins, draws, losses }
}

/// The positions of one game: an open-addressed table whose slots hold the number of the game that wrote them, so that nothing is cleared between games.
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
    /// One more than the index of the last new move made from here, 0 if none.
    last_move: u32,
}

/// What is known of a position of the game.
struct Found {
    index: usize,
    is_new: bool,
    last_move: u32,
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
                *slot = Slot { key, game: self.game, last_move: 0 };
                return Found { index, is_new: true, last_move: 0 };
            }
            if slot.key == key {
                return Found { index, is_new: false, last_move: slot.last_move };
            }
            index = (index + 1) & mask;
        }
    }

    #[inline(always)]
    fn set_last_move(&mut self, index: usize, last_move: u32) {
        self.slots[index].last_move = last_move;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tabia::row::Row;

    fn game(keys_and_codes: &[(u64, u16)], last: u64) -> Played {
        let side = |index: usize| if index.is_multiple_of(2) { Side::First } else { Side::Second };
        let ply = |(index, &(key, code)): (usize, &(u64, u16))| Ply { key, code, side: side(index), marks: 0 };
        let plies: Vec<Ply> = keys_and_codes.iter().enumerate().map(ply).collect();
        Played { last: (last, side(plies.len())), plies, outcome: Outcome::FirstWins }
    }

    #[test]
    fn a_game_counts_once_however_often_it_comes_back() {
        // 1 -a-> 2 -b-> 1 -a-> 2 -c-> 1 -d-> 3
        let shuffle = game(&[(1, 10), (2, 20), (1, 10), (2, 21), (1, 11)], 2);
        let mut maker = RowMaker::new(None);
        for _ in 0..2 {
            let (positions, moves) = maker.rows(&shuffle);
            assert_eq!(positions.iter().map(Row::key).collect::<Vec<_>>(), [1, 2]);
            assert_eq!(moves.iter().map(|row| (row.key(), row.code())).collect::<Vec<_>>(), [(1, 10), (2, 20), (2, 21), (1, 11)]);
        }
    }

    #[test]
    fn counts_are_the_movers() {
        let mut maker = RowMaker::new(None);
        let (positions, moves) = maker.rows(&game(&[(1, 10), (2, 20)], 3));
        assert_eq!(positions.iter().map(|row| row.counts().wins).collect::<Vec<_>>(), [1, 0, 1]);
        assert_eq!(moves.iter().map(|row| row.counts().losses).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn max_ply_keeps_that_many_moves_and_one_more_position() {
        let three = game(&[(1, 10), (2, 20), (3, 30)], 4);
        let sizes = |max_ply| {
            let mut maker = RowMaker::new(max_ply);
            let (positions, moves) = maker.rows(&three);
            (positions.len(), moves.len())
        };
        assert_eq!([Some(0), Some(1), Some(2), Some(3), Some(4), None].map(sizes), [(1, 0), (2, 1), (3, 2), (4, 3), (4, 3), (4, 3)]);
    }

    #[test]
    fn marks_of_a_repeated_move_are_united() {
        let mut twice = game(&[(1, 10), (2, 20), (1, 10)], 2);
        twice.plies[0].marks = 1;
        twice.plies[2].marks = 2;
        let mut maker = RowMaker::new(None);
        assert_eq!(maker.rows(&twice).1[0].marks(), 3);
    }

    #[test]
    fn long_games_and_many_games_agree_with_a_map() {
        let mut maker = RowMaker::new(None);
        let mut random = 1u64;
        for plies in [0usize, 1, 5, 300, 2_000, 3, 40, 5_000, 700] {
            let step = |_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (random >> 54, (random >> 40) as u16 % 4)
            };
            let keys: Vec<(u64, u16)> = (0..plies).map(step).collect();
            let (positions, moves) = maker.rows(&game(&keys, 7));
            let expected: BTreeMap<(u64, u16), ()> = keys.iter().map(|&pair| (pair, ())).collect();
            let mut found: Vec<(u64, u16)> = moves.iter().map(|row| (row.key(), row.code())).collect();
            found.sort_unstable();
            assert_eq!(found, expected.into_keys().collect::<Vec<_>>());
            let distinct: std::collections::BTreeSet<u64> = keys.iter().map(|pair| pair.0).chain([7]).collect();
            assert_eq!(positions.len(), distinct.len());
        }
    }
}
