//! What rows say in single bits: flags of positions and marks of moves.

bitflags::bitflags! {
    /// What is known of a position beyond its counts. Flags of several books are united.
    ///
    /// ```
    /// use tabia::Flags;
    ///
    /// let known = Flags::PROVEN_WIN | Flags::EXPANDED;
    /// assert!(known.contains(Flags::EXPANDED) && !known.is_conflict());
    /// assert_eq!(known.bits(), 1 + 16);
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Flags: u8 {
        /// The side to move is proven to win.
        const PROVEN_WIN = 1;
        /// The position is proven to be a draw.
        const PROVEN_DRAW = 1 << 1;
        /// The side to move is proven to lose.
        const PROVEN_LOSS = 1 << 2;
        /// The draw is known to both players (Buro 1999).
        const PUBLIC_DRAW = 1 << 3;
        /// The position's best deviation is in the book (Buro 1999).
        const EXPANDED = 1 << 4;
    }

    /// Annotations seen on a move, and the book maker's own word on it. Marks of several books are
    /// united.
    ///
    /// ```
    /// use tabia::Marks;
    ///
    /// let marks = Marks::DUBIOUS | Marks::NEVER;
    /// assert!(marks.intersects(Marks::BAD | Marks::DUBIOUS));
    /// assert_eq!(marks.bits(), 32 + 64);
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Marks: u8 {
        /// `!`
        const GOOD = 1;
        /// `?`
        const BAD = 1 << 1;
        /// `!!`
        const BRILLIANT = 1 << 2;
        /// `??`
        const BLUNDER = 1 << 3;
        /// `!?`
        const INTERESTING = 1 << 4;
        /// `?!`
        const DUBIOUS = 1 << 5;
        /// The book maker says: never play this.
        const NEVER = 1 << 6;
        /// The book maker says: always play this.
        const ALWAYS = 1 << 7;
    }
}

impl Flags {
    /// The three that say how a game from the position ends.
    pub const PROOFS: Self = Self::PROVEN_WIN.union(Self::PROVEN_DRAW).union(Self::PROVEN_LOSS);

    /// Whether two of proven win, draw and loss are set at once.
    #[must_use]
    pub const fn is_conflict(self) -> bool {
        self.intersection(Self::PROOFS).bits().count_ones() > 1
    }
}
