//! Played games with evaluated deviations (Buro 1999, section 4): in every position of a game the best
//! of the moves that the book doesn't have is evaluated and added, whoever won, so that a game isn't
//! lost twice in the same way.
//!
//! A game is one batch of the journal: its counts, if they aren't in the book yet; the deviations;
//! and how it ended, if by the rules. Where players gave up, or ran out of time, its last position
//! is evaluated: that is no proof.

use crate::answers;
use crate::asking::{self, Wanted};
use crate::engine_worker::EngineWorker;
use crate::error::Error;
use crate::expansion::{Expansion, proof};
use crate::growing_book::{Addition, GrowingBook};
use crate::plan::{EvalFact, Plan};
use crate::pool::{Pool, TICK};
use crate::progress::{Grown, Progress, Stop, Watch};
use crate::task::{Answer, Task, Worker};
use crate::tree::Tree;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tabia::{Counts, Fact, Flags, Key, MoveRow, PositionRow, Row, Source};
use tabia_engines::{EvalUnit, Limit, StartEngine};
use tabia_games::{Game, Node, Outcome};
use tabia_play::choice::GameHistory;

/// How a game counts that isn't in the book yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// How it ended.
    pub outcome: Outcome,
    /// What it is called in the book's list of sources, by which it is told from others.
    pub source: Source,
}

/// Adds games with evaluated deviations to a book, one after the other.
pub struct PlayedGames<'a, 'b, G: Game> {
    book: &'a mut GrowingBook<'b>,
    plan: &'a Plan,
    /// From how many games on a move counts.
    min_games: u64,
    /// The book from where games start.
    tree: Tree<G>,
    unit: EvalUnit,
    pool: Pool,
    watch: &'a dyn Watch,
    begun: Instant,
    next: u64,
    facts: Vec<Fact>,
    grown: Grown,
}

impl<'a, 'b, G: Game> PlayedGames<'a, 'b, G> {
    /// For games that start in this position.
    ///
    /// # Errors
    /// [`Error::Unit`]; the book's.
    pub fn new(
        book: &'a mut GrowingBook<'b>,
        plan: &'a Plan,
        start: &G,
        workers: Vec<Box<dyn Worker>>,
        watch: &'a dyn Watch,
    ) -> Result<Self, Error> {
        let (min_games, facts) = book.agreed(plan, watch)?;
        let (facts, keyed) = (book.say(facts)?, book.header().keyed);
        Ok(Self {
            plan,
            min_games,
            tree: Tree::read(book.rows(), GameHistory::start(start.clone(), keyed), min_games)?,
            unit: EvalUnit::of(start.name()),
            pool: Pool::new(workers),
            watch,
            begun: Instant::now(),
            next: 0,
            facts,
            grown: Grown::default(),
            book,
        })
    }

    /// What was done: an expansion is a position that was completed.
    pub fn finish(mut self) -> Grown {
        self.pool.tell(self.begun, &mut self.grown);
        self.grown.sum_up(&self.tree);
        self.grown
    }

    /// Adds a game that begins where games start, unless it is to be counted and has been; why no
    /// more are to be added, if so.
    ///
    /// # Errors
    /// [`Error`]. The book then is as it was before this game.
    pub fn add(
        &mut self,
        game: &GameHistory<G>,
        counted: Option<&Counted>,
    ) -> Result<Option<Stop>, Error> {
        if let Some(stop) = self.stop() {
            return Ok(Some(stop));
        }
        let is_known = |counted: &Counted| {
            let digest = counted.source.digest;
            self.book.sources().iter().any(|source| source.digest == digest)
        };
        if counted.is_some_and(is_known) {
            return Ok(None);
        }
        let (expansion, last) = self.expansion(game)?;
        let Some(answers) = self.answers(&expansion)? else { return Ok(Some(Stop::Asked)) };
        let mut addition = answers::rows(&expansion, &answers, self.unit, self.book.rows())?;
        addition.positions.extend(last);
        if let Some(counted) = counted {
            count(game, counted, &mut addition);
        }
        if !addition.is_empty() {
            addition.facts = std::mem::take(&mut self.facts);
            self.grown.positions += self.book.add(&addition)?;
            self.grown.expansions += expansion.expanded.len() as u64;
            self.tree.refresh(self.book.rows(), &addition.keys())?;
        }
        Ok(self.stop())
    }

    fn stop(&self) -> Option<Stop> {
        let Grown { expansions, positions, .. } = self.grown;
        let time = self.begun.elapsed();
        self.plan.budget.is_used_up(expansions, positions, time).then_some(Stop::Budget)
    }

