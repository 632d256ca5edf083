//! An ingestion on disk: a folder from which it can go on after an interruption.
//!
//! The folder holds what the sinks took, and a text that says how far the archives were read when they held just that. The text is written beside its
//! place, synced and renamed, after all it speaks of is durable; what it doesn't speak of is of no use and removed. So whenever the process dies, the
//! folder holds one whole state or none.

use crate::collect::KeptRun;
use crate::dedup::{KeptSpool, Spool};
use crate::gather::Gatherer;
use crate::ingest::{GameSink, Keeper, Standing};
use crate::visit::Collectable;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tabia::storage::{Missing, Storage, StorageFile};
use tabia::{Error, Result};

/// The text's name in the folder.
const TEXT: &str = "state.json";
/// Its name while it is written.
const NEW_TEXT: &str = "state.json-new";
/// Whoever keeps an ingestion in the folder has a lock on this file.
const LOCK: &str = "lock";
/// The format of the text.
const VERSION: u32 = 2;
/// Ingestions that have taken less time are not kept when they end: they are soon done anew.
const WORTH_KEEPING: Duration = Duration::from_secs(60);

/// A sink whose contents can be kept.
pub trait Keepable: GameSink<Error = Error> + Send {
    /// What has to be known to take them up again.
    type Record: Serialize + DeserializeOwned + Clone + Send;

    /// Makes them durable, in files of this folder. What names they have is free, if they begin with this one.
    ///
    /// # Errors
    /// The system's.
    fn keep(&mut self, folder: &Path, name: &str) -> Result<Self::Record>;

    /// The names of the files that a record speaks of.
    fn files(record: &Self::Record) -> Vec<&str>;
}

impl<V: Collectable> Keepable for Gatherer<'_, V> {
    type Record = Vec<KeptRun>;

    fn keep(&mut self, folder: &Path, name: &str) -> Result<Vec<KeptRun>> {
        self.collector().keep(folder, name)
    }

    fn files(record: &Vec<KeptRun>) -> Vec<&str> {
        record.iter().map(|run| run.file.as_str()).collect()
    }
}

impl Keepable for Spool {
    type Record = KeptSpool;

    fn keep(&mut self, _: &Path, _: &str) -> Result<KeptSpool> {
        Self::keep(self)
    }

    fn files(record: &KeptSpool) -> Vec<&str> {
        record.files.iter().map(String::as_str).collect()
    }
}

/// Whether there is something to resume in this folder, of whatever ingestion.
#[must_use]
pub fn is_kept_in(folder: &Path) -> bool {
    folder.join(TEXT).exists()
}

/// Whether a file of this name in such a folder is one that an ingestion keeps there: those of sinks begin with a number.
fn is_ours(name: &OsStr) -> bool {
    let is_of_sink = |name: &str| name.split_once('-').is_some_and(|(number, _)| number.parse::<u64>().is_ok());
    name.to_str().is_some_and(|name| [TEXT, NEW_TEXT, LOCK].contains(&name) || is_of_sink(name))
}

/// Removes a folder in which nothing is but what ingestions keep there.
///
/// # Errors
/// If there is something else, which is kept with all the rest; the system's.
pub fn remove_kept(folder: &Path) -> Result<()> {
    let failed = |source| Error::Io { action: "remove", path: folder.to_owned(), source };
    check_ours(folder)?;
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        std::fs::remove_file(entry.map_err(failed)?.path()).map_err(failed)?;
    }
    std::fs::remove_dir(folder).map_err(failed)
}

/// Makes sure that nothing is in this folder but what ingestions keep there.
fn check_ours(folder: &Path) -> Result<()> {
    let failed = |source| Error::Io { action: "use this folder", path: folder.to_owned(), source };
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        if !is_ours(&entry.map_err(failed)?.file_name()) {
            return Err(failed(io::Error::other("other files are in it: give the book another name, or that folder")));
        }
    }
    Ok(())
}

