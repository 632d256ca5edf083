//! Books that have games in common, whose games are counted again from the files beside them: each
//! once, as if all had been read at once.
//!
//! Rows don't tell which games they are of. So the games of each book are replayed, and first it is
//! made sure that nothing else counts in it: what they make has to be just its rows, and their lines
//! just its fingerprints. Evals, marks, variations and edits, which the files don't hold, are noticed
//! that way, and such books are refused.

use crate::counter::{GameCounter, count_games};
use crate::dedup::{
    BookFingerprints, Copies, Dedup, Fingerprints, GameLog, NewLines, SameBy, find_copies,
};
use crate::error::BuildError;
use crate::facts::{DEDUP, MAX_PLY, color};
use crate::occurrence::{Occurrence, Sortable};
use crate::plan::BuildPlan;
use crate::run::RowTables;
use crate::with_cells::{OccurrenceWithCells, room_for};
use std::collections::HashMap;
use std::path::Path;
use tabia::format::{Digest, Header, Results, Source};
use tabia::stream::{RowIter, RowSet};
use tabia::{
    Archives, AtomicFile, Book, BookRows, Column, Columns, CountedAnew, Duplicates, Env, Error,
    Fact, Marks, MoveRow, PositionRow, Row, Stage, TableKind, parallel,
};
use tabia_archives::{GameRecord, GameSink, Origin, Ply};
use tabia_gamefile::{CountedGames, GameFile, GameResult, GameSet, KeptGames, StoredGame};
use tabia_games::{Game, Known, Outcome, Replay, Side, with_game};

/// Bytes of memory for it; what is more goes to files without names beside the new book.
const MEMORY: usize = 1 << 30;

/// Why games aren't counted again.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// They can't be: what is in the way.
    Why(String),
    /// Something failed.
    Failed(BuildError),
}

impl<E: Into<BuildError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

type Result<T> = std::result::Result<T, Refusal>;

fn refused<T>(book: &Book, why: &str) -> Result<T> {
    Err(Refusal::Why(format!("{}: {why}", book.path().display())))
}

/// What the games of several books make together, each counted once.
pub(crate) struct Recount<'a> {
    rows: Box<dyn RowTables + 'a>,
    /// Their archives, with how many games of each count.
    sources: Vec<Source>,
    /// The games that count.
    pub games: CountedGames<'a>,
    /// How many games were left out.
    pub copies: u64,
}

impl Recount<'_> {
    /// Calls `work` with the rows of such games; with none if they weren't counted again.
    pub fn with<T>(recount: Option<&Self>, work: impl FnOnce(Option<CountedAnew<'_>>) -> T) -> T {
        let Some(Self { rows, sources, .. }) = recount else { return work(None) };
        let (positions, moves) = (rows.positions(), rows.moves());
        work(Some(CountedAnew { positions: &*positions, moves: &*moves, sources }))
    }
}

/// Books whose games are to be counted again.
#[derive(Clone, Copy)]
pub(crate) struct Recounted<'b, 'a> {
    pub env: &'b Env<'a>,
    /// For what doesn't fit in memory.
    pub folder: &'b Path,
    pub books: &'b [Book],
    /// Their fingerprints.
    pub known: &'b [BookFingerprints<'b>],
    /// Those of the book that they are merged into, whose games are left out; none of a new book.
    pub target: &'b Fingerprints<'a>,
}

impl<'a> Recounted<'_, 'a> {
    /// Counts them; the fingerprints of all of them are a file still to be published.
    pub fn recount(self) -> Result<(Recount<'a>, AtomicFile<'a>)> {
        let first = self.books.first().ok_or_else(|| Refusal::Why("there is no book".into()))?;
        match room_for(first.header().columns(TableKind::Moves), false) {
            0 => recount::<Occurrence>(self),
            1..=8 => recount::<OccurrenceWithCells<8>>(self),
            9..=24 => recount::<OccurrenceWithCells<24>>(self),
            _ => recount::<OccurrenceWithCells<{ Columns::MOST }>>(self),
        }
    }
}

