//! Monte-Carlo tree search: a tree of moves that grows where games played by chance go well.
//!
//! UCT (Kocsis and Szepesvari 2006) with the bounds of UCB1-TUNED (Auer, Cesa-Bianchi and Fischer
//! 2002) and a first-play urgency of 1.1, as in MoGo (Gelly and others 2006): each game follows the
//! tree by the moves of the highest bound, and goes on by a [`Playout`]. Lines that are images of
//! each other are one line, as in books keyed by line, so of the empty board of Go only 15 of 81
//! points are tried. A position with draws counts them half a win.
//!
//! A node gets moves of its own once [`EXPANDED_AT`] games passed through it, while there is room
//! in the memory it is given; then the tree goes on learning with the nodes that it has.

use crate::playout::{Chance, Playout};
use tabia_games::{Game, Komi, Node, Side};

/// After how many games a node gets moves. Of what is played less often, a book of Chen and Zhang's
/// (2012) has nothing either.
pub const EXPANDED_AT: u32 = 20;

/// What a move that was never played is worth before it is: more than a sure win, less than any
/// that was tried seldom and well.
const FIRST_PLAY: f64 = 1.1;

/// After how many games the watch is asked whether to go on.
const STEP: u32 = 256;

/// How a search is made.
#[derive(Clone, Copy, Debug)]
pub struct Simulation {
    /// Games that are played.
    pub games: u32,
    /// What chance is drawn by.
    pub seed: u64,
    /// The most bytes of the tree.
    pub memory: usize,
    /// White's komi in Go.
    pub komi: Komi,
}

/// A tree with what its games said.
pub struct PlayoutTree<G: Game> {
    root: Node<G>,
    nodes: Vec<TreeNode>,
    /// The moves to the nodes; the root has none.
    moves: Vec<Option<G::Move>>,
}

/// A node: how the games through it ended for the first player, and its moves, which lie together.
#[derive(Clone, Copy, Debug, Default)]
struct TreeNode {
    wins: u32,
    draws: u32,
    games: u32,
    first: u32,
    count: u32,
}

impl TreeNode {
    /// Wins, draws and losses of a side.
    fn results(&self, side: Side) -> [u32; 3] {
        let lost = self.games - self.wins - self.draws;
        match side {
            Side::First => [self.wins, self.draws, lost],
            Side::Second => [lost, self.draws, self.wins],
        }
    }

    /// What the move here may be worth at most to the side that makes it, by UCB1-TUNED; `log` is
    /// the logarithm of the games of the node before.
    fn bound(&self, side: Side, log: f64) -> f64 {
        if self.games == 0 {
            return FIRST_PLAY;
        }
        let [wins, draws, _] = self.results(side).map(f64::from);
        let games = f64::from(self.games);
        let (mean, part) = ((wins + draws / 2.0) / games, log / games);
        let variance = (wins + draws / 4.0) / games - mean * mean + (2.0 * part).sqrt();
        mean + (part * variance.min(0.25)).sqrt()
    }
}

/// A line of the tree, and how the games through it ended.
#[derive(Clone, Copy, Debug)]
pub struct TreeLine {
    /// Its key.
    pub key: u64,
    /// The side to move behind it.
    pub side: Side,
    /// The key of the line before its last move, who made that, and its code; none at the root.
    pub before: Option<(u64, Side, u16)>,
    tree_node: TreeNode,
}

impl TreeLine {
    /// Wins, draws and losses of a side.
    pub fn results(&self, side: Side) -> [u32; 3] {
        self.tree_node.results(side)
    }
}

impl<G: Game> PlayoutTree<G> {
    /// Grows the tree of a position in which the game isn't over. `watch` is told now and then how
    /// many more games were played; if it says no, the tree has those games only.
    pub fn grow(
        root: Node<G>,
        simulation: &Simulation,
        watch: &mut dyn FnMut(u32) -> bool,
    ) -> Self {
        let each = size_of::<TreeNode>() + size_of::<Option<G::Move>>();
        let most = (simulation.memory / each).clamp(1, u32::MAX as usize);
        let mut tree = Self { root, nodes: vec![TreeNode::default()], moves: vec![None] };
        tree.expand(0, &tree.root.clone(), most);
        let (mut chance, mut playout) =
            (Chance(simulation.seed), Playout::<G>::new(simulation.komi));
        let mut path = Vec::new();
        for game in 1..=simulation.games {
            tree.play(most, &mut path, &mut playout, &mut chance);
            if game % STEP == 0 && !watch(STEP) {
                return tree;
            }
        }
        watch(simulation.games % STEP);
        tree
    }

