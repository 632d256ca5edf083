//! An entry: a move of a position, byte for byte.

/// A move of a position: 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The position's key.
    pub key: u64,
    /// The move: to-file, to-row, from-file, from-row, promotion (1 knight to 4 queen), three bits
    /// each from the lowest.
    pub code: u16,
    /// How much is to be played it, beside the others of the position; 0 for never.
    pub weight: u16,
    /// What a program learned of it, in its own way.
    pub learn: u32,
}

impl Entry {
    /// Bytes of an entry.
    pub const SIZE: usize = 16;

    /// The entry in these bytes.
    pub const fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
        let all = u128::from_be_bytes(bytes);
        Self {
            key: (all >> 64) as u64,
            code: (all >> 48) as u16,
            weight: (all >> 32) as u16,
            learn: all as u32,
        }
    }

    /// Its bytes.
    pub const fn to_bytes(self) -> [u8; Self::SIZE] {
        let Self { key, code, weight, learn } = self;
        ((key as u128) << 64 | (code as u128) << 48 | (weight as u128) << 32 | learn as u128)
            .to_be_bytes()
    }
}
