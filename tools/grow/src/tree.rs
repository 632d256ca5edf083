//! The graph of a growing book in memory, and what of it is complete.

use crate::error::Error;
use std::collections::VecDeque;
use tabia::Key;
use tabia_games::{Game, Node, Side};
use tabia_play::choice::{GameHistory, RowLookup};
use tabia_play::negamax::{
    Arena, DrawPolicy, DrawValue, Graph, GraphOptions, GraphView, Record, Solved, Unexpanded, Unit,
    Value, Variation, solve, variation,
};

/// What is known of a growing book from one position on: positions with evals, proofs and
/// deviations, and what is reached from there.
pub struct Tree<G: Game> {
    /// The game up to the root.
    opening: GameHistory<G>,
    graph: Graph,
    reading: GraphOptions,
}

/// The number of the position that a tree grows from.
pub const ROOT: u32 = 0;

impl<G: Game> Tree<G> {
    /// Reads a book from the last position of a game on. Moves of fewer games count as if the book didn't have them,
    /// unless they lead to an eval.
    ///
    /// # Errors
    /// The book's; that it is too large.
    pub fn read(
        rows: &dyn RowLookup,
        opening: GameHistory<G>,
        min_games: u64,
    ) -> Result<Self, Error> {
        let reading = GraphOptions {
            min_games,
            only_backed_up: true,
            can_change: true,
            ..GraphOptions::default()
        };
        let graph = Graph::read(rows, opening.present(), reading)?;
        Ok(Self { opening, graph, reading })
    }

    /// Reads positions again of which the book says something new.
    ///
    /// # Errors
    /// As [`Tree::read`].
    pub fn refresh(&mut self, rows: &dyn RowLookup, keys: &[Key]) -> Result<(), Error> {
        Ok(self.graph.refresh(rows, self.opening.present(), self.reading, keys)?)
    }

    /// Where it grows from.
    pub fn root(&self) -> &Node<G> {
        self.opening.present()
    }

    /// The game up to the root.
    pub fn opening(&self) -> &GameHistory<G> {
        &self.opening
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether a position has nothing to be expanded: it is sure how the game ends, or it is
    /// expanded, all its moves have a value, and the best deviation is there.
    pub fn is_complete(&self, at: u32) -> bool {
        self.graph.proof(at).is_some()
            || self.graph.is_expanded(at)
                && self.unvalued(at).next().is_none()
                && (self.graph.is_full(at) || self.has_deviation(at, |_| false))
    }

    /// Whether the values of all legal moves of a position are there, or it is sure how the game
    /// ends: a full node (Fierz 2005).
    pub fn is_full(&self, at: u32) -> bool {
        self.graph.proof(at).is_some()
            || self.graph.is_expanded(at)
                && self.graph.is_full(at)
                && self.unvalued(at).next().is_none()
    }

    /// The codes of moves to positions of which nothing is known.
    pub fn unvalued(&self, at: u32) -> impl Iterator<Item = u16> {
        let is_known = |to: u32| {
            self.graph.is_expanded(to)
                || self.graph.proof(to).is_some()
                || self.graph.own(to, Unit::Eval).is_some()
        };
        self.graph.moves(at).iter().filter(move |edge| !is_known(edge.to)).map(|edge| edge.code)
    }

    /// Whether a position has an evaluated deviation: a move of the book that nobody played, to a
    /// position that has an eval, isn't decided nor expanded, and from which nobody played on; leaving
    /// out those that will be expanded. A decided one is none, as it says nothing of the moves that
    /// the book lacks, nor is one that the book has by another order of moves only.
    pub fn has_deviation(&self, at: u32, will_be_expanded: impl Fn(u32) -> bool) -> bool {
        let graph = &self.graph;
        let is_open = |to| graph.proof(to).is_none() && graph.own(to, Unit::Eval).is_some();
        graph.moves(at).iter().any(|edge| {
            edge.record == Record::Unplayed
                && is_open(edge.to)
                && !graph.is_expanded(edge.to)
                && !graph.was_played_on(edge.to)
                && !will_be_expanded(edge.to)
        })
    }

    /// Expanded positions with a move to this one, in ascending order of their numbers.
    pub fn expanded_before(&self, to: u32) -> impl Iterator<Item = u32> {
        let leads_there = move |at: &u32| self.graph.moves(*at).iter().any(|edge| edge.to == to);
        (0..self.graph.len()).filter(|&at| self.graph.is_expanded(at)).filter(leads_there)
    }

    /// How many positions are expanded.
    pub fn expanded(&self) -> u64 {
        (0..self.graph.len()).filter(|&at| self.graph.is_expanded(at)).count() as u64
    }

    /// The tree with some positions left out, and draws worth this to the first player.
    pub fn without<'a>(&'a self, left_out: &'a [bool], draws: DrawValue) -> Without<'a> {
        let draws = DrawPolicy { public: draws, private: draws, side: Some(Side::First) };
        let view = GraphView {
            graph: &self.graph,
            unit: Unit::Eval,
            side: Side::First,
            draws,
            unexpanded: Unexpanded::Own,
            replies: None,
        };
        let graph = &self.graph;
        let lacks_moves = |at: u32| {
            graph.is_expanded(at)
                && graph.proof(at).is_none()
                && (!graph.is_full(at) || self.unvalued(at).next().is_some())
        };
        let lacking = (0..graph.len()).map(lacks_moves).collect();
        Without { view, left_out, lacking }
    }

    /// What the root is worth to the side to move there, and the line that both sides want.
    pub fn principal(&self) -> (Option<Value>, Vec<u32>) {
        let view = self.without(&[], DrawValue::Even);
        let solved = solve(&view);
        let line = variation(&view, &solved, ROOT).positions;
        (solved.value(ROOT, self.graph.side(ROOT)), line)
    }

    /// The shortest lines from the root.
    pub fn lines(&self) -> Lines {
        Lines::of(&self.graph)
    }

    /// A position of the tree, by a line.
    pub fn node(&self, codes: &[u16]) -> Node<G> {
        // The graph has moves that are legal only.
        self.root().along(codes)
    }
}

/// A tree with some positions left out: nothing is known of them.
pub struct Without<'a> {
    view: GraphView<'a>,
    left_out: &'a [bool],
    /// Positions that are expanded and have legal moves of which nothing is known. It may be that all
    /// others are lost, by other orders of moves too: then it isn't lost for sure.
    lacking: Vec<bool>,
}

