//! Growing: leaves are chosen, worked at, and written, until the budget is used up.
//!
//! Some leaves are expanded at once, those in flight: each is chosen as if those before it weren't
//! in the tree, and they are written in the order in which they were chosen. The next one is chosen
//! when the first of them has been written. So a book depends on how many are in flight, and not on
//! who works how fast; with one it is Buro's sequence.

use crate::answers;
use crate::asking::{self, Wanted};
use crate::best_first::{self, Selected};
use crate::drop_out;
use crate::error::Error;
use crate::expansion::Expansion;
use crate::growing_book::GrowingBook;
use crate::plan::{Budget, Method, Plan};
use crate::pool::{Done, Pool, TICK};
use crate::progress::{Grown, Progress, Stop, Watch};
use crate::resume::{self, Command, Restored};
use crate::task::{Answer, Worker, WorkerError};
use crate::tree::{ROOT, Tree};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::{Duration, Instant};
use tabia::storage::Storage;
use tabia::{Digest, Fact};
use tabia_engines::EvalUnit;
use tabia_games::{Game, Side};
use tabia_play::choice::GameHistory;

/// How often at most it is kept how far a command has come that has a budget of time.
const SAVED: Duration = Duration::from_secs(1);
/// How often at most the principal variation is looked up for it.
const SHOWN: Duration = Duration::from_secs(1);
/// How much longer than that takes at least is waited for the next time: in a large book it takes a
/// second.
const SHOWN_COSTS: u32 = 50;

/// Grows a book from the last position of a game on.
///
/// # Errors
/// [`Error`]. What was written before is in the book.
pub fn grow<G: Game>(
    storage: &dyn Storage,
    book: &mut GrowingBook<'_>,
    opening: GameHistory<G>,
    plan: &Plan,
    workers: Vec<Box<dyn Worker>>,
    watch: &dyn Watch,
) -> Result<(Grown, Stop), Error> {
    if workers.is_empty() {
        let (worker, why) = ("nobody".to_owned(), "no worker was given".to_owned());
        return Err(Error::NoWorkers { last: Box::new(WorkerError::Refused { worker, why }) });
    }
    let unit = EvalUnit::of(opening.present().position.name());
    let (min_games, facts) = book.agreed(plan, watch)?;
    let plan = &Plan { min_games: Some(min_games), ..plan.clone() };
    let root = opening.present().position.setup();
    let Restored { in_flight, command, budget } =
        resume::restore(book, plan.budget, &resume::plan_name(plan, &root))?;
    let facts = book.say(facts)?;
    let mut growing = Growing {
        tree: Tree::read(book.rows(), opening, min_games)?,
        storage,
        book,
        plan,
        unit,
        watch,
        pool: Pool::new(workers),
        in_flight: VecDeque::new(),
        answered: HashMap::new(),
        next: 0,
        budget,
        command,
        saved: None,
        begun: Instant::now(),
        shown_at: Duration::ZERO,
        grown: Grown::default(),
        facts,
    };
    if budget != plan.budget {
        watch.note(&format!("goes on where it was interrupted: {budget} left"));
    }
    growing.restore(in_flight);
    let stop = growing.run()?;
    growing.pool.tell(growing.begun, &mut growing.grown);
    growing.grown.sum_up(&growing.tree);
    if stop == Stop::Asked && growing.command.is_some() {
        // The file knows what is left but for the time.
        if growing.budget.time.is_some() {
            growing.save()?;
        }
    } else if growing.in_flight.is_empty() {
        resume::forget(growing.storage, growing.book)?;
    }
    Ok((growing.grown, stop))
}

struct Growing<'a, 'b, G: Game> {
    storage: &'a dyn Storage,
    book: &'a mut GrowingBook<'b>,
    plan: &'a Plan,
    unit: EvalUnit,
    watch: &'a dyn Watch,
    tree: Tree<G>,
    pool: Pool,
    /// What is being expanded, in the order in which it was chosen, with the numbers of tasks.
    in_flight: VecDeque<(u64, Expansion)>,
    /// Answers that came before those to earlier tasks.
    answered: HashMap<u64, Vec<Answer>>,
    /// The number of the next task.
    next: u64,
    /// What it may do: the plan's budget, less what was done before it was interrupted.
    budget: Budget,
    /// What was done of the plan's budget before now.
    command: Option<Command>,
    /// Of which book it was saved last how far it has come, and after what time.
    saved: Option<(Digest, Duration)>,
    begun: Instant,
    /// When the principal variation is looked up next, since it began.
    shown_at: Duration,
    grown: Grown,
    /// What the next batch says of the book.
    facts: Vec<Fact>,
}

