//! Files of rows to a book, of any game.

use super::metadata::results_word;
use super::{Metadata, ReadError, ReadRows};
use crate::RowSorter;
use std::path::{Path, PathBuf};
use tabia::{
    Archives, Duplicates, Env, Existing, Fact, Header, Keyed, Load, Name, NewBook, Results, Share,
    Source,
};

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
    #[error("{}: there is no table in it", .0.display())]
    NoTable(PathBuf),
    /// The first file doesn't say this of its rows, `game` or `keys`, nor does another, nor was it given.
    #[error("{}: it doesn't say the {} of its rows", .0.display(), .1)]
    MissingFact(PathBuf, &'static str),
    /// The engine's word.
    #[error(transparent)]
    Engine(#[from] tabia::Error),
}

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
    pub fn new(env: Env<'a>, folder: &Path, memory: usize, given: Given) -> Self {
        let Given { game, keys, keyed, results, .. } = given;
        let said = Metadata { game, keys, keyed, results, ..Metadata::default() };
        let metadata = Combined { said, ..Combined::default() };
        let sorter = RowSorter::new(env, folder, memory);
        Self { env, sorter, given, metadata, first: PathBuf::new() }
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
            return Err(LoadError::NoTable(name.to_owned()));
        }
        self.metadata.add(name, metadata, self.given.duplicates)
    }

    /// How many rows were read.
    pub fn rows(&self) -> u64 {
        self.sorter.count()
    }

    /// Writes the book; its header.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn write(self, path: &Path, existing: Existing) -> Result<Header, LoadError> {
        let Self { env, sorter, given, metadata, first } = self;
        let missing = |what| LoadError::MissingFact(first.clone(), what);
        let said = &metadata.said;
        let game = said.game.ok_or_else(|| missing("game"))?;
        let keys = said.keys.ok_or_else(|| missing("keys"))?;
        if metadata.positions.is_none() && metadata.moves.is_none() {
            return Err(LoadError::NoTable(first));
        }
        let rows = sorter.finish()?;
        let (sources, facts) = metadata.sources_and_facts();
        let mut book = NewBook::new(game, keys)
            .keyed(said.keyed.unwrap_or_default())
            .results(said.results.unwrap_or_default())
            .share(said.share.unwrap_or_default())
            .load(given.load.or(said.load).unwrap_or_default())
            .filter(given.filter || said.filter)
            .packed(given.packed)
            .sources(sources)
            .facts(facts);
        if metadata.positions.is_some() {
            book = book.positions(&rows.positions);
        }
        if metadata.moves.is_some() {
            book = book.moves(&rows.moves);
        }
        Ok(book.write(&env, path, existing)?)
    }
}

/// What was said so far, on the command line and by files.
#[derive(Debug, Default)]
struct Combined {
    /// What isn't said of a table.
    said: Metadata,
    /// Whether a file speaks of a positions table, and the archives that those files name.
    positions: Option<Archives>,
    /// Likewise a moves table.
    moves: Option<Archives>,
}

impl Combined {
    /// Takes what a file says, which must not contradict what was said before. The two tables of one
    /// book may name the same archive, two files of one table may not. Tables are to be as full as
    /// the fullest file says.
    fn add(
        &mut self,
        path: &Path,
        file: Metadata,
        duplicates: Duplicates,
    ) -> Result<(), LoadError> {
        let said = &mut self.said;
        agree(path, "game", &mut said.game, file.game, Name::to_string)?;
        agree(path, "keys", &mut said.keys, file.keys, Name::to_string)?;
        agree(path, "keyed", &mut said.keyed, file.keyed, Keyed::to_string)?;
        agree(path, "results", &mut said.results, file.results, |results| {
            results_word(*results).to_owned()
        })?;
        agree(path, "the share of the hashes", &mut said.share, file.share, Share::to_string)?;
        said.facts.extend(file.facts.iter().filter(|fact| fact.name() != Fact::SLICE).cloned());
        said.load = said.load.max(file.load);
        said.filter |= file.filter;
        for (_, known) in [(file.positions, &mut self.positions), (file.moves, &mut self.moves)]
            .into_iter()
            .filter(|(has, _)| *has)
        {
            let known = known.get_or_insert_default();
            known.take(file.sources.clone(), file.facts.clone(), path, duplicates)?;
        }
        Ok(())
    }

    /// The archives of all files: each as often as the table names it that names it more often; and all
    /// facts.
    fn sources_and_facts(&self) -> (Vec<Source>, Vec<Fact>) {
        let united = |table: &Option<Archives>| table.clone().unwrap_or_default().united();
        let ((mut all, of_positions), (of_moves, facts)) =
            (united(&self.positions), united(&self.moves));
        let facts = [self.said.facts.clone(), of_positions, facts].concat();
        let mut left = all.clone();
        for source in &of_moves {
            match left.iter().position(|other| other == source) {
                Some(known) => drop(left.swap_remove(known)),
                None => all.push(source.clone()),
            }
        }
        (all, facts)
    }
}

/// Takes what a file says, which must not contradict what was said before.
fn agree<T: PartialEq>(
    path: &Path,
    what: &'static str,
    place: &mut Option<T>,
    said: Option<T>,
    word: fn(&T) -> String,
) -> Result<(), LoadError> {
    match (&*place, said) {
        (Some(before), Some(said)) if *before != said => Err(LoadError::Contradiction {
            path: path.to_owned(),
            what,
            said: word(&said),
            before: word(before),
        }),
        (None, said) => {
            *place = said;
            Ok(())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia::format::Digest;

    fn file(digests: &[u8], positions: bool, moves: bool) -> Metadata {
        let source =
            |&digest: &u8| Source { digest: Digest([digest; 16]), games: 1, name: "x".to_owned() };
        Metadata {
            sources: digests.iter().map(source).collect(),
            positions,
            moves,
            ..Metadata::default()
        }
    }

    #[test]
    fn archives_of_two_tables_are_named_once() {
        let mut metadata = Combined::default();
        let path = Path::new("rows");
        metadata.add(path, file(&[1, 2], true, false), Duplicates::Refuse).unwrap();
        metadata.add(path, file(&[2, 1, 3], false, true), Duplicates::Refuse).unwrap();
        let (sources, _) = metadata.sources_and_facts();
        assert!(sources.iter().map(|source| source.digest.0[0]).eq([1, 2, 3]));
        assert!(metadata.add(path, file(&[3], false, true), Duplicates::Refuse).is_err());
        metadata.add(path, file(&[3], true, false), Duplicates::Refuse).unwrap();
        metadata.add(path, file(&[3], false, true), Duplicates::Allow).unwrap();
        assert_eq!(metadata.sources_and_facts().0.len(), 4);
    }
}
