//! The search of a tree: alpha-beta with principal variations first (Marsland and Campbell 1982;
//! the values found are bounds outside their window, "fail-soft").
//!
//! A score is *proven* if it follows from ends of games alone. What a position is at most follows
//! from all of its moves, what it is at least from one: so a score is proven if the scores are that
//! it follows from. An estimate isn't, nor is what a repetition gives, nor a bound of the moves that
//! were left out. A win or a loss needs ends of games anyway.

use crate::budget::Budget;
use crate::evaluate::{End, Evaluate, Unrest};
use crate::ordering::{DEEPEST, Ordering};
use crate::score::{Found, INFINITE, LEAST_WON, MOST_ESTIMATED, WON, Window};
use crate::table::Table;
use tabia_engines::Ending;
use tabia_games::Game;

/// A move, its code, and by what it is ordered.
type Ordered<M> = (i64, u16, M);

/// A search on its way.
pub(crate) struct Tree<G: Game, E> {
    pub evaluate: E,
    pub budget: Budget,
    table: Table,
    ordering: Ordering,
    /// The hashes of the positions before, from the start of the game.
    path: Vec<u64>,
    /// Buffers, for each ply one.
    moves: Vec<Vec<G::Move>>,
    ordered: Vec<Vec<Ordered<G::Move>>>,
}

impl<G: Game, E: Evaluate<G>> Tree<G, E> {
    pub fn new(evaluate: E, entries: usize) -> Self {
        Self {
            evaluate,
            budget: Budget::of_nodes(0),
            table: Table::new(entries),
            ordering: Ordering::new(),
            path: Vec::new(),
            moves: vec![Vec::new(); DEEPEST + 1],
            ordered: vec![Vec::new(); DEEPEST + 1],
        }
    }

    /// Forgets all, and begins behind these positions, of which the last is the root.
    pub fn begin(&mut self, path: impl Iterator<Item = G>, budget: Budget) {
        self.table.clear();
        self.ordering.clear();
        self.evaluate.forget();
        self.path.clear();
        if self.evaluate.repeats() {
            self.path.extend(path.map(|position| self.evaluate.hash(&position)));
        }
        self.budget = budget;
    }

    /// What a move is worth, searched so many plies deep; none if the budget is used up.
    pub fn root_move(
        &mut self,
        root: &G,
        played: &G::Move,
        depth: u32,
        window: Window,
    ) -> Option<Found> {
        let before = self.path.len();
        let found = self.after(root, played, depth as i32, window, 0);
        self.path.truncate(before);
        found
    }

    /// What a move is worth to the side that makes it.
    fn after(
        &mut self,
        position: &G,
        played: &G::Move,
        depth: i32,
        window: Window,
        ply: u32,
    ) -> Option<Found> {
        let next = position.after(played);
        if next.side() == position.side() {
            self.search(&next, depth - 1, window, ply + 1)
        } else {
            self.search(&next, depth - 1, window.turned(), ply + 1).map(Found::turned)
        }
    }

    /// What a position is worth to the side to move.
    fn search(&mut self, position: &G, depth: i32, window: Window, ply: u32) -> Option<Found> {
        self.budget.take()?;
        if ply as usize >= DEEPEST {
            return Some(self.estimate(position));
        }
        let key = self.evaluate.hash(position);
        if self.evaluate.repeats() && self.path.contains(&key) {
            return Some(Found::estimate(0));
        }
        let depth_left = depth.clamp(0, 255) as u8;
        let known = self.table.probe(key, depth_left, window, ply);
        if let Some(found) = known.and_then(|known| known.found) {
            return Some(found);
        }
        let mut moves = std::mem::take(&mut self.moves[ply as usize]);
        position.legal_moves(&mut moves);
        let found = self.search_moves(
            position,
            &mut moves,
            depth,
            window,
            (ply, key, known.map(|k| k.best)),
        );
        self.moves[ply as usize] = moves;
        let (found, best) = found?;
        if depth > 0 || found.proven {
            self.table.keep(key, (depth_left, ply), window, found, best);
        }
        Some(found)
    }

