//! The simulated disk: a [`Storage`] on a real folder that keeps a trace of all that is done to it,
//! and fails or dies at the call it is told to.
//!
//! The engine reads real files, so what was written before a failure is there to be read, as it is
//! after the death of a process. What is there after the death of the machine is for `power` to
//! say, from the trace.

use super::fixture::{Files, Fixture};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use tabia::Env;
use tabia::storage::{Leftover, Missing, Storage, StorageFile, StorageFolder, System};

pub const EIO: i32 = 5;
pub const ENOSPC: i32 = 28;
const EINTR: i32 = 4;
/// What every call gives once the machine is off.
pub const OFF: &str = "the machine is off";

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
    /// Nothing is done: EIO. A sync that fails so may or may not have written, and no later one
    /// makes up for it.
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
            Self::Lied => {
                let sizes = matches!(call, Call::SetLen | Call::Sync | Call::SyncFolder);
                sizes || matches!(call, Call::Rename | Call::Remove | Call::Finish)
            }
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

/// Something that happened to the disk, or to those who use it. Files are numbered in the order in
/// which they appeared; names are as in [`Files`].
#[derive(Clone, Debug)]
pub enum Event {
    /// A file came to be, marked as one in the making or not.
    Create {
        name: String,
        file: usize,
        unfinished: bool,
    },
    Write {
        file: usize,
        offset: u64,
        bytes: Vec<u8>,
    },
    SetLen {
        file: usize,
        len: u64,
    },
    /// The mark of a file in the making was taken away.
    Finish {
        file: usize,
    },
    Sync {
        file: usize,
    },
    SyncFailed {
        file: usize,
    },
    Rename {
        from: String,
        to: String,
        file: usize,
    },
    Remove {
        name: String,
        file: usize,
    },
    /// The names in this folder were made durable; "" is the one that all others are in.
    SyncFolder {
        folder: String,
    },
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

/// A process that uses the disk.
#[derive(Default)]
struct Process {
    calls: Vec<Call>,
    /// What it will meet.
    faults: Vec<Meeting>,
    full: bool,
    off: bool,
}

struct Inner {
    /// Those that are at work at a time: one, or two that take turns.
    processes: [Process; 2],
    turns: Turns,
    trace: Vec<Event>,
    /// Which file has which name.
    names: BTreeMap<String, usize>,
    files: usize,
}

/// Who of two processes may make the next call.
#[derive(Default)]
struct Turns {
    /// Whether there are two.
    taken: bool,
    /// Whose turn it is,
    whose: usize,
    /// and for how many calls more; none if the plan says nothing more.
    left: Option<usize>,
    /// How many calls the other may make then, and so on in turns.
    plan: VecDeque<usize>,
    ended: [bool; 2],
}

impl Turns {
    /// Goes on to the other one.
    fn pass(&mut self) {
        self.whose = 1 - self.whose;
        self.left = self.plan.pop_front();
    }

