//! From games to what is sorted: a game's occurrences into a sorter, with cells of columns and
//! evals if those are wanted.

use crate::eval::KeyedEval;
use crate::game_occurrences::OccurrenceMaker;
use crate::occurrence::Sortable;
use crate::plan::BuildPlan;
use crate::sorter::Sorter;
use std::path::Path;
use tabia::storage::Storage;
use tabia::{Columns, Error, Result};
use tabia_archives::{EvalComment, GameRecord, GameSink, Origin};

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
    #[must_use]
    pub fn new(plan: &BuildPlan, storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        let columns = plan.read.wanted.columns;
        let (maker, sorter) =
            (OccurrenceMaker::of(plan), Sorter::new(storage, folder, memory, columns));
        Self { maker, evals: Vec::new(), elements: Vec::new(), columns, sorter }
    }

    /// What was sorted.
    #[must_use]
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
    pub fn add(&mut self, game: &GameRecord) -> Result<()> {
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
        self.sorter.game(V::of_game(
            occurrences,
            game,
            self.columns,
            &self.evals,
            &mut self.elements,
        ))
    }
}

impl<V: Sortable> GameSink for GameCounter<'_, V> {
    type Error = Error;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<()> {
        self.add(game)
    }
}
