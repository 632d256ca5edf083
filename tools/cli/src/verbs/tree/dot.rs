//! A tree as a drawing for Graphviz.

use super::grown::Grown;
use super::text::{eval, seen_by_first};
use crate::numbers::{grouped, score};
use std::io::{self, Write};
use tabia::Row;
use tabia_play::explore::labels;

/// Writes it: a node a position, with its games, the first player's score, its eval and
/// what is proven of it; an edge a move, with its share of the games, which
/// also shows in its width; a deviation is dashed.
pub fn draw(out: &mut impl Write, grown: &Grown) -> io::Result<()> {
    let Grown { tree, game, first, results, line, .. } = grown;
    writeln!(out, "digraph \"{game}\" {{\n  rankdir=LR;\n  node [shape=box, fontname=monospace];")?;
    writeln!(out, "  edge [fontname=monospace];")?;
    let followed = tree.nodes.iter().enumerate().filter(|(_, node)| node.same_as.is_none());
    for (id, node) in followed {
        let counts = node
            .position
            .map(|row| seen_by_first(row.counts(), node.side))
            .filter(|counts| counts.games() > 0)
            .or_else(|| node.edge.as_ref().map(|edge| seen_by_first(edge.counts, edge.side)));
        let games = counts.map_or(node.games, |counts| counts.games());
        let mut label = grouped(games);
        if let Some(counts) = counts.filter(|_| *results) {
            label = format!("{label}\\n{first} {}", score(counts));
        }
        if let Some(eval) = eval(node) {
            label = format!("{label}\\n{eval}");
        }
        for flag in node.position.map_or_else(Vec::new, |row| labels::of_flags(row.flags())) {
            label = format!("{label}\\n{flag}");
        }
        if id == 0 {
            let begin = if line.is_empty() { "start" } else { line };
            label = format!("{}\\n{label}", escaped(begin));
        }
        writeln!(out, "  p{id} [label=\"{label}\"];")?;
    }
    for (id, node) in tree.nodes.iter().enumerate() {
        let (Some(parent), Some(edge)) = (node.parent, &node.edge) else { continue };
        let share = tree.share(id).unwrap_or(0.0);
        let name = grown.numbers.moved(node.ply as usize - 1, &edge.san, true);
        writeln!(
            out,
            "  p{parent} -> p{} [label=\"{}\\n{:.1}%\", penwidth={:.1}{}];",
            node.same_as.unwrap_or(id),
            escaped(&name),
            share * 100.0,
            1.0 + 5.0 * share.min(1.0),
            if edge.is_deviation { ", style=dashed" } else { "" }
        )?;
    }
    writeln!(out, "}}")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