/// What the text says.
#[derive(Serialize, Deserialize)]
struct State<K> {
    version: u32,
    /// What is made of which archives, in the words of the caller.
    job: String,
    /// How often it was kept.
    number: u64,
    standing: Standing,
    sinks: Vec<K>,
    /// What else is kept, see [`Kept::also`].
    also: Vec<String>,
}

/// What is found in a folder.
pub struct Found<K> {
    /// How far the archives were read.
    pub standing: Standing,
    /// The sinks' records.
    pub sinks: Vec<K>,
}

/// Keeps an ingestion in a folder.
pub struct Kept<'a, K> {
    storage: &'a dyn Storage,
    folder: PathBuf,
    job: String,
    every: Option<Duration>,
    number: u64,
    begun: Instant,
    last: Instant,
    is_there: bool,
    /// Once the folder is ours.
    lock: Option<Box<dyn StorageFile>>,
    /// Records of what no sink holds any more, but belongs to them.
    pub others: Vec<K>,
    /// Puts what else is to be kept into the folder and says which files these are. The names begin with the one given.
    pub also: Also<'a>,
}

/// See [`Kept::also`].
pub type Also<'a> = Box<dyn FnMut(&Path, &str) -> Result<Vec<String>> + Send + 'a>;

/// Why an ingestion can't go on from a folder.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// Nothing was kept there.
    #[error("there is nothing to resume")]
    Nothing,
    /// Somebody else is at work there, or the system refuses.
    #[error(transparent)]
    System(#[from] Error),
    /// It is another one.
    #[error("{} is of a build with other archives or options: give those, or remove that folder", folder.display())]
    OtherJob {
        /// The folder.
        folder: PathBuf,
    },
    /// Its files are damaged.
    #[error("{} is damaged ({what}): remove that folder and build anew", folder.display())]
    Damaged {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        what: String,
    },
}

impl<'a, K: Serialize + DeserializeOwned + Clone + Send> Kept<'a, K> {
    /// Keeps an ingestion every so often, or never. `job` says what is made of which archives.
    #[must_use]
    pub fn new(storage: &'a dyn Storage, folder: &Path, job: String, every: Option<Duration>) -> Self {
        let now = Instant::now();
        let also: Also<'a> = Box::new(|_, _| Ok(Vec::new()));
        let (folder, others) = (folder.to_owned(), Vec::new());
        Self { storage, folder, job, every, number: 0, begun: now, last: now, is_there: false, lock: None, others, also }
    }

    /// What was kept in the folder of this ingestion; `also` are the other files.
    ///
    /// # Errors
    /// [`ResumeError`].
    pub fn find(&mut self) -> std::result::Result<(Found<K>, Vec<PathBuf>), ResumeError> {
        let folder = self.folder.clone();
        let damaged = |what: String| ResumeError::Damaged { folder: folder.clone(), what };
        let text = match std::fs::read(self.folder.join(TEXT)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(ResumeError::Nothing),
            text => text.map_err(|error| damaged(error.to_string()))?,
        };
        let state: State<serde_json::Value> = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        self.make_folder()?;
        if (state.version, &state.job) != (VERSION, &self.job) {
            return Err(ResumeError::OtherJob { folder: self.folder.clone() });
        }
        let sinks = state.sinks.into_iter().map(serde_json::from_value).collect::<serde_json::Result<Vec<K>>>();
        let sinks = sinks.map_err(|error| damaged(error.to_string()))?;
        (self.number, self.is_there) = (state.number, true);
        let is_plain = |name: &&String| Path::new(name).file_name().is_some_and(|file| file == name.as_str());
        let also = state.also.iter().filter(is_plain).map(|name| self.folder.join(name)).collect();
        Ok((Found { standing: state.standing, sinks }, also))
    }

