//! Othello's last moves, searched to the end: exact differences in discs.
//!
//! Moves that leave the opponent few replies come first while many squares are empty, later those
//! into regions with an odd number of empty squares, where who begins also ends (parity).

use crate::budget::Budget;
use tabia_games::othello::{flips, moves};

/// With fewer empty squares nothing is kept in the table.
const LEAST_KEPT: u32 = 7;

/// With fewer empty squares moves are ordered by parity alone.
const LEAST_ORDERED: u32 = 6;

/// The four quarters of the board.
const QUARTERS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// What is known of a position: its value is between two bounds.
#[derive(Clone, Copy, Debug)]
struct Entry {
    discs: [u64; 2],
    bounds: [i8; 2],
    best: u8,
}

const NOTHING: Entry = Entry { discs: [0; 2], bounds: [-64, 64], best: 64 };

/// A solver with a table of positions it has met.
#[derive(Debug, Default)]
pub struct Solver {
    /// Made when it is first needed.
    table: Vec<Entry>,
    is_used: bool,
}

const ENTRIES: usize = 1 << 16;

impl Solver {
    /// Forgets all.
    pub fn forget(&mut self) {
        if std::mem::take(&mut self.is_used) {
            self.table.fill(NOTHING);
        }
    }

    /// How many discs the side to move is ahead at the end, empty squares being the winner's; a
    /// bound of it outside the window; none if the budget doesn't suffice.
    pub fn solve(
        &mut self,
        own: u64,
        opponent: u64,
        [alpha, beta]: [i32; 2],
        budget: &mut Budget,
    ) -> Option<i32> {
        if self.table.is_empty() {
            self.table = vec![NOTHING; ENTRIES];
        }
        self.is_used = true;
        self.search([own, opponent], [alpha, beta], budget)
    }

    /// The same for a position met on the way.
    fn search(&mut self, discs: [u64; 2], window: [i32; 2], budget: &mut Budget) -> Option<i32> {
        budget.take()?;
        let [own, opponent] = discs;
        let empty = !(own | opponent);
        let legal = moves(own, opponent);
        if legal == 0 {
            if moves(opponent, own) == 0 {
                return Some(ahead(own, opponent));
            }
            let [alpha, beta] = window;
            return self.search([opponent, own], [-beta, -alpha], budget).map(|score| -score);
        }
        match empty.count_ones() {
            LEAST_KEPT.. => self.kept(discs, legal, window, budget),
            LEAST_ORDERED.. => {
                let squares = ordered(discs, legal, 64);
                self.best_of(discs, squares, window, budget).map(|(best, _)| best)
            }
            _ => {
                let squares = by_parity(legal, empty);
                self.best_of(discs, squares, window, budget).map(|(best, _)| best)
            }
        }
    }

    /// A position that is looked up, and kept.
    fn kept(
        &mut self,
        discs: [u64; 2],
        legal: u64,
        [mut alpha, mut beta]: [i32; 2],
        budget: &mut Budget,
    ) -> Option<i32> {
        let place = place(discs);
        let entry = self.table[place];
        let is_known = entry.discs == discs;
        let [least, most] = if is_known { entry.bounds.map(i32::from) } else { [-64, 64] };
        if least >= beta || least == most {
            return Some(least);
        }
        if most <= alpha {
            return Some(most);
        }
        (alpha, beta) = (alpha.max(least - 1), beta.min(most + 1));
        let squares = ordered(discs, legal, if is_known { entry.best } else { 64 });
        let (best, square) = self.best_of(discs, squares, [alpha, beta], budget)?;
        let bounds = match best {
            best if best >= beta => [best.max(least), most],
            best if best <= alpha => [least, best.min(most)],
            best => [best, best],
        };
        self.table[place] = Entry { discs, bounds: bounds.map(|bound| bound as i8), best: square };
        Some(best)
    }

    /// The best of the moves to these squares, and its square.
    fn best_of(
        &mut self,
        [own, opponent]: [u64; 2],
        squares: Squares,
        [mut alpha, beta]: [i32; 2],
        budget: &mut Budget,
    ) -> Option<(i32, u8)> {
        let (mut best, mut best_square) = (-65, 64);
        for &square in squares.as_slice() {
            let turned = flips(own, opponent, square);
            let after = [opponent & !turned, own | turned | 1 << square];
            let score = if best == -65 {
                -self.search(after, [-beta, -alpha], budget)?
            } else {
                let score = -self.search(after, [-alpha - 1, -alpha], budget)?;
                if score > alpha && score < beta {
                    -self.search(after, [-beta, -alpha], budget)?
                } else {
                    score
                }
            };
            if score > best {
                (best, best_square) = (score, square);
            }
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        Some((best, best_square))
    }
}

/// By how many discs a side is ahead where nobody can move.
fn ahead(own: u64, opponent: u64) -> i32 {
    let difference = own.count_ones() as i32 - opponent.count_ones() as i32;
    difference + difference.signum() * (own | opponent).count_zeros() as i32
}

fn place([own, opponent]: [u64; 2]) -> usize {
    let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
    (mixed.wrapping_mul(0x1656_67b1_9e37_79f9) >> 48) as usize % ENTRIES
}

/// Squares in the order in which they are tried.
struct Squares {
    squares: [u8; 64],
    count: usize,
}

impl Squares {
    fn as_slice(&self) -> &[u8] {
        &self.squares[..self.count]
    }

    fn push(&mut self, mut set: u64) {
        while set != 0 {
            self.squares[self.count] = set.trailing_zeros() as u8;
            self.count += 1;
            set &= set - 1;
        }
    }
}

/// Those of regions with an odd number of empty squares first.
fn by_parity(legal: u64, empty: u64) -> Squares {
    let odd = odd(empty);
    let mut squares = Squares { squares: [0; 64], count: 0 };
    squares.push(legal & odd & CORNERS);
    squares.push(legal & odd & !CORNERS);
    squares.push(legal & !odd);
    squares
}

/// The quarters with an odd number of empty squares.
fn odd(empty: u64) -> u64 {
    let odd = QUARTERS.iter().filter(|quarter| (empty & **quarter).count_ones() % 2 == 1);
    odd.fold(0, |set, quarter| set | quarter)
}

/// The best known one first, then those that leave the opponent the fewest replies.
fn ordered([own, opponent]: [u64; 2], legal: u64, best: u8) -> Squares {
    let mut squares = by_parity(legal, !(own | opponent));
    let odd = odd(!(own | opponent));
    let rank = |&square: &u8| {
        if square == best {
            return i32::MIN;
        }
        let (turned, bit) = (flips(own, opponent, square), 1u64 << square);
        let replies = moves(opponent & !turned, own | turned | bit);
        let replies = replies.count_ones() + (replies & CORNERS).count_ones();
        let place = if bit & CORNERS != 0 { 5 } else { i32::from(bit & odd != 0) };
        4 * replies as i32 - 2 * place
    };
    let count = squares.count;
    squares.squares[..count].sort_by_cached_key(rank);
    squares
}