    /// How many games were played.
    pub fn games(&self) -> u32 {
        self.nodes[0].games
    }

    /// The root's move that most games went through, and the part of them that its side won, draws
    /// half; none if there is no move.
    pub fn best(&self) -> Option<(&G::Move, f64)> {
        let TreeNode { first, count, .. } = self.nodes[0];
        let moves = first as usize..(first + count) as usize;
        // Of equal ones the first.
        let best = moves.rev().max_by_key(|&at| self.nodes[at].games)?;
        let node = self.nodes[best];
        let [wins, draws, _] = node.results(self.root.position.side()).map(f64::from);
        let score = (wins + draws / 2.0) / f64::from(node.games.max(1));
        self.moves[best].as_ref().map(|played| (played, score))
    }

    /// Plays one game.
    fn play(
        &mut self,
        most: usize,
        path: &mut Vec<usize>,
        playout: &mut Playout<G>,
        chance: &mut Chance,
    ) {
        let (mut at, mut node) = (0, self.root.clone());
        path.clear();
        path.push(at);
        loop {
            if self.nodes[at].count == 0 && self.nodes[at].games >= EXPANDED_AT {
                self.expand(at, &node, most);
            }
            if self.nodes[at].count == 0 {
                break;
            }
            at = self.choose(at, node.position.side(), chance);
            path.push(at);
            if let Some(played) = &self.moves[at] {
                node = node.after(played);
            }
        }
        let [wins, draws, _] = playout.outcome(&node.position, chance).counts_for(Side::First);
        for &at in &*path {
            let node = &mut self.nodes[at];
            node.games += 1;
            node.wins += wins;
            node.draws += draws;
        }
    }

    /// Gives a node its moves, if the game goes on there and there is room.
    fn expand(&mut self, at: usize, node: &Node<G>, most: usize) {
        if node.position.outcome().is_some() {
            return;
        }
        let moves = node.coded_moves();
        if self.nodes.len() + moves.len() > most {
            return;
        }
        (self.nodes[at].first, self.nodes[at].count) =
            (self.nodes.len() as u32, moves.len() as u32);
        if self.nodes.capacity() - self.nodes.len() < moves.len() {
            // No more than there may be, where vectors would take twice as much.
            let more = moves.len().max(self.nodes.len()).min(most - self.nodes.len());
            self.nodes.reserve_exact(more);
            self.moves.reserve_exact(more);
        }
        self.nodes.resize(self.nodes.len() + moves.len(), TreeNode::default());
        self.moves.extend(moves.into_iter().map(|(_, played)| Some(played)));
    }

    /// The move of the highest bound; of equal ones any.
    fn choose(&self, at: usize, side: Side, chance: &mut Chance) -> usize {
        let TreeNode { games, first, count, .. } = self.nodes[at];
        let (first, count) = (first as usize, count as usize);
        let (log, from) = (f64::from(games.max(1)).ln(), chance.below(count));
        let mut best = (f64::NEG_INFINITY, first);
        for place in (from..count).chain(0..from) {
            let bound = self.nodes[first + place].bound(side, log);
            if bound > best.0 {
                best = (bound, first + place);
            }
        }
        best.1
    }

    /// The lines that so many games or more went through, each behind the one that it goes on from.
    pub fn lines(&self, least: u32) -> Vec<TreeLine> {
        let mut lines = Vec::new();
        let mut ahead = vec![(0, self.root.clone(), None)];
        while let Some((at, node, before)) = ahead.pop() {
            let tree_node: TreeNode = self.nodes[at];
            let moves = tree_node.first as usize..(tree_node.first + tree_node.count) as usize;
            for next in moves.rev().filter(|&next| self.nodes[next].games >= least) {
                if let Some(played) = &self.moves[next] {
                    let before = (node.key, node.position.side(), node.code(played));
                    ahead.push((next, node.after(played), Some(before)));
                }
            }
            let (key, side) = (node.key, node.position.side());
            lines.push(TreeLine { key, side, before, tree_node });
        }
        lines
    }
}
