//! The graph of a growing book in memory, and what of it is complete.

use crate::error::Error;
use std::cell::{RefCell, RefMut};
use std::collections::{BTreeSet, HashMap, VecDeque};
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
    /// Which positions are expanded, and how many.
    is_expanded: Vec<bool>,
    expanded: u64,
    /// What was solved last, by what draws are worth to the first player.
    kept: [RefCell<Kept>; 3],
}

/// What positions were worth when that was last asked.
#[derive(Default)]
struct Kept {
    solved: Solved,
    left_out: BTreeSet<u32>,
    /// What has changed since then.
    changed: Vec<u32>,
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
        let (is_expanded, kept) = (Vec::new(), [(); 3].map(|()| RefCell::default()));
        let mut tree = Self { opening, graph, reading, is_expanded, expanded: 0, kept };
        tree.graph.take_changes();
        tree.count_expanded(0..tree.graph.len());
        Ok(tree)
    }

    /// Reads positions again of which the book says something new.
    ///
    /// # Errors
    /// As [`Tree::read`].
    pub fn refresh(&mut self, rows: &dyn RowLookup, keys: &[Key]) -> Result<(), Error> {
        self.graph.refresh(rows, self.opening.present(), self.reading, keys)?;
        let changed = self.graph.take_changes();
        self.kept.iter_mut().for_each(|kept| kept.get_mut().changed.extend(&changed));
        self.count_expanded(changed.into_iter());
        Ok(())
    }

    fn count_expanded(&mut self, changed: impl Iterator<Item = u32>) {
        self.is_expanded.resize(self.graph.len() as usize, false);
        for at in changed {
            let is_expanded = self.graph.is_expanded(at);
            let was_expanded = std::mem::replace(&mut self.is_expanded[at as usize], is_expanded);
            self.expanded += u64::from(is_expanded);
            self.expanded -= u64::from(was_expanded);
        }
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
        let before = self.graph.before(to).into_iter();
        before.filter(|&at| self.graph.is_expanded(at)).filter(leads_there)
    }

    /// How many positions are expanded.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// What everything is worth to both sides with some positions left out, if draws are worth this to
    /// the first player, and the principal variation from the root. What was found out of the last
    /// question about such draws holds, but for what has changed since.
    ///
    /// # Panics
    /// While what it told the last time is still held, for the same draws.
    pub fn solved(
        &self,
        left_out: &BTreeSet<u32>,
        draws: DrawValue,
    ) -> (RefMut<'_, Solved>, Variation) {
        let mut kept = self.kept[draws as usize].borrow_mut();
        let policy = DrawPolicy { public: draws, private: draws, side: Some(Side::First) };
        let graph = &self.graph;
        let (unit, unexpanded) = (Unit::Eval, Unexpanded::Own);
        let (side, replies) = (Side::First, None);
        let view = GraphView { graph, unit, side, draws: policy, unexpanded, replies };
        let without = Without { tree: self, view, left_out };
        if kept.solved.is_empty() {
            kept.solved = solve(&without);
        } else {
            let Kept { solved, left_out: before, changed } = &mut *kept;
            changed.extend(before.symmetric_difference(left_out));
            solved.update(&without, changed.drain(..), |at| graph.before(at));
        }
        kept.left_out.clone_from(left_out);
        kept.changed.clear();
        let line = variation(&without, &kept.solved, ROOT);
        (RefMut::map(kept, |kept| &mut kept.solved), line)
    }

    /// What the root is worth to the side to move there, and the line that both sides want.
    pub fn principal(&self) -> (Option<Value>, Vec<u32>) {
        let (solved, line) = self.solved(&BTreeSet::new(), DrawValue::Even);
        (solved.value(ROOT, self.graph.side(ROOT)), line.positions)
    }

    /// How many plies each position is away from the root at least; [`u32::MAX`] where no line leads.
    pub fn plies(&self) -> Vec<u32> {
        let mut plies = vec![u32::MAX; self.graph.len() as usize];
        let mut waiting = VecDeque::from([ROOT]);
        plies[ROOT as usize] = 0;
        while let Some(at) = waiting.pop_front() {
            for edge in self.graph.moves(at) {
                if plies[edge.to as usize] == u32::MAX {
                    plies[edge.to as usize] = plies[at as usize] + 1;
                    waiting.push_back(edge.to);
                }
            }
        }
        plies
    }

    /// The codes of the shortest line from the root to a position, of several that with the least codes,
    /// which is the same however the tree came about; none for one that no line leads to.
    pub fn line(&self, at: u32) -> Vec<u16> {
        // How far it is from positions before it, as far as the root.
        let (mut away, mut waiting) = (HashMap::from([(at, 0)]), VecDeque::from([at]));
        while let Some(to) = waiting.pop_front().filter(|_| !away.contains_key(&ROOT)) {
            let further = away[&to] + 1;
            for before in self.graph.before(to) {
                let is_known = away.contains_key(&before);
                if !is_known && self.graph.moves(before).iter().any(|edge| edge.to == to) {
                    away.insert(before, further);
                    waiting.push_back(before);
                }
            }
        }
        let (mut codes, mut at) = (Vec::new(), ROOT);
        for left in (0..away.get(&ROOT).copied().unwrap_or(0)).rev() {
            let nearer = self.graph.moves(at).iter().find(|edge| away.get(&edge.to) == Some(&left));
            let Some(edge) = nearer else { break };
            codes.push(edge.code);
            at = edge.to;
        }
        codes
    }

    /// The game that leads to a position, by [`Tree::line`].
    pub fn game(&self, at: u32) -> GameHistory<G> {
        // The graph has moves that are legal only.
        along(self.opening.clone(), &self.line(at))
    }

    /// The legal moves of a position that the book doesn't have.
    pub fn new_moves(&self, at: u32, node: &Node<G>) -> Vec<(u16, G::Move)> {
        let mut moves = node.coded_moves();
        moves.retain(|(code, _)| self.graph.moves(at).iter().all(|edge| edge.code != *code));
        moves
    }

    /// Whether a position is expanded and has legal moves of which nothing is known. It may be that all
    /// others are lost, by other orders of moves too: then it isn't lost for sure.
    fn lacks_moves(&self, at: u32) -> bool {
        self.graph.is_expanded(at)
            && self.graph.proof(at).is_none()
            && (!self.graph.is_full(at) || self.unvalued(at).next().is_some())
    }
}

