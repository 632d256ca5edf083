//! What is shown.

use tabia_games::Side;
use tabia_play::Tree;
use tabia_play::explore::Numbers;

/// A move that leads to a tree's root.
pub struct Played {
    pub side: Side,
    pub san: String,
}

/// A tree, and what is known of where it begins.
pub struct Grown {
    /// The tree.
    pub tree: Tree,
    /// What the book is called.
    pub title: String,
    /// The set-up text of the position from which `lead` starts, if that isn't the usual one.
    pub setup: Option<String>,
    /// The moves that lead to its root.
    pub lead: Vec<Played>,
    pub numbers_of_lead: Numbers,
    /// These moves as one line.
    pub line: String,
    pub numbers: Numbers,
    /// The root's set-up text.
    pub fen: String,
    pub game: &'static str,
    /// What the first player is called.
    pub first: &'static str,
    /// Whether the book knows how games ended.
    pub results: bool,
}
