//! Files of rows to a book, of any game.

use super::ReadRows;
use super::combined::Combined;
use super::load_error::LoadError;
use crate::RowSorter;
use std::path::{Path, PathBuf};
use tabia::format::{Header, Keyed, Load, Name, Results};
use tabia::{Duplicates, Env, Existing, NewBook};

/// What is known of rows before a file of them is read. What isn't given is as the files say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Given {
    /// The game.
    pub game: Option<Name>,
    /// The key scheme.
    pub keys: Option<Name>,
    /// What the keys identify; positions by default.
    pub keyed: Option<Keyed>,
    /// Whether results of games are known; they are by default.
    pub results: Option<Results>,
    /// How full the tables are to be, whatever the files say.
    pub load: Option<Load>,
    /// Whether the book is to have a filter, even if no file says so.
    pub filter: bool,
    /// Whether the book is to be packed; load and filter are then those of the book that unpacking
    /// makes of it.
    pub packed: bool,
    /// What becomes of files of one table that name the same archive.
    pub duplicates: Duplicates,
}

/// How many rows are read between two calls of what watches.
const STEP: u64 = 1 << 16;

/// Makes a book of files of rows, whatever the format of each. Rows come in any order, and those of
/// the same key (and move) are merged.
#[derive(Debug)]
pub struct Loader<'a> {
    env: Env<'a>,
    sorter: RowSorter<'a>,
    given: Given,
    metadata: Combined,
    /// The first file.
    first: PathBuf,
}

impl<'a> Loader<'a> {
    /// A loader of rows of which this is given. It holds `memory` bytes of the rows of either
    /// table, and spills into files without a name in this folder.
    #[must_use]
    pub fn new(env: Env<'a>, folder: &Path, memory: usize, given: Given) -> Self {
        let Given { game, keys, keyed, results, .. } = given;
        let metadata = Combined { game, keys, keyed, results, ..Combined::default() };
        Self {
            env,
            sorter: RowSorter::new(env, folder, memory),
            given,
            metadata,
            first: PathBuf::new(),
        }
    }

    /// Takes the rows of a file, which errors call by this name. `watch` receives the number of
    /// rows read from all files from time to time; its error ends the work.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn read(
        &mut self,
        name: &Path,
        mut rows: Box<dyn ReadRows + '_>,
        mut watch: impl FnMut(u64) -> tabia::Result<()>,
    ) -> Result<(), LoadError> {
        if self.first.as_os_str().is_empty() {
            self.first = name.to_owned();
        }
        while let Some(row) = rows
            .next()
            .map_err(|error| LoadError::Read { path: name.to_owned(), error: error.into() })?
        {
            self.sorter.push(row)?;
            if self.sorter.count().is_multiple_of(STEP) {
                watch(self.sorter.count())?;
            }
        }
        let metadata = rows.into_metadata();
        self.sorter.widen(metadata.columns)?;
        if !metadata.positions && !metadata.moves && metadata.game.is_some() {
            return Err(LoadError::NoTable { path: name.to_owned() });
        }
        self.metadata.add(name, metadata, self.given.duplicates)
    }

    /// How many rows were read.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.sorter.count()
    }

    /// Writes the book; its header.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn write(self, path: &Path, existing: Existing) -> Result<Header, LoadError> {
        let Self { env, sorter, given, metadata, first } = self;
        let missing = |what| LoadError::MissingFact { path: first.clone(), what };
        let (game, keys) = (
            metadata.game.ok_or_else(|| missing("game"))?,
            metadata.keys.ok_or_else(|| missing("keys"))?,
        );
        if metadata.positions.is_none() && metadata.moves.is_none() {
            return Err(LoadError::NoTable { path: first });
        }
        let rows = sorter.finish()?;
        let mut book = NewBook::new(game, keys)
            .keyed(metadata.keyed.unwrap_or_default())
            .results(metadata.results.unwrap_or_default())
            .share(metadata.share.unwrap_or_default())
            .load(given.load.or(metadata.load).unwrap_or_default())
            .filter(given.filter || metadata.filter)
            .packed(given.packed)
            .sources(metadata.sources())
            .facts(metadata.facts.clone());
        if metadata.positions.is_some() {
            book = book.positions(&rows.positions);
        }
        if metadata.moves.is_some() {
            book = book.moves(&rows.moves);
        }
        Ok(book.write(&env, path, existing)?)
    }
}
