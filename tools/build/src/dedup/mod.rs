//! Games that are there more than once: found by their moves, and counted once.
//!
//! All games are written to files first, since only the last of them decides which one counts. Two
//! games are copies of each other if they start from the same position and make the same moves
//! (and, if that is asked for, have the same players and date). Of all copies the one that says
//! most counts: one with ratings before one without, then one with more annotations and evals, then
//! any, chosen by its content and not by its place. So the result doesn't depend on the order of
//! the archives. A game is contained in another one if its moves are the first ones of that game.
//!
//! Moves are compared by 128 bits of the whole line: among 10^9 games two different ones agree with
//! a probability of 10^-21; with 64 bits it would be 3 %.
//!
//! Leaving out copies is off by default, since merging two books has to equal building from both,
//! and a copy may be in the other book. Moves alone don't make a copy either: a short draw can be
//! played twice. [`Dedup::Exact`] suits the same games from several sources; comparing players too
//! ([`SameBy`]) relies on the spelling of names.

mod books;
mod find;
mod fingerprints;
mod identity;
mod log;
mod record;

pub(crate) use books::{
    BookFingerprints, fingerprints_as_one, games_in_several, united_fingerprints,
};
pub use find::Copies;
pub(crate) use find::find_copies;
pub use fingerprints::KnownGames;
pub(crate) use fingerprints::{Fingerprints, NewLines};
pub use identity::SameBy;
pub(crate) use log::{GameLog, SavedLog};

use serde::{Deserialize, Serialize};
use tabia_archives::named;

named! {
    /// Which games are left out as duplicates.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Dedup {
        /// Copies.
        Exact = "exact",
        /// Copies, and games contained in other ones.
        Prefix = "prefix",
    }
}
