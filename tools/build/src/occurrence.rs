//! What a game counts at a position, in sixteen bytes: what is collected and sorted before rows are
//! made of it.
//!
//! A position with the move made there is one occurrence and serves both tables, so that they are
//! sorted once, at a third of the bytes of their rows. Occurrences that say the same merge to one
//! of several games.

use tabia::row::{Counts, Marks, MoveRow, PositionRow, Row};
use tabia::{Columns, Hash, Key, TableKind, mix};
use tabia_archives::GameRecord;
use tabia_games::{Outcome, Side};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// An occurrence: from the most significant bit on, the key's hash (64 bits), the move's code (16),
/// how the games ended for the side to move (2; 3: no game), whether it counts for the move (1) and
/// for the position (1), the move's marks (8), games (36).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout)]
pub struct Occurrence(u128);

const GAMES: u64 = (1 << MARKS_AT) - 1;
const MARKS_AT: u32 = 36;
/// Occurrences that agree from this bit on are one.
const SAME_FROM: u32 = 44;
const IS_POSITION: u64 = 1 << SAME_FROM;
const IS_MOVE: u64 = 1 << 45;
const RESULT_AT: u32 = 46;
const CODE_AT: u32 = 48;
/// In the place of the result: the occurrence counts no game.
const NO_RESULT: u64 = 3;

impl Occurrence {
    /// One game at a position, which counts for nothing yet.
    #[inline]
    pub fn new(key: Key, result: ForMover) -> Self {
        Self(u128::from(mix(key)) << 64 | u128::from((result as u64) << RESULT_AT | 1))
    }

    /// Says something of a position, and counts no game there.
    #[inline]
    pub(crate) fn uncounted(key: Key) -> Self {
        Self(u128::from(mix(key)) << 64 | u128::from(NO_RESULT << RESULT_AT | 1)).of_position()
    }

    /// Whether it counts games; else it only says something of the position.
    #[inline(always)]
    pub(crate) fn is_counted(self) -> bool {
        self.rest() >> RESULT_AT & 3 != NO_RESULT
    }

    /// An occurrence that counts for the position.
    #[inline]
    pub fn of_position(self) -> Self {
        Self(self.0 | u128::from(IS_POSITION))
    }

    /// An occurrence that counts for this move.
    #[inline]
    pub fn of_move(self, code: u16, marks: Marks) -> Self {
        Self(self.0 | u128::from(IS_MOVE | u64::from(code) << CODE_AT)).with_marks(marks)
    }

    /// Adds marks to the move.
    #[inline]
    pub fn with_marks(self, marks: Marks) -> Self {
        Self(self.0 | u128::from(marks.bits()) << MARKS_AT)
    }

    /// The hash of the position's key.
    #[inline(always)]
    pub fn hash(self) -> u64 {
        (self.0 >> 64) as u64
    }

    /// Whether it counts for a move.
    #[inline(always)]
    pub(crate) fn is_of_move(self) -> bool {
        self.rest() & IS_MOVE != 0
    }

    #[inline(always)]
    fn rest(self) -> u64 {
        self.0 as u64
    }

    /// Its halves, the more significant one first.
    #[inline(always)]
    pub(crate) fn halves(self) -> [u64; 2] {
        [self.hash(), self.rest()]
    }

    /// The occurrence with these halves.
    #[inline(always)]
    pub(crate) fn of_halves([hash, rest]: [u64; 2]) -> Self {
        Self(u128::from(hash) << 64 | u128::from(rest))
    }

    /// The move's code.
    #[inline(always)]
    pub fn code(self) -> u16 {
        (self.rest() >> CODE_AT) as u16
    }

    /// Whether this one comes before the other in the order of occurrences that aren't the same.
    #[inline(always)]
    pub(crate) fn comes_before(self, other: Self) -> bool {
        self.0 >> SAME_FROM < other.0 >> SAME_FROM
    }

    /// Merges another occurrence into this one, if both say the same but for games and marks.
    /// Returns whether they do.
    #[inline(always)]
    pub fn merge(&mut self, other: Self) -> bool {
        let is_same = (self.0 ^ other.0) >> SAME_FROM == 0;
        if is_same {
            let games = (self.rest() & GAMES) + (other.rest() & GAMES);
            let marks = (self.rest() | other.rest()) & !GAMES;
            self.0 = u128::from(self.hash()) << 64 | u128::from(marks | games.min(GAMES));
        }
        is_same
    }

    /// Games won, drawn and lost, of which two are 0.
    #[inline(always)]
    pub(crate) fn games(self) -> [u64; 3] {
        let (games, result) = (self.rest() & GAMES, self.rest() >> RESULT_AT & 3);
        [0, 1, 2].map(|which| if which == result { games } else { 0 })
    }

    #[inline(always)]
    pub(crate) fn marks(self) -> Marks {
        Marks::from_bits_retain((self.rest() >> MARKS_AT) as u8)
    }

    /// Some bits that differ from one occurrence to another, but for those that are the same.
    #[inline(always)]
    pub(crate) fn fingerprint(self) -> u64 {
        self.hash() ^ (self.rest() >> SAME_FROM).wrapping_mul(0x9e37_79b9)
    }

    /// Whether it counts no game.
    pub(crate) fn is_nothing(self) -> bool {
        self.rest() & GAMES == 0
    }
}

