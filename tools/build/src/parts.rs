//! The parts of a long build: what was read so far, as ordinary books, from which the build goes on
//! after an interruption.
//!
//! They are in a folder beside the book, called `part-0001.tabia` and so on. A part holds the games
//! that were read since the part before, and its facts say how far the archives had been read then.
//! A part gets its name when it is whole and durable, so the last one always says what is done, and
//! a book's checksums guard all of it. Each says its number and the digest of the part before, so that
//! none can stand in the place of another. The parts are merged when everything is read.
//!
//! Where copies of games are left out, nothing can be counted before all games are known. A part
//! has no rows then; its facts say which files of the folder hold the games, how long these are,
//! and their checksums.
//!
//! Where games are gathered for the file beside the book, those of a part are in a file of their own,
//! sorted; the facts of each part name the files of all parts up to it, with their checksums.

use crate::counter::GameCounter;
use crate::dedup::{GameLog, SameBy, SavedLog};
use crate::error::{BuildError, Result};
use crate::game_collector::{Collecting, GameCollector};
use crate::in_order::digest_of_file;
use crate::occurrence::Sortable;
use crate::plan::{BuildPlan, Resume};
use crate::skipped_list::{SharedList, locked};
use crate::sorter::SortedRows;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tabia::bytes::Pread;
use tabia::format::Digest;
use tabia::storage::{Missing, StorageFile, folder_of};
use tabia::stream::RowSet;
use tabia::{Book, Context, Env, Error, Existing, Fact, MoveRow, PositionRow, check};
use tabia_archives::{Checkpoint, GameSink, IngestProgress, Saver};
use tabia_gamefile::SortedGames;
use xxhash_rust::xxh3::xxh3_128;

/// A process that works in the folder holds a lock on this file.
const LOCK: &str = "lock";
/// Builds that have taken less time are not saved when they are interrupted: they are soon done
/// anew.
const WORTH_SAVING: Duration = Duration::from_secs(60);
/// The fact that says what is made of which archives, as a digest.
const PLAN: &str = "build.plan";
/// The fact that says which part it is: its number, and the digest of the part before.
const PART: &str = "build.part";
/// The names of the facts that together say how far the archives were read begin so.
const STATE: &str = "build.state.";
/// Bytes of each of these, which any letter can end.
const PIECE: usize = 65_536 - 4;
/// A state longer than this is not written: a book has no room for it.
const LONGEST_STATE: usize = 48 << 20;

/// What a part says beside its rows.
#[derive(Serialize, Deserialize)]
pub(crate) struct State {
    /// How far the archives were read.
    pub checkpoint: Checkpoint,
    /// The files of games.
    pub logs: Vec<SavedLog>,
    /// The games that were gathered for the file beside the book.
    gathered: Vec<SavedGames>,
    /// The list of skipped games.
    list: Option<SavedFile>,
}

#[derive(Clone, Serialize, Deserialize)]
struct SavedFile {
    file: String,
    /// XXH3-128 of it.
    sum: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct SavedGames {
    #[serde(flatten)]
    saved: SavedFile,
    /// How many were left out because the file beside the book has no room for them.
    too_large: u64,
}

/// Writes parts, and finds those that an interrupted build left.
pub(crate) struct Parts<'a> {
    env: Env<'a>,
    plan: &'a BuildPlan,
    pub folder: PathBuf,
    /// What is made of which archives, as a digest.
    job: String,
    begun: Instant,
    /// How many parts there are.
    pub count: u32,
    /// The digest of the last one.
    last: Digest,
    /// Bytes of text that had been read when the last part was written.
    read: u64,
    /// Files of games that no thread continues.
    pub other_logs: Vec<SavedLog>,
    /// The games that were gathered so far, but for those that threads hold.
    gathered: Vec<SavedGames>,
    /// The list of skipped games, if there is one.
    pub list: Option<SharedList<'a>>,
    /// Once the folder is ours.
    lock: Option<Box<dyn StorageFile>>,
}

/// What was left in the folder, and where the copy of the list of skipped games is.
pub(crate) type Found = (State, Option<PathBuf>);