impl<G: Game> Growing<'_, '_, G> {
    /// Goes on with what was in flight when growing was interrupted.
    fn restore(&mut self, saved: Vec<Expansion>) {
        let fits = |expansion: &Expansion| {
            let at = self.tree.graph().find(expansion.leaf, expansion.side());
            at.is_some() && expansion.fits(&self.tree)
        };
        if !saved.iter().all(fits) {
            self.watch.note("what was being expanded doesn't fit the book: it is chosen anew");
            return;
        }
        saved.into_iter().for_each(|expansion| self.begin(expansion));
    }

    fn begin(&mut self, expansion: Expansion) {
        let id = self.next;
        self.next += 1;
        if expansion.asked.is_empty() {
            self.answered.insert(id, Vec::new());
        } else {
            self.pool.give(expansion.task(id));
        }
        self.in_flight.push_back((id, expansion));
    }

    fn run(&mut self) -> Result<Stop, Error> {
        loop {
            let stop = self.fill()?;
            let Some((first, _)) = self.in_flight.front() else {
                return Ok(stop.unwrap_or(Stop::Exhausted));
            };
            let first = *first;
            while !self.answered.contains_key(&first) {
                if !self.tell() {
                    return Ok(Stop::Asked);
                }
                if let Some(done) = self.pool.wait(TICK) {
                    self.hear(done)?;
                }
            }
            self.commit()?;
            if !self.tell() {
                return Ok(Stop::Asked);
            }
        }
    }

    /// Chooses leaves until as many are in flight as there may be; why there are no more.
    fn fill(&mut self) -> Result<Option<Stop>, Error> {
        let mut has_changed = false;
        let stop = loop {
            if self.in_flight.len() >= self.plan.in_flight.max(1) {
                break None;
            }
            if self.is_used_up() {
                break Some(Stop::Budget);
            }
            match self.select() {
                Selected::Leaf(leaf) => {
                    let expansion = self.expansion(leaf);
                    self.begin(expansion);
                    has_changed = true;
                }
                Selected::Solved(value) => {
                    let side = self.tree.graph().side(ROOT);
                    break Some(Stop::Solved(if side == Side::First { value } else { -value }));
                }
                Selected::Exhausted => break Some(Stop::Exhausted),
            }
        };
        let is_kept = self.plan.in_flight > 1 || self.command.is_some() && self.is_unsaved();
        // Which batches of a set are of the next expansion is told by those before them.
        if has_changed && is_kept || self.book.is_set() && !self.in_flight.is_empty() {
            self.save()?;
        }
        Ok(stop)
    }

    /// Whether the file would not tell how far the command has come.
    fn is_unsaved(&self) -> bool {
        let (digest, time) = (self.book.header().digest, self.begun.elapsed());
        self.saved.is_none_or(|(book, at)| {
            book != digest || self.plan.budget.time.is_some() && time >= at + SAVED
        })
    }

    /// Keeps what is being expanded, and how far the command has come.
    fn save(&mut self) -> Result<(), Error> {
        let time = self.begun.elapsed();
        let command = self.command.as_ref().map(|command| command.after(time));
        let in_flight: Vec<&Expansion> =
            self.in_flight.iter().map(|(_, expansion)| expansion).collect();
        let plan = resume::plan_name(self.plan, &self.tree.root().position.setup());
        resume::save(self.storage, self.book, &plan, &in_flight, command.as_ref())?;
        self.saved = Some((self.book.header().digest, time));
        Ok(())
    }

    fn is_used_up(&self) -> bool {
        let chosen = self.grown.expansions + self.in_flight.len() as u64;
        self.budget.is_used_up(chosen, self.grown.positions, self.begun.elapsed())
    }

    fn select(&self) -> Selected {
        let graph = self.tree.graph();
        let Plan { method, max_error, max_ply, .. } = *self.plan;
        let plies = max_ply.map(|most| (most, self.tree.plies()));
        let is_done = |at: u32| match method {
            Method::BestFirst => self.tree.is_complete(at),
            Method::DropOut { .. } => self.tree.is_full(at),
        };
        let is_too_deep =
            |at: u32| plies.as_ref().is_some_and(|(most, plies)| plies[at as usize] >= *most);
        let all = if plies.is_some() { 0..graph.len() } else { 0..0 };
        let mut left_out: BTreeSet<u32> =
            all.filter(|&at| is_too_deep(at) && !is_done(at)).collect();
        for (_, expansion) in &self.in_flight {
            // Nor may it be one that can become the only deviation of one in flight.
            let leaf = (expansion.leaf, expansion.side());
            for (key, side) in expansion.found_by_asking().chain([leaf]) {
                if let Some(at) = graph.find(key, side) {
                    left_out.insert(at);
                }
            }
        }
        if method != Method::BestFirst {
            return drop_out::select(&self.tree, &left_out, method, max_error);
        }
        loop {
            let in_flight = self.in_flight.len() as u64;
            match best_first::select(&self.tree, &left_out, in_flight, max_error) {
                // All that the book has there is lost, and it isn't to be expanded any further.
                Selected::Leaf(at) if is_too_deep(at) => drop(left_out.insert(at)),
                selected => return selected,
            }
        }
    }

