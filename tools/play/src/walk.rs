//! Walking a book breadth-first from where its lines start, by moves that are kept.
//!
//! A book is a graph with transpositions and cycles: every position is expanded once, when it is
//! first reached, which is at its least ply. In a solution tree (Chen and Zhang 2012) a position
//! that can be reached with either side as the book's is expanded once for each.

use crate::breadth_first::ply_by_ply;
use crate::leaves::Leaves;
use crate::move_graph::{MoveGraph, State};
use crate::trim::TrimPlan;
use crate::watch::Watch;
use std::ops::Range;
use tabia::mix;
use tabia_games::{Game, Node, Side};

/// How far a walk came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// The most plies from where it started.
    pub plies: u32,
    /// Bytes of the most positions that were expanded or waited to be at once, each with its board.
    pub widest_bytes: u64,
}

/// A walk under way.
pub(crate) struct Walk<'a> {
    plan: &'a TrimPlan,
    graph: &'a mut MoveGraph,
    leaves: &'a mut Leaves,
    /// The moves of the position that is expanded, best first.
    best: Vec<usize>,
}

/// A position to be expanded: its board and key, whose book it is seen as (no side's, if it isn't a
/// solution tree), and the place of its first move.
struct Stand<G> {
    node: Node<G>,
    book: Option<Side>,
    first: usize,
}

/// Whether the moves here are those of the book's own side.
fn is_own<G: Game>(board: &G, book: Option<Side>) -> bool {
    book.is_none_or(|side| side == board.side())
}

impl<'a> Walk<'a> {
    /// A walk before its first position.
    pub fn new(plan: &'a TrimPlan, graph: &'a mut MoveGraph, leaves: &'a mut Leaves) -> Self {
        Self { plan, graph, leaves, best: Vec::new() }
    }

    /// Walks from these positions to the end.
    pub fn run<G: Game>(mut self, from: &[Node<G>], watch: Watch<'_>) -> tabia::Result<Walked> {
        let books: Vec<_> = match &self.plan.solution {
            Some(solution) => solution.sides.iter().copied().map(Some).collect(),
            None => vec![None],
        };
        let mut first = Vec::new();
        for node in from {
            books.iter().for_each(|&book| self.arrive(node.clone(), book, &mut first));
        }
        let max_ply = self.plan.max_ply;
        let (plies, widest) = ply_by_ply(first, watch, |stand, ply, next| {
            self.expand(stand, max_ply.is_some_and(|most| ply >= most), next);
        })?;
        self.leaves.settle();
        Ok(Walked { plies, widest_bytes: (widest * size_of::<Stand<G>>()) as u64 })
    }

    /// Comes to a position, which waits to be expanded if it has moves and is new.
    fn arrive<G: Game>(&mut self, node: Node<G>, book: Option<Side>, waiting: &mut Vec<Stand<G>>) {
        let hash = mix(node.key);
        let moves = self.graph.moves(hash);
        let at = if is_own(&node.position, book) { State::AT_OWN } else { State::AT_REPLY };
        if moves.is_empty() {
            self.leaves.insert(hash, ());
        } else if !self.graph.state(moves.start).any(at) {
            let first = moves.start;
            self.graph.note(moves, at);
            waiting.push(Stand { node, book, first });
        }
    }

    /// Keeps the moves of a position that are to be kept, and comes to where they lead.
    fn expand<G: Game>(&mut self, stand: &Stand<G>, is_last: bool, waiting: &mut Vec<Stand<G>>) {
        let moves = self.graph.moves_from(stand.first);
        if is_last {
            self.graph.note(moves, State::LAST);
            return;
        }
        // Which moves pass here, and how many of them are kept.
        let (passes, keep) = match is_own(&stand.node.position, stand.book) {
            true => (State::OWN, self.plan.own.keep.unwrap_or(u32::MAX)),
            false => (State::REPLY, u32::MAX),
        };
        let mut best = std::mem::take(&mut self.best);
        best.extend(moves);
        best.sort_by_key(|&place| self.graph.rank(place));
        let mut kept = 0;
        for place in best.drain(..) {
            let state = self.graph.state(place);
            if state.any(passes)
                && (kept < keep || state.any(State::ALWAYS))
                && self.follow(stand, place, waiting)
            {
                kept += 1;
            }
        }
        self.best = best;
    }

    /// Keeps a move and comes to where it leads; whether it is legal.
    fn follow<G: Game>(
        &mut self,
        stand: &Stand<G>,
        place: usize,
        waiting: &mut Vec<Stand<G>>,
    ) -> bool {
        let here: Range<usize> = place..place + 1;
        let Some(played) = stand.node.move_of_code(self.graph.code(place)) else {
            self.graph.note(here, State::ILLEGAL);
            return false;
        };
        self.graph.note(here, State::KEPT);
        self.arrive(stand.node.after(&played), stand.book, waiting);
        true
    }
}
