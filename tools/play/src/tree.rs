//! The lines of a book from a position on, as a tree: for people and drawings.
//!
//! Moves that games made come by their number. Where none did, as in a book that grew, they come by
//! what negamax makes of the evals behind them, so that the first line is the principal variation.
//!
//! A book is a graph with transpositions and cycles. Here every position is followed once, at its
//! least ply; of several moves of that ply that lead to it, by the one that was played most often.
//! Wherever else it comes up stands a reference to it, so that cycles end and no line is there
//! twice. The book is probed and never read as a whole, and what is held in memory is bounded by
//! [`TreePlan::max_nodes`].

use crate::backed_up::BackedUp;
use crate::choice::RowLookup;
use crate::expanded::is_worth;
use crate::negamax::Value;
use crate::score::Percent;
use crate::watch::{Step, Watch, report};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;
use tabia::{Counts, Marks, MoveRow, PositionRow, Result, Row};
use tabia_games::{Game, Node, Side};

/// How many positions are followed between reports of progress.
const TOLD_EVERY: usize = 256;

/// Which moves a tree has.
#[derive(Clone, Copy, Debug)]
pub struct TreePlan {
    /// The most plies of a line.
    pub max_ply: u32,
    /// The games a move needs.
    pub min_games: u64,
    /// The share it needs of the games at its position.
    pub min_share: Percent,
    /// Whether deviations need neither games nor a share ([`Edge::is_deviation`]), nor, where no
    /// game made any move, the moves that evals or proofs are behind.
    pub deviations: bool,
    /// The most moves of a position, those with the most games; all that pass if none, or, where
    /// no game made any, [`Tree::BREADTH`].
    pub breadth: Option<usize>,
    /// The most nodes, the root among them. Where there are more, those of the last ply with the
    /// fewest games are left out, and nothing is followed any further.
    pub max_nodes: usize,
}

/// A tree of lines.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All nodes, ply by ply: the root is the first, and every other comes after its parent.
    pub nodes: Vec<TreeNode>,
    /// Whether nodes were left out because there are too many.
    pub is_truncated: bool,
}

/// A position of a tree, with the move that leads there.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The position before; none for the root.
    pub parent: Option<usize>,
    /// Plies from the root.
    pub ply: u32,
    /// The move that leads there; none for the root.
    pub edge: Option<Edge>,
    /// Who is to move.
    pub side: Side,
    /// What the book knows it by.
    pub key: u64,
    /// Its row, if the book has one.
    pub position: Option<PositionRow>,
    /// Its games: those of its row or, if that has none, of its moves together if it was followed.
    pub games: u64,
    /// What the move that leads there is worth by negamax to the side that plays it, the root to the side
    /// to move: where the book grew, behind positions that are flagged `EXPANDED`.
    pub value: Option<Value>,
    /// The node of this position that its lines are at, if that is another one.
    pub same_as: Option<usize>,
    /// Where its moves lead that are in the tree: the most games first, then the best, then by
    /// code.
    pub children: Vec<usize>,
    /// Moves of a position that was followed that are not in the tree, and the games of these.
    pub left_out: LeftOut,
}

/// A move of the book.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Its code in the book.
    pub code: u16,
    /// As people write it.
    pub san: String,
    /// As programs write it.
    pub coordinates: String,
    /// Who plays it.
    pub side: Side,
    /// Its games, seen from the side that plays it.
    pub counts: Counts,
    /// The book maker's marks.
    pub marks: Marks,
    /// Whether it is an evaluated deviation (Buro 1999, section 3): no game made it, and the
    /// position behind it has an eval or a proof, is not flagged `EXPANDED`, and has no moves.
    pub is_deviation: bool,
}

/// Moves that are not in a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// How many: they have too few games, or too small a share, or others have more.
    pub moves: u64,
    /// Their games.
    pub games: u64,
    /// Moves that aren't legal (two positions of one key, a book that was made up).
    pub illegal: u64,
}

/// A move that may become a node.
struct Candidate<G> {
    parent: usize,
    node: Node<G>,
    edge: Edge,
}

impl Tree {
    /// How many moves of a position are in a tree that no game made, if it isn't said: the best.
    pub const BREADTH: usize = 3;

