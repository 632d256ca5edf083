//! Checksums of a table's blocks (B-13).

use super::PAGE;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a table under one checksum.
pub const BLOCK: u64 = PAGE;

/// The number of blocks in a table of `length` bytes.
#[must_use]
pub const fn blocks_of(length: u64) -> u64 {
    length.div_ceil(BLOCK)
}

/// The checksums of the blocks that these bytes consist of; the last one may be short.
pub(crate) fn block_sums(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(BLOCK as usize).map(xxh3_64)
}
