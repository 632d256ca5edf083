//! The engine: a position and a limit to the best of its moves, deeper and deeper.

use crate::budget::Budget;
use crate::evaluate::Evaluate;
use crate::ordering::DEEPEST;
use crate::score::{Found, LEAST_WON, Window};
use crate::tree::Tree;
use std::time::Instant;
use tabia_engines::{Answer, Choice, Engine, Error, Query, Ranked, Ranking, Thought};
use tabia_games::Game;

/// What the search calls itself. The number changes whenever its results do.
pub const NAME: &str = "tabia-search 1";

/// What a search is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many positions the hash table holds, each in 24 bytes; 0 for none.
    pub entries: usize,
    /// How many positions are looked at where a limit says nothing.
    pub nodes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { entries: 1 << 18, nodes: 100_000 }
    }
}

/// A search of a game as an engine: see the documentation of the crate.
pub struct Search<G: Game, E> {
    tree: Tree<G, E>,
    options: Options,
}

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// One that goes by this knowledge of the game.
    pub fn new(evaluate: E, options: Options) -> Self {
        Self { tree: Tree::new(evaluate, options.entries), options }
    }

    /// Ranks moves, all to the same depth.
    fn ranked(&mut self, choice: &Choice<'_, G>) -> Ranking<G::Move> {
        let Choice { query: Query { history, limit, patience }, among, count } = *choice;
        let start = Instant::now();
        let root = history.position();
        let budget = Budget::of(limit, root.side(), self.options.nodes, patience);
        let before = history.replay().map(|(position, _)| position);
        self.tree.begin(before.chain([root.clone()]), budget);
        let deepest = limit.depth.unwrap_or(DEEPEST as u32 / 2).clamp(1, DEEPEST as u32 / 2);
        let mut moves = Moves::new(among, count.min(among.len()));
        if !among.is_empty() && count > 0 {
            self.deepen(root, &mut moves, deepest);
        }
        let value = self.tree.estimate(root);
        let moves = moves.told(|| value);
        Ranking { moves, took: start.elapsed(), nodes: Some(self.tree.budget.nodes()) }
    }

    /// Searches deeper and deeper, until all is proven or the budget is used up.
    fn deepen(&mut self, root: &G, moves: &mut Moves<G::Move>, deepest: u32) {
        let mut depth = 1;
        loop {
            let is_complete = moves.search(&mut self.tree, root, depth).is_some();
            if !is_complete || moves.is_settled() || depth >= deepest {
                return;
            }
            depth = self.next_depth(root, depth).min(deepest);
        }
    }

    /// One ply more, or all that is left if that can be searched to the end of the game.
    fn next_depth(&self, root: &G, depth: u32) -> u32 {
        match self.tree.evaluate.plies_left(root) {
            Some((plies, nodes))
                if plies > depth
                    && 2 * depth + 2 >= plies.min(14)
                    && nodes <= self.tree.budget.left() =>
            {
                plies
            }
            _ => depth + 1,
        }
    }
}

/// The moves of a root, the best first, with what was found of them.
struct Moves<M> {
    moves: Vec<M>,
    /// Those of the best whose values are exact, by their places in `moves`, with their depths.
    best: Vec<(usize, Found, u32)>,
    /// How many are wanted.
    count: usize,
    /// What was found of all moves, values and bounds, is proven.
    all_proven: bool,
}

impl<M: Clone> Moves<M> {
    fn new(among: &[M], count: usize) -> Self {
        Self { moves: among.to_vec(), best: Vec::new(), count, all_proven: false }
    }

