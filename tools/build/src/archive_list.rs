//! The archives that a user means: files as named, what matches a pattern, and what looks like an
//! archive in a folder.

use crate::error::{BuildError, Result};
use crate::in_order::digest_of_file;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tabia::format::{Digest, Source};
use tabia_archives::{Guess, Input, guess};
use walkdir::WalkDir;

/// How the names of archives end, in folders.
const ENDINGS: [&str; 6] = ["pgn", "pdn", "sgf", "ggf", "wtb", "tar"];
/// The endings of compressed files, which may follow.
const COMPRESSED: [&str; 4] = ["", ".zst", ".gz", ".bz2"];

/// Archives to be read.
#[derive(Debug, Default)]
pub struct ArchiveList {
    /// All of them, in the order given; those found in folders and by patterns by their names.
    pub paths: Vec<PathBuf>,
    /// Which were found and not named: it is no mistake if such a file turns out to be no archive.
    found: Vec<bool>,
    /// What was left out, and why.
    pub left_out: Vec<LeftOut>,
}

/// A file that could have been an archive, or files.
#[derive(Debug)]
pub struct LeftOut {
    /// The file, or the folder of the files.
    pub path: PathBuf,
    /// Why it is left out.
    pub why: String,
}

impl ArchiveList {
    /// The archives that these arguments name.
    pub fn of(arguments: &[PathBuf]) -> Result<Self> {
        let mut archives = Self::default();
        for argument in arguments {
            if argument.is_dir() {
                let files = archives.in_folder(argument)?;
                archives.add_found(files, argument)?;
            } else if is_pattern(argument) {
                archives.add_found(matching(argument)?, argument)?;
            } else {
                archives.add(argument.clone(), false);
            }
        }
        Ok(archives)
    }

    fn add(&mut self, path: PathBuf, found: bool) {
        self.paths.push(path);
        self.found.push(found);
    }

    /// Adds those of these files that can be archives.
    fn add_found(&mut self, files: Vec<PathBuf>, argument: &Path) -> Result<()> {
        let before = self.paths.len();
        for path in files {
            match Input::open(&path) {
                Ok(_) => self.add(path, true),
                Err(error) => self.leave_out(&path, error.to_string()),
            }
        }
        if self.paths.len() == before {
            return Err(BuildError::NoArchive(argument.to_owned()));
        }
        Ok(())
    }

    fn leave_out(&mut self, path: &Path, why: String) {
        self.left_out.push(LeftOut { path: path.to_owned(), why });
    }

