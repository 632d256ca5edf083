//! Positions with their moves as archives of games have them, shared out as in BENCHMARKS.md's
//! masters: nine of ten were met in one game, or in two copies of one, and went on with one move.
//! All from fixed seeds, so that every answer is known beforehand.

use crate::workload::{STEP, key};
use tabia::{Counts, MoveRow, PositionRow, Row};

/// How many moves different codes stand for, as in masters.
const CODES: u64 = 1930;
const MOST_MOVES: usize = 24;
const MOST_GAMES: u64 = 100_000;
/// What of 1000 positions are met in one game and go on with one move; then those of two games and
/// one move; then those of one game that ends there. What is left has more games or more moves.
const SHARES: [u64; 3] = [734, 226, 11];

/// What is known of a position.
pub struct Entry {
    /// How its games ended.
    pub position: Counts,
    moves: [(u16, Counts); MOST_MOVES],
    len: usize,
}

/// Numbers that follow from a key.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        tabia::mix(self.0)
    }

    /// From 0 to `end` - 1.
    fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// More than 0, at most 1.
    fn unit(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// As often as in archives.
    fn result(&mut self) -> Counts {
        match self.below(100) {
            0..37 => Counts::new(1, 0, 0),
            37..70 => Counts::new(0, 1, 0),
            _ => Counts::new(0, 0, 1),
        }
    }

    /// Results of so many games; of many, shared out about as [`Random::result`] would.
    fn results(&mut self, games: u64) -> Counts {
        if games < 16 {
            return (0..games).fold(NONE, |sum, _| plus(sum, self.result()));
        }
        let wins = games * (32 + self.below(11)) / 100;
        let draws = games * (28 + self.below(11)) / 100;
        Counts::new(wins as u32, draws as u32, (games - wins - draws) as u32)
    }

    /// The number of a move's code: about ten bits of entropy, as in masters.
    fn code(&mut self) -> u64 {
        let unit = self.unit();
        ((unit * unit * unit.sqrt() * CODES as f64) as u64).min(CODES - 1)
    }

    /// A part of what is left of at least two games: at least one of them, and not all.
    fn part(&mut self, left: Counts) -> Counts {
        let share = 16 + self.below(32);
        let of = |count: u32| (u64::from(count) * share / 64) as u32;
        let part = Counts::new(of(left.wins), of(left.draws), of(left.losses));
        match part {
            NONE if left.wins > 0 => Counts { wins: 1, ..NONE },
            NONE if left.draws > 0 => Counts { draws: 1, ..NONE },
            NONE => Counts { losses: 1, ..NONE },
            part => part,
        }
    }
}

const NONE: Counts = Counts::new(0, 0, 0);

fn plus(a: Counts, b: Counts) -> Counts {
    Counts::new(a.wins + b.wins, a.draws + b.draws, a.losses + b.losses)
}

fn minus(a: Counts, b: Counts) -> Counts {
    Counts::new(a.wins - b.wins, a.draws - b.draws, a.losses - b.losses)
}

impl Entry {
    /// What is known of the position with this key.
    pub fn of(key: u64) -> Self {
        let mut random = Random(key);
        let kind = random.below(1000);
        let [one, two, ended] = SHARES;
        let (position, moves) = if kind < one {
            (random.result(), 1)
        } else if kind < one + two {
            // Mostly copies of a game.
            let first = random.result();
            let second = if random.below(64) == 0 { random.result() } else { first };
            (plus(first, second), 1)
        } else if kind < one + two + ended {
            (random.result(), 0)
        } else {
            let games = ((2.0 / random.unit()) as u64).min(MOST_GAMES);
            let moves = match random.below(100) {
                0..45 => 1,
                45..85 => 2,
                _ => 3 + games.ilog2() as usize,
            };
            (random.results(games), moves)
        };
        let mut entry = Self { position, moves: [(0, NONE); MOST_MOVES], len: 0 };
        if moves > 0 {
            entry.play(&mut random, moves.min(MOST_MOVES));
        }
        entry
    }

    /// Shares the position's games out among at most so many moves.
    fn play(&mut self, random: &mut Random, most: usize) {
        let mut left = self.position;
        while self.len + 1 < most && left.games() > 1 {
            let part = random.part(left);
            self.push(random.code(), part);
            left = minus(left, part);
        }
        self.push(random.code(), left);
    }

