//! A tree, and the line that leads to it; the same as JSON, its nodes as a list.

use super::explored::evals_made;
use super::{Explorable, Numbers, OpenBook, Played, Score, labels};
use crate::choice::GameHistory;
use crate::negamax::Value;
use crate::{LeftOut, Tree, TreeNode, TreePlan, Watch};
use serde::Serialize;
use tabia::{Counts, Marks, Result, Results, Row};
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

/// A tree, as programs read it.
#[derive(Debug, Serialize)]
pub struct TreeFacts<'a> {
    game: &'static str,
    /// The set-up text of the root.
    fen: &'a str,
    /// The moves that lead to the root, as text.
    line: String,
    /// Whether the book knows how games ended. If not, there are no wins, draws and losses.
    results: bool,
    /// Whether there are more moves than were asked for.
    truncated: bool,
    /// How evals were made, if values are backed up from them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    evals: &'a [String],
    nodes: Vec<JsonNode<'a>>,
}

#[derive(Debug, Serialize)]
struct JsonNode<'a> {
    id: usize,
    parent: Option<usize>,
    ply: u32,
    san: Option<&'a str>,
    uci: Option<&'a str>,
    code: Option<u16>,
    games: u64,
    share: Option<f64>,
    #[serde(flatten)]
    score: Score,
    marks: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deviation: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
    key: String,
    position: Option<Position>,
    same_as: Option<usize>,
    left_out: LeftOut,
}

#[derive(Debug, Serialize)]
struct Position {
    games: u64,
    #[serde(flatten)]
    score: Score,
    eval: Option<i16>,
    depth: u8,
    flags: Vec<&'static str>,
}

impl<'a> TreeFacts<'a> {
    /// Those of a tree.
    pub fn new(shown: &'a ShownTree) -> Self {
        let nodes = shown.tree.nodes.iter().enumerate();
        Self {
            game: shown.game,
            fen: &shown.fen,
            line: shown.line(),
            results: shown.results,
            truncated: shown.tree.is_truncated,
            evals: &shown.made,
            nodes: nodes.map(|(id, node)| node_of(shown, id, node)).collect(),
        }
    }
}

fn node_of<'a>(shown: &'a ShownTree, id: usize, node: &'a TreeNode) -> JsonNode<'a> {
    let edge = node.edge.as_ref();
    let row = node.position.map(|row| row.counts());
    let counts = edge.map_or(row, |edge| Some(edge.counts));
    JsonNode {
        id,
        parent: node.parent,
        ply: node.ply,
        san: edge.map(|edge| edge.san.as_str()),
        uci: edge.map(|edge| edge.coordinates.as_str()),
        code: edge.map(|edge| edge.code),
        games: edge.map_or(node.games, |edge| edge.counts.games()),
        share: shown.tree.share(id),
        score: score(counts, shown.results),
        marks: edge.map_or_else(Vec::new, |edge| labels::of_marks(edge.marks)),
        deviation: edge.filter(|edge| edge.is_deviation).map(|_| true),
        value: node.value,
        key: format!("{:016x}", node.key),
        position: node.position.map(|row| Position {
            games: row.counts().games(),
            score: score(Some(row.counts()), shown.results),
            eval: row.eval(),
            depth: row.depth(),
            flags: labels::of_flags(row.flags()),
        }),
        same_as: node.same_as,
        left_out: node.left_out,
    }
}

/// How games ended; of none there are no counts.
fn score(counts: Option<Counts>, results: bool) -> Score {
    Score::new(counts.unwrap_or_default(), results && counts.is_some())
}