fn recount<'a, V: Sortable>(all: Recounted<'_, 'a>) -> Result<(Recount<'a>, AtomicFile<'a>)> {
    let Recounted { env, folder, books, known, target } = all;
    let plan = plan_of(books)?;
    let mut brought = Archives::default();
    for book in books {
        brought.take(book.sources()?, book.facts()?, book.path(), Duplicates::Refuse)?;
    }
    // As a book has them.
    let (mut sources, _) = brought.united();
    let archives: Vec<Digest> = sources.iter().map(|source| source.digest).collect();
    let numbers = archives.iter().copied().zip(0..).collect();
    let log = |(): &mut (), _: usize, book: &Book| {
        let mut log = GameLog::new(plan.max_ply, SameBy::Moves, env.storage, folder, None)?;
        let from = Replayed { env, book, plan: &plan, numbers: &numbers, log: &mut log };
        with_game!(plan.read.game, start => from.with(start))?;
        log.finish()?;
        Ok::<_, Refusal>(log)
    };
    let (logs, _) = parallel::map(plan.threads, books.iter().collect(), || (), log)?;
    let counter = || {
        let memory = plan.memory / plan.threads;
        GameCounter::<V>::new(&plan, env.storage, folder, memory)
    };
    let copies = |logs: &[GameLog], known: &Fingerprints<'_>, new: &mut NewLines| {
        find_copies(env, logs, Dedup::Exact, &archives, plan.memory, known, new)
    };
    for ((book, known), log) in books.iter().zip(known).zip(logs.chunks(1)) {
        let mut new = NewLines::new(env.storage, folder)?;
        let of_book = &known.found;
        let there: u64 = copies(log, of_book, &mut new)?.copies.iter().sum();
        if (there, of_book.len()) != (log[0].len(), log[0].len()) {
            return refused(book, "its fingerprints are not those of the games beside it");
        }
        let all = Copies::none(log, &archives);
        let counted = count_games(env, folder, &plan, counter, log, &all, false)?;
        let games: HashMap<_, _> = archives.iter().zip(&counted.games).collect();
        let are_all = |source: &Source| games[&source.digest].0 == source.games;
        let is_same = book.sources()?.iter().all(are_all)
            && are_same::<PositionRow>(book, &counted.rows.positions())?
            && are_same::<MoveRow>(book, &counted.rows.moves())?;
        if !is_same {
            return refused(book, "more or less counts in it than the games beside it");
        }
    }
    let mut new = NewLines::new(env.storage, folder)?;
    let found = copies(&logs, target, &mut new)?;
    let counted = count_games(env, folder, &plan, counter, &logs, &found, true)?;
    for (source, (games, _)) in sources.iter_mut().zip(&counted.games) {
        source.games = *games;
    }
    let origins = counted.origins.ok_or_else(|| Refusal::Why("there are no games".into()))?;
    let fingerprints = target.with_new(&new, sources.iter().map(|source| source.digest))?;
    let copies = found.copies.iter().sum();
    let games = CountedGames { archives, origins };
    Ok((Recount { rows: Box::new(counted.rows), sources, games, copies }, fingerprints))
}

/// How the games of all these books were counted, which has to be in one way.
fn plan_of(books: &[Book]) -> Result<BuildPlan> {
    let header = books[0].header();
    let Some(game) = Known::of(header.game.as_str(), header.keys.as_str()) else {
        return refused(&books[0], "its game isn't known here");
    };
    let like = |header: &Header| {
        let columns = header.columns(TableKind::Moves);
        (columns, header.table(TableKind::Positions).is_some(), header.results, header.keyed)
    };
    let mut ways: Vec<[Option<String>; 2]> = Vec::new();
    for book in books {
        if like(book.header()) != like(header) || !book.header().share.is_whole() {
            return refused(book, "it is of another kind, or a share of a book");
        }
        let facts = book.facts()?;
        for source in book.sources()? {
            let said = |name: &str| {
                let mut its = facts.iter().filter(|fact| fact.subject() == source.digest);
                let fact = its.find(|fact| fact.name().strip_prefix(Fact::PLAN) == Some(name));
                fact.map(|fact| fact.value().to_owned())
            };
            if said(DEDUP).as_deref() != Some("exact") || said("dedup-by").is_some() {
                return refused(book, "its archives weren't read with --dedup exact alone");
            }
            ways.push([said(MAX_PLY), said("side")]);
        }
    }
    ways.dedup();
    let [way] = &ways[..] else {
        return refused(&books[0], "other plies of its games count than of those of other books");
    };
    let mut plan = BuildPlan::new(game);
    plan.fit(header);
    plan.memory = MEMORY;
    plan.max_ply = way[0].as_ref().and_then(|plies| plies.parse().ok());
    let mut sides = [Side::First, Side::Second].into_iter();
    let wanted = |side: &Side| way[1].as_ref() == Some(&color(&plan.read.game, *side));
    plan.side = sides.find(wanted);
    Ok(plan)
}

