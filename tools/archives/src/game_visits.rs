//! Visits of a game: each position and each move of a position once, however often the game comes back to it.

use crate::ingest::{GameSink, Options, Origin};
use crate::played::Played;
use crate::visit::{ForMover, Visit};
use tabia::Key;
use tabia_games::Side;

/// Which rows are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Those of the positions table.
    pub positions: bool,
    /// Those of the moves table.
    pub moves: bool,
}

/// Where visits go.
pub trait VisitSink {
    /// Why it can't take any more.
    type Error;

    /// Takes what one game counts: each of its positions once and each of its moves once.
    ///
    /// # Errors
    /// Ends the ingestion.
    fn game(&mut self, visits: &[Visit]) -> Result<(), Self::Error>;
}

/// Makes visits of games and hands them on.
#[derive(Debug)]
pub struct Visiting<S> {
    maker: VisitMaker,
    /// Where they go.
    pub sink: S,
}

impl<S> Visiting<S> {
    /// Visits of what these options want of a game.
    #[must_use]
    pub fn new(options: &Options, sink: S) -> Self {
        Self { maker: VisitMaker::of(options), sink }
    }
}

impl<S: VisitSink> GameSink for Visiting<S> {
    type Error = S::Error;

    fn game(&mut self, game: &Played, _: Origin) -> Result<(), S::Error> {
        self.sink.game(self.maker.visits(game))
    }
}

/// Makes the visits of games, one game after the other, in buffers it keeps.
#[derive(Debug)]
pub struct VisitMaker {
    max_ply: usize,
    tables: Tables,
    side: Option<Side>,
    seen: Seen,
    visits: Vec<Visit>,
    /// For each of `visits`, one more than the index of the one before it at the same position, 0 if it is the first.
    earlier: Vec<u32>,
}

impl VisitMaker {
    /// For the moves of the first `max_ply` plies, and the positions after 0 to `max_ply` of them; all if `None`.
    #[must_use]
    pub fn new(max_ply: Option<u32>, tables: Tables) -> Self {
        let max_ply = max_ply.map_or(usize::MAX, |plies| plies as usize);
        Self { max_ply, tables, side: None, seen: Seen::default(), visits: Vec::new(), earlier: Vec::new() }
    }

    /// For what these options want of a game.
    #[must_use]
    pub fn of(options: &Options) -> Self {
        Self::new(options.max_ply, options.tables).of_side(options.side)
    }

    /// The same, but only for positions in which this side is to move, and its moves; for both if `None`.
    #[must_use]
    pub fn of_side(self, side: Option<Side>) -> Self {
        Self { side, ..self }
    }

