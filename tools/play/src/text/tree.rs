//! A tree as text, in 80 columns.

use super::lines::wrapped;
use super::numbers::{counted, grouped, percent, score};
use super::position::evals_made;
use crate::TreeNode;
use crate::choice::flipped;
use crate::explore::{ShownTree, labels};
use crate::negamax::seen;
use std::io::{self, Write};
use tabia::{Counts, Row};
use tabia_games::Side;

/// Characters of a line.
const WIDTH: usize = 80;
/// The most characters that lines are set in by: those further in stand as far as that.
const DEEPEST: usize = 24;
/// Characters of the columns.
const GAMES: usize = 12;
const SHARE: usize = 7;
const SCORE: usize = 8;
const EVAL: usize = 9;
const VALUE: usize = 7;

/// Draws it.
pub fn draw_tree(out: &mut impl Write, shown: &ShownTree) -> io::Result<()> {
    let drawing = Drawing::new(shown);
    drawing.head(out)?;
    // The nodes whose moves are to be drawn, the next one last, and how far in they stand.
    let mut todo: Vec<(usize, usize)> = drawing.below(0, 0);
    while let Some((node, depth)) = todo.pop() {
        let last = drawing.run(out, node, depth)?;
        todo.extend(drawing.below(last, depth + 1));
    }
    drawing.foot(out)
}

struct Drawing<'a> {
    shown: &'a ShownTree,
    /// Whether any position shown has an eval.
    has_evals: bool,
    /// Whether any has a value by what is behind it.
    has_values: bool,
    /// Characters for the moves.
    room: usize,
}

impl<'a> Drawing<'a> {
    fn new(shown: &'a ShownTree) -> Self {
        let evals = |node: &TreeNode| node.position.and_then(|row| row.eval());
        let has_evals = shown.tree.nodes.iter().any(|node| evals(node).is_some());
        let score = if shown.results { SCORE } else { 0 };
        let has_values = shown.tree.nodes.iter().any(|node| node.value.is_some());
        let evals = if has_evals { EVAL } else { 0 } + if has_values { VALUE } else { 0 };
        Self { shown, has_evals, has_values, room: WIDTH - GAMES - SHARE - score - evals }
    }

    fn head(&self, out: &mut impl Write) -> io::Result<()> {
        let ShownTree { tree, fen, first, results, .. } = self.shown;
        let line = self.shown.line();
        let root = &tree.nodes[0];
        if !line.is_empty() {
            wrapped(&format!("after {line}"), WIDTH)
                .iter()
                .try_for_each(|line| writeln!(out, "{line}"))?;
        }
        // That of a large board has no place here.
        if fen.len() <= WIDTH {
            writeln!(out, "{fen}")?;
        }
        write!(out, "{}", counted(root.games, "game"))?;
        if let Some(row) = root.position {
            if *results && row.counts().games() > 0 {
                let scored = score(seen_by_first(row.counts(), root.side));
                write!(out, ", {first} scores {scored}")?;
            }
            if let Some(eval) = eval(root) {
                write!(out, ", eval {eval}")?;
            }
            if let Some(value) = root.value {
                write!(out, ", value {:+}", seen(value, root.side))?;
            }
            for flag in labels::of_flags(row.flags()) {
                write!(out, ", {flag}")?;
            }
        }
        writeln!(out, "\n")?;
        let score = if *results { format!("{first:>SCORE$}") } else { String::new() };
        let eval = if self.has_evals { format!("{:>EVAL$}", "eval") } else { String::new() };
        let value = if self.has_values { format!("{:>VALUE$}", "value") } else { String::new() };
        let room = self.room;
        writeln!(out, "{:<room$}{:>GAMES$}{:>SHARE$}{score}{eval}{value}", "line", "games", "share")
    }

    /// The moves below a node, in the order in which they are taken from the end.
    fn below(&self, node: usize, depth: usize) -> Vec<(usize, usize)> {
        let children = &self.shown.tree.nodes[node].children;
        children.iter().rev().map(|&child| (child, depth)).collect()
    }

