//! Books of Monte-Carlo trees, grown in stages (Chen and Zhang 2012, "Off-line stage-wise
//! Monte-Carlo tree search").
//!
//! A single large tree converges to one line, and has no answer to other moves than its own. So a
//! tree is grown from the start; then one from each of the best moves there, one from each of the
//! best replies to them, and so on, a level after the other. All trees are one book, keyed by line:
//! a row has the games, by chance, of all trees that passed through its line, those before a tree's
//! own start included. The best moves are those with the highest sure score, the lower end of its
//! 95 % interval: six at the start, five, four and three later ([`WIDTHS`]; the paper has six, then
//! three to five). Of what fewer than [`tabia_search::EXPANDED_AT`] games passed through, the book
//! has no rows, as the paper's trees are trimmed.
//!
//! Each tree is a source of the book, as an archive is of others. So a book says which trees it has:
//! growing goes on after any interruption to the same book, and a merge counts no tree twice. With
//! another seed other trees are grown, whose games add to those that are there.
//! How trees are trimmed and made a solution tree of, `tabia_play` says (`Trim`).

use crate::error::Error;
use crate::growing_book::{Addition, GrowingBook};
use crate::plan::Budget;
use crate::resume::{self, Restored};
use serde::Serialize;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tabia::storage::System;
use tabia::{Counts, Digest, MoveRow, PositionRow, Row, Source, WithCells, mix};
use tabia_games::{Game, Komi, Node, Side};
use tabia_play::Order;
use tabia_play::choice::RowLookup;
use tabia_search::{EXPANDED_AT, PlayoutTree, Simulation, TREE_NAME, TreeLine};

/// What the fact [`tabia::Fact::COUNTS`] says of a book whose games were played by chance.
pub const PLAYOUTS: &str = "playouts";

/// How many moves have trees of their own, by the plies before them; the last one of all later.
pub const WIDTHS: [usize; 4] = [6, 5, 4, 3];

