//! From games to what is sorted: a game's occurrences into a sorter, with cells of columns and
//! evals if those are wanted.

use crate::dedup::{Copies, GameLog};
use crate::error::{BuildError, Result};
use crate::game_occurrences::OccurrenceMaker;
use crate::occurrence::{KeyedEval, Sortable};
use crate::plan::BuildPlan;
use crate::sorter::{SortedRows, Sorter};
use std::path::Path;
use tabia::storage::Storage;
use tabia::{Columns, Env, Stage, parallel};
use tabia_archives::{EvalComment, GameRecord, GameSink, Origin};
use tabia_gamefile::{Sorted, SortedGames, Sorter as ByteSorter};

/// Takes games, and sorts what they count: of each game each position once, and each move once.
pub struct GameCounter<'a, V> {
    maker: OccurrenceMaker,
    evals: Vec<KeyedEval>,
    elements: Vec<V>,
    columns: Columns,
    sorter: Sorter<'a, V>,
}

impl<'a, V: Sortable> GameCounter<'a, V> {
    /// One whose sorter holds `memory` bytes, and spills into files without a name in this folder.
    ///
    /// # Panics
    /// If its occurrences have no room for the cells of the columns that are wanted.
    pub fn new(plan: &BuildPlan, storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        let columns = plan.read.wanted.columns;
        let (maker, sorter) =
            (OccurrenceMaker::of(plan), Sorter::new(storage, folder, memory, columns));
        Self { maker, evals: Vec::new(), elements: Vec::new(), columns, sorter }
    }

    /// What was sorted.
    pub fn into_sorter(self) -> Sorter<'a, V> {
        self.sorter
    }

    /// What was sorted so far; from now on it holds nothing.
    pub(crate) fn take_sorter(&mut self) -> Sorter<'a, V> {
        self.sorter.take()
    }

    /// Takes a game.
    ///
    /// # Errors
    /// The system's, from spilling.
    pub fn add(&mut self, game: &GameRecord) -> tabia::Result<()> {
        if V::ROOM > 0 {
            let keyed = |eval: &EvalComment| {
                Some(KeyedEval {
                    key: self.maker.position(game, eval.plies)?,
                    value: eval.value,
                    depth: eval.depth,
                })
            };
            self.evals.clear();
            self.evals.extend(game.evals.iter().filter_map(keyed));
        }
        let occurrences = self.maker.occurrences(game);
        let elements = &mut self.elements;
        let game = V::of_game(occurrences, game, self.columns, &self.evals, elements);
        self.sorter.game(game)
    }
}

impl<V: Sortable> GameSink for GameCounter<'_, V> {
    type Error = BuildError;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<()> {
        Ok(self.add(game)?)
    }
}

pub(crate) struct CountedGames<'a, V> {
    pub rows: SortedRows<V>,
    /// Of each archive, how many games and plies count.
    pub games: Vec<(u64, u64)>,
    /// The games that count ([`SortedGames::origin`]), if somebody asks; none if there are no logs.
    pub origins: Option<Sorted<'a>>,
}

/// Counts the games of all logs that are no copies, by these counters. Which games these are is only
/// told if somebody `asks`.
pub(crate) fn count_games<'a, V: Sortable>(
    env: &Env<'a>,
    folder: &Path,
    plan: &BuildPlan,
    counter: impl Fn() -> GameCounter<'a, V> + Sync,
    logs: &[GameLog],
    copies: &Copies,
    asks: bool,
) -> Result<CountedGames<'a, V>> {
    let memory = plan.memory / 16 / logs.len().max(1);
    let none = || vec![(0, 0); copies.copies.len()];
    let work = |counter: &mut GameCounter<'a, V>, number: usize, log: &GameLog| {
        let (mut counts, mut done) = (none(), 0u64);
        let mut origins = ByteSorter::new(env.storage, folder, memory);
        copies.games(logs, number, |game, origin, plies| {
            done += 1;
            if done.is_multiple_of(4096) && !env.progress.step(Stage::Sorting, done, log.len()) {
                return Err(BuildError::Interrupted);
            }
            let count = &mut counts[origin.source as usize];
            *count = (count.0 + 1, count.1 + plies);
            if asks {
                let origin = SortedGames::origin(game.digest, origin.source, origin.offset);
                origins.add(&origin)?;
            }
            Ok(counter.add(game)?)
        })?;
        Ok::<_, BuildError>((counts, origins.finish()?))
    };
    let (all, counters) = parallel::map(plan.threads, logs.iter().collect(), counter, work)?;
    let (mut games, mut origins) = (none(), Vec::new());
    for (counts, of_log) in all {
        origins.push(of_log);
        for (all, mine) in games.iter_mut().zip(counts) {
            *all = (all.0 + mine.0, all.1 + mine.1);
        }
    }
    let sorters = counters.into_iter().map(GameCounter::into_sorter).collect();
    let rows = SortedRows::join(env, sorters, plan.threads)?;
    Ok(CountedGames { rows, games, origins: Sorted::join(origins)? })
}