    /// The tree of a book from this position on. If the book knows nothing of it, there is only the
    /// root, without row and games. The book must have a table of moves.
    ///
    /// # Errors
    /// Those of probing; [`tabia::Error::Interrupted`].
    pub fn of<G: Game>(
        book: &dyn RowLookup,
        root: &Node<G>,
        plan: &TreePlan,
        watch: Watch<'_>,
    ) -> Result<Self> {
        let mut growing = Growing {
            book,
            plan,
            tree: Self { nodes: Vec::new(), is_truncated: false },
            places: HashMap::from([(root.key, 0)]),
            backed_up: BackedUp::default(),
        };
        let mut first = growing.node(None, root, None, 0)?;
        first.value = growing.backed_up.value(root);
        growing.tree.nodes.push(first);
        let mut now = vec![(0, root.clone())];
        for ply in 0..plan.max_ply {
            if now.is_empty() || growing.tree.is_truncated {
                break;
            }
            let candidates = growing.candidates(&now, ply, watch)?;
            now = growing.add(candidates, ply + 1)?;
        }
        // The games of the root, even if no ply was asked for.
        if growing.tree.nodes[0].games == 0 {
            growing.tree.nodes[0].games = games_of(&book.moves(root.key)?);
        }
        Ok(growing.tree)
    }

    /// The nodes from the root to this one, both among them.
    pub fn line(&self, node: usize) -> Vec<usize> {
        let parents = std::iter::successors(Some(node), |&node| self.nodes[node].parent);
        let mut line: Vec<usize> = parents.collect();
        line.reverse();
        line
    }

    /// The share of a move of all games where it is played, from 0 to 1; none for the root.
    pub fn share(&self, node: usize) -> Option<f64> {
        let (parent, edge) = (self.nodes[node].parent?, self.nodes[node].edge.as_ref()?);
        Some(edge.counts.games() as f64 / self.nodes[parent].games.max(1) as f64)
    }
}

/// A tree that grows by a ply at a time.
struct Growing<'a> {
    book: &'a dyn RowLookup,
    plan: &'a TreePlan,
    tree: Tree,
    /// The node of every position that is followed, by key.
    places: HashMap<u64, usize>,
    /// What is known behind positions, as far as it was needed, and what it is worth.
    backed_up: BackedUp,
}

/// What is behind a move that no game made: how good it is for who plays it, and in how few moves
/// it comes to where that stands, or, where that is worse than a repetition, in how many.
type Behind = (Value, Reverse<i64>);