    /// What is to be asked along a game, and what the book is to say of its end.
    fn expansion(&self, game: &GameHistory<G>) -> Result<(Expansion, Option<PositionRow>), Error> {
        let path: HashSet<Key> = game.nodes().iter().map(|node| node.key).collect();
        let present = game.present();
        let mut expansion = Expansion::new(present.key, present.position.side());
        let (mut so_far, mut seen) = (self.tree.opening().clone(), HashSet::new());
        for (ply, played) in game.moves().iter().enumerate() {
            if seen.insert(so_far.present().key) {
                self.complete(&so_far, played, &path, &mut expansion)?;
            }
            if ply + 1 == game.plies() {
                self.ask_for_the_end(&so_far, played, present, &mut expansion)?;
            }
            so_far.play(played);
        }
        self.ask_before(game, &path, &mut expansion);
        Ok((expansion, self.end(game)?))
    }

    /// Asks for another deviation of expanded positions from which the game doesn't go on, but whose
    /// last deviation leads into it.
    fn ask_before(&self, game: &GameHistory<G>, path: &HashSet<Key>, expansion: &mut Expansion) {
        let (tree, graph) = (&self.tree, self.tree.graph());
        // The last position may have been there before.
        let left: HashSet<Key> = game.nodes()[..game.plies()].iter().map(|node| node.key).collect();
        let is_played_on = |at: u32| left.contains(&graph.key(at));
        let leads_there = |at: &u32| {
            !left.contains(&graph.key(*at))
                && graph.is_expanded(*at)
                && graph.proof(*at).is_none()
                && !graph.is_full(*at)
                && graph.moves(*at).iter().any(|edge| is_played_on(edge.to))
                && !tree.has_deviation(*at, is_played_on)
        };
        for at in (0..graph.len()).filter(leads_there) {
            let before = tree.game(at);
            let mut new = tree.new_moves(at, before.present());
            // What the game comes to is no deviation.
            new.retain(|(_, played)| !path.contains(&before.present().after(played).key));
            asking::find(&before, new, Wanted::Best(1), expansion);
        }
    }

    /// Asks what a position of the game lacks, and flags it as expanded, if it isn't complete.
    fn complete(
        &self,
        so_far: &GameHistory<G>,
        played: &G::Move,
        path: &HashSet<Key>,
        expansion: &mut Expansion,
    ) -> Result<(), Error> {
        let node = so_far.present();
        let rows = self.book.rows().moves(node.key)?.into_owned();
        let is_unplayed = |code: u16| {
            let row = rows.binary_search_by_key(&code, MoveRow::code);
            row.is_ok_and(|at| rows[at].counts().games() < self.min_games)
        };
        let (mut new, mut has_deviation, mut unvalued) = (Vec::new(), false, Vec::new());
        let own_code = node.code(played);
        for (code, one) in node.coded_moves() {
            let key = node.after(&one).key;
            let row = self.book.rows().position(key)?;
            let is_on_the_way = code == own_code || path.contains(&key);
            let is_known = row.is_some_and(|row| row.eval().is_some() || !row.flags().is_empty());
            match row {
                _ if is_on_the_way => {}
                Some(row) if is_known => {
                    has_deviation |= is_unplayed(code)
                        && row.eval().is_some()
                        && !row.flags().intersects(Flags::EXPANDED | Flags::PROOFS)
                        && !self.was_played_on(key)?;
                }
                Some(row) if row.counts().games() >= self.min_games => {
                    unvalued.push((code, one));
                }
                _ => new.push((code, one)),
            }
        }
        let known = self.book.rows().position(node.key)?;
        let is_expanded = known.is_some_and(|row| row.flags().contains(Flags::EXPANDED));
        let proofs = known.map_or(Flags::empty(), |row| row.flags()) & Flags::PROOFS;
        if !proofs.is_empty()
            || is_expanded && unvalued.is_empty() && (has_deviation || new.is_empty())
        {
            return Ok(());
        }
        expansion.expanded.push(node.key);
        expansion.asked.extend(unvalued.chunks(1).map(|one| asking::ask(so_far, one, 1, false)));
        let wanted = if has_deviation { Wanted::Ends } else { Wanted::Best(1) };
        asking::find(so_far, new, wanted, expansion);
        Ok(())
    }

    fn was_played_on(&self, key: Key) -> Result<bool, Error> {
        Ok(self.book.rows().moves(key)?.iter().any(|row| row.counts().games() >= self.min_games))
    }

