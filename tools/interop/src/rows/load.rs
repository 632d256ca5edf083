//! Files of rows to a book, of any game.

use super::metadata::results_word;
use super::said::Said;
use super::{ReadError, ReadRows};
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
    /// What becomes of files of one table that name the same archive.
    pub duplicates: Duplicates,
}

/// Why files of rows don't make a book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file can't be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: Box<ReadError>,
    },
    /// A file says something else than was given, or said by files before it.
    #[error("{}: it says that {what} is {said}, and {before} was said before", path.display())]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// What it speaks of: `game`, `keys`, `keyed`, `results` or `the share of the hashes`.
        what: &'static str,
        /// What it says.
        said: String,
        /// What was said before.
        before: String,
    },
    /// No table is in a file.
    #[error("{}: there is no table in it", path.display())]
    NoTable {
        /// The file.
        path: PathBuf,
    },
    /// Neither a file says this of its rows, nor was it given.
    #[error("{}: it doesn't say the {what} of its rows", path.display())]
    Unsaid {
        /// The first file.
        path: PathBuf,
        /// What isn't said: `game` or `keys`.
        what: &'static str,
    },
    /// The engine's word.
    #[error(transparent)]
    Engine(#[from] tabia::Error),
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
    said: Said,
    /// The first file.
    first: PathBuf,
}

impl<'a> Loader<'a> {
    /// A loader of rows of which this is given. It holds `memory` bytes of the rows of either
    /// table, and spills into files without a name in this folder.
    #[must_use]
    pub fn new(env: Env<'a>, folder: &Path, memory: usize, given: Given) -> Self {
        let Given { game, keys, keyed, results, .. } = given;
        let said = Said { game, keys, keyed, results, ..Said::default() };
        Self {
            env,
            sorter: RowSorter::new(env, folder, memory),
            given,
            said,
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
        self.said.add(name, metadata, self.given.duplicates)
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
        let Self { env, sorter, given, said, first } = self;
        let unsaid = |what| LoadError::Unsaid { path: first.clone(), what };
        let (game, keys) =
            (said.game.ok_or_else(|| unsaid("game"))?, said.keys.ok_or_else(|| unsaid("keys"))?);
        if said.positions.is_none() && said.moves.is_none() {
            return Err(LoadError::NoTable { path: first });
        }
        let rows = sorter.finish()?;
        let mut book = NewBook::new(game, keys)
            .keyed(said.keyed.unwrap_or_default())
            .results(said.results.unwrap_or_default())
            .share(said.share.unwrap_or_default())
            .load(given.load.or(said.load).unwrap_or_default())
            .filter(given.filter || said.filter)
            .sources(said.sources())
            .facts(said.facts.clone());
        if said.positions.is_some() {
            book = book.positions(&rows.positions);
        }
        if said.moves.is_some() {
            book = book.moves(&rows.moves);
        }
        Ok(book.write(&env, path, existing)?)
    }
}

/// Whether counts know how games ended, in a word.
pub(super) fn word_of(results: &Results) -> String {
    results_word(*results).to_owned()
}