    /// Makes the folder, if it isn't there, and makes sure that nobody else is at work there.
    ///
    /// # Errors
    /// [`Error::Locked`]; the system's.
    pub fn make_folder(&mut self) -> Result<()> {
        if self.lock.is_some() {
            return Ok(());
        }
        match std::fs::create_dir(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(self.failed("make this folder", error)),
            Err(_) => check_ours(&self.folder)?,
            Ok(()) => {}
        }
        let locked = self.storage.open(&self.folder.join(LOCK), Missing::Create).and_then(|file| Ok(file.try_lock()?.then_some(file)));
        self.lock = locked.map_err(|error| self.failed("lock this folder", error))?;
        if self.lock.is_some() { Ok(()) } else { Err(Error::Locked { path: self.folder.clone() }) }
    }

    /// Whether there is something to resume.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.is_there
    }

    /// How often it was kept: names that begin with this number are new.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Removes the folder, if it is there.
    ///
    /// # Errors
    /// [`Error::Locked`]; the system's.
    pub fn remove(&mut self) -> Result<()> {
        if !self.folder.exists() {
            return Ok(());
        }
        self.make_folder()?;
        (self.is_there, self.lock) = (false, None);
        remove_kept(&self.folder)
    }

    fn failed(&self, action: &'static str, source: io::Error) -> Error {
        Error::Io { action, path: self.folder.clone(), source }
    }

    /// Writes the text to its place.
    fn publish(&self, text: &[u8]) -> Result<()> {
        let (new, place) = (self.folder.join(NEW_TEXT), self.folder.join(TEXT));
        let written = || {
            // The files that the text speaks of must have their names before it has its own.
            self.storage.sync_folder(&self.folder)?;
            let file = self.storage.open(&new, Missing::Create)?;
            file.set_len(0)?;
            file.write_all_at(text, 0)?;
            file.sync()?;
            self.storage.rename(&new, &place)?;
            self.storage.sync_folder(&self.folder)?;
            let parent = self.folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            self.storage.sync_folder(parent)
        };
        written().map_err(|source| self.failed("write to this folder", source))
    }

    /// Removes all files that the text doesn't speak of. What can't be removed does no harm.
    fn tidy(&self, named: &HashSet<String>) {
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if is_ours(&name) && name != TEXT && name != LOCK && name.to_str().is_none_or(|name| !named.contains(name)) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

impl<S: Keepable> Keeper<S> for Kept<'_, S::Record> {
    fn is_due(&self) -> bool {
        self.every.is_some_and(|every| self.last.elapsed() >= every)
    }

    fn keep(&mut self, standing: &Standing, sinks: &mut [&mut S], at_the_end: bool) -> Result<()> {
        let is_wanted = self.every.is_some() && (self.is_there || self.is_due_now() || self.begun.elapsed() >= WORTH_KEEPING);
        if at_the_end && !is_wanted {
            return Ok(());
        }
        self.make_folder()?;
        self.number += 1;
        let (folder, number) = (self.folder.as_path(), self.number);
        let kept = std::thread::scope(|scope| {
            let keep = move |(worker, sink): (usize, &mut &mut S)| sink.keep(folder, &format!("{number}-{worker}"));
            let all: Vec<_> = sinks.iter_mut().enumerate().map(|sink| scope.spawn(move || keep(sink))).collect();
            all.into_iter().map(|sink| sink.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect::<Result<Vec<_>>>()
        })?;
        let sinks: Vec<S::Record> = self.others.iter().cloned().chain(kept).collect();
        let also = (self.also)(&self.folder, &format!("{number}-also"))?;
        let named = sinks.iter().flat_map(|record| S::files(record)).map(str::to_owned).chain(also.iter().cloned()).collect();
        let state = State { version: VERSION, job: self.job.clone(), number, standing: standing.clone(), sinks, also };
        let text = serde_json::to_vec(&state).map_err(|error| self.failed("write to this folder", error.into()))?;
        self.publish(&text)?;
        self.tidy(&named);
        self.is_there = true;
        self.last = Instant::now();
        Ok(())
    }
}

impl<K> Kept<'_, K> {
    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn is_due_now(&self) -> bool {
        self.every.is_some_and(|every| self.begun.elapsed() >= every)
    }
}
