//! The simulated disk: a [`Storage`] on a real folder that keeps a trace of all that is done to it, and fails or dies at the call it is told to.
//!
//! The engine reads real files, so what was written before a failure is there to be read, as it is after the death of a process. What is there
//! after the death of the machine is for `power` to say, from the trace.

use crate::ground::Files;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use tabia::Env;
use tabia::storage::{Leftover, Missing, Storage, StorageFile, StorageFolder, System};

pub const EIO: i32 = 5;
pub const ENOSPC: i32 = 28;
const EINTR: i32 = 4;
/// What every call gives once the machine is off.
pub const OFF: &str = "the machine is off";

/// What a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    Open,
    Create,
    Scratch,
    Lock,
    Look,
    Write,
    Read,
    SetLen,
    Sync,
    Rename,
    Remove,
    Finish,
    OpenFolder,
    SyncFolder,
}

/// What happens to a call, and to those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Nothing is done: EIO. A sync that fails so may or may not have written, and no later one makes up for it.
    Eio,
    /// Nothing is done: ENOSPC.
    Enospc,
    /// ENOSPC, and from then on for whatever takes room.
    Full,
    /// Nothing is done: EINTR.
    Eintr,
    /// Half is written, which is not an error.
    Short,
    /// Half is written, then EIO.
    Torn,
    /// All is done, but EIO is said.
    Lied,
    /// The process dies before the call.
    DeathBefore,
    /// The process dies when half is written.
    DeathWithin,
    /// The process dies after the call.
    DeathAfter,
}

impl Fault {
    pub const ALL: [Self; 10] = [
        Self::Eio,
        Self::Enospc,
        Self::Full,
        Self::Eintr,
        Self::Short,
        Self::Torn,
        Self::Lied,
        Self::DeathBefore,
        Self::DeathWithin,
        Self::DeathAfter,
    ];

    /// Whether it can happen to such a call.
    pub fn befalls(self, call: Call) -> bool {
        match self {
            Self::Short | Self::Torn | Self::DeathWithin => call == Call::Write,
            Self::Lied => matches!(call, Call::SetLen | Call::Sync | Call::Rename | Call::Remove | Call::SyncFolder),
            Self::Full => matches!(call, Call::Open | Call::Create | Call::Scratch | Call::Write),
            _ => true,
        }
    }

    /// Whether the work has to succeed all the same.
    pub fn is_survived(self, call: Call) -> bool {
        self == Self::Short || (self == Self::Eintr && matches!(call, Call::Write | Call::Read))
    }

    /// Whether the process dies of it.
    pub fn kills(self) -> bool {
        matches!(self, Self::DeathBefore | Self::DeathWithin | Self::DeathAfter)
    }
}

/// Something that happened to the disk, or to those who use it. Files are numbered in the order in which they appeared.
#[derive(Clone, Debug)]
pub enum Event {
    Create { name: String, file: usize },
    Write { file: usize, offset: u64, bytes: Vec<u8> },
    SetLen { file: usize, len: u64 },
    Sync { file: usize },
    SyncFailed { file: usize },
    Rename { from: String, to: String, file: usize },
    Remove { name: String, file: usize },
    SyncFolder,
    Mark(Mark),
}

/// What a user was told, or asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A batch is being appended.
    Begun(u8),
    /// The batch was acknowledged.
    Acknowledged(u8),
    /// A new book is being written: its base, and the batches it holds.
    BookBegun(usize, u16),
    /// The new book was acknowledged.
    BookAcknowledged(usize, u16),
}

/// Which call meets a fault.
struct Meeting {
    /// Only calls of this kind count, if one is given.
    kind: Option<Call>,
    /// So many of them come before.
    before: usize,
    fault: Fault,
}

impl Meeting {
    /// Counts a call; whether it is the one.
    fn is_at(&mut self, call: Call) -> bool {
        if self.kind.is_some_and(|kind| kind != call) {
            return false;
        }
        let met = self.before == 0;
        self.before = self.before.saturating_sub(1);
        met
    }
}

struct Inner {
    /// The calls of the process at hand.
    calls: Vec<Call>,
    fault: Option<Meeting>,
    full: bool,
    off: bool,
    trace: Vec<Event>,
    /// Which file has which name.
    names: BTreeMap<String, usize>,
    files: usize,
}