impl Growing<'_> {
    /// The moves that pass of these positions.
    fn candidates<G: Game>(
        &mut self,
        now: &[(usize, Node<G>)],
        ply: u32,
        watch: Watch<'_>,
    ) -> Result<Vec<Candidate<G>>> {
        let room = self.plan.max_nodes.saturating_sub(self.tree.nodes.len());
        let mut all = Vec::new();
        for (done, (place, node)) in now.iter().enumerate() {
            if done % TOLD_EVERY == 0 {
                let reached = (self.tree.nodes.len() + all.len()) as u64;
                report(watch, Step::Walking { reached, ply })?;
            }
            self.expand(*place, node, &mut all)?;
            if all.len() / 2 > room.max(TOLD_EVERY) {
                self.keep_most_played(&mut all, room);
            }
        }
        self.keep_most_played(&mut all, room);
        Ok(all)
    }

    /// Leaves out the least played moves if there is no room for all.
    fn keep_most_played<G>(&mut self, all: &mut Vec<Candidate<G>>, room: usize) {
        if all.len() <= room {
            return;
        }
        self.tree.is_truncated = true;
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&place| Reverse(all[place].edge.counts.games()));
        let mut is_kept = vec![false; all.len()];
        order[..room].iter().for_each(|&place| is_kept[place] = true);
        for candidate in all.iter().zip(&is_kept).filter(|(_, kept)| !**kept).map(|(it, _)| it) {
            self.tree.nodes[candidate.parent].left_out.count(candidate.edge.counts);
        }
        let mut kept = is_kept.into_iter();
        all.retain(|_| kept.next().unwrap_or(false));
    }

    /// The moves of a position that pass, those with the most games first.
    fn expand<G: Game>(
        &mut self,
        place: usize,
        node: &Node<G>,
        all: &mut Vec<Candidate<G>>,
    ) -> Result<()> {
        let mut rows = self.book.moves(node.key)?.into_owned();
        let here = &mut self.tree.nodes[place];
        if here.games == 0 {
            here.games = games_of(&rows);
        }
        rows.sort_by_key(|row| (Reverse(row.counts().games()), row.code()));
        let is_unplayed = self.plan.deviations && rows.iter().all(|row| row.counts().games() == 0);
        let mut behind = HashMap::new();
        if is_unplayed {
            self.backed_up.read(self.book, node)?;
            for row in &rows {
                behind.extend(self.behind(node, row.code()).map(|behind| (row.code(), behind)));
            }
            rows.sort_by_key(|row| (Reverse(behind.get(&row.code()).copied()), row.code()));
        }
        let breadth = self.plan.breadth.or((!behind.is_empty()).then_some(Tree::BREADTH));
        let here = &mut self.tree.nodes[place];
        let mut kept = 0;
        for row in rows {
            let games = row.counts().games();
            let Some(played) = node.move_of_code(row.code()) else {
                here.left_out.illegal += 1;
                continue;
            };
            let next = node.after(&played);
            let is_deviation = games == 0 && is_evaluated_leaf(self.book, next.key)?;
            let passes = behind.contains_key(&row.code())
                || is_deviation && self.plan.deviations
                || games >= self.plan.min_games && self.plan.min_share.is_share(games, here.games);
            if passes && breadth.is_none_or(|most| kept < most) {
                kept += 1;
                let edge = Edge {
                    code: row.code(),
                    san: node.position.notation(&played),
                    coordinates: node.position.coordinates(&played),
                    side: node.position.side(),
                    counts: row.counts(),
                    marks: row.marks(),
                    is_deviation,
                };
                all.push(Candidate { parent: place, node: next, edge });
            } else {
                here.left_out.count(row.counts());
            }
        }
        Ok(())
    }

    /// What is behind a move, if anything is known.
    fn behind<G: Game>(&mut self, node: &Node<G>, code: u16) -> Option<Behind> {
        let next = node.after(&node.move_of_code(code)?);
        let (value, steps) = self.backed_up.behind(&next, node.position.side())?;
        let steps = i64::from(steps);
        let direction = value.cmp(&Value::EVEN) as i64;
        Some((value, Reverse(steps * direction)))
    }

    /// Makes nodes of these, and returns those that are to be followed.
    fn add<G: Game>(
        &mut self,
        candidates: Vec<Candidate<G>>,
        ply: u32,
    ) -> Result<Vec<(usize, Node<G>)>> {
        let first = self.tree.nodes.len();
        // Which move of this ply a position that wasn't reached before is followed by.
        let mut best: HashMap<u64, (u64, usize)> = HashMap::new();
        for (place, candidate) in (first..).zip(&candidates) {
            let games = candidate.edge.counts.games();
            if !self.places.contains_key(&candidate.node.key) {
                let best = best.entry(candidate.node.key).or_insert((games, place));
                if games > best.0 {
                    *best = (games, place);
                }
            }
        }
        self.places.extend(best.into_iter().map(|(key, (_, place))| (key, place)));
        let mut next = Vec::new();
        for (place, Candidate { parent, node, edge }) in (first..).zip(candidates) {
            let mut made = self.node(Some(parent), &node, Some(edge), ply)?;
            let at = self.places[&node.key];
            self.tree.nodes[parent].children.push(place);
            if at == place {
                next.push((place, node));
            } else {
                made.same_as = Some(at);
            }
            self.tree.nodes.push(made);
        }
        Ok(next)
    }

    fn node<G: Game>(
        &mut self,
        parent: Option<usize>,
        node: &Node<G>,
        edge: Option<Edge>,
        ply: u32,
    ) -> Result<TreeNode> {
        let position = self.book.position(node.key)?;
        if position.is_some_and(|row| row.is_expanded()) {
            self.backed_up.read(self.book, node)?;
        }
        let by = edge.as_ref().map(|edge| edge.side);
        let value = by.and_then(|by| self.backed_up.value_of_move(node, by));
        Ok(TreeNode {
            parent,
            ply,
            edge,
            side: node.position.side(),
            key: node.key,
            games: position.map_or(0, |row| row.counts().games()),
            position,
            value,
            same_as: None,
            children: Vec::new(),
            left_out: LeftOut::default(),
        })
    }
}

impl LeftOut {
    fn count(&mut self, counts: Counts) {
        self.moves += 1;
        self.games += counts.games();
    }
}

/// Whether a book knows what a position is worth, and nothing of what is behind it.
fn is_evaluated_leaf(book: &dyn RowLookup, key: u64) -> Result<bool> {
    Ok(book.position(key)?.is_some_and(|row| is_worth(&row)) && book.moves(key)?.is_empty())
}

/// The games of all moves together.
pub(crate) fn games_of(rows: &[MoveRow]) -> u64 {
    rows.iter().map(|row| row.counts().games()).sum()
}