/// What the moves that the book lacks are worth to the side that makes them: as little as can be
/// without being lost for sure. They count only where all that the book has is lost.
pub const UNKNOWN: Value = Value::WORST;

impl Without<'_> {
    fn is_left_out(&self, at: u32) -> bool {
        self.left_out.get(at as usize).copied().unwrap_or(false)
    }

    fn lacks_moves(&self, at: u32) -> bool {
        self.lacking[at as usize]
    }

    /// What everything is worth, and the principal variation from the root.
    pub fn solved(&self) -> (Solved, Variation) {
        let solved = solve(self);
        let line = variation(self, &solved, ROOT);
        (solved, line)
    }
}

impl Arena for Without<'_> {
    fn len(&self) -> u32 {
        self.view.len()
    }

    fn side(&self, at: u32) -> Side {
        self.view.side(at)
    }

    /// The book maker's word `never` holds for both sides: neither wants that line to grow.
    fn moves(&self, at: u32) -> impl Iterator<Item = u32> {
        let is_there = !self.is_left_out(at);
        self.view.played(at).filter(move |edge| is_there && !edge.is_barred).map(|edge| edge.to)
    }

    fn own(&self, at: u32) -> Option<Value> {
        let unknown = || if self.side(at) == Side::First { UNKNOWN } else { -UNKNOWN };
        match self.is_left_out(at) {
            true => None,
            false if self.lacks_moves(at) => Some(unknown()),
            false => self.view.own(at),
        }
    }

    fn own_is_a_move(&self, at: u32) -> bool {
        self.lacks_moves(at) || self.view.own_is_a_move(at)
    }

    fn name(&self, at: u32) -> (Key, usize) {
        self.view.name(at)
    }

    fn repetition(&self) -> Value {
        self.view.repetition()
    }
}

/// The shortest line from the root to each position, of several that with the least codes: the same
/// however the tree came about.
pub struct Lines {
    /// The position before it on the line, and the code of the move.
    before: Vec<(u32, u16)>,
    /// How long the line is; [`u32::MAX`] where none leads.
    plies: Vec<u32>,
}

impl Lines {
    fn of(graph: &Graph) -> Self {
        let len = graph.len() as usize;
        let mut lines = Self { before: vec![(ROOT, 0); len], plies: vec![u32::MAX; len] };
        let mut waiting = VecDeque::from([ROOT]);
        lines.plies[ROOT as usize] = 0;
        while let Some(at) = waiting.pop_front() {
            let ply = lines.plies[at as usize] + 1;
            for edge in graph.moves(at) {
                let to = edge.to as usize;
                if lines.plies[to] == u32::MAX {
                    (lines.plies[to], lines.before[to]) = (ply, (at, edge.code));
                    waiting.push_back(edge.to);
                }
            }
        }
        lines
    }

    /// How many plies a position is away from the root.
    pub fn plies(&self, at: u32) -> u32 {
        self.plies[at as usize]
    }

    /// The codes of the moves that lead to a position; none for one that no line leads to.
    pub fn codes(&self, at: u32) -> Vec<u16> {
        let (mut codes, mut at) = (Vec::new(), at);
        while at != ROOT && self.plies(at) != u32::MAX {
            let (before, code) = self.before[at as usize];
            codes.push(code);
            at = before;
        }
        codes.reverse();
        codes
    }
}
