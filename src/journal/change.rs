//! The ways in which a journal changes a row.

/// What a journal does with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Change {
    /// Merges it into the row that is there.
    Add = 1,
    /// Puts it in the place of the row that is there.
    Put = 2,
    /// Takes the row away that is there.
    Delete = 3,
}

impl Change {
    /// All of them, in the order in which a frame holds them.
    pub const ALL: [Self; 3] = [Self::Add, Self::Put, Self::Delete];

    pub fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&change| change as u8 == byte)
    }
}
