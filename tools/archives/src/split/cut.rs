//! What all ways to cut files have in common.

/// Finds where games start in a file, in bytes that come bit by bit.
pub(super) trait Cut: std::fmt::Debug + Send {
    /// The first byte not scanned.
    fn at(&mut self) -> &mut usize;

    /// Scans what is new in `bytes`, as far as it can be judged without the bytes to follow, and
    /// adds the starts found; the first game's is known.
    fn go_on(&mut self, bytes: &[u8], at_end: bool, starts: &mut Vec<usize>);
}
