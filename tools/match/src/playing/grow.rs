//! One question after the other, until the budget is used up.

use super::Plan;
use super::arms::{Arms, Rounds};
use super::log::{Log, Numbers};
use super::staff::{Going, Staff, is_void};
use super::tree::{Frontier, PLAYER, POOL, Reach, Record, Tree};
use crate::error::Error;
use crate::estimate::Estimate;
use crate::facts::half_points;
use crate::game_runner::{GameRunner, Pairing};
use crate::openings::Openings;
use crate::record::record;
use crate::run::play_soundly;
use crate::settings::Settings;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use tabia::{
    Batch, Counts, Digest, Env, Key, Marks, MoveRow, PositionRow, Row, Source, TableKind, Writer,
    mix,
};
use tabia_engines::Fault;
use tabia_games::{Game, Known, Node, Side};
use tabia_play::choice::RowLookup;

/// Games from the start, by which it is known what the player scores without a book, and what the
/// pool plays.
const ALONE: u32 = 100;
/// Plies of a line that tell games of the pool apart.
const LINE: usize = 8;
/// With fewer of these the opponents play the same again and again.
const FEW_LINES: usize = 30;
/// How many replies of the pool have to be known: at the start, and elsewhere.
const REPLIES: [u32; 2] = [48, 24];
/// How many choices of the player's own.
const CHOICES: u32 = 12;
/// Moves of a deeper search that are tried, and of people.
const DEEP: usize = 4;
const PEOPLE: usize = 2;
/// A choice that the player makes so often is what it plays without a book.
const NEARLY_ALWAYS: f64 = 0.8;

/// Growing that is about to begin.
pub struct Playing<'a> {
    /// How.
    pub plan: &'a Plan,
    /// The book's file, which is there: a book of the game without rows, or one that this plan grows.
    pub book: &'a Path,
    /// The game.
    pub known: &'a Known,
    /// What people play, if that is known.
    pub archive: Option<&'a dyn RowLookup>,
    /// Asked before each game whether to end.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// Hears how far it has come after each expansion.
    pub step: &'a dyn Fn(&Grown),
    /// Takes what a person should know.
    pub note: &'a dyn Fn(&str),
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Grown {
    /// Positions that it was found out for what to play.
    pub expansions: u64,
    /// Games that were played, and games that were void.
    pub games: u64,
    /// Games that counted for nothing, because an engine failed or gave up at once.
    pub void: u64,
    /// The time it took, that of earlier runs included.
    pub time: Duration,
    /// For the first and the second player.
    pub sides: [Scored; 2],
}

/// What is known of a side's book.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scored {
    /// Games of this side.
    pub games: u64,
    /// Positions where the book has a move.
    pub moves: u64,
    /// What the player scores without a book, from the start.
    pub alone: Option<Estimate>,
    /// How many different lines of eight plies there were in a hundred of these games.
    pub lines: usize,
    /// How many moves of the book there are in a game against the pool.
    pub book_moves: f64,
    /// How likely a game is still at home by ply: nothing has to be found out before.
    pub covered: Vec<f64>,
}

/// Why growing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The budget is used up.
    Budget,
    /// It was asked to.
    Asked,
    /// No position is left that games come to.
    Exhausted,
}