    /// Draws a move and those behind it as long as each is the only one; returns the last.
    fn run(&self, out: &mut impl Write, first: usize, depth: usize) -> io::Result<usize> {
        let nodes = &self.shown.tree.nodes;
        let (mut last, mut text) = (first, self.moved(first, true));
        while let &[only] = nodes[last].children.as_slice() {
            last = only;
            text = text + " " + &self.moved(last, false);
        }
        if let Some(same) = nodes[last].same_as {
            text = text + " = " + &self.after(same);
        }
        let inset = (2 * depth).min(DEEPEST);
        let lines = wrapped(&text, self.room - inset - 2);
        let end = lines.len() - 1;
        for (number, line) in lines.iter().enumerate() {
            let inset = " ".repeat(inset + if number > 0 { 2 } else { 0 });
            let left = inset + line;
            if number < end {
                writeln!(out, "{left}")?;
            } else {
                let room = self.room;
                writeln!(
                    out,
                    "{}",
                    format!("{left:<room$}{}", self.facts(first, last)).trim_end()
                )?;
            }
        }
        Ok(last)
    }

    /// What is known of the last move of a line that begins with another.
    fn facts(&self, first: usize, last: usize) -> String {
        let nodes = &self.shown.tree.nodes;
        let before = nodes[first].parent.map_or(0, |parent| nodes[parent].games);
        let Some(edge) = &nodes[last].edge else { return String::new() };
        let games = edge.counts.games();
        let mut facts = format!("{:>GAMES$}{:>SHARE$}", grouped(games), percent(games, before));
        if self.shown.results {
            facts += &format!("{:>SCORE$}", score(seen_by_first(edge.counts, edge.side)));
        }
        if self.has_evals {
            facts += &format!("{:>EVAL$}", eval(&nodes[last]).unwrap_or_default());
        }
        if let Some(value) = nodes[last].value {
            facts += &format!("{:>+VALUE$}", seen(value, edge.side));
        }
        facts
    }

    /// A move with its number and marks, and what is proven of where it leads.
    fn moved(&self, node: usize, opens: bool) -> String {
        let node = &self.shown.tree.nodes[node];
        let Some(edge) = &node.edge else { return String::new() };
        let (signs, mut said): (Vec<&str>, Vec<&str>) =
            labels::of_marks(edge.marks).into_iter().partition(|mark| mark.starts_with(['!', '?']));
        said.extend(edge.is_deviation.then_some("deviation"));
        said.extend(node.position.map_or_else(Vec::new, |row| labels::of_flags(row.flags())));
        let mut text = edge.san.clone() + &signs.join(",");
        if !said.is_empty() {
            text = text + " (" + &said.join(", ") + ")";
        }
        self.shown.numbers.moved(node.ply as usize - 1, &text, opens)
    }

    /// Where a position is that stands elsewhere.
    fn after(&self, node: usize) -> String {
        let tree = &self.shown.tree;
        let line = tree.line(node);
        let moves: Vec<&str> = line
            .iter()
            .filter_map(|&node| tree.nodes[node].edge.as_ref().map(|edge| edge.san.as_str()))
            .collect();
        if moves.is_empty() {
            "where it began".to_owned()
        } else {
            format!("after {}", self.shown.numbers.line(0, &moves))
        }
    }

    fn foot(&self, out: &mut impl Write) -> io::Result<()> {
        let nodes = &self.shown.tree.nodes;
        let again = nodes.iter().filter(|node| node.same_as.is_some()).count();
        let (mut moves, mut illegal) = (0, 0);
        for node in nodes {
            moves += node.left_out.moves;
            illegal += node.left_out.illegal;
        }
        let shown = counted((nodes.len() - again) as u64, "position");
        write!(out, "\n{shown}, {}", counted((nodes.len() - 1) as u64, "move"))?;
        if moves > 0 {
            write!(out, "; {} left out there", counted(moves, "move"))?;
        }
        if illegal > 0 {
            write!(out, "; {} not legal", grouped(illegal))?;
        }
        writeln!(out)?;
        evals_made(&self.shown.made).iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}

/// The eval of a position as the first player sees it, and its depth.
fn eval(node: &TreeNode) -> Option<String> {
    let (row, side) = (node.position?, node.side);
    let eval = i32::from(row.eval()?) * if side == Side::First { 1 } else { -1 };
    Some(if row.depth() > 0 { format!("{eval:+}/{}", row.depth()) } else { format!("{eval:+}") })
}

/// Counts of a side as the first player sees them.
fn seen_by_first(counts: Counts, side: Side) -> Counts {
    if side == Side::First { counts } else { flipped(counts) }
}