    /// What has to be found out to expand a leaf, so that the tree is complete again.
    ///
    /// At the leaf: what moves are worth of which the book knows nothing but that they are there, and
    /// the best of those that it doesn't have, two if it has none (Buro 1999, section 4); or what all of
    /// them are worth (Fierz 2005). At expanded positions for which the leaf was the last deviation: the
    /// best of the moves left. Moves that end the game are added without asking; where one wins, no more
    /// is asked.
    fn expansion(&self, leaf: u32) -> Expansion {
        let (tree, graph) = (&self.tree, self.tree.graph());
        let mut expansion = Expansion::new(graph.key(leaf), graph.side(leaf));
        expansion.expanded.push(expansion.leaf);
        self.ask_at_leaf(leaf, &mut expansion);
        let name = |at: u32| (graph.key(at), graph.side(at) == Side::Second);
        let in_flight = || self.in_flight.iter().map(|(_, one)| one);
        let will_be_expanded =
            |at: u32| at == leaf || in_flight().any(|one| (one.leaf, one.second) == name(at));
        let is_waiting =
            |at: u32| in_flight().flat_map(Expansion::others).any(|one| one == name(at));
        let lacks_one = |&at: &u32| {
            at != leaf
                && !graph.is_full(at)
                && graph.proof(at).is_none()
                && !is_waiting(at)
                && !tree.has_deviation(at, will_be_expanded)
        };
        for before in tree.expanded_before(leaf).filter(lacks_one) {
            let game = tree.game(before);
            let new = tree.new_moves(before, game.present());
            asking::find(&game, new, Wanted::Best(1), &mut expansion);
        }
        expansion
    }

    fn ask_at_leaf(&self, leaf: u32, expansion: &mut Expansion) {
        let (graph, game) = (self.tree.graph(), self.tree.game(leaf));
        let legal = game.present().coded_moves();
        for code in self.tree.unvalued(leaf) {
            let one = legal.iter().filter(|(known, _)| *known == code).cloned();
            expansion.asked.push(asking::ask(&game, &one.collect::<Vec<_>>(), 1, false));
        }
        let wanted = if matches!(self.plan.method, Method::DropOut { .. }) {
            Wanted::All
        } else if !graph.is_expanded(leaf) {
            Wanted::Best(if graph.moves(leaf).is_empty() { 2 } else { 1 })
        } else if expansion.asked.is_empty() {
            // It was chosen as all is lost that the book has, or as it has no deviation.
            Wanted::Best(1)
        } else {
            return;
        };
        asking::find(&game, self.tree.new_moves(leaf, game.present()), wanted, expansion);
    }

    /// Takes an answer in, if it fits its question.
    fn hear(&mut self, done: Done) -> Result<(), Error> {
        let id = done.task.id;
        let expansion = self.in_flight.iter().find(|(known, _)| *known == id);
        let Some((_, expansion)) = expansion else { return Ok(()) };
        if let Some(answers) = self.pool.take(done, &expansion.asked, self.watch)? {
            self.answered.insert(id, answers);
        }
        Ok(())
    }

    /// Writes the expansion that was chosen first.
    fn commit(&mut self) -> Result<(), Error> {
        let Some((id, expansion)) = self.in_flight.pop_front() else { return Ok(()) };
        let answers = self.answered.remove(&id).unwrap_or_default();
        let mut addition = answers::rows(&expansion, &answers, self.unit, self.book.rows())?;
        addition.facts = std::mem::take(&mut self.facts);
        self.grown.positions += self.book.add(&addition)?;
        self.grown.expansions += 1;
        self.tree.refresh(self.book.rows(), &addition.keys())
    }

    /// Tells the watch how far it has come; whether to go on.
    fn tell(&mut self) -> bool {
        self.pool.tell(self.begun, &mut self.grown);
        if self.begun.elapsed() >= self.shown_at {
            let begun = self.begun.elapsed();
            self.grown.sum_up(&self.tree);
            let now = self.begun.elapsed();
            self.shown_at = now + SHOWN.max((now - begun) * SHOWN_COSTS);
        }
        let (in_flight, budget) = (self.in_flight.len(), self.budget);
        self.watch.step(&Progress { grown: &self.grown, in_flight, budget })
    }
}