impl<'a> Parts<'a> {
    /// The parts of a book that is made by this plan of these archives.
    pub fn new(env: Env<'a>, plan: &'a BuildPlan, archives: &[PathBuf], book: &Path) -> Self {
        let BuildPlan { read, tables, max_ply, side, games, dedup, skipped_list, .. } = plan;
        let job = format!(
            "{archives:?} {read:?} {tables:?} {max_ply:?} {side:?} {games:?} {dedup:?} {skipped_list:?}"
        );
        let mut folder = book.as_os_str().to_owned();
        folder.push("-building");
        Self {
            // A part is written to its end, whoever wants to stop meanwhile.
            env: Env { progress: &(), ..env },
            plan,
            folder: folder.into(),
            job: format!("{:032x}", xxh3_128(job.as_bytes())),
            begun: Instant::now(),
            count: 0,
            last: Digest::NONE,
            read: 0,
            other_logs: Vec::new(),
            gathered: Vec::new(),
            list: None,
            lock: None,
        }
    }

    /// What an interrupted build left, if that is to be gone on with; the way is cleared otherwise.
    pub fn resume(&mut self) -> Result<Option<Found>> {
        if !self.folder.exists() {
            return Ok(None);
        }
        if self.plan.resume == Resume::Refuse && has_parts(&self.folder) {
            return Err(BuildError::Unfinished(self.folder.clone()));
        }
        self.make_folder()?;
        if self.plan.resume == Resume::Continue
            && let Some(found) = self.find()?
        {
            return Ok(Some(found));
        }
        self.lock = None;
        remove_parts(&self.folder)?;
        Ok(None)
    }

    fn find(&mut self) -> Result<Option<Found>> {
        let mut last = None;
        while self.path(self.count + 1).exists() {
            let path = self.path(self.count + 1);
            let text;
            (text, self.last) = self.state_text(&path, self.count + 1, self.last)?;
            last = Some((text, path));
            self.count += 1;
        }
        if numbers_in(&self.folder).iter().any(|&number| number > self.count) {
            return Err(self.damaged(format!("part {} is missing", self.count + 1)));
        }
        let Some((text, path)) = last else { return Ok(None) };
        let state: State = serde_json::from_str(&text)
            .map_err(|error| self.damaged(format!("{}: {error}", path.display())))?;
        let list = state.list.as_ref().map(|list| self.folder.join(&list.file));
        let gathered = state.gathered.iter().map(|games| &games.saved);
        for SavedFile { file, sum } in gathered.chain(&state.list) {
            if digest_of_file(&self.folder.join(file))
                .is_none_or(|digest| digest.to_string() != *sum)
            {
                return Err(self.damaged(format!("{file} is not what it was")));
            }
        }
        self.gathered.clone_from(&state.gathered);
        self.read = read_in(&state.checkpoint);
        self.tidy(&state);
        Ok(Some((state, list)))
    }

    /// How far the archives were read, as a part says that is sound, of this build, and the one with
    /// this number behind that with this digest; and its own digest.
    fn state_text(&self, path: &Path, number: u32, before: Digest) -> Result<(String, Digest)> {
        let damaged =
            |what: &dyn std::fmt::Display| self.damaged(format!("{}: {what}", path.display()));
        let book = Book::open(path).map_err(|error| damaged(&error))?;
        let facts = book.facts().map_err(|error| damaged(&error))?;
        let says = |name| facts.iter().find(|fact| fact.name() == name).map(Fact::value);
        match says(PLAN) {
            None => return Err(damaged(&"it is no part of a build")),
            Some(plan) if plan != self.job => {
                return Err(BuildError::OtherPlan(self.folder.clone()));
            }
            Some(_) => {}
        }
        if says(PART) != Some(&which(number, before)) {
            return Err(damaged(&"it is not the part that is to be here"));
        }
        let report = check(&self.env, path)?;
        if let Some(finding) = report.bad.first() {
            return Err(damaged(finding));
        }
        let text = facts.iter().filter(|fact| fact.name().starts_with(STATE)).map(Fact::value);
        Ok((text.collect(), book.header().digest))
    }

