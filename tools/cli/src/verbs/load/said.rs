//! What the files say of their rows, put together: what contradicts is refused, and so is an archive that would count twice.

use crate::failure::{Done, told};
use crate::rows::{Head, results_word};
use std::path::Path;
use tabia::format::{Fact, Keyed, Load, Name, Results, Share, Source};

/// What was said so far, on the command line and by files.
#[derive(Default)]
pub struct Said {
    /// The game.
    pub game: Option<Name>,
    /// The key scheme.
    pub keys: Option<Name>,
    /// What the keys stand for.
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
    /// The same of a moves table.
    pub moves: Option<Vec<Source>>,
}

impl Said {
    /// Takes what a file says. The two tables of one book may name the same archive, two files of one table may not.
    pub fn add(&mut self, path: &Path, head: Head, allow_duplicate_sources: bool) -> Done<()> {
        let leave_out = |option: &str| format!("leave --{option} out, or load files of one kind");
        agree(path, "game", &leave_out, &mut self.game, head.game, Name::to_string)?;
        agree(path, "keys", &leave_out, &mut self.keys, head.keys, Name::to_string)?;
        agree(path, "keyed", &leave_out, &mut self.keyed, head.keyed, Keyed::to_string)?;
        agree(path, "results", &leave_out, &mut self.results, head.results, |&results| results_word(results).to_owned())?;
        let merge = |_: &str| "load each share into a book of its own, and merge these".to_owned();
        agree(path, "the share of the hashes", &merge, &mut self.share, head.share, Share::to_string)?;
        self.facts.extend(head.facts);
        self.load = self.load.max(head.load);
        self.filter |= head.filter;
        for (_, known) in [(head.positions, &mut self.positions), (head.moves, &mut self.moves)].into_iter().filter(|(has, _)| *has) {
            let known = known.get_or_insert_default();
            tabia::check_sources(known, &head.sources, path, allow_duplicate_sources.into())?;
            known.extend_from_slice(&head.sources);
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
    what: &str,
    advice: &dyn Fn(&str) -> String,
    place: &mut Option<T>,
    said: Option<T>,
    word: fn(&T) -> String,
) -> Done<()> {
    match (&*place, said) {
        (Some(before), Some(said)) if *before != said => {
            let advice = advice(what);
            Err(told!("{}: it says that {what} is {}, and {} was said before: {advice}", path.display(), word(&said), word(before)))
        }
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

    fn head(digests: &[u8], positions: bool, moves: bool) -> Head {
        let source = |&digest: &u8| Source { digest: Digest([digest; 16]), games: 1, name: "x".to_owned() };
        Head { sources: digests.iter().map(source).collect(), positions, moves, ..Head::default() }
    }

    #[test]
    fn archives_of_two_tables_are_named_once() {
        let mut said = Said::default();
        let path = Path::new("rows");
        said.add(path, head(&[1, 2], true, false), false).unwrap();
        said.add(path, head(&[2, 1, 3], false, true), false).unwrap();
        assert_eq!(said.sources().iter().map(|source| source.digest.0[0]).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(said.add(path, head(&[3], false, true), false).is_err());
        said.add(path, head(&[3], true, false), false).unwrap();
        said.add(path, head(&[3], false, true), true).unwrap();
        assert_eq!(said.sources().len(), 4);
    }
}
