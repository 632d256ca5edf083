//! Rows of a moves table with ratings: what was played at a position, and by how strong players.
//!
//! A game is rated if the ratings of both players are known. Wins, draws and losses of a row count all games, so that the rated ones need a
//! score of their own.

use super::{Counts, MoveRow, Row, TableKind, add_u32, blank};
use crate::key::Key;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The most that a performance rating is above or below the opponents' average: that of a score of 100 % or of nothing.
const MOST_ABOVE: f64 = 800.0;

/// The ratings of those who played a move, and of those they played it against: sums over all rated games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ratings {
    /// The sum of the ratings of those who made the move; a row holds at most [`Ratings::MOST`].
    pub mover_sum: u64,
    /// The sum of the ratings of their opponents, likewise.
    pub opponent_sum: u64,
    /// The rated games.
    pub games: u32,
    /// Two for each rated game that the mover won, one for each that was drawn.
    pub score: u64,
}

impl Ratings {
    /// The greatest sum of ratings that a row holds; greater ones stay there.
    pub const MOST: u64 = U48::MOST;

    /// The ratings of one game: the mover's and the opponent's, and two for a win of the mover, one for a draw.
    #[must_use]
    pub fn of_game(mover: u16, opponent: u16, score: u8) -> Self {
        Self { mover_sum: mover.into(), opponent_sum: opponent.into(), games: 1, score: score.into() }
    }

    /// The average rating of those who made the move; none without rated games.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        self.per_game(self.mover_sum)
    }

    /// The average rating of their opponents.
    #[must_use]
    pub fn opponents(&self) -> Option<f64> {
        self.per_game(self.opponent_sum)
    }

    /// The performance rating: the rating at which the score was to be expected (Elo 1978), `opponents + 400 log10(p / (1 - p))`, where
    /// `p` is the score's share of the rated games. The second part stays within 800, as in the table of the FIDE handbook (B.02).
    #[must_use]
    pub fn performance(&self) -> Option<f64> {
        let share = (self.score as f64 / (2.0 * f64::from(self.games))).min(1.0);
        self.opponents().map(|opponents| opponents + (400.0 * (share / (1.0 - share)).log10()).clamp(-MOST_ABOVE, MOST_ABOVE))
    }

    /// How much better than their rating players did with the move: performance less average, perhaps the best measure of a move (Fierz
    /// 2005).
    #[must_use]
    pub fn gain(&self) -> Option<f64> {
        self.performance().zip(self.average()).map(|(performance, average)| performance - average)
    }

    fn per_game(&self, sum: u64) -> Option<f64> {
        (self.games > 0).then(|| sum as f64 / f64::from(self.games))
    }
}

/// An unsigned integer of six bytes, little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
struct U48([u8; 6]);

impl U48 {
    const MOST: u64 = (1 << 48) - 1;

    /// The value, or the greatest there is.
    #[inline]
    fn new(value: u64) -> Self {
        let [a, b, c, d, e, f, ..] = value.min(Self::MOST).to_le_bytes();
        Self([a, b, c, d, e, f])
    }

    #[inline]
    fn get(self) -> u64 {
        let [a, b, c, d, e, f] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, 0, 0])
    }
}

/// A row of a moves table with ratings: 48 bytes, of which the first 24 are a [`MoveRow`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct RatedMoveRow {
    plain: MoveRow,
    mover_sum: U48,
    opponent_sum: U48,
    games: U32,
    score: U64,
}

impl RatedMoveRow {
    /// A row with counts, no marks and no rated game, for the move with this code at the position with this key.
    #[inline]
    #[must_use]
    pub fn new(key: Key, code: u16, counts: Counts) -> Self {
        MoveRow::new(key, code, counts).into()
    }

    /// The same for a key's hash.
    #[inline]
    #[must_use]
    pub fn of_hash(hash: u64, code: u16, counts: Counts) -> Self {
        MoveRow::of_hash(hash, code, counts).into()
    }

    /// The same row with these [`marks`](super::marks).
    #[must_use]
    pub fn with_marks(mut self, marks: u8) -> Self {
        self.plain = self.plain.with_marks(marks);
        self
    }

    /// The same row with these ratings; of sums beyond [`Ratings::MOST`] that much.
    #[inline]
    #[must_use]
    pub fn with_ratings(mut self, ratings: Ratings) -> Self {
        self.mover_sum = U48::new(ratings.mover_sum);
        self.opponent_sum = U48::new(ratings.opponent_sum);
        self.games = U32::new(ratings.games);
        self.score = U64::new(ratings.score);
        self
    }

