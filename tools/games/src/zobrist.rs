//! Zobrist's numbers: the keys of all games but chess are made of them, by `xor` (Zobrist 1970;
//! Rollason 2007 uses them for books).
//!
//! They are fixed for all time by format-spec/keys.md: number `i` of a stream is what SplitMix64
//! gives as its number `i` from the seed that the stream is.

use crate::line::{STEP, mix};

/// A stream of numbers: up to 8 letters, the first in the lowest byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream(u64);

impl Stream {
    /// The stream with this name.
    pub const fn named(name: &str) -> Self {
        let (bytes, mut seed, mut index) = (name.as_bytes(), 0, 0);
        assert!(bytes.len() <= 8, "a stream has at most 8 letters");
        while index < bytes.len() {
            seed |= (bytes[index] as u64) << (8 * index);
            index += 1;
        }
        Self(seed)
    }

    /// Its number `index`, counted from 0.
    pub const fn number(self, index: u64) -> u64 {
        mix(self.0.wrapping_add(STEP.wrapping_mul(index + 1)))
    }
}

/// By symmetry and square of a square board of `width` columns: where the square goes. Bit 0 of a
/// symmetry mirrors the columns, then bit 1 the rows, then bit 2 swaps the two.
pub(crate) const fn images<const N: usize>(width: usize) -> [[u8; N]; 8] {
    let (mut images, mut index) = ([[0; N]; 8], 0);
    while index < 8 * N {
        let (symmetry, square) = (index / N, index % N);
        let (x, y) = (square % width, square / width);
        let x = if symmetry & 1 != 0 { width - 1 - x } else { x };
        let y = if symmetry & 2 != 0 { width - 1 - y } else { y };
        images[symmetry][square] =
            (if symmetry & 4 != 0 { width * x + y } else { width * y + x }) as u8;
        index += 1;
    }
    images
}

/// The keys of the images of a board, kept up to date together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys<const N: usize>(pub [u64; N]);

impl<const N: usize> Keys<N> {
    /// Puts a piece into the keys, or takes it out, by its numbers on the images.
    #[inline]
    pub fn toggle(&mut self, numbers: &[u64; N]) {
        self.0.iter_mut().zip(numbers).for_each(|(key, number)| *key ^= number);
    }

    /// The least key, and the symmetries that lead to the image whose it is, a bit for each; the
    /// key of the board itself where images are told apart.
    #[inline]
    pub fn canonical(&self, is_folded: bool) -> (u64, u16) {
        if !is_folded {
            return (self.0[0], 1);
        }
        let least = self.0.iter().fold(u64::MAX, |least, &key| least.min(key));
        let bit = |symmetry: usize| u16::from(self.0[symmetry] == least) << symmetry;
        (least, (0..N).fold(0, |bits, symmetry| bits | bit(symmetry)))
    }
}
