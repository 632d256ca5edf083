//! Which images of a board have one key.

/// Which images of a board count together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// None: keys `zobrist`.
    None,
    /// The eight of the board: keys `zobrist-8`.
    #[default]
    Board,
    /// The eight of the board, with the colors as they are and exchanged: keys `zobrist-16`.
    BoardAndColors,
}

impl Symmetry {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Board, Self::None, Self::BoardAndColors];

    /// How many images of a board count together.
    pub(super) const fn images(self) -> usize {
        match self {
            Self::None => 1,
            Self::Board => 8,
            Self::BoardAndColors => 16,
        }
    }
}
