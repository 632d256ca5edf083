//! Uniting files of games.

use crate::error::{GameFileError, Result};
use crate::file::GameFile;
use crate::header::KeptGames;
use crate::set::{GameSet, Games, Union};
use crate::write::{NewGameFile, UnpublishedGames, write_games};
use std::path::Path;
use tabia::Env;

/// Writes the games of all these files into one, each digest once (G-M1): in which order or groups
/// files are merged never shows in it. It holds all games (G-M2) if all of them do.
///
/// # Errors
/// [`GameFileError::Incompatible`] if they are of different games or keys; those of reading and of
/// [`write_games`]. `inputs` must not be empty, else there is a [`GameFileError::Limit`].
pub fn merge_games<'a>(
    env: &Env<'a>,
    output: &Path,
    inputs: &[GameFile],
    memory: usize,
    threads: usize,
) -> Result<UnpublishedGames<'a>> {
    let Some((first, others)) = inputs.split_first() else {
        return Err(GameFileError::Limit { path: output.to_owned(), what: "files, none" });
    };
    let mine = first.header();
    for other in others {
        let theirs = other.header();
        let what = if mine.game != theirs.game {
            format!("one is of {}, the other of {}", mine.game, theirs.game)
        } else if (mine.keys, mine.keyed) != (theirs.keys, theirs.keyed) {
            format!(
                "one has {} keys by {}, the other {} keys by {}",
                mine.keys, mine.keyed, theirs.keys, theirs.keyed
            )
        } else {
            continue;
        };
        let (first, second) = (first.path().to_owned(), other.path().to_owned());
        return Err(GameFileError::Incompatible { first, second, what });
    }
    let kept = inputs.iter().map(|file| file.header().kept).max().unwrap_or(KeptGames::All);
    let new = NewGameFile::like(mine).kept(kept).memory(memory).threads(threads);
    let sets = inputs.iter().map(|file| file as &dyn GameSet).collect();
    write_games(env, output, &new, &Union(sets))
}

/// Several sets of games as one, in which each digest is there once (G-M1).
#[must_use]
pub fn united_games<'s>(sets: Vec<&'s dyn GameSet>) -> impl GameSet + 's {
    Together(Union(sets))
}

struct Together<'s>(Union<'s>);

impl GameSet for Together<'_> {
    fn games(&self) -> Result<Box<dyn Games + '_>> {
        self.0.games()
    }
}
