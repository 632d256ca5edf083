//! A book that grows: rows are merged with those that it has, as one batch; in a set of shares as one
//! of each share that has some of them.
//!
//! A set has no moment at which all its journals have a batch. That a position was expanded is written
//! last: until then it isn't, and what the shares have by then is what the same expansion adds once
//! more.

use crate::error::Error;
use crate::plan::Plan;
use crate::progress::Watch;
use crate::resume;
use crate::written_book::WrittenBook;
use std::collections::BTreeSet;
use std::path::Path;
use tabia::{
    Batch, Digest, Env, Fact, Flags, Header, Key, MoveRow, PositionRow, Row, Source, TableKind,
    Writer,
};
use tabia_games::Game;
use tabia_play::choice::RowLookup;
use tabia_play::explore::OpenBook;
use tabia_play::{MIN_GAMES, min_games};

/// A book with its writer: what was added is seen at once.
pub struct GrowingBook<'a> {
    env: Env<'a>,
    rows: WrittenBook<'a>,
    sources: Vec<Source>,
    facts: Vec<Fact>,
    /// Additions to a set since growing was begun, also before it was interrupted.
    additions: u64,
}

/// Rows that are added to a book together: they are merged with those that it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addition {
    /// Of positions.
    pub positions: Vec<PositionRow>,
    /// Of moves.
    pub moves: Vec<MoveRow>,
    /// What is known of the book.
    pub facts: Vec<Fact>,
    /// Where its games come from.
    pub sources: Vec<Source>,
}

impl Addition {
    /// The keys of all its rows, each once.
    pub fn keys(&self) -> Vec<Key> {
        let positions = self.positions.iter().map(Row::key);
        let mut keys: Vec<Key> = positions.chain(self.moves.iter().map(Row::key)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn counts_games(&self) -> bool {
        let mut counts =
            self.positions.iter().map(Row::counts).chain(self.moves.iter().map(Row::counts));
        !self.sources.is_empty() || counts.any(|counts| counts.games() > 0)
    }

    /// Whether it adds no row.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty() && self.moves.is_empty()
    }
}

impl<'a> GrowingBook<'a> {
    /// Bytes of the journal at which a book is usually compacted.
    pub const COMPACT_AT: u64 = 64 << 20;

    /// Opens a book to be grown, and compacts it whenever its journal has so many bytes.
    ///
    /// # Errors
    /// [`Error::NoTable`]; [`tabia::Error::Locked`] if another process writes to it; those of
    /// [`Writer::open`].
    pub fn open(env: Env<'a>, path: &Path, compact_at: u64) -> Result<Self, Error> {
        Self::of(env, vec![Writer::open(env, path)?], compact_at)
    }

    /// Opens all shares of a book, those in a folder, to be grown as that. Games can't be added to them
    /// ([`GrowingBook::add`]).
    ///
    /// # Errors
    /// Those of [`GrowingBook::open`] and of [`tabia::BookSet::of`].
    pub fn open_set(env: Env<'a>, folder: &Path, compact_at: u64) -> Result<Self, Error> {
        let files = OpenBook::files(folder)?.into_iter();
        let mut writers =
            files.map(|file| Writer::open(env, file)).collect::<Result<Vec<_>, _>>()?;
        writers.sort_by_key(|writer| writer.header().share);
        Self::of(env, writers, compact_at)
    }

    fn of(env: Env<'a>, mut writers: Vec<Writer<'a>>, compact_at: u64) -> Result<Self, Error> {
        for writer in &writers {
            for table in TableKind::ALL {
                if writer.header().table(table).is_none() {
                    return Err(Error::NoTable { path: writer.path().to_owned(), table });
                }
            }
        }
        let facts = completed(&mut writers)?;
        let rows = WrittenBook::of(writers, compact_at)?;
        let sources = rows.writer().sources().to_vec();
        let mut book = Self { env, rows, sources, facts, additions: 0 };
        book.additions = resume::additions(&book)?;
        Ok(book)
    }

    /// Makes sure that it is a book of this game.
    ///
    /// # Errors
    /// [`Error::OtherGame`].
    pub fn check_game<G: Game>(&self, start: &G) -> Result<(), Error> {
        let (path, header) = (self.path().to_owned(), self.header());
        let (game, keys) = (header.game.to_string(), header.keys.to_string());
        if (game.as_str(), keys.as_str()) == (start.name(), start.keys()) {
            Ok(())
        } else {
            Err(Error::OtherGame { path, game, keys })
        }
    }