/// How trees are grown.
#[derive(Clone, Copy, Debug)]
pub struct Stages {
    /// Games of each tree.
    pub games: u32,
    /// The most plies before a tree.
    pub max_ply: u32,
    /// What chance is drawn by.
    pub seed: u64,
    /// White's komi in Go.
    pub komi: Komi,
    /// Trees that are grown at once; the book doesn't depend on it.
    pub workers: usize,
    /// The most bytes of a tree.
    pub memory: usize,
    /// When to stop: an expansion is a tree.
    pub budget: Budget,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Grove {
    /// Trees that were grown.
    pub trees: u64,
    /// Games that were played.
    pub games: u64,
    /// Lines that the book didn't have.
    pub positions: u64,
    /// How long it took.
    pub seconds: f64,
    /// The best moves of both sides by their sure scores, from the start.
    pub line: Vec<String>,
    /// The part of its games that the side to move at the start won with the first of them, draws
    /// half; none if there is none.
    pub score: Option<f64>,
    /// Why it ended: `budget`, `interrupted`, or `nothing left`.
    pub stopped: &'static str,
}

/// A line that is to have a tree.
struct Stage<G> {
    node: Node<G>,
    /// The rows of its moves, in which the tree's games count, too.
    before: Vec<(u64, Side, u16)>,
    /// The moves, for people.
    line: Vec<String>,
}

/// Grows a book from this start on. `step` is told now and then how far it has come, and says
/// whether to go on.
///
/// # Errors
/// [`Error::Book`]; [`Error::OtherGame`]. What was written before is in the book.
pub fn grow_stages<G: Game>(
    book: &mut GrowingBook<'_>,
    start: &G,
    stages: &Stages,
    step: &dyn Fn(&Grove) -> bool,
) -> Result<Grove, Error> {
    book.check_game(start)?;
    let begun = Instant::now();
    let root = Node::start(start.clone(), true);
    let mut grove = Grove::default();
    let Stages { games, max_ply, seed, komi, .. } = stages;
    let plan = format!("{TREE_NAME} games={games} plies={max_ply} seed={seed} komi={komi}");
    let Restored { command, budget, .. } = resume::restore(book, stages.budget, &plan)?;
    let save = |book: &GrowingBook<'_>| {
        let Some(command) = &command else { return Ok(()) };
        resume::save(&System, book, &plan, &[], Some(&command.after(begun.elapsed())))
    };
    let is_used_up = |grove: &Grove, time| budget.is_used_up(grove.trees, grove.positions, time);
    save(book)?;
    grove.stopped = loop {
        if is_used_up(&grove, begun.elapsed()) {
            break "budget";
        }
        let mut next = stages.next(book, &root)?;
        let left = budget.expansions.map_or(u64::MAX, |most| most - grove.trees);
        next.truncate(stages.workers.max(1).min(left as usize));
        if next.is_empty() {
            break "nothing left";
        }
        let Some(trees) = stages.grow(&next, &mut grove, begun, step) else { break "interrupted" };
        for (stage, lines) in next.iter().zip(trees) {
            // Whatever was grown beside it, the book has as many trees as one worker grows.
            if is_used_up(&grove, Duration::ZERO) {
                break;
            }
            let sources = vec![stages.source(&stage.node, &stage.line)];
            grove.positions += book.add(&Addition { sources, ..addition(stage, &lines) })?;
            grove.trees += 1;
            save(book)?;
        }
    };
    match grove.stopped {
        "interrupted" => save(book)?,
        _ => resume::forget(&System, book)?,
    }
    (grove.line, grove.score) = principal(book.rows(), &root)?;
    grove.seconds = (begun.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
    Ok(grove)
}

impl Stages {
    /// The lines of the first level that hasn't all its trees, which have none.
    fn next<G: Game>(
        &self,
        book: &GrowingBook<'_>,
        root: &Node<G>,
    ) -> Result<Vec<Stage<G>>, Error> {
        let known: HashSet<Digest> = book.sources().iter().map(|source| source.digest).collect();
        let has = |node: &Node<G>| known.contains(&self.digest(node));
        let mut level = vec![Stage { node: root.clone(), before: Vec::new(), line: Vec::new() }];
        for ply in 0..=self.max_ply as usize {
            level.retain(|stage| !is_over(&stage.node.position));
            if level.iter().any(|stage| !has(&stage.node)) {
                level.retain(|stage| !has(&stage.node));
                return Ok(level);
            }
            let mut replies = Vec::new();
            for stage in &level {
                let mut moves = stage.replies(book.rows())?;
                // Those that have trees were among the best before their trees changed that.
                moves.sort_by_key(|reply| !has(&reply.node));
                moves.truncate(WIDTHS[ply.min(WIDTHS.len() - 1)]);
                moves.sort_by_key(|reply| reply.before.last().map(|(.., code)| *code));
                replies.append(&mut moves);
            }
            level = replies;
        }
        Ok(Vec::new())
    }

    /// What tells the tree of a line from all others.
    fn digest<G: Game>(&self, node: &Node<G>) -> Digest {
        let Self { games, seed, komi, .. } = self;
        let (game, keys, key) = (node.position.name(), node.position.keys(), node.key);
        Digest::of(
            format!("{TREE_NAME} {game} {keys} {key:016x} games={games} seed={seed} komi={komi}")
                .as_bytes(),
        )
    }

    fn source<G: Game>(&self, node: &Node<G>, line: &[String]) -> Source {
        let line = if line.is_empty() { "the start".to_owned() } else { line.join(" ") };
        let name = format!("tree of {line}, seed {}", self.seed);
        Source { digest: self.digest(node), games: self.games.into(), name }
    }