    /// Makes the folder, if it isn't there, and makes sure that no other process works in it.
    ///
    /// # Errors
    /// [`Error::Locked`]; if there is something else in it; the system's.
    pub fn make_folder(&mut self) -> Result<()> {
        if self.lock.is_some() {
            return Ok(());
        }
        match fs::create_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => check_ours(&self.folder)?,
            made => made.at("make this folder", &self.folder)?,
        }
        let file = self.env.storage.open(&self.folder.join(LOCK), Missing::Create);
        let locked = file.and_then(|file| Ok(file.try_lock()?.then_some(file)));
        self.lock = locked.at("lock this folder", &self.folder)?;
        match self.lock {
            Some(_) => Ok(()),
            None => Err(Error::Locked { path: self.folder.clone() }.into()),
        }
    }

    /// The files of games that a state speaks of, as they were then.
    pub fn logs(&self, state: &State, same_by: SameBy) -> Result<Vec<GameLog>> {
        let (max_ply, storage) = (self.plan.max_ply, self.env.storage);
        let restore = |saved: &SavedLog| {
            let log = GameLog::restore(max_ply, same_by, storage, &self.folder, saved)?;
            log.ok_or_else(|| self.damaged(format!("{} is not what it was", saved.files[0])))
        };
        state.logs.iter().map(restore).collect()
    }

    /// The games that were gathered for the file beside the book, but for those that threads hold.
    pub fn games(&self) -> Result<Vec<SortedGames<'a>>> {
        let (storage, scratch) = (self.env.storage, folder_of(&self.folder));
        let games = self.gathered.iter().map(|SavedGames { saved, too_large }| {
            SortedGames::saved(storage, scratch, &self.folder.join(&saved.file), *too_large)
        });
        Ok(games.collect::<std::result::Result<_, _>>()?)
    }

    /// The books that are the parts.
    pub fn books(&self) -> Result<Vec<Book<Pread>>> {
        let books = (1..=self.count).map(|number| Book::open(self.path(number)));
        Ok(books.collect::<tabia::Result<_>>()?)
    }

    /// A name that no file of the folder begins with: `log-3`.
    pub fn free_name(&self, what: &str) -> String {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        let is_free = |name: &String| {
            !names.iter().any(|other| other.to_str().is_some_and(|other| other.starts_with(name)))
        };
        (1u64..).map(|number| format!("{what}-{number:04}")).find(is_free).unwrap_or_default()
    }

    fn path(&self, number: u32) -> PathBuf {
        self.folder.join(format!("part-{number:04}.tabia"))
    }

    fn damaged(&self, what: String) -> BuildError {
        BuildError::DamagedParts(self.folder.clone(), what)
    }

    /// Whether what was read is worth a part although the next is not due.
    fn is_worth_saving(&self) -> bool {
        self.plan.part_bytes.is_some() && (self.count > 0 || self.begun.elapsed() >= WORTH_SAVING)
    }

    /// How far the archives are read and what holds it, as a text; none if it is too long for a
    /// book.
    fn state(
        &mut self,
        checkpoint: &Checkpoint,
        logs: Vec<SavedLog>,
    ) -> Result<(State, Option<String>)> {
        self.make_folder()?;
        self.read = read_in(checkpoint);
        let (gathered, list) = (self.gathered.clone(), self.save_list()?);
        let state = State { checkpoint: checkpoint.clone(), logs, gathered, list };
        let text = serde_json::to_string(&state).map_err(io::Error::from);
        let text = text.at("write to this folder", &self.folder)?;
        Ok((state, Some(text).filter(|text| text.len() <= LONGEST_STATE)))
    }

    /// Writes a part of these rows that says so.
    fn write(
        &mut self,
        (state, text): (State, &str),
        positions: &dyn RowSet<PositionRow>,
        moves: &dyn RowSet<MoveRow>,
    ) -> Result<()> {
        // What holds the games, not their rows, replaces the part before.
        let (number, before) =
            if state.logs.is_empty() { (self.count + 1, self.last) } else { (1, Digest::NONE) };
        let mut book = self.plan.new_book().facts(self.facts(number, before, text));
        if self.plan.tables.positions {
            book = book.positions(positions);
        }
        if self.plan.tables.moves {
            book = book.moves(moves);
        }
        let synced =
            |folder| self.env.storage.sync_folder(folder).at("write to this folder", &self.folder);
        synced(&self.folder)?;
        let header = book.write(&self.env, &self.path(number), Existing::Replace);
        let header = header.map_err(Error::of_a_step)?;
        synced(folder_of(&self.folder))?;
        (self.count, self.last) = (number, header.digest);
        self.tidy(&state);
        Ok(())
    }

    /// Writes a part; the games that were gathered since the part before are saved before it says so.
    fn save_all<S: Saved<'a>>(
        &mut self,
        checkpoint: &Checkpoint,
        sinks: &mut [&mut Collecting<'a, S>],
        is_last: bool,
    ) -> Result<()> {
        self.save_games(sinks)?;
        let mut sinks: Vec<&mut S> = sinks.iter_mut().map(|sink| &mut sink.sink).collect();
        S::save(self, checkpoint, &mut sinks, is_last)
    }

    fn facts(&self, number: u32, before: Digest, mut text: &str) -> Vec<Fact> {
        let fact = |name: String, value: &str| {
            Fact::new(Digest::NONE, name, value).expect("names and pieces are short enough")
        };
        let mut facts =
            vec![fact(PLAN.to_owned(), &self.job), fact(PART.to_owned(), &which(number, before))];
        for number in 0.. {
            let (piece, rest) = text.split_at(text.floor_char_boundary(PIECE));
            facts.push(fact(format!("{STATE}{number:04}"), piece));
            text = rest;
            if text.is_empty() {
                break;
            }
        }
        facts
    }

    fn save_list(&self) -> Result<Option<SavedFile>> {
        let Some(list) = &self.list else { return Ok(None) };
        let file = self.free_name("skipped");
        let path = self.folder.join(&file);
        locked(list).copy_to(self.env.storage, &path).at("write", &path)?;
        Ok(Some(self.saved_file(file)?))
    }

    /// A file of the folder that was just written.
    fn saved_file(&self, file: String) -> Result<SavedFile> {
        let digest = digest_of_file(&self.folder.join(&file));
        let digest = digest.ok_or_else(|| io::ErrorKind::NotFound.into());
        let digest = digest.at("read back", &self.folder)?;
        Ok(SavedFile { file, sum: digest.to_string() })
    }

    /// Writes the games that these hold to a file, if games are gathered.
    fn save_games<S>(&mut self, sinks: &mut [&mut Collecting<'a, S>]) -> Result<()> {
        let collectors = sinks.iter_mut().filter_map(|sink| sink.collector.as_mut());
        let taken = collectors.map(GameCollector::take).collect::<Result<_>>()?;
        let Some(games) = SortedGames::join(taken)? else { return Ok(()) };
        self.make_folder()?;
        let file = self.free_name("games");
        games.save(&self.folder.join(&file))?;
        let saved = self.saved_file(file)?;
        self.gathered.push(SavedGames { saved, too_large: games.too_large() });
        Ok(())
    }

    /// Removes what no part speaks of. What can't be removed does no harm.
    fn tidy(&self, state: &State) {
        let logs = state.logs.iter().flat_map(|log| &log.files);
        let gathered = state.gathered.iter().map(|games| &games.saved);
        let saved = gathered.chain(&state.list).map(|saved| &saved.file);
        let named: HashSet<&str> = logs.chain(saved).map(String::as_str).collect();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| is_ours(OsStr::new(name))) else {
                continue;
            };
            let is_part = name.starts_with("part-") && name.ends_with(".tabia");
            if !is_part && name != LOCK && !named.contains(name) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// What an error means that ended the build: if there are parts it can go on, else nothing is
    /// left behind.
    pub fn after(&self, error: BuildError) -> BuildError {
        // Those of another build, or ones that somebody has to look at.
        if matches!(
            error,
            BuildError::Unfinished { .. }
                | BuildError::OtherPlan { .. }
                | BuildError::DamagedParts { .. }
        ) {
            return error;
        }
        if has_parts(&self.folder) {
            return match error {
                BuildError::Interrupted => BuildError::Saved(self.folder.clone()),
                error => error,
            };
        }
        self.remove();
        error
    }

    /// Removes the folder, if it is there and ours. What can't be removed does no harm.
    pub fn remove(&self) {
        if self.lock.is_some() {
            let _ = remove_parts(&self.folder);
        }
    }
}