    /// The files in a folder, and in those within it, whose names are those of archives, by name.
    fn in_folder(&mut self, folder: &Path) -> Result<Vec<PathBuf>> {
        let (mut files, mut others) = (Vec::new(), 0u64);
        for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
            let entry = entry.map_err(|error| {
                BuildError::Pattern(folder.to_owned(), format!("cannot look into it: {error}"))
            })?;
            let name = entry.file_name().to_string_lossy().to_lowercase();
            match entry.file_type().is_file() {
                true if is_archive(&name) => files.push(entry.into_path()),
                // The names that WTHOR's files of games speak of.
                true if name.ends_with(".jou") || name.ends_with(".trn") => {}
                is_file => others += u64::from(is_file),
            }
        }
        if others > 0 {
            let number = if others == 1 { "1 file".to_owned() } else { format!("{others} files") };
            self.leave_out(
                folder,
                format!(
                    "{number} in {} with other names than *.{}[.zst|.gz|.bz2]",
                    folder.display(),
                    ENDINGS.join("|")
                ),
            );
        }
        Ok(files)
    }

    /// The game that the archives seem to hold; chess if they don't show it. Archives that were
    /// named must agree; if none of them shows a game, that of most of the found ones is taken.
    pub fn game(&self) -> Result<&'static str> {
        let named = self.guesses(false)?;
        if let [(one, path), (other, second), ..] = named.as_slice() {
            let [one, other] = [one, other].map(|guess| called(*guess));
            let (path, second) = (path.to_path_buf(), second.to_path_buf());
            return Err(BuildError::MixedGames { path, game: one, second, other });
        }
        let found = if named.is_empty() { self.guesses(true)? } else { named };
        match found.first() {
            None => Ok("chess"),
            Some(&(Guess::Game(name), _)) => Ok(name),
            Some((Guess::Other, path)) => Err(BuildError::UnknownGame(path.to_path_buf())),
        }
    }

    /// The games that archives seem to hold that were named or were found, most frequent first,
    /// each with the first archive of it.
    fn guesses(&self, found: bool) -> Result<Vec<(Guess, &Path)>> {
        let mut guesses: BTreeMap<Guess, (usize, &Path)> = BTreeMap::new();
        let paths = self.paths.iter().zip(&self.found).filter(|&(_, &is_found)| is_found == found);
        let paths = paths.map(|(path, _)| path.as_path());
        for path in paths.filter(|path| path.is_file()) {
            if let Some(guess) = guess(path)? {
                guesses.entry(guess).or_insert((0, path)).0 += 1;
            }
        }
        let mut guesses: Vec<_> = guesses.into_iter().collect();
        guesses.sort_by_key(|&(_, (files, _))| std::cmp::Reverse(files));
        Ok(guesses.into_iter().map(|(guess, (_, path))| (guess, path)).collect())
    }

    /// Leaves out archives that are there twice: found twice, or equal byte for byte. One that was
    /// named twice is a mistake.
    pub fn leave_out_copies(&mut self) -> Result<()> {
        let mut by_length: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        let mut copies = Vec::new();
        for (index, path) in self.paths.iter().enumerate() {
            let Some(length) =
                path.metadata().ok().filter(std::fs::Metadata::is_file).map(|file| file.len())
            else {
                continue;
            };
            let alike = by_length.entry(length).or_default();
            match alike.iter().find(|&&other| same_file(&self.paths[other], path)) {
                Some(&first) => copies.push((index, first, false)),
                None => alike.push(index),
            }
        }
        for alike in by_length.values().filter(|alike| alike.len() > 1) {
            let mut seen = BTreeMap::new();
            for &index in alike {
                // What can't be read shows later.
                let Some(digest) = digest_of_file(&self.paths[index]) else { continue };
                let first = *seen.entry(digest).or_insert(index);
                if first != index {
                    copies.push((index, first, true));
                }
            }
        }
        let are_named =
            |&&(index, first, _): &&(usize, usize, bool)| !self.found[index] && !self.found[first];
        if let Some(&(index, first, is_other)) = copies.iter().find(are_named) {
            let first = is_other.then(|| self.paths[first].clone());
            return Err(BuildError::GivenTwice(self.paths[index].clone(), first));
        }
        copies.sort_unstable();
        for &(index, first, _) in &copies {
            let (copy, first) = (self.paths[index].clone(), self.paths[first].display());
            let why = format!("{} is the same as {first}", copy.display());
            self.leave_out(&copy, why);
        }
        self.remove(copies.into_iter().map(|(index, ..)| index));
        Ok(())
    }

    /// Leaves out archives whose games a book with these sources counts already, as far as their
    /// names show; none may be left.
    pub fn leave_out_known(&mut self, known: &[Source]) -> Result<()> {
        let mut twice = Vec::new();
        for (index, path) in self.paths.iter().enumerate() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let mut alike = known.iter().filter(|source| source.name == name).peekable();
            if alike.peek().is_none() || !path.is_file() {
                continue;
            }
            let digest = Digest(Input::digest_of(path)?);
            twice
                .extend(alike.find(|source| source.digest == digest).map(|source| (index, source)));
        }
        for &(index, source) in &twice {
            let games = match source.games {
                0 => String::new(),
                1 => ", with 1 game".to_owned(),
                games => format!(", with {games} games"),
            };
            let path = self.paths[index].clone();
            self.leave_out(&path, format!("{} is in the book already{games}", path.display()));
        }
        self.remove(twice.into_iter().map(|(index, _)| index));
        Ok(())
    }

    /// Leaves out archives by their places, which ascend.
    fn remove(&mut self, places: impl DoubleEndedIterator<Item = usize>) {
        for index in places.rev() {
            self.paths.remove(index);
            self.found.remove(index);
        }
    }
}

/// Whether two paths lead to one file that is there.
fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().is_some_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// What people call what an archive seems to hold.
fn called(guess: Guess) -> &'static str {
    match guess {
        Guess::Game(name) => name,
        Guess::Other => "a game that isn't known here",
    }
}

/// Whether a file's name, in lower case, is that of an archive.
fn is_archive(name: &str) -> bool {
    COMPRESSED
        .iter()
        .filter_map(|end| name.strip_suffix(end))
        .filter_map(|name| name.rsplit_once('.'))
        .any(|(_, ending)| ENDINGS.contains(&ending))
}

fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[']) && path.symlink_metadata().is_err()
}

fn matching(pattern: &Path) -> Result<Vec<PathBuf>> {
    let bad =
        |why: &dyn std::fmt::Display| BuildError::Pattern(pattern.to_owned(), why.to_string());
    let text = pattern.to_str().ok_or_else(|| bad(&"this pattern is not UTF-8"))?;
    let files = glob::glob(text).map_err(|error| bad(&format!("not a pattern: {error}")))?;
    let files = files.collect::<std::result::Result<Vec<_>, _>>().map_err(|error| bad(&error))?;
    Ok(files.into_iter().filter(|path| path.is_file()).collect())
}