    /// The key of the position after so many plies of a game, if it is one that this makes visits for.
    #[must_use]
    pub fn position(&self, game: &Played, plies: u32) -> Option<Key> {
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

    /// The visits of a game, in its order.
    pub fn visits(&mut self, game: &Played) -> &[Visit] {
        let plies = &game.plies[..game.plies.len().min(self.max_ply)];
        let last = game.plies.get(plies.len()).map_or(game.last, |ply| (ply.key, ply.side));
        let results = [ForMover::of(game.outcome, Side::First), ForMover::of(game.outcome, Side::Second)];
        self.visits.clear();
        self.earlier.clear();
        self.seen.next_game(plies.len() + 1);
        for ply in plies {
            if !self.takes(ply.side) {
                continue;
            }
            let slot = self.seen.slot(ply.key);
            let mut visit = Visit::new(ply.key, results[ply.side.index()]);
            if slot.is_new && self.tables.positions {
                visit = visit.of_position();
            }
            if self.tables.moves {
                if !slot.is_new
                    && let Some(index) = same_move(&self.visits, &self.earlier, slot.last_visit, ply.code)
                {
                    self.visits[index] = self.visits[index].with_marks(ply.marks);
                    continue;
                }
                visit = visit.of_move(ply.code, ply.marks);
            } else if !slot.is_new {
                continue;
            }
            self.visits.push(visit);
            self.earlier.push(slot.last_visit);
            self.seen.set_last_visit(slot.index, self.visits.len() as u32);
        }
        if self.tables.positions && self.takes(last.1) && self.seen.slot(last.0).is_new {
            self.visits.push(Visit::new(last.0, results[last.1.index()]).of_position());
        }
        &self.visits
    }
}

/// The index of the visit with this move at a position, given one more than the index of the last visit there.
#[cold]
fn same_move(visits: &[Visit], earlier: &[u32], mut last: u32, code: u16) -> Option<usize> {
    while last > 0 {
        let index = last as usize - 1;
        if visits[index].code() == code {
            return Some(index);
        }
        last = earlier[index];
    }
    None
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
    /// One more than the index of the last visit here, 0 if none.
    last_visit: u32,
}

/// What is known of a position of the game.
struct Found {
    index: usize,
    is_new: bool,
    last_visit: u32,
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
                *slot = Slot { key, game: self.game, last_visit: 0 };
                return Found { index, is_new: true, last_visit: 0 };
            }
            if slot.key == key {
                return Found { index, is_new: false, last_visit: slot.last_visit };
            }
            index = (index + 1) & mask;
        }
    }

    #[inline(always)]
    fn set_last_visit(&mut self, index: usize, last_visit: u32) {
        self.slots[index].last_visit = last_visit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::played::Ply;
    use crate::visit::OfVisit;
    use std::collections::BTreeMap;
    use tabia::row::{MoveRow, PositionRow, Row};
    use tabia_games::Outcome;

    const BOTH: Tables = Tables { positions: true, moves: true };

    fn game(keys_and_codes: &[(u64, u16)], last: u64) -> Played {
        let side = |index: usize| if index.is_multiple_of(2) { Side::First } else { Side::Second };
        let ply = |(index, &(key, code)): (usize, &(u64, u16))| Ply { key, code, side: side(index), marks: 0 };
        let plies: Vec<Ply> = keys_and_codes.iter().enumerate().map(ply).collect();
        Played { last: (last, side(plies.len())), plies, outcome: Outcome::FirstWins, ..Played::default() }
    }

    /// The rows of one kind that these visits count in.
    fn rows<R: OfVisit>(visits: &[Visit]) -> Vec<R> {
        visits.iter().filter_map(|&visit| R::of_visit(visit)).collect()
    }

    fn positions(visits: &[Visit]) -> Vec<u64> {
        rows::<PositionRow>(visits).iter().map(Row::key).collect()
    }

    fn moves(visits: &[Visit]) -> Vec<(u64, u16)> {
        rows::<MoveRow>(visits).iter().map(|row| (row.key(), row.code())).collect()
    }

    #[test]
    fn a_game_counts_once_however_often_it_comes_back() {
        // 1 -a-> 2 -b-> 1 -a-> 2 -c-> 1 -d-> 3
        let shuffle = game(&[(1, 10), (2, 20), (1, 10), (2, 21), (1, 11)], 2);
        let mut maker = VisitMaker::new(None, BOTH);
        for _ in 0..2 {
            let visits = maker.visits(&shuffle);
            assert_eq!(positions(visits), [1, 2]);
            assert_eq!(moves(visits), [(1, 10), (2, 20), (2, 21), (1, 11)]);
        }
    }

    #[test]
    fn one_table_alone_has_the_same_rows() {
        let shuffle = game(&[(1, 10), (2, 20), (1, 10), (2, 21), (1, 11)], 3);
        let mut maker = VisitMaker::new(None, Tables { positions: true, moves: false });
        let visits = maker.visits(&shuffle);
        assert_eq!((visits.len(), positions(visits), moves(visits)), (3, vec![1, 2, 3], vec![]));
        let mut maker = VisitMaker::new(None, Tables { positions: false, moves: true });
        let visits = maker.visits(&shuffle);
        assert_eq!((positions(visits), moves(visits)), (vec![], vec![(1, 10), (2, 20), (2, 21), (1, 11)]));
    }

    #[test]
    fn counts_are_the_movers() {
        let mut maker = VisitMaker::new(None, BOTH);
        let visits = maker.visits(&game(&[(1, 10), (2, 20)], 3));
        assert_eq!(rows::<PositionRow>(visits).iter().map(|row| row.counts().wins).collect::<Vec<_>>(), [1, 0, 1]);
        assert_eq!(rows::<MoveRow>(visits).iter().map(|row| row.counts().losses).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn max_ply_keeps_that_many_moves_and_one_more_position() {
        let three = game(&[(1, 10), (2, 20), (3, 30)], 4);
        let sizes = |max_ply| {
            let mut maker = VisitMaker::new(max_ply, BOTH);
            let visits = maker.visits(&three);
            (positions(visits).len(), moves(visits).len())
        };
        assert_eq!([Some(0), Some(1), Some(2), Some(3), Some(4), None].map(sizes), [(1, 0), (2, 1), (3, 2), (4, 3), (4, 3), (4, 3)]);
    }

    #[test]
    fn marks_of_a_repeated_move_are_united() {
        let mut twice = game(&[(1, 10), (2, 20), (1, 10)], 2);
        twice.plies[0].marks = 1;
        twice.plies[2].marks = 2;
        let mut maker = VisitMaker::new(None, BOTH);
        assert_eq!(rows::<MoveRow>(maker.visits(&twice))[0].marks(), 3);
    }

    #[test]
    fn long_games_and_many_games_agree_with_a_map() {
        let mut maker = VisitMaker::new(None, BOTH);
        let mut random = 1u64;
        for plies in [0usize, 1, 5, 300, 2_000, 3, 40, 5_000, 700] {
            let step = |_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (random >> 54, (random >> 40) as u16 % 4)
            };
            let keys: Vec<(u64, u16)> = (0..plies).map(step).collect();
            let visits = maker.visits(&game(&keys, 7));
            let expected: BTreeMap<(u64, u16), ()> = keys.iter().map(|&pair| (pair, ())).collect();
            let mut found = moves(visits);
            found.sort_unstable();
            assert_eq!(found, expected.into_keys().collect::<Vec<_>>());
            let distinct: std::collections::BTreeSet<u64> = keys.iter().map(|pair| pair.0).chain([7]).collect();
            assert_eq!(positions(visits).len(), distinct.len());
        }
    }
}