/// A sink whose content parts hold.
pub(crate) trait Saved<'a>: GameSink<Error = BuildError> + Sized {
    /// Writes a part of what these have.
    fn save(
        parts: &mut Parts<'a>,
        checkpoint: &Checkpoint,
        sinks: &mut [&mut Self],
        is_last: bool,
    ) -> Result<()>;
}

impl<'a, V: Sortable> Saved<'a> for GameCounter<'a, V> {
    fn save(
        parts: &mut Parts<'a>,
        checkpoint: &Checkpoint,
        sinks: &mut [&mut Self],
        is_last: bool,
    ) -> Result<()> {
        let (state, text) = parts.state(checkpoint, Vec::new())?;
        // Without the text nobody can go on from the part; but the last one's rows are wanted all
        // the same.
        let Some(text) = text.or_else(|| is_last.then(String::new)) else { return Ok(()) };
        let sorters = sinks.iter_mut().map(|sink| sink.take_sorter()).collect();
        let rows = SortedRows::join(&parts.env, sorters, parts.plan.threads)?;
        parts.write((state, &text), &rows.positions(), &rows.moves())
    }
}

impl<'a> Saved<'a> for GameLog {
    fn save(
        parts: &mut Parts<'a>,
        checkpoint: &Checkpoint,
        sinks: &mut [&mut Self],
        _: bool,
    ) -> Result<()> {
        let mine = sinks.iter_mut().map(|log| log.save()).collect::<tabia::Result<Vec<_>>>()?;
        let logs = parts.other_logs.iter().cloned().chain(mine).collect();
        match parts.state(checkpoint, logs)? {
            (state, Some(text)) => parts.write((state, &text), &Vec::new(), &Vec::new()),
            (_, None) => Ok(()),
        }
    }
}

