//! A tree as JSON: its nodes as a list.

use super::{Score, ShownTree, labels};
use crate::negamax::Value;
use crate::{LeftOut, TreeNode};
use serde::Serialize;
use tabia::{Counts, Row};

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