    /// Makes sure that so many games, if a number is asked for, are enough for a move to count: a
    /// deviation of the book may have fewer games than it says.
    ///
    /// # Errors
    /// [`Error::MinGames`].
    pub fn check_min_games(&self, asked: Option<u64>) -> Result<(), Error> {
        let known = min_games(self.facts());
        match asked.map(|asked| asked.max(1)) {
            Some(asked) if asked < known => {
                Err(Error::MinGames { path: self.path().to_owned(), known, asked })
            }
            _ => Ok(()),
        }
    }

    /// What growing by this plan comes to: from how many games on a move counts, and the facts that say
    /// so and how evals are made, if the book doesn't yet; where that isn't what the book says, the watch
    /// is told.
    ///
    /// A deviation is one of fewer games, so more games leave every deviation that the book has, and with
    /// fewer some wouldn't be any.
    pub(crate) fn agreed(&self, plan: &Plan, watch: &dyn Watch) -> Result<(u64, Vec<Fact>), Error> {
        let ours = plan.evals.to_string();
        let known = || self.facts.iter().filter(|fact| fact.name() == Fact::EVALS);
        let is_known = known().any(|fact| fact.value() == ours);
        for fact in known() {
            let theirs = fact.value().split("; ").find_map(|part| part.strip_prefix("unit="));
            let theirs = theirs.unwrap_or("none");
            if ![plan.evals.unit.as_str(), "none"].contains(&theirs) {
                return Err(Error::Unit {
                    path: self.path().to_owned(),
                    theirs: theirs.to_owned(),
                    ours: plan.evals.unit.clone(),
                });
            }
            if !is_known {
                let theirs = fact.value();
                watch.note(&format!("the book has evals made otherwise ({theirs}); now {ours}"));
            }
        }
        let mut facts = Vec::new();
        if !is_known {
            facts.extend(Fact::new(Digest::NONE, Fact::EVALS, ours));
        }
        self.check_min_games(plan.min_games)?;
        let known = min_games(&self.facts);
        let asked = plan.min_games.map_or(known, |asked| asked.max(1));
        if asked > known {
            if known > 1 {
                watch.note(&format!(
                    "the book took moves of fewer than {known} games for none; now those of fewer than {asked}"
                ));
            }
            facts.extend(Fact::new(Digest::NONE, MIN_GAMES, asked.to_string()));
        }
        Ok((asked, facts))
    }

    /// The book's header; of a set, that of its first share.
    pub fn header(&self) -> &Header {
        self.rows.writer().header()
    }

    /// All that it knows by now.
    pub fn rows(&self) -> &dyn RowLookup {
        &self.rows
    }

    /// Where it is; of a set, where its first share is.
    pub fn path(&self) -> &Path {
        self.rows.path()
    }

    /// The sequence of the last batch: it grows by one with every addition. Of a set, how many
    /// additions there were since growing was begun.
    pub fn sequence(&self) -> u64 {
        if self.is_set() { self.additions } else { self.rows.writer().journal().sequence }
    }

    /// Whether it is a set of shares.
    pub(crate) fn is_set(&self) -> bool {
        self.rows.writers().len() > 1
    }

    /// The sequences of the last batches of all shares.
    pub(crate) fn sequences(&self) -> Vec<u64> {
        self.rows.writers().iter().map(|writer| writer.journal().sequence).collect()
    }

    /// Which share has a position.
    pub(crate) fn share_of(&self, key: Key) -> usize {
        self.rows.share_of(key)
    }

    /// How many positions it has, each of which is read.
    pub(crate) fn positions(&self) -> Result<u64, Error> {
        Ok(self.rows.positions()?)
    }

    /// What was known of the book when it was opened.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// Where the games of the book come from.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Says facts that the next addition would say, if it is a set: in all shares, before anything is
    /// expanded. The file of what is being expanded is there meanwhile, and says nothing else.
    pub(crate) fn say(&mut self, facts: Vec<Fact>) -> Result<Vec<Fact>, Error> {
        if !self.is_set() || facts.is_empty() {
            return Ok(facts);
        }
        resume::save(self.env.storage, self, "", &[], None)?;
        let mut batch = Batch::new();
        facts.into_iter().for_each(|fact| _ = batch.fact(fact));
        for share in 0..self.rows.writers().len() {
            self.rows.append(share, &batch)?;
        }
        resume::forget(self.env.storage, self)?;
        Ok(Vec::new())
    }