/// The disk.
#[derive(Clone)]
pub struct Disk(Arc<Mutex<Inner>>);

impl Disk {
    /// A disk with these files on it, all durable.
    pub fn new(files: &Files) -> Self {
        let names: BTreeMap<_, _> = files.0.keys().cloned().zip(0..).collect();
        let files = names.len();
        Self(Arc::new(Mutex::new(Inner { calls: vec![], fault: None, full: false, off: false, trace: vec![], names, files })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Starts a process, which will meet this fault at this call.
    pub fn start(&self, fault: Option<(usize, Fault)>) {
        self.begin(fault.map(|(before, fault)| Meeting { kind: None, before, fault }));
    }

    /// Starts a process, which will meet this fault at the call of this kind before which there are so many of that kind. For a work on several
    /// threads, whose calls come in no certain order.
    pub fn start_at(&self, kind: Call, before: usize, fault: Fault) {
        self.begin(Some(Meeting { kind: Some(kind), before, fault }));
    }

    fn begin(&self, fault: Option<Meeting>) {
        let mut inner = self.inner();
        inner.calls.clear();
        (inner.fault, inner.full, inner.off) = (fault, false, false);
    }

    pub fn env(&self) -> Env<'_> {
        Env { storage: self, progress: &() }
    }

    pub fn mark(&self, mark: Mark) {
        self.inner().trace.push(Event::Mark(mark));
    }

    /// The calls of the last process.
    pub fn calls(&self) -> Vec<Call> {
        self.inner().calls.clone()
    }

    pub fn trace(&self) -> Vec<Event> {
        self.inner().trace.clone()
    }

    /// Looks at the trace without a copy of it: that of a large book is as large.
    pub fn with_trace<T>(&self, look: impl FnOnce(&[Event]) -> T) -> T {
        look(&self.inner().trace)
    }

    pub fn trace_len(&self) -> usize {
        self.inner().trace.len()
    }

    /// Does a call, or what becomes of it. `work` is given whether to do only half.
    fn call<T>(&self, call: Call, work: impl FnOnce(&mut Inner, Share) -> io::Result<T>) -> io::Result<T> {
        let inner = &mut *self.inner();
        if inner.off {
            return Err(io::Error::other(OFF));
        }
        inner.calls.push(call);
        let code = io::Error::from_raw_os_error;
        let Some(Meeting { fault, .. }) = inner.fault.take_if(|meeting| meeting.is_at(call)) else {
            let starved = inner.full && Fault::Full.befalls(call);
            return if starved { Err(code(ENOSPC)) } else { work(inner, Share::Whole) };
        };
        inner.off = fault.kills();
        match fault {
            Fault::Eio => Err(code(EIO)),
            Fault::Enospc => Err(code(ENOSPC)),
            Fault::Full => {
                inner.full = true;
                Err(code(ENOSPC))
            }
            Fault::Eintr => Err(code(EINTR)),
            Fault::Short => work(inner, Share::Half),
            Fault::Torn => work(inner, Share::Half).and(Err(code(EIO))),
            Fault::Lied => work(inner, Share::Whole).and(Err(code(EIO))),
            Fault::DeathBefore => Err(io::Error::other(OFF)),
            Fault::DeathWithin => work(inner, Share::Half).and(Err(io::Error::other(OFF))),
            Fault::DeathAfter => work(inner, Share::Whole).and(Err(io::Error::other(OFF))),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    Whole,
    Half,
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

impl Disk {
    fn renamed(&self, from: &Path, to: &Path, rename: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.call(Call::Rename, |inner, _| {
            rename()?;
            let (from, to) = (name_of(from), name_of(to));
            let file = inner.names.remove(&from).unwrap();
            inner.names.insert(to.clone(), file);
            inner.trace.push(Event::Rename { from, to, file });
            Ok(())
        })
    }
}

impl Storage for Disk {
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>> {
        self.call(Call::Open, |inner, _| {
            let real = System.open(path, missing)?;
            let name = name_of(path);
            let known = inner.names.get(&name).copied();
            let file = known.unwrap_or(inner.files);
            if known.is_none() {
                inner.files += 1;
                inner.names.insert(name.clone(), file);
                inner.trace.push(Event::Create { name, file });
            }
            Ok(Box::new(DiskFile { disk: self.clone(), real, file: Some(file) }) as Box<dyn StorageFile>)
        })
    }

    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn StorageFile>> {
        self.call(Call::Create, |inner, _| {
            let real = System.create(path, like)?;
            let (name, file) = (name_of(path), inner.files);
            inner.files += 1;
            inner.names.insert(name.clone(), file);
            inner.trace.push(Event::Create { name, file });
            Ok(Box::new(DiskFile { disk: self.clone(), real, file: Some(file) }) as Box<dyn StorageFile>)
        })
    }

    fn leftover(&self, path: &Path) -> io::Result<Leftover> {
        self.call(Call::Look, |inner, _| {
            Ok(match System.leftover(path)? {
                Leftover::Unfinished(real) => {
                    let file = inner.names.get(&name_of(path)).copied();
                    Leftover::Unfinished(Box::new(DiskFile { disk: self.clone(), real, file }))
                }
                other => other,
            })
        })
    }

    fn scratch(&self, folder: &Path) -> io::Result<Box<dyn StorageFile>> {
        self.call(Call::Scratch, |_, _| {
            let real = System.scratch(folder)?;
            Ok(Box::new(DiskFile { disk: self.clone(), real, file: None }) as Box<dyn StorageFile>)
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.renamed(from, to, || System.rename(from, to))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.renamed(from, to, || System.rename_new(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(Call::Remove, |inner, _| {
            System.remove(path)?;
            let name = name_of(path);
            let file = inner.names.remove(&name).unwrap();
            inner.trace.push(Event::Remove { name, file });
            Ok(())
        })
    }

    fn open_folder(&self, folder: &Path) -> io::Result<Box<dyn StorageFolder>> {
        self.call(Call::OpenFolder, |_, _| {
            assert!(folder.is_dir(), "{} is no folder", folder.display());
            Ok(Box::new(DiskFolder { disk: self.clone() }) as Box<dyn StorageFolder>)
        })
    }
}

/// A folder of the disk.
struct DiskFolder {
    disk: Disk,
}

impl StorageFolder for DiskFolder {
    fn sync(&self) -> io::Result<()> {
        self.disk.call(Call::SyncFolder, |inner, _| {
            inner.trace.push(Event::SyncFolder);
            Ok(())
        })
    }
}

/// A file of the disk; scratch files have no number.
struct DiskFile {
    disk: Disk,
    real: Box<dyn StorageFile>,
    file: Option<usize>,
}

impl StorageFile for DiskFile {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.disk.call(Call::Write, |inner, share| {
            let bytes = if share == Share::Half { &bytes[..bytes.len().div_ceil(2)] } else { bytes };
            self.real.write_all_at(bytes, offset)?;
            if let Some(file) = self.file {
                inner.trace.push(Event::Write { file, offset, bytes: bytes.to_vec() });
            }
            Ok(bytes.len())
        })
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        self.disk.call(Call::Read, |_, _| self.real.read_at(bytes, offset))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.disk.call(Call::SetLen, |inner, _| {
            self.real.set_len(len)?;
            inner.trace.extend(self.file.map(|file| Event::SetLen { file, len }));
            Ok(())
        })
    }

    fn sync(&self) -> io::Result<()> {
        // The folder is in memory: there is nothing to wait for.
        let synced = self.disk.call(Call::Sync, |inner, _| {
            inner.trace.extend(self.file.map(|file| Event::Sync { file }));
            Ok(())
        });
        if synced.as_ref().is_err_and(|error| matches!(error.raw_os_error(), Some(EIO | ENOSPC))) {
            self.disk.inner().trace.extend(self.file.map(|file| Event::SyncFailed { file }));
        }
        synced
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.disk.call(Call::Lock, |_, _| self.real.try_lock())
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let path: PathBuf = path.to_owned();
        self.disk.call(Call::Look, |_, _| self.real.is_at(&path))
    }

    fn finish(&self) -> io::Result<()> {
        self.disk.call(Call::Finish, |_, _| self.real.finish())
    }
}