    /// Enters a move: that with this number, or the next one that is not there yet.
    fn push(&mut self, mut number: u64, counts: Counts) {
        let code = |number: u64| (number * 31 + 97) as u16;
        while self.moves().any(|(there, _)| there == code(number)) {
            number = (number + 1) % CODES;
        }
        self.moves[self.len] = (code(number), counts);
        self.len += 1;
    }

    /// Its moves: codes and counts.
    pub fn moves(&self) -> impl Iterator<Item = (u16, Counts)> {
        self.moves[..self.len].iter().copied()
    }
}

#[inline(always)]
pub fn answer(position: Counts) -> u64 {
    u64::from(position.wins) | u64::from(position.draws) << 21 | u64::from(position.losses) << 42
}

/// What a move adds to the answer of a probe for moves.
#[inline(always)]
pub fn answer_of_move(code: u16, counts: Counts) -> u64 {
    answer(counts).wrapping_add(u64::from(code) << 28)
}

/// What a row adds to the answer of a probe for moves.
#[inline(always)]
pub fn answer_of_row(row: &MoveRow) -> u64 {
    answer_of_move(row.code(), row.counts())
}

/// The right answer to a probe for a position alone.
pub fn position_answer(key: u64) -> u64 {
    answer(Entry::of(key).position)
}

/// What the moves of a position add to the answer of a probe for both.
fn moves_answer(key: u64) -> u64 {
    Entry::of(key)
        .moves()
        .fold(0, |sum, (code, counts)| sum.wrapping_add(answer_of_move(code, counts)))
}

/// The right answer to a probe for a position with its moves.
pub fn both_answer(key: u64) -> u64 {
    position_answer(key).wrapping_add(moves_answer(key))
}

/// The row of the `i`-th position, and those of its moves.
pub fn rows(i: u64) -> (PositionRow, impl Iterator<Item = MoveRow>) {
    let key = key(i);
    let entry = Entry::of(key);
    let position = PositionRow::new(key, entry.position);
    let moves = (0..entry.len).map(move |at| {
        let (code, counts) = entry.moves[at];
        MoveRow::new(key, code, counts)
    });
    (position, moves)
}

/// Sixteen bytes for a peer with values of one length: a position alone.
pub fn position_value(key: u64) -> [u8; 16] {
    let mut value = [0; 16];
    value[..8].copy_from_slice(&position_answer(key).to_le_bytes());
    value
}

/// Bytes of counts in [`both_value`].
const COUNTS_BYTES: usize = 12;
/// Bytes of a move there.
const MOVE_BYTES: usize = 2 + COUNTS_BYTES;

/// What a peer with values of any length stores of a position with its moves: the position's
/// counts, then for each move its code and counts.
pub fn both_value(key: u64, value: &mut Vec<u8>) {
    let entry = Entry::of(key);
    value.clear();
    push_counts(value, entry.position);
    for (code, counts) in entry.moves() {
        value.extend_from_slice(&code.to_le_bytes());
        push_counts(value, counts);
    }
}

fn push_counts(value: &mut Vec<u8>, counts: Counts) {
    for count in [counts.wins, counts.draws, counts.losses] {
        value.extend_from_slice(&count.to_le_bytes());
    }
}

/// What such a value says of a position with its moves.
#[inline(always)]
pub fn answer_of_both(value: &[u8]) -> u64 {
    let Some((position, moves)) = value.split_first_chunk::<COUNTS_BYTES>() else { return 0 };
    let moves = moves.as_chunks::<MOVE_BYTES>().0.iter();
    moves.fold(answer(counts_of(position)), |sum, of_move| {
        let [low, high, counts @ ..] = of_move;
        let code = u16::from_le_bytes([*low, *high]);
        sum.wrapping_add(answer_of_move(code, counts_of(counts)))
    })
}

#[inline(always)]
fn counts_of(bytes: &[u8; COUNTS_BYTES]) -> Counts {
    let (words, _) = bytes.as_chunks();
    let [wins, draws, losses] = [0, 1, 2].map(|i| u32::from_le_bytes(words[i]));
    Counts::new(wins, draws, losses)
}