    /// The move's code, as its game defines it.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.plain.code()
    }

    /// The [`marks`](super::marks).
    #[must_use]
    pub fn marks(&self) -> u8 {
        self.plain.marks()
    }

    /// The ratings.
    #[must_use]
    pub fn ratings(&self) -> Ratings {
        let (mover_sum, opponent_sum) = (self.mover_sum.get(), self.opponent_sum.get());
        Ratings { mover_sum, opponent_sum, games: self.games.get(), score: self.score.get() }
    }

    /// The row without its ratings.
    #[inline]
    #[must_use]
    pub fn plain(&self) -> MoveRow {
        self.plain
    }
}

/// A row without rated games.
impl From<MoveRow> for RatedMoveRow {
    #[inline]
    fn from(plain: MoveRow) -> Self {
        Self { plain, mover_sum: U48([0; 6]), opponent_sum: U48([0; 6]), games: U32::ZERO, score: U64::ZERO }
    }
}

/// The row without its ratings.
impl From<RatedMoveRow> for MoveRow {
    #[inline]
    fn from(row: RatedMoveRow) -> Self {
        row.plain
    }
}

impl Row for RatedMoveRow {
    const TABLE: TableKind = TableKind::Moves;
    type Bytes = [u8; 48];
    const EMPTY: Self = Self {
        plain: MoveRow::EMPTY,
        mover_sum: U48([0xff; 6]),
        opponent_sum: U48([0xff; 6]),
        games: U32::MAX_VALUE,
        score: U64::MAX_VALUE,
    };

    #[inline(always)]
    fn hash(&self) -> u64 {
        self.plain.hash()
    }

    #[inline(always)]
    fn sub(&self) -> u16 {
        self.plain.sub()
    }

    #[inline]
    fn counts(&self) -> Counts {
        self.plain.counts()
    }

    #[inline]
    fn absorb(&mut self, other: &Self) {
        self.plain.absorb(&other.plain);
        // Two sums of 48 bits don't overflow one of 64.
        self.mover_sum = U48::new(self.mover_sum.get() + other.mover_sum.get());
        self.opponent_sum = U48::new(self.opponent_sum.get() + other.opponent_sum.get());
        add_u32(&mut self.games, other.games);
        self.score = U64::new(self.score.get().saturating_add(other.score.get()));
    }

    fn bare(&self) -> Self {
        self.plain.bare().into()
    }

    #[inline(always)]
    fn is_valid(&self) -> bool {
        self.plain.is_valid()
    }

    #[inline(always)]
    fn is_blank(&self) -> bool {
        blank::<6>(zerocopy::transmute!(*self))
    }

    #[inline(always)]
    fn to_bytes(self) -> [u8; 48] {
        zerocopy::transmute!(self)
    }

    fn fault(&self) -> Option<&'static str> {
        self.plain.fault()
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.plain.is_empty()
    }
}