    /// Adds rows as one batch, or one for each share that has some, which is durable then; how many
    /// positions the book didn't have.
    ///
    /// # Errors
    /// Those of [`Writer::append`] and [`Writer::compact`]; [`tabia::Error::Shares`] if games would be
    /// added to a set: interrupted between two shares, nobody could tell which ones count them.
    pub fn add(&mut self, addition: &Addition) -> Result<u64, Error> {
        if self.is_set() && addition.counts_games() {
            let what = "it is one of several shares, and games that are played can't be added to all at once: merge them into one book".to_owned();
            return Err(tabia::Error::Shares { path: self.path().to_owned(), what }.into());
        }
        let mut batches = vec![Batch::new(); self.rows.writers().len()];
        let is_expanded = |row: &&PositionRow| row.flags().contains(Flags::EXPANDED);
        let (expanded, others): (Vec<&PositionRow>, Vec<&PositionRow>) =
            addition.positions.iter().partition(is_expanded);
        for row in others {
            batches[self.share_of(row.key())].add_position(*row);
        }
        for row in &addition.moves {
            batches[self.share_of(row.key())].add_move(*row);
        }
        for batch in &mut batches {
            for fact in &addition.facts {
                batch.fact(fact.clone());
            }
            for source in &addition.sources {
                batch.source(source.clone());
            }
        }
        let last: BTreeSet<usize> = expanded.iter().map(|row| self.share_of(row.key())).collect();
        // One share has all of its rows at once.
        let only = if last.len() == 1 { last.first().copied() } else { None };
        for (share, batch) in batches.iter().enumerate() {
            if Some(share) != only && !batch.is_empty() {
                self.rows.append(share, batch)?;
            }
        }
        for share in last {
            let mut batch =
                if Some(share) == only { batches.swap_remove(share) } else { Batch::new() };
            for row in expanded.iter().filter(|row| self.share_of(row.key()) == share) {
                batch.add_position(**row);
            }
            self.rows.append(share, &batch)?;
        }
        self.additions = self.additions.saturating_add(1);
        self.sources.extend_from_slice(&addition.sources);
        let mut added = 0;
        for row in &addition.positions {
            let before = self.rows.position(row.key())?;
            added += u64::from(before.is_none());
            let mut all = before.unwrap_or(*row);
            if before.is_some() {
                all.merge(row);
            }
            self.rows.show_position(all);
        }
        for row in &addition.moves {
            let mut rows = self.rows.moves(row.key())?.into_owned();
            match rows.binary_search_by_key(&row.code(), MoveRow::code) {
                Ok(place) => rows[place].merge(row),
                Err(place) => rows.insert(place, *row),
            }
            self.rows.show_moves(row.key(), rows);
        }
        self.rows.compact_if_due()?;
        Ok(added)
    }
}

/// What is known of the books. Where growing was interrupted before all shares had what it says of them
/// ([`GrowingBook::say`]), those that lack it are given it: until then they are none of one whole.
fn completed(writers: &mut [Writer<'_>]) -> Result<Vec<Fact>, Error> {
    let all = writers.iter().flat_map(|writer| writer.facts()).cloned();
    let facts: Vec<Fact> = all.collect::<BTreeSet<_>>().into_iter().collect();
    if !matches!(writers, [first, _, ..] if resume::is_saying(first.path())?) {
        return Ok(facts);
    }
    let is_of_growing = |fact: &&Fact| [Fact::EVALS, MIN_GAMES].contains(&fact.name());
    let others = |writer: &Writer<'_>| {
        let facts = writer.facts().iter().filter(|fact| !is_of_growing(fact));
        (facts.cloned().collect::<Vec<_>>(), writer.sources().to_vec())
    };
    let is_alike = writers.array_windows().all(|[one, other]| others(one) == others(other));
    for writer in writers.iter_mut().filter(|_| is_alike) {
        let mut batch = Batch::new();
        let lacking = facts.iter().filter(|fact| !writer.facts().contains(fact));
        lacking.for_each(|fact| _ = batch.fact(fact.clone()));
        if !batch.is_empty() {
            writer.append(&batch)?;
        }
    }
    Ok(facts)
}
