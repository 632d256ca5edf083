//! In which order moves are searched: the best move of the hash table first, then what the game's
//! own order says, then moves that were too good nearby (killers) and elsewhere (history).

use tabia_games::Side;

/// The deepest that a search goes, in plies.
pub(crate) const DEEPEST: usize = 128;

/// Codes told apart by the history.
const CODES: usize = 1 << 12;

/// More than any other reason.
const OF_TABLE: i64 = 1 << 60;

/// What was learned of moves in a search.
#[derive(Debug)]
pub(crate) struct Ordering {
    killers: Vec<[u16; 2]>,
    history: Vec<u32>,
}

impl Ordering {
    pub fn new() -> Self {
        Self { killers: vec![[u16::MAX; 2]; DEEPEST], history: vec![0; 2 * CODES] }
    }

    pub fn clear(&mut self) {
        self.killers.fill([u16::MAX; 2]);
        self.history.fill(0);
    }

    /// By what a move is ordered, the greatest first. `own` is what the game says of it.
    #[inline]
    pub fn rank(&self, code: u16, best: Option<u16>, own: i32, ply: usize, side: Side) -> i64 {
        if best == Some(code) {
            return OF_TABLE;
        }
        let [first, second] = self.killers[ply % DEEPEST];
        let killer = if code == first {
            2 << 24
        } else if code == second {
            1 << 24
        } else {
            0
        };
        (i64::from(own) << 32) + killer + i64::from(self.history[slot(code, side)])
    }

    /// A move was so good that the others needed no search.
    #[inline]
    pub fn reward(&mut self, code: u16, ply: usize, side: Side, depth: u32) {
        let killers = &mut self.killers[ply % DEEPEST];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        let slot = slot(code, side);
        self.history[slot] += depth * depth;
        if self.history[slot] >= 1 << 24 {
            self.history.iter_mut().for_each(|count| *count /= 2);
        }
    }
}

#[inline]
fn slot(code: u16, side: Side) -> usize {
    side.index() * CODES + usize::from(code) % CODES
}
