//! The rows that every contender holds and the keys that are asked for: all from fixed seeds, so
//! that every answer is known beforehand.

use tabia::{Counts, MoveRow, PositionRow};

/// The step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
/// Where the keys' sequence starts.
const SEED: u64 = 0x7ab1a;

/// The `i`-th key: the `i`-th number of SplitMix64, hence never the same for two `i`.
#[inline]
pub fn key(i: u64) -> u64 {
    tabia::mix(SEED.wrapping_add(i.wrapping_mul(STEP)))
}

/// The first eight bytes of what is stored for a key, never 0: what a probe answers.
#[inline]
pub fn payload(key: u64) -> u64 {
    (key ^ STEP).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29) | 1
}

/// The counts that hold a key's payload.
#[inline]
pub fn counts(key: u64) -> Counts {
    let payload = payload(key);
    Counts::new(payload as u32, (payload >> 32) as u32, 0)
}

/// The payload that counts hold.
#[inline(always)]
pub fn answer(counts: Counts) -> u64 {
    u64::from(counts.wins) | u64::from(counts.draws) << 32
}

#[inline]
pub fn position_row(key: u64) -> PositionRow {
    PositionRow::new(key, counts(key))
}

/// The sixteen bytes that stand beside the key in a row.
#[inline]
pub fn value(key: u64) -> [u8; 16] {
    let mut value = [0; 16];
    value[..8].copy_from_slice(&payload(key).to_le_bytes());
    value
}

/// What sixteen bytes beside a key say.
#[inline(always)]
pub fn answer_of_value(value: &[u8]) -> u64 {
    value.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// How many moves were played at a position: one at nine of ten, as in archives of games, up to
/// thirty at one of a hundred.
#[inline]
pub fn moves_played(key: u64) -> u16 {
    let (share, more) = (payload(key) >> 40, payload(key) >> 20);
    match share % 100 {
        0..90 => 1,
        90..96 => 2,
        96..99 => 3 + (more % 4) as u16,
        _ => 7 + (more % 24) as u16,
    }
}

/// The rows of a position's moves.
pub fn move_rows(key: u64) -> impl Iterator<Item = MoveRow> {
    (0..moves_played(key))
        .map(move |code| MoveRow::new(key, code, counts(key.wrapping_add(u64::from(code)))))
}

/// What a probe for a position's moves answers: the sum of their payloads.
pub fn moves_answer(key: u64) -> u64 {
    (0..moves_played(key))
        .fold(0, |sum, code| sum.wrapping_add(payload(key.wrapping_add(u64::from(code)))))
}

/// Whether keys that are in the book are asked for, or others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Keys of rows.
    Hits,
    /// Keys without a row.
    Misses,
}

/// Keys to ask for, in random order, and the sum of the right answers.
pub struct Queries {
    pub keys: Vec<u64>,
    /// Each key xor the right answer for the one before: who wants to know a key has to have
    /// answered, and guessing doesn't help.
    pub chain: Vec<u64>,
    /// The wrapping sum of what a probe for each has to answer.
    pub expected: u64,
}

impl Queries {
    /// Draws `count` keys, of the first `rows` ones for hits; a seed for each line and round, so
    /// that nothing is asked twice while warm.
    pub fn draw(asked: Asked, rows: u64, count: usize, seed: u64, answer: fn(u64) -> u64) -> Self {
        let random =
            |i: usize| tabia::mix(tabia::mix(seed).wrapping_add((i as u64).wrapping_mul(STEP)));
        let below_rows = |i: usize| ((u128::from(random(i)) * u128::from(rows)) >> 64) as u64;
        let keys: Vec<u64> = match asked {
            Asked::Hits => (0..count).map(|i| key(below_rows(i))).collect(),
            Asked::Misses => (0..count).map(|i| key(rows + below_rows(i))).collect(),
        };
        Self::of(keys, if asked == Asked::Hits { answer } else { |_| 0 })
    }

    /// These keys, to each of which this is the right answer.
    pub fn of(keys: Vec<u64>, answer: fn(u64) -> u64) -> Self {
        let answers: Vec<u64> = keys.iter().map(|&key| answer(key)).collect();
        let expected = answers.iter().fold(0, |sum: u64, &answer| sum.wrapping_add(answer));
        let before = std::iter::once(0).chain(answers);
        let chain = keys.iter().zip(before).map(|(key, before)| key ^ before).collect();
        Self { keys, chain, expected }
    }
}