/// What is collected: an occurrence, alone or with more that it says. Elements whose occurrences
/// are the same merge.
pub trait Sortable:
    Copy + Default + Ord + FromBytes + IntoBytes + Immutable + Send + Sync + 'static
{
    /// Bytes for cells and evals; 0: it is the occurrence alone.
    const ROOM: usize;

    /// The occurrence.
    fn occurrence(self) -> Occurrence;

    /// What an occurrence that counts games says in these columns, for which there has to be room.
    fn cells(&self, columns: Columns) -> &[u8];

    /// The eval and its depth of one that counts none.
    fn eval(&self) -> Option<Eval>;

    /// Merges another one into this one, if their occurrences are the same, with cells of these
    /// columns. Returns whether they are.
    fn merge(&mut self, other: Self, columns: Columns) -> bool;

    /// The occurrences of a game with what the game says in these columns, and these evals.
    /// `buffer` is for what has to be made.
    fn of_game<'a>(
        occurrences: &'a [Occurrence],
        game: &GameRecord,
        columns: Columns,
        evals: &[KeyedEval],
        buffer: &'a mut Vec<Self>,
    ) -> &'a [Self];
}

impl Sortable for Occurrence {
    const ROOM: usize = 0;

    #[inline(always)]
    fn occurrence(self) -> Occurrence {
        self
    }

    #[inline(always)]
    fn cells(&self, _: Columns) -> &[u8] {
        &[]
    }

    #[inline(always)]
    fn eval(&self) -> Option<Eval> {
        None
    }

    #[inline(always)]
    fn merge(&mut self, other: Self, _: Columns) -> bool {
        Self::merge(self, other)
    }

    #[inline(always)]
    fn of_game<'a>(
        occurrences: &'a [Occurrence],
        _: &GameRecord,
        _: Columns,
        _: &[KeyedEval],
        _: &'a mut Vec<Self>,
    ) -> &'a [Self] {
        occurrences
    }
}

/// What an engine thought of the position with this key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyedEval {
    /// The position's key.
    pub key: Key,
    /// For the side to move, in the game's unit.
    pub value: i16,
    /// How deep the engine looked.
    pub depth: u8,
}

pub(crate) type Eval = (i16, u8);

/// Of two evals the deeper one; at equal depth the one nearer to zero, of two equally near the
/// lower (M-2).
#[inline]
pub(crate) fn deeper(first: Option<Eval>, second: Option<Eval>) -> Option<Eval> {
    let rank = |eval: Option<Eval>| {
        eval.map(|(value, depth)| (depth, -i32::from(value).abs(), -i32::from(value)))
    };
    if rank(second) > rank(first) { second } else { first }
}

/// How a game ended for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForMover {
    /// It won.
    Win,
    /// Neither side won.
    Draw,
    /// It lost.
    Loss,
}

impl ForMover {
    /// An outcome as this side sees it.
    pub fn of(outcome: Outcome, side: Side) -> Self {
        match outcome.winner() {
            None => Self::Draw,
            Some(winner) if winner == side => Self::Win,
            Some(_) => Self::Loss,
        }
    }
}

/// A row that occurrences make.
pub trait FromOccurrence: Row {
    /// The row of such an occurrence with the games, the marks and the eval of all that belong to
    /// it; rows that have no marks or no eval leave them out.
    fn with_all(occurrence: Occurrence, counts: Counts, marks: Marks, eval: Option<Eval>) -> Self;

    /// The row's marks, and its eval and the depth of that, if such rows have them.
    fn marks_and_eval(&self) -> (Marks, Option<Eval>);

    /// Whether the occurrence counts in such a row.
    #[inline(always)]
    fn has(occurrence: Occurrence) -> bool {
        let bit = if Self::TABLE == TableKind::Moves { IS_MOVE } else { IS_POSITION };
        occurrence.rest() & bit != 0
    }

    /// What distinguishes such rows of one position.
    #[inline(always)]
    fn sub_of(occurrence: Occurrence) -> u16 {
        if Self::TABLE == TableKind::Moves { occurrence.code() } else { 0 }
    }

    /// What the occurrence counts in such a row, if anything.
    #[inline]
    fn from_occurrence(occurrence: Occurrence) -> Option<Self> {
        let (counts, marks) = (counts(occurrence.games()), occurrence.marks());
        Self::has(occurrence).then(|| Self::with_all(occurrence, counts, marks, None))
    }
}

impl FromOccurrence for PositionRow {
    #[inline(always)]
    fn with_all(occurrence: Occurrence, counts: Counts, _: Marks, eval: Option<Eval>) -> Self {
        let row = Self::of_hash(Hash::from_bits(occurrence.hash()), counts);
        eval.map_or(row, |(eval, depth)| row.with_eval(eval, depth))
    }

    #[inline(always)]
    fn marks_and_eval(&self) -> (Marks, Option<Eval>) {
        (Marks::empty(), self.eval().map(|eval| (eval, self.depth())))
    }
}

impl FromOccurrence for MoveRow {
    #[inline(always)]
    fn with_all(occurrence: Occurrence, counts: Counts, marks: Marks, _: Option<Eval>) -> Self {
        Self::of_hash(Hash::from_bits(occurrence.hash()), occurrence.code(), counts)
            .with_marks(marks)
    }

    #[inline(always)]
    fn marks_and_eval(&self) -> (Marks, Option<Eval>) {
        (self.marks(), None)
    }
}

/// Numbers of games as rows count them: up to `u32::MAX` (M-1).
#[inline(always)]
pub(crate) fn counts(games: [u64; 3]) -> Counts {
    let [wins, draws, losses] = games.map(|games| games.min(u64::from(u32::MAX)) as u32);
    Counts::new(wins, draws, losses)
}

impl std::fmt::Debug for Occurrence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Occurrence")
            .field("position", &PositionRow::from_occurrence(*self))
            .field("played", &MoveRow::from_occurrence(*self))
            .finish()
    }
}
