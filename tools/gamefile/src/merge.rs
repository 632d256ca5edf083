//! Uniting files of games.

use crate::error::{GameFileError, Result};
use crate::file::GameFile;
use crate::header::KeptGames;
use crate::record::SortedGames;
use crate::set::{GameSet, Games, Union};
use crate::sorter::Sorted;
use crate::stored_game::StoredGame;
use crate::write::{NewGameFile, UnpublishedGames, write_games};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;
use tabia::{Digest, Env};

/// Which games belong to a part of a book.
#[derive(Debug)]
pub struct GamesOfPart<'a> {
    /// The digests of those that its moves name, as of [`SortedGames::digest`](crate::SortedGames::digest).
    pub named: Sorted<'a>,
    /// Those that end between these upper halves of hashes do so too, if the files hold all games: so
    /// each of them belongs to one part at least.
    pub ends: Option<RangeInclusive<u32>>,
}

/// Which games of some archives count, of those that are in several files.
#[derive(Debug)]
pub struct CountedGames<'a> {
    /// The archives. Of others all games count.
    pub archives: Vec<Digest>,
    /// The games as [`SortedGames::origin`] has them, with the numbers of these archives.
    pub origins: Sorted<'a>,
}

/// Writes the games of all these files into one, or of these those of a part of their books, each
/// digest once (G-M1): in which order or groups files are merged never shows in it. It holds all
/// games (G-M2) if all of them do, and those of a part if that has ends. Games not `counted` are
/// left out.
///
/// # Errors
/// [`GameFileError::Incompatible`] if they are of different games or keys; those of reading and of
/// [`write_games`]. `inputs` must not be empty, else there is a [`GameFileError::Limit`].
pub fn merge_games<'a>(
    env: &Env<'a>,
    output: &Path,
    inputs: &[GameFile],
    counted: Option<&CountedGames<'_>>,
    part: Option<GamesOfPart<'_>>,
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
    let mut kept = inputs.iter().map(|file| file.header().kept).max().unwrap_or(KeptGames::All);
    if part.as_ref().is_some_and(|part| part.ends.is_none()) {
        kept = KeptGames::Named;
    }
    let new = NewGameFile { kept, memory, threads, ..NewGameFile::like(mine) };
    let inputs: Vec<_> = inputs.iter().map(|file| Input { file, counted }).collect();
    let all = Union(inputs.iter().map(|input| input as &dyn GameSet).collect());
    let Some(mut part) = part else { return write_games(env, output, &new, &all) };
    part.ends = part.ends.filter(|_| kept == KeptGames::All);
    write_games(env, output, &new, &OfPart { all, part })
}

struct Input<'s, 'a> {
    file: &'s GameFile,
    counted: Option<&'s CountedGames<'a>>,
}

impl GameSet for Input<'_, '_> {
    fn games(&self) -> Result<Box<dyn Games + '_>> {
        let all = self.file.games()?;
        let Some(CountedGames { archives, origins }) = self.counted else { return Ok(all) };
        let numbers: HashMap<Digest, u32> = archives.iter().copied().zip(0..).collect();
        let mut origins = origins.merge()?;
        Ok(Box::new(Chosen(all, move |game: &StoredGame| {
            let Some(&number) = numbers.get(&game.source) else { return Ok(true) };
            origins.reaches(&SortedGames::origin(game.digest, number, game.offset))
        })))
    }
}

struct OfPart<'s, 'a> {
    all: Union<'s>,
    part: GamesOfPart<'a>,
}

impl GameSet for OfPart<'_, '_> {
    fn games(&self) -> Result<Box<dyn Games + '_>> {
        let mut named = self.part.named.merge()?;
        Ok(Box::new(Chosen(self.all.games()?, move |game: &StoredGame| {
            let is_named = named.reaches(&SortedGames::digest(game.digest))?;
            Ok(is_named || self.part.ends.as_ref().is_some_and(|ends| ends.contains(&game.end)))
        })))
    }
}

/// Those of some games that something is true of.
struct Chosen<'s, F>(Box<dyn Games + 's>, F);

impl<F: FnMut(&StoredGame) -> Result<bool>> Games for Chosen<'_, F> {
    fn next(&mut self, game: &mut StoredGame) -> Result<bool> {
        while self.0.next(game)? {
            if (self.1)(game)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Several sets of games as one, in which each digest is there once (G-M1).
pub fn united_games<'s>(sets: Vec<&'s dyn GameSet>) -> impl GameSet + 's {
    Union(sets)
}