    /// The same, given its legal moves; with the code of the best.
    fn search_moves(
        &mut self,
        position: &G,
        moves: &mut Vec<G::Move>,
        depth: i32,
        window: Window,
        (ply, key, best): (u32, u64, Option<u16>),
    ) -> Option<(Found, u16)> {
        let unknown = best.unwrap_or(u16::MAX);
        if let Some(end) = self.evaluate.end(position, moves) {
            return Some((at_end(end, ply), unknown));
        }
        if let Some((plies, _)) = self.evaluate.plies_left(position)
            && plies as i32 <= depth
        {
            let score =
                self.evaluate.solve(position, window.alpha, window.beta, &mut self.budget)?;
            return Some((Found { score, proven: true }, unknown));
        }
        let (mut floor, mut all_proven) = (Found { score: -INFINITE, proven: true }, true);
        if depth <= 0 {
            let unrest = self.evaluate.unrest(position, moves);
            if unrest != Unrest::Must {
                floor = self.estimate(position);
                all_proven = false;
            }
            if unrest == Unrest::Quiet || floor.score >= window.beta || moves.is_empty() {
                return Some((floor, unknown));
            }
        } else {
            all_proven = !self.evaluate.narrow(position, moves);
        }
        let mut ordered = std::mem::take(&mut self.ordered[ply as usize]);
        self.order(position, moves, best, ply, &mut ordered);
        self.path.push(key);
        let found =
            self.best_of(position, &ordered, (depth, window, ply), floor, (all_proven, unknown));
        self.path.pop();
        self.ordered[ply as usize] = ordered;
        found
    }

    /// The best of these moves, and of `floor`, which the side to move has for sure.
    fn best_of(
        &mut self,
        position: &G,
        ordered: &[Ordered<G::Move>],
        (depth, window, ply): (i32, Window, u32),
        floor: Found,
        (mut all_proven, mut best_code): (bool, u16),
    ) -> Option<(Found, u16)> {
        let (mut best, mut alpha) = (floor.score, window.alpha.max(floor.score));
        for (index, (_, code, played)) in ordered.iter().enumerate() {
            let beta = window.beta;
            let mut found = if index == 0 {
                self.after(position, played, depth, Window { alpha, beta }, ply)?
            } else {
                self.after(position, played, depth, Window::above(alpha), ply)?
            };
            if index > 0 && found.score > alpha && found.score < beta {
                found = self.after(position, played, depth, Window { alpha, beta }, ply)?;
            }
            all_proven &= found.proven;
            if found.score > best || index == 0 && best == -INFINITE {
                (best, best_code) = (found.score, *code);
            }
            if best >= beta {
                self.ordering.reward(*code, ply as usize, position.side(), depth.max(0) as u32);
                let proven = found.proven || best >= LEAST_WON;
                return Some((Found { score: best, proven }, best_code));
            }
            alpha = alpha.max(best);
        }
        let proven = all_proven || best >= LEAST_WON;
        Some((Found { score: best, proven }, best_code))
    }

    fn order(
        &self,
        position: &G,
        moves: &[G::Move],
        best: Option<u16>,
        ply: u32,
        ordered: &mut Vec<Ordered<G::Move>>,
    ) {
        ordered.clear();
        let side = position.side();
        ordered.extend(moves.iter().map(|played| {
            let code = position.image(played, 0);
            let own = self.evaluate.order(position, played);
            (self.ordering.rank(code, best, own, ply as usize, side), code, played.clone())
        }));
        ordered.sort_by_key(|(rank, _, _)| std::cmp::Reverse(*rank));
    }

    /// An estimate of a position that isn't over.
    pub fn estimate(&mut self, position: &G) -> Found {
        let value = self.evaluate.value(position);
        Found::estimate(value.clamp(-MOST_ESTIMATED, MOST_ESTIMATED))
    }
}

/// What the end of a game so many plies from the root is worth.
fn at_end(end: End, ply: u32) -> Found {
    let score = match end {
        End::Ending(Ending::Win) => WON - ply as i32,
        End::Ending(Ending::Draw) => 0,
        End::Ending(Ending::Loss) => ply as i32 - WON,
        End::Hundredths(hundredths) => hundredths,
    };
    Found { score, proven: true }
}
