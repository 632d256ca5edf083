//! What two copies of a game have in common, in 128 bits, and which of them counts.

use serde::{Deserialize, Serialize};
use tabia::mix;
use tabia_archives::{GameRecord, named};
use xxhash_rust::xxh3::Xxh3;

named! {
    /// What makes two games copies of each other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub enum SameBy {
        /// Their starting position and moves.
        Moves = "moves",
        /// Those, their players and their date.
        MovesAndPlayers = "moves+players",
    }
}

/// A line of moves from a starting position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Line(pub u64, pub u64);

impl Line {
    /// The line without moves from the position with this key, in a game of these players (0 if
    /// they don't matter).
    pub fn start(key: u64, players: u64) -> Self {
        let start = mix(key).wrapping_add(mix(players ^ 0x9e37_79b9_7f4a_7c15));
        Self(mix(start ^ 1), mix(start ^ 2))
    }

    /// The line one move longer.
    #[inline(always)]
    pub fn then(self, code: u16) -> Self {
        let code = u64::from(code) + 1;
        Self(mix(self.0 ^ code), mix(self.1.wrapping_add(code.wrapping_mul(0xd6e8_feb8_6659_fd93))))
    }

    /// Which of so many shares of all lines it is of; those of one follow on those of the one before.
    #[inline(always)]
    pub fn share(self, shares: u64) -> u64 {
        ((u128::from(self.0) * u128::from(shares)) >> 64) as u64
    }

    /// The line of these bytes: both halves, little-endian.
    pub fn of_bytes(bytes: &[u8; 16]) -> Self {
        let halves = u128::from_le_bytes(*bytes);
        Self(halves as u64, (halves >> 64) as u64)
    }
}

/// Of two copies the one with the lesser rank counts.
pub(super) fn rank(game: &GameRecord) -> u64 {
    let mut said = Xxh3::new();
    said.update(&[game.outcome as u8, u8::from(game.ratings.is_some())]);
    game.ratings.iter().flatten().for_each(|rating| said.update(&rating.to_le_bytes()));
    // Of games that differ in nothing else the one that counts must not be left to their order;
    // books without columns know neither.
    if game.year != 0 || game.digest != 0 {
        said.update(&game.year.to_le_bytes());
        said.update(&game.digest.to_le_bytes());
    }
    let mut notes = 0usize;
    for (number, ply) in (0u32..).zip(&game.plies).filter(|(_, ply)| !ply.marks.is_empty()) {
        notes += 1;
        said.update(&number.to_le_bytes());
        said.update(&[ply.marks.bits()]);
    }
    for eval in &game.evals {
        notes += 1;
        said.update(&eval.plies.to_le_bytes());
        said.update(&eval.value.to_le_bytes());
        said.update(&[eval.depth]);
    }
    const MOST_NOTES: usize = (1 << 15) - 1;
    let silence = (MOST_NOTES - notes.min(MOST_NOTES)) as u64;
    u64::from(game.ratings.is_none()) << 63 | silence << 48 | said.digest() >> 16
}
