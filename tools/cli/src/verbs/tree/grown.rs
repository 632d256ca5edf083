//! What is shown.

use crate::lines::Numbers;
use tabia_play::Tree;

/// A tree, and what is known of where it begins.
pub struct Grown {
    /// The tree.
    pub tree: Tree,
    /// The moves that lead to its root.
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