impl Playing<'_> {
    /// Grows the book.
    ///
    /// # Errors
    /// [`Error`]: what was played is kept.
    pub fn grow(&self) -> Result<(Grown, Stopped), Error> {
        let plan = self.plan;
        let digest = plan.digest(self.known);
        let writer = Writer::open(Env::default(), self.book)?;
        let tables = [TableKind::Positions, TableKind::Moves];
        let rows = tables.iter().filter_map(|&table| writer.header().table(table));
        let is_empty =
            rows.map(|table| table.shape.rows).sum::<u64>() + writer.journal().sequence == 0;
        let has = |end: &str| writer.sources().iter().any(|source| source.name.contains(end));
        if !is_empty && !has(&of_plan(digest)) {
            let path = self.book.to_owned();
            let is_other = has(OF_PLAN);
            return Err(if is_other { Error::OtherPlan(path) } else { Error::LacksGames(path) });
        }
        let log = Log::open(self.book, self.known, digest, plan.max_ply)?;
        let (sender, receiver) = channel();
        let jobs = Mutex::new(receiver);
        std::thread::scope(|scope| {
            let mut growing = Growing {
                asked: self,
                staff: Staff::start(scope, plan, (sender, &jobs), self.is_stopped),
                tree: Tree::new(Node::start(self.known.clone(), false), plan.max_ply),
                began: Instant::now() - log.time,
                log: RefCell::new(log),
                writer,
                settings: Settings {
                    players: [plan.players[0].clone(), plan.players[1].clone()],
                    rules: plan.rules.clone(),
                    openings: Openings::None,
                    seed: plan.seed,
                    shuffle: false,
                    games: 0,
                },
                digest,
                batches: 0,
                games: 0,
                rows: BTreeMap::new(),
                grown: Grown::default(),
                next_game: 1,
            };
            let stopped = growing.grow()?;
            growing.grown.time = growing.began.elapsed();
            Ok((growing.grown, stopped))
        })
    }
}

struct Growing<'a, G: Game> {
    asked: &'a Playing<'a>,
    staff: Staff<'a, G>,
    tree: Tree<G>,
    log: RefCell<Log>,
    writer: Writer<'a>,
    /// For those who write games.
    settings: Settings,
    began: Instant,
    /// The plan's.
    digest: u64,
    /// How many batches were made by now, and games for the next one.
    batches: u64,
    games: u64,
    /// What the next one brings: of a position and a move made there.
    rows: BTreeMap<(Key, Option<u16>), [u32; 3]>,
    grown: Grown,
    next_game: u32,
}

impl<'a, G: Game> Growing<'a, G> {
    fn grow(&mut self) -> Result<Stopped, Error> {
        let sides: Vec<Side> = match self.asked.plan.side {
            Some(side) => vec![side],
            None => vec![Side::First, Side::Second],
        };
        for &side in &sides {
            if self.play_alone(side)?.is_none() {
                return Ok(Stopped::Asked);
            }
        }
        loop {
            let mut next: Option<(Side, Frontier)> = None;
            // The side that has had fewer games, if it has a question.
            let mut order = sides.clone();
            order.sort_by_key(|side| self.grown.sides[side.index()].games);
            for side in order {
                let Reach { next: found, book_moves, covered } = self.tree.reach(side, REPLIES);
                let told = &mut self.grown.sides[side.index()];
                (told.book_moves, told.covered) = (book_moves, covered);
                next = next.or(found.map(|found| (side, found)));
            }
            self.grown.time = self.began.elapsed();
            (self.asked.step)(&self.grown);
            let Some((side, frontier)) = next else { return Ok(Stopped::Exhausted) };
            if self.asked.plan.budget.is_used_up(self.grown.expansions, 0, self.grown.time) {
                return Ok(Stopped::Budget);
            }
            let done = match frontier.is_pools {
                true => self.ask_pool(frontier.place)?,
                false => self.expand(side, &frontier)?,
            };
            if done.is_none() {
                return Ok(Stopped::Asked);
            }
        }
    }

    /// Games of a side from the start, without a book.
    fn play_alone(&mut self, side: Side) -> Going<()> {
        let wanted = vec![(None, ALONE)];
        let Some(games) = self.play(side, 0, &wanted)? else { return Ok(None) };
        let (mut results, mut lines) = ([0; 3], BTreeSet::new());
        for (_, game) in &games {
            results[half_points(game.outcome, side) as usize] += 1;
            lines.insert(game.plies.iter().take(LINE).map(|ply| ply.1).collect::<Vec<_>>());
        }
        let told = &mut self.grown.sides[side.index()];
        (told.alone, told.lines) = (Estimate::of_games(results), lines.len());
        if lines.len() < FEW_LINES {
            (self.asked.note)(&format!(
                "games of the {} player against these opponents have {} lines of {LINE} plies in {ALONE}: what \
                 wins here is a few killer lines; give opponents that vary more",
                if side == Side::First { "first" } else { "second" },
                lines.len()
            ));
        }
        self.commit(None)
    }

