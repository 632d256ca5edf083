//! A tree, and the line that leads to it.

use super::explored::evals_made;
use super::{Explorable, Numbers, OpenBook, Played};
use crate::choice::GameHistory;
use crate::{Tree, TreePlan, Watch};
use tabia::{Marks, Result, Results};
use tabia_games::Game;

/// A tree of a book, and what is known of where it begins: for text, records and JSON.
#[derive(Debug)]
pub struct ShownTree {
    /// The tree.
    pub tree: Tree,
    /// What the book is called.
    pub title: String,
    /// The set-up text of the position from which `lead` starts, if that isn't the usual one.
    pub setup: Option<String>,
    /// The moves that lead to the root.
    pub lead: Played,
    /// How the tree's own moves are numbered.
    pub numbers: Numbers,
    /// The root's set-up text.
    pub fen: String,
    /// The game's name.
    pub game: &'static str,
    /// What the first player is called.
    pub first: &'static str,
    /// Whether the book knows how games ended.
    pub results: bool,
    /// How evals were made, if values are backed up from them.
    pub made: Vec<String>,
}

impl ShownTree {
    /// The tree of a book below the present position of a game, which is one of `start`'s.
    ///
    /// # Errors
    /// Those of [`Tree::of`].
    pub fn new<G: Game>(
        book: &OpenBook,
        start: &G,
        history: &GameHistory<G>,
        plan: &TreePlan,
        watch: Watch<'_>,
    ) -> Result<Self> {
        let (root, from) = (history.present(), &history.nodes()[0].position);
        let tree = Tree::of(book.rows(), root, plan, watch)?;
        let has_values = tree.nodes.iter().any(|node| node.value.is_some());
        Ok(Self {
            tree,
            made: if has_values { evals_made(book)? } else { Vec::new() },
            title: book.first().path().display().to_string(),
            setup: Some(from.setup()).filter(|setup| *setup != start.setup()),
            lead: Played::of(history),
            numbers: Numbers::after(from.side(), history.plies()),
            fen: root.position.setup(),
            game: start.name(),
            first: start.sides()[0],
            results: book.header().results == Results::Known,
        })
    }

    /// Whether the book knows nothing of the root.
    pub fn is_empty(&self) -> bool {
        let root = &self.tree.nodes[0];
        root.position.is_none() && root.games == 0 && root.children.is_empty()
    }

    /// The moves that lead to the root, as one line.
    pub fn line(&self) -> String {
        self.lead.line(0..self.lead.moves.len())
    }

    /// Whether a record can have it: SGF of Go starts from the empty board.
    pub fn has_record(&self) -> bool {
        self.setup.is_none() || !self.game.starts_with("go-")
    }

    /// How many moves are marked as a record can't have it: never or always to be played.
    pub fn marks_beside_record(&self) -> usize {
        let edges = self.tree.nodes.iter().filter_map(|node| node.edge.as_ref());
        edges.filter(|edge| edge.marks.intersects(Marks::NEVER | Marks::ALWAYS)).count()
    }
}
