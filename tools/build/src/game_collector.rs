//! Gathering games for the file beside the book, while they are counted.

use crate::error::{BuildError, Result};
use crate::plan::BuildPlan;
use std::ops::RangeInclusive;
use std::path::Path;
use tabia::remote::address;
use tabia::storage::{Storage, folder_of};
use tabia::stream::{Chunk, RowSet};
use tabia::{BestGame, Book, BookRows, Env, Error, Hash, MoveRow, Stage};
use tabia_archives::{GameRecord, GameSink, Origin};
use tabia_gamefile::{
    GameFile, GameResult, GameSorter, Sorted, SortedGames, Sorter, StoredGame, end_of_key,
};
use tabia_games::Outcome;

/// Takes games with all that they say of themselves, and sorts them.
pub(crate) struct GameCollector<'a> {
    sorter: GameSorter<'a>,
    game: StoredGame,
    /// How many plies of a game count.
    most_plies: usize,
}

impl<'a> GameCollector<'a> {
    /// One that holds about so many bytes; what is more goes to files without a name in this folder.
    pub fn new(plan: &BuildPlan, storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        Self {
            sorter: GameSorter::new(storage, folder, memory),
            game: StoredGame::default(),
            most_plies: plan.max_ply.map_or(usize::MAX, |plies| plies as usize),
        }
    }

    /// What it has gathered; it goes on without.
    pub fn take(&mut self) -> Result<SortedGames<'a>> {
        Ok(self.sorter.take()?)
    }

    /// Takes a game. A variation, which nobody played, is none.
    fn add(&mut self, record: &GameRecord, origin: Origin) -> Result<()> {
        let Some(details) = &record.details else { return Ok(()) };
        let (game, end) = (&mut self.game, record.plies.get(self.most_plies));
        game.digest = record.digest;
        game.end = end_of_key(end.map_or(record.last.0, |ply| ply.key));
        game.offset = origin.offset;
        game.result = details.outcome.map(|outcome| match outcome {
            Outcome::FirstWins => GameResult::FirstWins,
            Outcome::Draw => GameResult::Draw,
            Outcome::SecondWins => GameResult::SecondWins,
        });
        game.ratings = details.ratings.map(Option::unwrap_or_default);
        game.year = details.date.map_or(0, |date| date.year());
        game.month = details.date.and_then(|date| date.month()).unwrap_or_default();
        game.day = details.date.and_then(|date| date.day()).unwrap_or_default();
        game.players.clone_from(&details.players);
        game.event.clone_from(&details.event);
        game.site.clone_from(&details.site);
        game.round.clone_from(&details.round);
        game.setup.clone_from(&details.setup);
        game.moves.clone_from(&details.codes);
        Ok(self.sorter.add(game, origin.source)?)
    }
}

/// A sink with what gathers games beside it, if that is wanted.
pub(crate) struct Collecting<'a, S> {
    pub sink: S,
    pub collector: Option<GameCollector<'a>>,
}

impl<S: GameSink<Error = BuildError>> GameSink for Collecting<'_, S> {
    type Error = BuildError;

    fn game(&mut self, game: &GameRecord, origin: Origin) -> Result<()> {
        if let Some(collector) = &mut self.collector {
            collector.add(game, origin)?;
        }
        self.sink.game(game, origin)
    }
}

/// How many games the moves of a book name that a file of games doesn't hold.
///
/// # Errors
/// Those of reading both; the system's, from sorting.
pub fn missing_games(env: &Env<'_>, book: &Book, file: &GameFile, memory: usize) -> Result<u64> {
    let rows = BookRows::new(std::slice::from_ref(book));
    // Beside what has an address is no room for scratch files.
    let elsewhere = std::env::temp_dir();
    let folder = if address(book.path()).is_some() { &elsewhere } else { folder_of(book.path()) };
    let sorted = named_games(env, folder, &rows, memory)?;
    let (mut named, mut last, mut missing) = (sorted.merge()?, None, 0);
    while let Some(digest) = named.next()? {
        let digest = digest.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        if last.replace(digest) != Some(digest) && !file.has(digest)? {
            missing += 1;
        }
    }
    Ok(missing)
}

/// The digests of the games that these moves name.
pub(crate) fn named_games<'e>(
    env: &Env<'e>,
    folder: &Path,
    moves: &dyn RowSet<MoveRow>,
    memory: usize,
) -> Result<Sorted<'e>> {
    let mut named = Sorter::new(env.storage, folder, memory);
    each_named(env, moves, Hash::MIN..=Hash::MAX, &mut named, &|_| true)?;
    Ok(named.finish()?)
}

/// Adds the digests of the games that those of the moves with these hashes name for which `has` is true.
pub(crate) fn each_named(
    env: &Env<'_>,
    moves: &dyn RowSet<MoveRow>,
    hashes: RangeInclusive<Hash>,
    named: &mut Sorter<'_>,
    has: &dyn Fn(&MoveRow) -> bool,
) -> Result<()> {
    let (mut rows, mut chunk, mut done) = (moves.rows_between(hashes)?, Chunk::default(), 0);
    loop {
        rows.next_chunk(&mut chunk)?;
        done += chunk.len() as u64;
        if !env.progress.step(Stage::Sorting, done, moves.at_most()) {
            return Err(Error::Interrupted.into());
        }
        if chunk.is_empty() {
            return Ok(());
        }
        for row in chunk.iter().filter(|row| has(&row.row)) {
            if let Some(game) = row.cells.get::<BestGame>().filter(|game| !game.is_none()) {
                named.add(&SortedGames::digest(game.digest))?;
            }
        }
    }
}
