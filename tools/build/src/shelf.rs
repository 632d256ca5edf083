//! A shelf: books of one archive's games, sliced by speed, rating and month, so that their sums
//! answer for any choice of these.
//!
//! It is a folder with the books and a file `shelf.json`:
//! `{"slices": [{"book": "blitz-1600-2024-01.tabia", "speed": "blitz", "rating": 1600, "month":
//! "2024-01"}]}`, where what is not sliced by is left out. The archives are read once to find the
//! slices, and once more for each book.

mod facets;
mod month;
mod slices;

pub use facets::{Facet, Facets, RATINGS, rating_group};
pub use month::Month;
pub use slices::Slices;

use serde::{Deserialize, Serialize};

/// The name of the file that says what the books of a shelf hold.
pub const SHELF: &str = "shelf.json";

/// What `shelf.json` says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ShelfFile {
    /// The slices.
    pub slices: Vec<SliceFile>,
}

/// What it says of a slice.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct SliceFile {
    /// The name of its book in the folder.
    pub book: String,
    /// What its games have in common.
    #[serde(flatten)]
    pub facets: Facets,
}