    /// Searches all moves to a depth; none if the budget doesn't suffice.
    ///
    /// The first moves, as many as are wanted, have values of their own. Any other is first compared
    /// with the worst of the best, and has a value only if it is better, and then takes its place.
    /// That finds the same values as searching for the best move, and again for the best of the
    /// others.
    fn search<G: Game<Move = M>, E: Evaluate<G>>(
        &mut self,
        tree: &mut Tree<G, E>,
        root: &G,
        depth: u32,
    ) -> Option<()> {
        let (mut best, mut all_proven) = (Vec::with_capacity(self.count + 1), true);
        for place in 0..self.moves.len() {
            let Some(found) = one(tree, root, &self.moves[place], depth, &best, self.count) else {
                // Half of a search is better than none, and so is the best move of one.
                if self.best.is_empty() || self.count == 1 && !best.is_empty() {
                    self.take(best);
                }
                return None;
            };
            let (found, is_exact) = found;
            all_proven &= found.proven;
            if is_exact {
                best.truncate(self.count - 1);
                let behind = best.partition_point(|(_, other, _)| {
                    let other: &Found = other;
                    other.score >= found.score
                });
                best.insert(behind, (place, found, depth));
            }
        }
        self.take(best);
        self.all_proven = all_proven;
        Some(())
    }

    /// Puts the best moves first.
    fn take(&mut self, best: Vec<(usize, Found, u32)>) {
        let is_best = |place: &usize| best.iter().any(|(other, _, _)| other == place);
        let others = (0..self.moves.len()).filter(|place| !is_best(place));
        let order: Vec<usize> = best.iter().map(|(place, _, _)| *place).chain(others).collect();
        self.moves = order.iter().map(|&place| self.moves[place].clone()).collect();
        let places = best.into_iter().enumerate();
        self.best = places.map(|(place, (_, found, depth))| (place, found, depth)).collect();
    }

    /// Whether a deeper search finds the same: all is proven, or the wanted moves win, or all lose.
    fn is_settled(&self) -> bool {
        let score =
            |best: Option<&(usize, Found, u32)>| best.map_or(0, |(_, found, _)| found.score);
        self.all_proven
            || score(self.best.last()) >= LEAST_WON
            || score(self.best.first()) <= -LEAST_WON
    }

    /// The best moves with what was found of them; where that is nothing, `value`.
    fn told(&self, value: impl Fn() -> Found) -> Vec<Ranked<M>> {
        let known = self.best.iter().map(|&(place, found, depth)| (place, found, depth));
        let unknown = (self.best.len()..self.moves.len()).map(|place| (place, value(), 0));
        let all = known.chain(unknown).take(self.count);
        all.map(|(place, found, depth)| Ranked {
            played: self.moves[place].clone(),
            eval: found.eval(),
            depth: Some(depth),
            sure: found.sure(),
        })
        .collect()
    }
}

/// What a move is worth, and whether exactly: a bound suffices if so many others are better.
fn one<G: Game, E: Evaluate<G>>(
    tree: &mut Tree<G, E>,
    root: &G,
    played: &G::Move,
    depth: u32,
    best: &[(usize, Found, u32)],
    count: usize,
) -> Option<(Found, bool)> {
    let Some(&(_, worst, _)) = best.get(count - 1) else {
        return Some((tree.root_move(root, played, depth, Window::FULL)?, true));
    };
    let found = tree.root_move(root, played, depth, Window::above(worst.score))?;
    if found.score <= worst.score {
        return Some((found, false));
    }
    let window = Window { alpha: worst.score, ..Window::FULL };
    let found = tree.root_move(root, played, depth, window)?;
    Some((found, found.score > worst.score))
}

impl<G: Game, E: Evaluate<G>> Engine<G> for Search<G, E> {
    fn name(&self) -> &str {
        NAME
    }

    fn best_move(&mut self, query: &Query<'_, G>) -> Result<Thought<G::Move>, Error> {
        let position = query.history.position();
        let ranking =
            self.ranked(&Choice { query: Query { ..*query }, among: &position.legal(), count: 1 });
        Ok(ranking.thought().unwrap_or_else(|| Thought {
            nodes: ranking.nodes,
            ..Thought::of(Answer::no_move(position), ranking.took)
        }))
    }

    /// One search with the whole limit for all of them. The values are those of a search of each
    /// move alone to the same depth, but for what the hash table knows from deeper ones.
    fn best_moves(&mut self, choice: &Choice<'_, G>) -> Result<Ranking<G::Move>, Error> {
        Ok(self.ranked(choice))
    }
}