impl std::fmt::Debug for RatedMoveRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RatedMoveRow").field("plain", &self.plain).field("ratings", &self.ratings()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::merged;
    use super::*;
    use proptest::prelude::*;

    /// A strategy for rows of one move, with counts and sums that overflow.
    fn rows_of_one_move() -> impl Strategy<Value = RatedMoveRow> {
        let count = || prop_oneof![0u32..5, Just(u32::MAX), Just(u32::MAX - 1)];
        let sum = || prop_oneof![0u64..5, any::<u64>(), Just(Ratings::MOST - 1)];
        let counts = (count(), count(), count()).prop_map(|(wins, draws, losses)| Counts { wins, draws, losses });
        let ratings = (sum(), sum(), count(), prop_oneof![0u64..5, Just(u64::MAX - 2)])
            .prop_map(|(mover_sum, opponent_sum, games, score)| Ratings { mover_sum, opponent_sum, games, score });
        (counts, any::<u8>(), ratings)
            .prop_map(|(counts, marks, ratings)| RatedMoveRow::new(7, 796, counts).with_marks(marks).with_ratings(ratings))
    }

    proptest! {
        #[test]
        fn m5_merging_is_commutative_and_associative(a in rows_of_one_move(), b in rows_of_one_move(), c in rows_of_one_move()) {
            prop_assert_eq!(merged(a, b), merged(b, a));
            prop_assert_eq!(merged(merged(a, b), c), merged(a, merged(b, c)));
            prop_assert_eq!(merged(a, b).plain(), merged(a.plain(), b.plain()));
            prop_assert_eq!(merged(a, RatedMoveRow::new(7, 796, Counts::default())), a);
            prop_assert!(merged(a, b).is_valid() && !merged(a, b).is_empty());
        }

        #[test]
        fn ratings_come_back(mover_sum in 0..=Ratings::MOST, opponent_sum in 0..=Ratings::MOST, games: u32, score: u64) {
            let ratings = Ratings { mover_sum, opponent_sum, games, score };
            prop_assert_eq!(RatedMoveRow::new(1, 2, Counts::default()).with_ratings(ratings).ratings(), ratings);
        }

        #[test]
        fn no_ratings_make_a_performance_beyond_800_points_of_the_opponents(mover_sum: u64, opponent_sum: u64, games: u32, score: u64) {
            let ratings = Ratings { mover_sum, opponent_sum, games, score };
            let above = ratings.performance().zip(ratings.opponents()).map(|(performance, opponents)| performance - opponents);
            // Of sums beyond all ratings the difference is rounded.
            prop_assert!(above.is_none_or(|above| above.abs() <= 800.0 + opponent_sum as f64 * 1e-15));
            prop_assert_eq!(above.is_none(), games == 0);
        }
    }

    #[test]
    fn m5_sums_of_ratings_saturate_at_48_bits() {
        let row = |sum, games| {
            let ratings = Ratings { mover_sum: sum, opponent_sum: 3, games, score: 1 };
            RatedMoveRow::new(1, 2, Counts::default()).with_ratings(ratings)
        };
        let both = merged(row(Ratings::MOST - 2000, u32::MAX), row(2001, 4)).ratings();
        assert_eq!(both, Ratings { mover_sum: (1 << 48) - 1, opponent_sum: 6, games: u32::MAX, score: 2 });
        assert_eq!(row(u64::MAX, 1).ratings().mover_sum, Ratings::MOST);
    }

    /// Bytes counted by hand from section 4 of the specification.
    #[test]
    fn a_row_is_a_plain_one_with_ratings_behind_it() {
        let ratings = Ratings { mover_sum: 0x0102_0304_0506, opponent_sum: 0x1112_1314_1516, games: 0x2122_2324, score: 0x31 };
        let row = RatedMoveRow::new(5, 796, Counts { wins: 1, draws: 2, losses: 3 }).with_marks(4).with_ratings(ratings);
        let bytes = row.to_bytes();
        assert_eq!(bytes[..24], row.plain().to_bytes());
        let behind = [6, 5, 4, 3, 2, 1, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, 0x24, 0x23, 0x22, 0x21, 0x31, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(bytes[24..], behind);
    }

    #[test]
    fn an_empty_slot_is_all_ones_and_no_valid_row_is_one() {
        assert_eq!(RatedMoveRow::EMPTY.to_bytes(), [0xff; 48]);
        assert!(RatedMoveRow::EMPTY.is_empty() && RatedMoveRow::EMPTY.is_blank());
        let full = Counts { wins: u32::MAX, draws: u32::MAX, losses: u32::MAX };
        let ratings = Ratings { mover_sum: u64::MAX, opponent_sum: u64::MAX, games: u32::MAX, score: u64::MAX };
        let row = RatedMoveRow::new(crate::key::unmix(u64::MAX), u16::MAX, full).with_marks(0xff).with_ratings(ratings);
        assert!(!row.is_empty() && !row.is_blank());
        for byte in 0..48 {
            let mut bytes = [0xffu8; 48];
            bytes[byte] = 0xfe;
            let slot: RatedMoveRow = zerocopy::transmute!(bytes);
            assert!(!slot.is_blank(), "byte {byte}");
        }
    }

    #[test]
    fn performance_is_the_rating_at_which_the_score_was_to_be_expected() {
        let near = |got: Option<f64>, expected: f64| assert!(got.is_some_and(|got| (got - expected).abs() < 0.01), "{got:?}, {expected}");
        let ratings = |games, score| Ratings { mover_sum: 2100 * u64::from(games), opponent_sum: 2000 * u64::from(games), games, score };
        near(ratings(4, 4).performance(), 2000.0);
        near(ratings(4, 6).performance(), 2190.85); // three points of four: 400 log10(3)
        near(ratings(4, 6).gain(), 90.85);
        near(ratings(4, 2).performance(), 1809.15);
        near(ratings(4, 8).performance(), 2800.0);
        near(ratings(4, 0).performance(), 1200.0);
        near(ratings(200, 399).performance(), 2800.0); // 1,040 above, if it were not kept within 800
        let both = [Ratings::of_game(2100, 2000, 2), Ratings::of_game(2300, 1900, 1)];
        let rows = both.map(|ratings| RatedMoveRow::new(1, 2, Counts::default()).with_ratings(ratings));
        let both = merged(rows[0], rows[1]).ratings();
        near(both.average(), 2200.0);
        near(both.opponents(), 1950.0);
        assert_eq!((both.games, both.score), (2, 3));
        assert_eq!((Ratings::default().average(), Ratings::default().performance(), Ratings::default().gain()), (None, None, None));
    }
}
