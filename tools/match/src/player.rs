//! One of the two who play a match.

use tabia_engines::Recipe;

/// One of the two who play a match.
#[derive(Clone, Debug)]
pub struct Player {
    /// What it is called; what its engine calls itself if none.
    pub name: Option<String>,
    /// How its engine is started.
    pub recipe: Recipe,
}
