//! What of a book stays, and what goes for which reason.

/// Why a row is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrimReason {
    /// It was played in too few games.
    Games,
    /// It scored too little.
    Score,
    /// The book maker marked the move `never`.
    Never,
    /// No legal move here has this code: two positions share a key, or the book was made up.
    Illegal,
    /// Other moves of the position are better, and enough.
    NotBest,
    /// The move would lead beyond the last ply.
    Ply,
    /// No kept moves lead to the position, or not within the plies allowed.
    Unreached,
}

impl TrimReason {
    /// All reasons, in the order they are reported.
    pub const ALL: [Self; 7] = [
        Self::Games,
        Self::Score,
        Self::Never,
        Self::Illegal,
        Self::NotBest,
        Self::Ply,
        Self::Unreached,
    ];

    /// Its name in reports for programs.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// What people read after a number of rows.
    pub const fn text(self) -> &'static str {
        self.words().1
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Games => ("too_few_games", "in too few games"),
            Self::Score => ("score_too_low", "with too low a score"),
            Self::Never => ("marked_never", "marked never"),
            Self::Illegal => ("illegal", "not legal where they stand"),
            Self::NotBest => ("not_among_best", "not among the best"),
            Self::Ply => ("beyond_ply", "beyond the last ply"),
            Self::Unreached => ("unreached", "no longer reached"),
        }
    }
}

/// How many rows of a table are kept, and how many are dropped for which reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableStats {
    /// Rows that stay.
    pub kept: u64,
    gone: [u64; TrimReason::ALL.len()],
}

impl TableStats {
    /// Rows that are dropped for a reason.
    pub fn gone(&self, reason: TrimReason) -> u64 {
        self.gone[reason as usize]
    }

    /// All rows.
    pub fn before(&self) -> u64 {
        self.kept + self.gone.iter().sum::<u64>()
    }

    pub(crate) fn count(&mut self, fate: Option<TrimReason>) {
        match fate {
            None => self.kept += 1,
            Some(reason) => self.gone[reason as usize] += 1,
        }
    }
}

/// How many rows of each table are kept and dropped; none for a table that the book doesn't have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrimStats {
    /// Its positions.
    pub positions: Option<TableStats>,
    /// Its moves.
    pub moves: Option<TableStats>,
}