    /// Whether this one may make a call now; then it is counted.
    fn admits(&mut self, process: usize) -> bool {
        if !self.taken || self.ended[1 - process] {
            return true;
        }
        if self.whose == process && self.left == Some(0) {
            self.pass();
        }
        if self.whose == process {
            self.left = self.left.map(|left| left - 1);
        }
        self.whose == process
    }
}

/// The disk, as one process sees it.
#[derive(Clone)]
pub struct Disk {
    shared: Arc<(Mutex<Inner>, Condvar)>,
    /// The folder that all is about.
    root: PathBuf,
    process: usize,
}

impl Disk {
    /// A disk with these files on it, all durable, which stand in this folder.
    pub fn new(fixture: &Fixture, files: &Files) -> Self {
        let (names, files) = files.numbered();
        let (processes, turns, trace) = Default::default();
        let inner = Inner { processes, turns, trace, names, files: files.len() };
        Self {
            shared: Arc::new((Mutex::new(inner), Condvar::new())),
            root: fixture.folder().to_owned(),
            process: 0,
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.shared.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Starts a process, which will meet each of these faults at the call with its number.
    pub fn start(&self, faults: impl IntoIterator<Item = (usize, Fault)>) {
        let meetings = faults.into_iter();
        let meetings = meetings.map(|(before, fault)| Meeting { kind: None, before, fault });
        self.begin(meetings.collect());
    }

    /// Starts a process, which will meet this fault at the call of this kind before which there are
    /// so many of that kind. For a work on several threads, whose calls come in no certain order.
    pub fn start_at(&self, kind: Call, before: usize, fault: Fault) {
        self.begin(vec![Meeting { kind: Some(kind), before, fault }]);
    }

    fn begin(&self, faults: Vec<Meeting>) {
        self.inner().processes[self.process] = Process { faults, ..Process::default() };
    }

    /// Two processes that take turns: the first makes so many calls as the plan begins with, then
    /// the second so many as come next, and so on; after the plan's end whoever's turn it is makes
    /// all of theirs.
    pub fn in_turns(&self, plan: &[usize]) -> [Self; 2] {
        let mut plan: VecDeque<_> = plan.iter().copied().collect();
        let left = plan.pop_front();
        self.inner().turns = Turns { taken: true, left, plan, ..Turns::default() };
        [0, 1].map(|process| Self { process, ..self.clone() })
    }

    /// Waits until it is this process's turn.
    pub fn wait(&self) {
        let mut inner = self.inner();
        while !(inner.turns.whose == self.process || inner.turns.ended[1 - self.process]) {
            inner = self.shared.1.wait(inner).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    /// This process has ended: the other one makes all calls from now on.
    pub fn end(&self) {
        let mut inner = self.inner();
        inner.turns.ended[self.process] = true;
        inner.turns.whose = 1 - self.process;
        self.shared.1.notify_all();
    }

    pub fn env(&self) -> Env<'_> {
        Env { storage: self, progress: &() }
    }

    pub fn mark(&self, mark: Mark) {
        self.inner().trace.push(Event::Mark(mark));
    }

    /// The calls of the last process.
    pub fn calls(&self) -> Vec<Call> {
        self.inner().processes[self.process].calls.clone()
    }

    pub fn trace(&self) -> Vec<Event> {
        self.inner().trace.clone()
    }

    /// The trace since it was last taken.
    pub fn take_trace(&self) -> Vec<Event> {
        std::mem::take(&mut self.inner().trace)
    }

    /// Looks at the trace without a copy of it: that of a large book is as large.
    pub fn with_trace<T>(&self, look: impl FnOnce(&[Event]) -> T) -> T {
        look(&self.inner().trace)
    }

    pub fn trace_len(&self) -> usize {
        self.inner().trace.len()
    }

    /// Waits until this process may make a call, and makes it known to the other one that it has
    /// gone on.
    fn take_turn(&self) -> MutexGuard<'_, Inner> {
        let mut inner = self.inner();
        while !inner.turns.admits(self.process) {
            self.shared.1.notify_all();
            inner = self.shared.1.wait(inner).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        inner
    }

    /// Does a call, or what becomes of it. `work` is given whether to do only half.
    fn call<T>(
        &self,
        call: Call,
        work: impl FnOnce(&mut Inner, Share) -> io::Result<T>,
    ) -> io::Result<T> {
        let inner = &mut *self.take_turn();
        let process = &mut inner.processes[self.process];
        if process.off {
            return Err(io::Error::other(OFF));
        }
        process.calls.push(call);
        let code = io::Error::from_raw_os_error;
        let met = process.faults.iter_mut().map(|meeting| meeting.is_at(call)).collect::<Vec<_>>();
        let Some(met) = met.iter().position(|met| *met) else {
            let starved = process.full && Fault::Full.befalls(call);
            return if starved { Err(code(ENOSPC)) } else { work(inner, Share::Whole) };
        };
        let Meeting { fault, .. } = process.faults.remove(met);
        process.off = fault.kills();
        match fault {
            Fault::Eio => Err(code(EIO)),
            Fault::Enospc => Err(code(ENOSPC)),
            Fault::Full => {
                process.full = true;
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

    /// What the path is called in [`Files`].
    fn name_of(&self, path: &Path) -> String {
        let name = path
            .strip_prefix(&self.root)
            .unwrap_or_else(|_| panic!("{} is elsewhere", path.display()));
        name.to_str().unwrap().to_owned()
    }

    fn renamed(
        &self,
        from: &Path,
        to: &Path,
        rename: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.call(Call::Rename, |inner, _| {
            rename()?;
            let (from, to) = (self.name_of(from), self.name_of(to));
            let file = inner.names.remove(&from).unwrap();
            inner.names.insert(to.clone(), file);
            inner.trace.push(Event::Rename { from, to, file });
            Ok(())
        })
    }

    /// A file that has come to be.
    fn created(
        &self,
        inner: &mut Inner,
        path: &Path,
        real: Box<dyn StorageFile>,
        unfinished: bool,
    ) -> Box<dyn StorageFile> {
        let (name, file) = (self.name_of(path), inner.files);
        inner.files += 1;
        inner.names.insert(name.clone(), file);
        inner.trace.push(Event::Create { name, file, unfinished });
        Box::new(DiskFile { disk: self.clone(), real, file: Some(file) })
    }

    fn opened(&self, file: usize, real: Box<dyn StorageFile>) -> Box<dyn StorageFile> {
        Box::new(DiskFile { disk: self.clone(), real, file: Some(file) })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    Whole,
    Half,
}

impl Storage for Disk {
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>> {
        self.call(Call::Open, |inner, _| {
            let real = System.open(path, missing)?;
            Ok(match inner.names.get(&self.name_of(path)) {
                Some(&file) => self.opened(file, real),
                None => self.created(inner, path, real, false),
            })
        })
    }

    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn StorageFile>> {
        self.call(Call::Create, |inner, _| {
            let real = System.create(path, like)?;
            Ok(self.created(inner, path, real, true))
        })
    }

    fn leftover(&self, path: &Path) -> io::Result<Leftover> {
        self.call(Call::Look, |inner, _| {
            Ok(match System.leftover(path)? {
                Leftover::Unfinished(real) => {
                    Leftover::Unfinished(self.opened(inner.names[&self.name_of(path)], real))
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
            let name = self.name_of(path);
            let file = inner
                .names
                .remove(&name)
                .unwrap_or_else(|| panic!("{name} was removed, and is none of ours"));
            inner.trace.push(Event::Remove { name, file });
            Ok(())
        })
    }

    fn open_folder(&self, folder: &Path) -> io::Result<Box<dyn StorageFolder>> {
        self.call(Call::OpenFolder, |_, _| {
            assert!(folder.is_dir(), "{} is no folder", folder.display());
            // One elsewhere is synced for nothing.
            let folder = folder
                .strip_prefix(&self.root)
                .map_or(folder, |inside| inside)
                .to_str()
                .unwrap()
                .to_owned();
            Ok(Box::new(DiskFolder { disk: self.clone(), folder }) as Box<dyn StorageFolder>)
        })
    }
}

struct DiskFolder {
    disk: Disk,
    folder: String,
}

impl StorageFolder for DiskFolder {
    fn sync(&self) -> io::Result<()> {
        self.disk.call(Call::SyncFolder, |inner, _| {
            inner.trace.push(Event::SyncFolder { folder: self.folder.clone() });
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
            let bytes =
                if share == Share::Half { &bytes[..bytes.len().div_ceil(2)] } else { bytes };
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

    fn names(&self) -> io::Result<u64> {
        self.disk.call(Call::Look, |_, _| self.real.names())
    }

    fn finish(&self) -> io::Result<()> {
        self.disk.call(Call::Finish, |inner, _| {
            self.real.finish()?;
            inner.trace.extend(self.file.map(|file| Event::Finish { file }));
            Ok(())
        })
    }
}