    /// Grows the trees of some lines at once; none if it was interrupted.
    fn grow<G: Game>(
        &self,
        stages: &[Stage<G>],
        grove: &mut Grove,
        begun: Instant,
        step: &dyn Fn(&Grove) -> bool,
    ) -> Option<Vec<Vec<TreeLine>>> {
        let (games, is_stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        let before = grove.games;
        let tree = |stage: &Stage<G>| {
            let simulation = Simulation {
                games: self.games,
                seed: [stage.node.key, self.games.into(), self.komi.hundredths() as u64]
                    .iter()
                    .fold(mix(self.seed), |seed, of| mix(seed ^ of)),
                memory: self.memory,
                komi: self.komi,
            };
            let mut watch = |more: u32| {
                games.fetch_add(more.into(), Ordering::Relaxed);
                !is_stopped.load(Ordering::Relaxed)
            };
            let tree = PlayoutTree::grow(stage.node.clone(), &simulation, &mut watch);
            (tree.games() == self.games).then(|| tree.lines(EXPANDED_AT))
        };
        let trees = std::thread::scope(|scope| {
            let tree = &tree;
            let trees: Vec<_> =
                stages.iter().map(|stage| scope.spawn(move || tree(stage))).collect();
            while trees.iter().any(|tree| !tree.is_finished()) {
                grove.games = before + games.load(Ordering::Relaxed);
                grove.seconds = begun.elapsed().as_secs_f64();
                if !step(grove) {
                    is_stopped.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(TICK);
            }
            let joined = trees.into_iter().map(std::thread::ScopedJoinHandle::join);
            joined
                .map(|tree| tree.unwrap_or_else(|fault| std::panic::resume_unwind(fault)))
                .collect()
        });
        grove.games = before + games.load(Ordering::Relaxed);
        trees
    }
}

impl<G: Game> Stage<G> {
    /// The moves that the book has here, the best first.
    fn replies(&self, book: &dyn RowLookup) -> Result<Vec<Self>, Error> {
        let Self { node, before, line } = self;
        let reply = |row: &MoveRow| {
            let played = node.move_of_code(row.code())?;
            let (mut before, mut line) = (before.clone(), line.clone());
            before.push((node.key, node.position.side(), row.code()));
            line.push(node.position.notation(&played));
            Some(Self { node: node.after(&played), before, line })
        };
        Ok(best_first(book, node.key)?.iter().filter_map(reply).collect())
    }
}

/// Whether nothing can be played any more.
fn is_over(position: &impl Game) -> bool {
    position.outcome().is_some() || position.legal().is_empty()
}

/// How often `step` is told of something.
const TICK: Duration = Duration::from_millis(20);

/// A book's rows of a tree.
fn addition<G: Game>(stage: &Stage<G>, lines: &[TreeLine]) -> Addition {
    let mut addition = Addition::default();
    let mut add = |key, before: Option<(u64, Side, u16)>, line: &TreeLine, side| {
        let counts = |side| {
            let [wins, draws, losses] = line.results(side);
            Counts { wins, draws, losses }
        };
        addition.positions.push(PositionRow::new(key, counts(side)));
        addition
            .moves
            .extend(before.map(|(key, side, code)| MoveRow::new(key, code, counts(side))));
    };
    // The lines before the tree's own start, which all of its games passed through.
    if let Some(root) = lines.first() {
        let mut last = None;
        for &(key, side, code) in &stage.before {
            add(key, last, root, side);
            last = Some((key, side, code));
        }
        add(stage.node.key, last, root, stage.node.position.side());
    }
    for line in lines.iter().skip(1) {
        add(line.key, line.before, line, line.side);
    }
    addition
}

/// The moves of a line, those of the highest sure scores first.
fn best_first(book: &dyn RowLookup, key: u64) -> Result<Vec<MoveRow>, Error> {
    let rows = book.moves(key)?;
    let mut moves: Vec<WithCells<MoveRow>> = rows.iter().map(|&row| row.into()).collect();
    moves.sort_by(|a, b| Order::Bound.compare(a, b).then(a.row.code().cmp(&b.row.code())));
    Ok(moves.into_iter().map(|one| one.row).collect())
}

/// The best moves of both sides, and what the first is worth.
fn principal<G: Game>(
    book: &dyn RowLookup,
    root: &Node<G>,
) -> Result<(Vec<String>, Option<f64>), Error> {
    let (mut line, mut score, mut node) = (Vec::new(), None, root.clone());
    while let Some(best) = best_first(book, node.key)?.first() {
        let Some(played) = node.move_of_code(best.code()) else { break };
        let Counts { wins, draws, .. } = best.counts();
        let points = f64::from(wins) + f64::from(draws) / 2.0;
        score = score.or(Some(points / best.counts().games().max(1) as f64));
        line.push(node.position.notation(&played));
        node = node.after(&played);
    }
    Ok((line, score))
}
