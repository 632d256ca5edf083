//! The hash table: what was found of positions that come up again by other moves.

use crate::score::{Found, LEAST_WON, Window};

/// What a score found says of the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Bound {
    #[default]
    Lower,
    Upper,
    Exact,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    score: i32,
    /// The search that it belongs to; those of others are as good as empty.
    search: u32,
    depth: u8,
    bound: Bound,
    proven: bool,
    best: u16,
}

/// A table of fixed size, in pairs of entries: for the deepest search, and for the last one.
#[derive(Debug)]
pub(crate) struct Table {
    pairs: Vec<[Entry; 2]>,
    search: u32,
}

/// What a table knows of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// What a search of this depth would find, if that is known well enough.
    pub found: Option<Found>,
    /// The code of the best move.
    pub best: u16,
}

impl Table {
    /// One with this many entries, or one that never knows anything if they are fewer than two.
    pub fn new(entries: usize) -> Self {
        Self { pairs: vec![[Entry::default(); 2]; entries / 2], search: 0 }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.pairs.fill([Entry::default(); 2]);
            self.search = 1;
        }
    }

    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.pairs.len() as u128) >> 64) as usize
    }

    /// What is known of a position so many plies from the root.
    pub fn probe(&self, key: u64, depth: u8, window: Window, ply: u32) -> Option<Known> {
        let pair = self.pairs.get(self.place(key))?;
        let entry = pair.iter().find(|entry| entry.key == key && entry.search == self.search)?;
        let score = further(entry.score, ply as i32);
        let is_enough = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        let is_good = is_enough && (entry.depth >= depth || entry.proven);
        let found = is_good.then_some(Found { score, proven: entry.proven });
        Some(Known { found, best: entry.best })
    }

    /// Keeps what a search of this depth found with this window.
    pub fn keep(
        &mut self,
        key: u64,
        (depth, ply): (u8, u32),
        window: Window,
        found: Found,
        best: u16,
    ) {
        let place = self.place(key);
        let Some(pair) = self.pairs.get_mut(place) else { return };
        let bound = match found.score {
            score if score >= window.beta => Bound::Lower,
            score if score <= window.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let (score, search) = (further(found.score, -(ply as i32)), self.search);
        let entry = Entry { key, score, search, depth, bound, proven: found.proven, best };
        let [deep, last] = pair;
        let worth = |entry: &Entry| (entry.proven, entry.depth);
        if last.key == key && last.search == search {
            *last = entry;
        } else if deep.key == key || deep.search != search || worth(&entry) >= worth(deep) {
            *deep = entry;
        } else {
            *last = entry;
        }
    }
}

/// The score of a win or a loss that is so many plies further away. They are kept as plies from the
/// position, and found as plies from the root.
fn further(score: i32, plies: i32) -> i32 {
    match score {
        LEAST_WON.. => score - plies,
        score if score <= -LEAST_WON => score + plies,
        score => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_count_where_they_decide() {
        let mut table = Table::new(16);
        table.clear();
        let found = Found::estimate(30);
        table.keep(7, (4, 0), Window { alpha: 0, beta: 20 }, found, 5);
        let probe = |table: &Table, depth, alpha, beta| {
            table.probe(7, depth, Window { alpha, beta }, 0).map(|known| (known.found, known.best))
        };
        assert_eq!(probe(&table, 4, 0, 30), Some((Some(found), 5)));
        assert_eq!(probe(&table, 4, 0, 31), Some((None, 5)), "a lower bound within the window");
        assert_eq!(probe(&table, 5, 0, 30), Some((None, 5)), "not deep enough");
        assert_eq!(table.probe(8, 0, Window::FULL, 0).map(|known| known.best), None);
        table.clear();
        assert_eq!(probe(&table, 4, 0, 30), None);
    }
}
