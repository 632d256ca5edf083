//! A tree as JSON: its nodes as a list.

use super::grown::Grown;
use serde::Serialize;
use tabia::{Counts, Row};
use tabia_play::TreeNode;
use tabia_play::explore::labels;

/// All of it.
#[derive(Serialize)]
pub struct Document<'a> {
    game: &'static str,
    /// The set-up text of the root.
    fen: &'a str,
    /// The moves that lead to the root, as text.
    line: &'a str,
    /// Whether the book knows how games ended. If not, there are no wins, draws and losses.
    results: bool,
    /// Whether there are more moves than were asked for.
    truncated: bool,
    nodes: Vec<JsonNode<'a>>,
}

#[derive(Serialize)]
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
    key: String,
    position: Option<Position>,
    same_as: Option<usize>,
    left_out: LeftOut,
}

#[derive(Serialize)]
struct Score {
    wins: Option<u32>,
    draws: Option<u32>,
    losses: Option<u32>,
}

#[derive(Serialize)]
struct Position {
    games: u64,
    #[serde(flatten)]
    score: Score,
    eval: Option<i16>,
    depth: u8,
    flags: Vec<&'static str>,
}

#[derive(Serialize)]
struct LeftOut {
    moves: u64,
    games: u64,
    illegal: u64,
}

impl<'a> Document<'a> {
    /// From what was grown.
    pub fn new(grown: &'a Grown) -> Self {
        let nodes = grown.tree.nodes.iter().enumerate();
        Self {
            game: grown.game,
            fen: &grown.fen,
            line: &grown.line,
            results: grown.results,
            truncated: grown.tree.is_truncated,
            nodes: nodes.map(|(id, node)| node_of(grown, id, node)).collect(),
        }
    }
}

fn node_of<'a>(grown: &'a Grown, id: usize, node: &'a TreeNode) -> JsonNode<'a> {
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
        share: grown.tree.share(id),
        score: score(counts, grown.results),
        marks: edge.map_or_else(Vec::new, |edge| labels::of_marks(edge.marks)),
        deviation: edge.filter(|edge| edge.is_deviation).map(|_| true),
        key: format!("{:016x}", node.key),
        position: node.position.map(|row| Position {
            games: row.counts().games(),
            score: score(Some(row.counts()), grown.results),
            eval: row.eval(),
            depth: row.depth(),
            flags: labels::of_flags(row.flags()),
        }),
        same_as: node.same_as,
        left_out: LeftOut {
            moves: node.left_out.moves,
            games: node.left_out.games,
            illegal: node.left_out.illegal,
        },
    }
}

fn score(counts: Option<Counts>, results: bool) -> Score {
    let counts = counts.filter(|_| results);
    Score {
        wins: counts.map(|counts| counts.wins),
        draws: counts.map(|counts| counts.draws),
        losses: counts.map(|counts| counts.losses),
    }
}