    /// Asks the pool what it replies at a place.
    fn ask_pool(&mut self, place: usize) -> Going<()> {
        if let Some(archive) = self.asked.archive
            && self.tree.at(place).archive.is_none()
        {
            let rows = archive.moves(self.tree.at(place).key)?;
            let games = rows.iter().map(|row| (row.code(), row.counts().games()));
            self.tree.at(place).archive = Some(games.filter(|(_, games)| *games > 0).collect());
        }
        let wanted = REPLIES[usize::from(self.tree.at(place).ply > 0)];
        self.ask(place, POOL, wanted)
    }

    /// Asks for choices at a place until there are enough.
    fn ask(&mut self, place: usize, whose: usize, wanted: u32) -> Going<()> {
        let known: u32 = self.tree.at(place).chosen[whose].values().sum();
        if known >= wanted {
            return Ok(Some(()));
        }
        let (line, node) = self.tree.line(place);
        let own = if whose == PLAYER { node.position.side() } else { node.position.side().other() };
        let thought = self.tree.thought(place, own);
        let jobs = (known..wanted).map(|times| {
            let (line, thought) = (line.clone(), thought.clone());
            let seed = self.seed(&[1, node.key, u64::from(times)]);
            let seat = if whose == PLAYER { 0 } else { self.member(u64::from(times)) };
            move |runner: &mut GameRunner<'a, G>, _: &dyn Fn() -> bool| {
                runner.ask(seat, (&line, &thought), seed).map(Some)
            }
        });
        let numbers = self.answered(jobs.collect(), |answers| {
            let mut numbers: BTreeMap<u16, i64> = BTreeMap::new();
            for played in answers.iter().flatten() {
                *numbers.entry(node.code(played)).or_default() += 1;
            }
            numbers.into_iter().collect()
        })?;
        let Some(numbers) = numbers else { return Ok(None) };
        // An engine that only gives up here has no choice: so it isn't asked again.
        let chosen = &mut self.tree.at(place).chosen[whose];
        for (code, times) in numbers {
            *chosen.entry(code).or_default() += times as u32;
        }
        if chosen.values().sum::<u32>() < wanted {
            self.tree.at(place).side = None;
        }
        Ok(Some(()))
    }

    /// The answer to a question, if it is in the file, or what comes of the jobs.
    fn answered<T: Send + 'a>(
        &mut self,
        jobs: Vec<impl FnOnce(&mut GameRunner<'a, G>, &dyn Fn() -> bool) -> Going<T> + Send + 'a>,
        read: impl Fn(&[T]) -> Numbers,
    ) -> Going<Numbers> {
        if let Some(known) = self.log.borrow_mut().known() {
            return Ok(Some(known));
        }
        let Some(done) = self.staff.carry_out(jobs, |_| Ok(()))? else { return Ok(None) };
        let numbers = read(&done);
        self.log.borrow_mut().answer(&numbers)?;
        Ok(Some(numbers))
    }

    /// Finds out what the book says at a place of the player's.
    fn expand(&mut self, side: Side, frontier: &Frontier) -> Going<()> {
        let place = frontier.place;
        if self.ask(place, PLAYER, CHOICES)?.is_none() {
            return Ok(None);
        }
        let Some(tried) = self.tried(place)? else { return Ok(None) };
        let mut arms = Arms::new(tried.len(), Rounds::at(frontier.reach));
        loop {
            let wanted: Vec<(Option<u16>, u32)> = arms
                .wanted()
                .iter()
                .map(|&(arm, games)| (arm.checked_sub(1).map(|arm| tried[arm]), games))
                .collect();
            if wanted.is_empty() {
                break;
            }
            let Some(games) = self.play(side, place, &wanted)? else { return Ok(None) };
            for (code, game) in games {
                let arm = code.and_then(|code| tried.iter().position(|&one| one == code));
                arms.count(arm.map_or(0, |arm| arm + 1), half_points(game.outcome, side));
            }
            arms.halve();
        }
        let best = arms.best().map(|arm| tried[arm - 1]);
        self.tree.at(place).book = Some(best);
        self.grown.sides[side.index()].moves += u64::from(best.is_some());
        self.grown.expansions += 1;
        let key = self.tree.at(place).key;
        self.commit(best.map(|code| (key, code)))
    }

    /// The moves that are tried at a place, besides the player's own choice.
    fn tried(&mut self, place: usize) -> Going<Vec<u16>> {
        let (line, node) = self.tree.line(place);
        let plan = self.asked.plan;
        let job = move |runner: &mut GameRunner<'a, G>, _: &dyn Fn() -> bool| {
            match runner.rank(plan.players.len() - 1, &line, DEEP, &plan.deep) {
                // The engine has no way to say it.
                Err(Error::Engine(error)) if matches!(error.fault, Fault::Unsupported(_)) => {
                    Ok(Some(Vec::new()))
                }
                ranked => ranked.map(Some),
            }
        };
        let ranked = self.answered(vec![job], |ranked| {
            let moves = ranked.iter().flatten();
            moves.map(|(played, eval)| (node.code(played), *eval)).collect()
        })?;
        let Some(ranked) = ranked else { return Ok(None) };
        let best = ranked.first().map_or(0, |(_, eval)| *eval);
        let margin = plan.margin;
        let mut tried: Vec<u16> = ranked
            .iter()
            .filter(|(_, eval)| *eval >= best - margin)
            .map(|(code, _)| *code)
            .collect();
        if let Some(archive) = self.asked.archive {
            let mut rows = archive.moves(node.key)?.into_owned();
            rows.retain(|row| row.counts().games() > 0);
            rows.sort_by_key(|row| (std::cmp::Reverse(row.counts().games()), row.code()));
            tried.extend(rows.iter().take(PEOPLE).map(MoveRow::code));
        }
        let chosen = &self.tree.at(place).chosen[PLAYER];
        let all: u32 = chosen.values().sum();
        let usual = chosen.iter().max_by_key(|(code, times)| (**times, std::cmp::Reverse(**code)));
        if let Some((&usual, &times)) = usual {
            // What it nearly always plays needs no book.
            if f64::from(times) >= NEARLY_ALWAYS * f64::from(all) {
                tried.retain(|&code| code != usual);
            } else {
                tried.push(usual);
            }
        }
        tried.sort_unstable();
        tried.dedup();
        // Moves that the rules of the game don't have any more, as in a book of other rules.
        let legal: BTreeSet<u16> = node.coded_moves().into_iter().map(|(code, _)| code).collect();
        tried.retain(|code| legal.contains(code));
        Ok(Some(tried))
    }

    /// Plays games from a place: of each move, or none where the player chooses, so many. They count
    /// in the tree, in their order.
    fn play(
        &mut self,
        side: Side,
        place: usize,
        wanted: &[(Option<u16>, u32)],
    ) -> Going<Vec<(Option<u16>, Record)>> {
        let (line, node) = self.tree.line(place);
        let thought = self.tree.thought(place, side);
        let mut all = Vec::new();
        for &(code, games) in wanted {
            let mut line = line.clone();
            code.and_then(|code| node.move_of_code(code))
                .iter()
                .for_each(|played| line.play(played));
            for _ in 0..games {
                all.push((self.next_game, code, line.clone()));
                self.next_game += 1;
            }
        }
        let expansion = self.batches as u32 + 1;
        let is_new = |game: &u32| !self.log.borrow().played.contains_key(game);
        let jobs = all.iter().filter(|(game, ..)| is_new(game)).map(|(game, _, line)| {
            let (game, line, thought) = (*game, line.clone(), thought.clone());
            let (seed, seat) = (self.seed(&[2, game.into()]), self.member(game.into()));
            let contest = self.digest;
            move |runner: &mut GameRunner<'a, G>, is_stopped: &dyn Fn() -> bool| {
                let pairing = Pairing {
                    contest,
                    game,
                    opening: &line,
                    thought: &thought,
                    opening_number: expansion,
                    seats: [0, seat],
                    first: side,
                    seed,
                };
                play_soundly(game, || runner.play(&pairing, is_stopped), is_void)
            }
        });
        let max_ply = self.asked.plan.max_ply;
        let (log, settings) = (&self.log, &self.settings);
        let done = self.staff.carry_out(jobs.collect(), |(game, _)| {
            log.borrow_mut().game(&record(game, settings)?)
        })?;
        let Some(done) = done else { return Ok(None) };
        let mut new = BTreeMap::new();
        for (game, void) in done {
            self.grown.void += u64::from(void);
            new.insert(game.facts.game, Record::of(&game, max_ply));
        }
        let mut games = Vec::with_capacity(all.len());
        for (number, code, line) in all {
            let kept = self.log.borrow_mut().played.remove(&number);
            let Some(game) = kept.or_else(|| new.remove(&number)) else { continue };
            if game.free != line.plies().len() {
                return Err(Error::OtherPlan(self.asked.book.to_owned()));
            }
            self.tree.count(&game, side);
            self.count_rows(&game);
            games.push((code, game));
        }
        self.games += games.len() as u64;
        self.grown.games += games.len() as u64;
        self.grown.sides[side.index()].games += games.len() as u64;
        Ok(Some(games))
    }

    /// Counts a game for the next batch.
    fn count_rows(&mut self, game: &Record) {
        let mut seen = BTreeSet::new();
        for &(key, code, side) in &game.plies {
            for row in [(key, None), (key, Some(code))] {
                if seen.insert(row) {
                    let counts = self.rows.entry(row).or_default();
                    let of_game = game.outcome.counts_for(side);
                    *counts = [0, 1, 2].map(|at| counts[at] + of_game[at]);
                }
            }
        }
    }

    /// Writes what was played since the last batch, and a move that the book has from now on, if the
    /// book doesn't have this batch already.
    fn commit(&mut self, marked: Option<(Key, u16)>) -> Going<()> {
        let (rows, games) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.games));
        if rows.is_empty() {
            return Ok(Some(()));
        }
        self.batches += 1;
        let name = format!("games for expansion {}{}", self.batches, of_plan(self.digest));
        // What tells a batch: it is written into the book, so that its form is fixed here.
        let mut text = name.clone();
        for ((key, code), [wins, draws, losses]) in &rows {
            let _ =
                write!(text, " {key:016x} {} {wins} {draws} {losses}", code.map_or(-1, i64::from));
        }
        if let Some((key, code)) = marked {
            let _ = write!(text, " always {key:016x} {code}");
        }
        let digest = Digest::of(text.as_bytes());
        match self.writer.sources().iter().find(|source| source.name == name) {
            Some(source) if source.digest == digest => return Ok(Some(())),
            Some(_) => return Err(Error::LacksGames(self.asked.book.to_owned())),
            None => {}
        }
        let mut batch = Batch::new();
        batch.source(Source { digest, games, name });
        for ((key, code), [wins, draws, losses]) in rows {
            let counts = Counts { wins, draws, losses };
            match code {
                None => batch.add_position(PositionRow::new(key, counts)),
                Some(code) => batch.add_move(MoveRow::new(key, code, counts)),
            };
        }
        if let Some((key, code)) = marked {
            batch.add_move(MoveRow::new(key, code, Counts::default()).with_marks(Marks::ALWAYS));
        }
        self.writer.append(&batch)?;
        self.log.borrow_mut().took(self.began.elapsed())?;
        Ok(Some(()))
    }

    fn seed(&self, of: &[u64]) -> u32 {
        (of.iter().fold(mix(self.asked.plan.seed), |seed, &one| mix(seed.wrapping_add(one))) >> 33)
            as u32
    }

    /// A member of the pool, in turn.
    fn member(&self, number: u64) -> usize {
        1 + (number % self.asked.plan.pool() as u64) as usize
    }
}

/// What is in the names of sources that are batches of a plan.
const OF_PLAN: &str = " of plan ";

fn of_plan(digest: u64) -> String {
    format!("{OF_PLAN}{digest:016x}")
}