/// Replays the games beside a book into a log.
struct Replayed<'g, 'a> {
    env: &'g Env<'a>,
    book: &'g Book,
    plan: &'g BuildPlan,
    /// The numbers of the archives.
    numbers: &'g HashMap<Digest, u32>,
    log: &'g mut GameLog,
}

impl Replayed<'_, '_> {
    fn with<G: Game>(self, start: &G) -> Result<()> {
        let file = match GameFile::beside(self.book)? {
            Some(file) if file.header().kept == KeptGames::All => file,
            _ => return refused(self.book, "its games are not all beside it"),
        };
        let (mut games, mut stored, mut done) = (file.games()?, StoredGame::default(), 0u64);
        let mut record = GameRecord::default();
        while games.next(&mut stored)? {
            done += 1;
            let all = file.header().games;
            if done.is_multiple_of(4096) && !self.env.progress.step(Stage::Sorting, done, all) {
                return Err(Error::Interrupted.into());
            }
            let number = self.numbers.get(&stored.source);
            let Some(&source) = number.filter(|_| self.replay(start, &stored, &mut record)) else {
                return refused(self.book, "a game beside it is none by the rules");
            };
            self.log.game(&record, Origin { source, offset: stored.offset })?;
        }
        Ok(())
    }

    /// Makes a record of a game, as a reader of archives does; whether all its moves are legal.
    fn replay<G: Game>(&self, like: &G, game: &StoredGame, record: &mut GameRecord) -> bool {
        let wanted = &self.plan.read.wanted;
        let by_line = wanted.keyed == tabia::Keyed::Line;
        let Ok(mut replay) = Replay::start(like, &game.setup, &game.moves, by_line) else {
            return false;
        };
        record.plies.clear();
        while let Some(played) = replay.next_move() {
            let node = replay.node();
            let (key, code, side) = (node.key, node.code(&played), node.position.side());
            record.plies.push(Ply { key, code, side, marks: Marks::empty() });
            replay.play(&played);
        }
        record.last = (replay.node().key, replay.node().position.side());
        record.outcome = match game.result {
            Some(GameResult::FirstWins) => Outcome::FirstWins,
            Some(GameResult::SecondWins) => Outcome::SecondWins,
            _ => Outcome::Draw,
        };
        if self.book.header().results == Results::Unknown {
            record.outcome = Outcome::Draw;
        }
        record.ratings = game.ratings.iter().all(|&rating| rating > 0).then_some(game.ratings);
        let has = |column| wanted.columns.has(column);
        record.year = if has(Column::YEARS) { game.year } else { 0 };
        record.digest = if has(Column::GAME) { game.digest } else { 0 };
        replay.left() == 0
    }
}

/// Whether a table of a book has just these rows.
fn are_same<R: Row>(book: &Book, counted: &dyn RowSet<R>) -> tabia::Result<bool>
where
    for<'b> BookRows<'b>: RowSet<R>,
{
    if !book.has(R::TABLE) {
        return Ok(true);
    }
    let rows = BookRows::new(std::slice::from_ref(book));
    let (mut mine, mut theirs) = (RowIter::new(rows.rows()?), RowIter::new(counted.rows()?));
    loop {
        let (mine, theirs) = (mine.next().transpose()?, theirs.next().transpose()?);
        if mine != theirs {
            return Ok(false);
        }
        if mine.is_none() {
            return Ok(true);
        }
    }
}
