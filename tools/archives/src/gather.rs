//! From games to what is collected: a game's visits into a collector, with cells of columns and evals if those are wanted.

use crate::collect::Collector;
use crate::game_visits::VisitMaker;
use crate::ingest::{GameSink, Options, Origin};
use crate::played::{Eval, Played};
use crate::rich_visit::KeyedEval;
use crate::visit::Collectable;
use std::path::Path;
use tabia::storage::Storage;
use tabia::{Columns, Error, Result};

/// Takes games and collects their visits.
pub struct Gatherer<'a, V> {
    maker: VisitMaker,
    evals: Vec<KeyedEval>,
    elements: Vec<V>,
    columns: Columns,
    collector: Collector<'a, V>,
}

impl<'a, V: Collectable> Gatherer<'a, V> {
    /// One whose collector holds `memory` bytes, and spills into files without a name in this folder.
    ///
    /// # Panics
    /// If its visits have no room for the cells of the columns that are wanted.
    #[must_use]
    pub fn new(options: &Options, storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        let columns = options.wanted.columns;
        let (maker, collector) = (VisitMaker::of(options), Collector::new(storage, folder, memory, columns));
        Self { maker, evals: Vec::new(), elements: Vec::new(), columns, collector }
    }

    /// What was collected.
    #[must_use]
    pub fn into_collector(self) -> Collector<'a, V> {
        self.collector
    }

    /// What was collected, to be kept or taken up.
    pub fn collector(&mut self) -> &mut Collector<'a, V> {
        &mut self.collector
    }

    /// Takes a game.
    ///
    /// # Errors
    /// The system's, from spilling.
    pub fn add(&mut self, game: &Played) -> Result<()> {
        if V::ROOM > 0 {
            let keyed = |eval: &Eval| Some(KeyedEval { key: self.maker.position(game, eval.plies)?, value: eval.value, depth: eval.depth });
            self.evals.clear();
            self.evals.extend(game.evals.iter().filter_map(keyed));
        }
        let visits = self.maker.visits(game);
        self.collector.game(V::of_game(visits, game, self.columns, &self.evals, &mut self.elements))
    }
}

impl<V: Collectable> GameSink for Gatherer<'_, V> {
    type Error = Error;

    fn game(&mut self, game: &Played, _: Origin) -> Result<()> {
        self.add(game)
    }
}
