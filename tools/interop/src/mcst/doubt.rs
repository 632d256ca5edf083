//! Whether a tree is of the board that it was read for: it says nothing of its board's size, and
//! the points of a small board are points of a larger one too, elsewhere.

use super::read::Read;

/// The boards that most games are played on, besides that of 19x19.
const USUAL: [u64; 2] = [9, 13];

/// How many points of its board a tree has to use before something is concluded from their being
/// the first of them.
pub const FEWEST_POINTS: u64 = 4;

/// Why a tree is of another board, as far as can be told: it uses none of the points that only a
/// larger board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it looks like a tree of {size}x{size}: of its {points} points none is beyond {greatest}")]
pub struct Doubt {
    /// The size of the board that it fits.
    pub size: u64,
    /// How many points it uses.
    pub points: u64,
    /// The greatest number of a point on that board, its pass among them.
    pub greatest: u64,
}

impl Read {
    /// What speaks against the tree's being of this game, given by its name. Of Go on a board
    /// larger than 9x9 or 13x13 it is doubted if all its points are those of such a smaller board
    /// (with its pass, the number after the last point), and there are [`FEWEST_POINTS`] or more.
    ///
    /// ```
    /// use tabia_games::{Go, go::Symmetry};
    /// use tabia_interop::mcst::{self, ReadError};
    ///
    /// let tree = b"{0 1 4 {+41 3 4 {-32 1 3 {+42 2 3 {-50 1 2}}}}}";
    /// let start = Go::start(13, Symmetry::Board).unwrap();
    /// let read = mcst::read(&tree[..], &start, |_| Ok::<_, ReadError>(()))?;
    /// assert_eq!(read.doubt("go-13").map(|doubt| doubt.size), Some(9));
    /// assert_eq!(read.doubt("go-9"), None);
    /// # Ok::<(), ReadError>(())
    /// ```
    #[must_use]
    pub fn doubt(&self, game: &str) -> Option<Doubt> {
        let size: u64 = game.strip_prefix("go-")?.parse().ok()?;
        let fits = |smaller: &u64| *smaller < size && self.greatest <= smaller * smaller + 1;
        let smaller = USUAL.into_iter().find(fits).filter(|_| self.points >= FEWEST_POINTS)?;
        Some(Doubt { size: smaller, points: self.points, greatest: smaller * smaller + 1 })
    }
}