impl<'a, S: Saved<'a>> Saver<Collecting<'a, S>> for Parts<'a> {
    /// Whether enough was read since the last part for another one. Parts grow with what was read,
    /// so that no build has more of them than it may open files.
    fn is_due(&self, progress: &IngestProgress) -> bool {
        let since = progress.text_bytes.saturating_sub(self.read);
        self.plan.part_bytes.is_some_and(|bytes| since >= bytes.max(self.read / 32))
    }

    fn save(
        &mut self,
        checkpoint: &Checkpoint,
        sinks: &mut [&mut Collecting<'a, S>],
        at_the_end: bool,
    ) -> Result<()> {
        if at_the_end && !self.is_worth_saving() {
            Ok(())
        } else {
            self.save_all(checkpoint, sinks, false)
        }
    }

    fn finish(
        &mut self,
        checkpoint: &Checkpoint,
        sinks: &mut [&mut Collecting<'a, S>],
    ) -> Result<()> {
        if self.count == 0 { Ok(()) } else { self.save_all(checkpoint, sinks, true) }
    }
}

fn which(number: u32, before: Digest) -> String {
    format!("{number} {before}")
}

/// Bytes of text that had been read at a checkpoint.
fn read_in(checkpoint: &Checkpoint) -> u64 {
    let sources = checkpoint.sources.iter();
    sources.map(|source| if source.is_done { source.stats.bytes } else { source.read }).sum()
}

/// The number of a part, by its file's name.
fn number_of(name: &OsStr) -> Option<u32> {
    name.to_str()?.strip_prefix("part-")?.strip_suffix(".tabia")?.parse().ok()
}

fn numbers_in(folder: &Path) -> Vec<u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| number_of(&entry.file_name())).collect()
}

fn has_parts(folder: &Path) -> bool {
    !numbers_in(folder).is_empty()
}

/// Whether a file of this name in such a folder is one that builds put there.
fn is_ours(name: &OsStr) -> bool {
    let is_numbered = |name: &str| {
        let mut starts = ["part-", "skipped-", "log-", "games-"].iter();
        starts.any(|start| {
            name.strip_prefix(start)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    name.to_str().is_some_and(|name| name == LOCK || is_numbered(name))
}

/// Removes a folder in which there is nothing but what builds put there.
///
/// # Errors
/// If there is something else, which stays with all the rest; the system's.
fn remove_parts(folder: &Path) -> tabia::Result<()> {
    check_ours(folder)?;
    let mut files = fs::read_dir(folder).at("remove", folder)?;
    let removed = files.try_for_each(|entry| fs::remove_file(entry?.path()));
    removed.and_then(|()| fs::remove_dir(folder)).at("remove", folder)
}

/// Makes sure that there is nothing in this folder but what builds put there.
fn check_ours(folder: &Path) -> tabia::Result<()> {
    let all_ours = fs::read_dir(folder).and_then(|mut files| {
        files.try_for_each(|entry| match is_ours(&entry?.file_name()) {
            true => Ok(()),
            false => Err(io::Error::other(
                "other files are in it: give the book another name, or that folder",
            )),
        })
    });
    all_ours.at("use this folder", folder)
}
