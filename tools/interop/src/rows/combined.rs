//! What the files say of their rows, put together: what contradicts is refused, and so is an
//! archive that would count twice.

use super::Metadata;
use super::load_error::LoadError;
use super::metadata::results_word;
use std::path::Path;
use tabia::Duplicates;
use tabia::format::{Fact, Keyed, Load, Name, Results, Share, Source};

/// What was said so far, on the command line and by files.
#[derive(Debug, Default)]
pub(super) struct Combined {
    /// The game.
    pub game: Option<Name>,
    /// The key scheme.
    pub keys: Option<Name>,
    /// What the keys identify.
    pub keyed: Option<Keyed>,
    /// Whether counts know how games ended.
    pub results: Option<Results>,
    /// Which share of the hashes the rows are.
    pub share: Option<Share>,
    /// How full the tables are to be: as full as the fullest file says.
    pub load: Option<Load>,
    /// Whether a file wants a filter.
    pub filter: bool,
    /// How the book was made, in any order.
    pub facts: Vec<Fact>,
    /// Whether a file speaks of a positions table, and the archives that those files name.
    pub positions: Option<Vec<Source>>,
    /// The sources that the file names for its moves table.
    pub moves: Option<Vec<Source>>,
}

impl Combined {
    /// Takes what a file says. The two tables of one book may name the same archive, two files of
    /// one table may not.
    pub fn add(
        &mut self,
        path: &Path,
        file: Metadata,
        duplicates: Duplicates,
    ) -> Result<(), LoadError> {
        agree(path, "game", &mut self.game, file.game, Name::to_string)?;
        agree(path, "keys", &mut self.keys, file.keys, Name::to_string)?;
        agree(path, "keyed", &mut self.keyed, file.keyed, Keyed::to_string)?;
        agree(path, "results", &mut self.results, file.results, |results| {
            results_word(*results).to_owned()
        })?;
        agree(path, "the share of the hashes", &mut self.share, file.share, Share::to_string)?;
        self.facts.extend(file.facts);
        self.load = self.load.max(file.load);
        self.filter |= file.filter;
        for (_, known) in [(file.positions, &mut self.positions), (file.moves, &mut self.moves)]
            .into_iter()
            .filter(|(has, _)| *has)
        {
            let known = known.get_or_insert_default();
            tabia::check_sources(known, &file.sources, path, duplicates)?;
            known.extend_from_slice(&file.sources);
        }
        Ok(())
    }

    /// The archives of all files: each as often as the table names it that names it more often.
    pub fn sources(&self) -> Vec<Source> {
        let mut all = self.positions.clone().unwrap_or_default();
        let mut left = all.clone();
        for source in self.moves.iter().flatten() {
            match left.iter().position(|other| other == source) {
                Some(known) => drop(left.swap_remove(known)),
                None => all.push(source.clone()),
            }
        }
        all
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
        assert_eq!(
            metadata.sources().iter().map(|source| source.digest.0[0]).collect::<Vec<_>>(),
            [1, 2, 3]
        );
        assert!(metadata.add(path, file(&[3], false, true), Duplicates::Refuse).is_err());
        metadata.add(path, file(&[3], true, false), Duplicates::Refuse).unwrap();
        metadata.add(path, file(&[3], false, true), Duplicates::Allow).unwrap();
        assert_eq!(metadata.sources().len(), 4);
    }
}