    /// Asks what the last position is worth, if the rules don't say it and the book doesn't know.
    fn ask_for_the_end(
        &self,
        before: &GameHistory<G>,
        played: &G::Move,
        last: &Node<G>,
        expansion: &mut Expansion,
    ) -> Result<(), Error> {
        let known = self.book.rows().position(last.key)?;
        let is_known = known.is_some_and(|row| row.eval().is_some() || !row.flags().is_empty());
        if last.position.outcome().is_none() && !is_known {
            let code = before.present().code(played);
            expansion.asked.push(asking::ask(before, &[(code, played.clone())], 1, false));
        }
        Ok(())
    }

    /// What is sure of the last position of a game, if the rules ended it there. A draw is a public
    /// one.
    fn end(&self, game: &GameHistory<G>) -> Result<Option<PositionRow>, Error> {
        let (key, position) = (game.present().key, &game.present().position);
        let Some(outcome) = position.outcome() else { return Ok(None) };
        let public = if outcome == Outcome::Draw { Flags::PUBLIC_DRAW } else { Flags::empty() };
        let flags = proof(outcome, position.side()) | public;
        let known = self.book.rows().position(key)?.map_or(Flags::empty(), |row| row.flags());
        let row = PositionRow::new(key, Counts::default()).with_flags(flags);
        Ok((!known.contains(flags)).then_some(row))
    }

    /// Has all questions answered, each as a task of its own; none if it was asked to stop.
    fn answers(&mut self, expansion: &Expansion) -> Result<Option<Vec<Answer>>, Error> {
        let (first, count) = (self.next, expansion.asked.len());
        let mut answered: Vec<Option<Answer>> = vec![None; count];
        for asked in &expansion.asked {
            self.pool.give(Task { id: self.next, questions: vec![asked.question.clone()] });
            self.next += 1;
        }
        let mut in_flight = count;
        while in_flight > 0 {
            self.pool.tell(self.begun, &mut self.grown);
            let (grown, budget) = (&self.grown, self.plan.budget);
            if !self.watch.step(&Progress { grown, in_flight, budget }) {
                return Ok(None);
            }
            let Some(done) = self.pool.wait(TICK) else { continue };
            // Those to earlier games, which were stopped, are late.
            let Some(place) = done.task.id.checked_sub(first) else { continue };
            let asked = &expansion.asked[place as usize..][..1];
            if let Some(answers) = self.pool.take(done, asked, self.watch)? {
                answered[place as usize] = answers.into_iter().next();
                in_flight -= 1;
            }
        }
        Ok(Some(answered.into_iter().flatten().collect()))
    }
}

/// The counts of a game: once for each of its positions and moves.
fn count<G: Game>(game: &GameHistory<G>, counted: &Counted, addition: &mut Addition) {
    let of = |side| {
        let [wins, draws, losses] = counted.outcome.counts_for(side);
        Counts { wins, draws, losses }
    };
    let (mut positions, mut moves) = (HashSet::new(), HashSet::new());
    for node in game.nodes() {
        if positions.insert(node.key) {
            addition.positions.push(PositionRow::new(node.key, of(node.position.side())));
        }
    }
    for (node, played) in game.nodes().iter().zip(game.moves()) {
        let code = node.code(played);
        if moves.insert((node.key, code)) {
            addition.moves.push(MoveRow::new(node.key, code, of(node.position.side())));
        }
    }
    addition.sources.push(counted.source.clone());
}

/// How a book learns games.
pub struct Learner<'a> {
    /// What each search may use.
    pub limit: Limit,
    /// How long each is waited for.
    pub patience: Duration,
    /// Ends learning when it is set; the game being learned is left out.
    pub stop: &'a AtomicBool,
    /// Takes what a person should know.
    pub note: &'a dyn Fn(&str),
}

impl Learner<'_> {
    /// Adds the games that the book doesn't have, one batch each; whether it wasn't stopped before
    /// the last one. Deviations are evaluated by an engine that is started for this.
    ///
    /// # Errors
    /// [`Error`]; games before it are in the book.
    pub fn learn<G: Game>(
        &self,
        book: &mut GrowingBook<'_>,
        start: &G,
        engine: StartEngine<G>,
        games: impl IntoIterator<Item = (GameHistory<G>, Counted)>,
    ) -> Result<bool, Error> {
        let worker = EngineWorker::new(start, engine, self.limit, self.patience)?;
        let plan = Plan::new(EvalFact::of(worker.name(), &self.limit, start.name()));
        let workers: Vec<Box<dyn Worker>> = vec![Box::new(worker)];
        let mut learning = PlayedGames::new(book, &plan, start, workers, self)?;
        for (game, counted) in games {
            if learning.add(&game, Some(&counted))?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Watch for Learner<'_> {
    fn step(&self, _: &Progress<'_>) -> bool {
        !self.stop.load(Ordering::SeqCst)
    }

    fn note(&self, line: &str) {
        (self.note)(line);
    }
}