/// A game with the moves of these codes played, as far as they are legal.
pub fn along<G: Game>(mut game: GameHistory<G>, codes: &[u16]) -> GameHistory<G> {
    for &code in codes {
        let Some(played) = game.present().move_of_code(code) else { break };
        game.play(&played);
    }
    game
}

/// A tree with some positions left out: nothing is known of them.
struct Without<'a, G: Game> {
    tree: &'a Tree<G>,
    view: GraphView<'a>,
    left_out: &'a BTreeSet<u32>,
}

/// What the moves that the book lacks are worth to the side that makes them: as little as can be
/// without being lost for sure. They count only where all that the book has is lost.
pub const UNKNOWN: Value = Value::WORST;

impl<G: Game> Arena for Without<'_, G> {
    fn len(&self) -> u32 {
        self.view.len()
    }

    fn side(&self, at: u32) -> Side {
        self.view.side(at)
    }

    /// The book maker's word `never` holds for both sides: neither wants that line to grow.
    fn moves(&self, at: u32) -> impl Iterator<Item = u32> {
        let is_there = !self.left_out.contains(&at);
        self.view.played(at).filter(move |edge| is_there && !edge.is_barred).map(|edge| edge.to)
    }

    fn own(&self, at: u32) -> Option<Value> {
        let unknown = || if self.side(at) == Side::First { UNKNOWN } else { -UNKNOWN };
        match self.left_out.contains(&at) {
            true => None,
            false if self.tree.lacks_moves(at) => Some(unknown()),
            false => self.view.own(at),
        }
    }

    fn own_is_a_move(&self, at: u32) -> bool {
        self.tree.lacks_moves(at) || self.view.own_is_a_move(at)
    }

    fn name(&self, at: u32) -> (Key, usize) {
        self.view.name(at)
    }

    fn repetition(&self) -> Value {
        self.view.repetition()
    }
}
