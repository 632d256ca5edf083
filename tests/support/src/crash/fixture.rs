//! A folder to work in, and what is in it as a value.

use std::collections::BTreeMap;
use std::fs::{self, Metadata, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_128;

/// The book every scenario is about.
pub const BOOK: &str = "book.tabia";
/// Its journal.
pub const JOURNAL: &str = "book.tabia-journal";
/// What it is called while it is made.
pub const UNFINISHED: &str = "book.tabia-new";
/// What its journal is called while it is made.
pub const UNFINISHED_JOURNAL: &str = "book.tabia-journal-new";
/// The mode bit of files in the making: the sticky bit.
const MARK: u32 = 0o1000;

/// What has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file, and whether it is marked as one in the making.
    File {
        bytes: Arc<Vec<u8>>,
        unfinished: bool,
    },
    /// Another name of the file that has this one.
    Twin(String),
    /// A symbolic link to this path.
    Link(String),
    Folder,
    Pipe,
}

/// The files of a folder, and of folders in it: `a/b` is in the folder `a`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(pub BTreeMap<String, Entry>);

impl Files {
    /// What tells these files from others.
    pub fn id(&self) -> u128 {
        let mut all = Vec::new();
        for (name, entry) in &self.0 {
            all.extend_from_slice(name.as_bytes());
            let (kind, bytes): (u8, &[u8]) = match entry {
                Entry::File { bytes, unfinished } => (u8::from(*unfinished), bytes),
                Entry::Twin(of) => (2, of.as_bytes()),
                Entry::Link(to) => (3, to.as_bytes()),
                Entry::Folder => (4, &[]),
                Entry::Pipe => (5, &[]),
            };
            all.extend_from_slice(&[0, kind]);
            all.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            // Hashing a file at once is several times as fast as in parts.
            all.extend_from_slice(&xxh3_128(bytes).to_le_bytes());
        }
        xxh3_128(&all)
    }

    /// These and a file; one whose name is that of a file in the making is one.
    pub fn with(self, name: &str, bytes: Vec<u8>) -> Self {
        let unfinished = name.ends_with("-new");
        self.and(name, Entry::File { bytes: bytes.into(), unfinished })
    }

    /// These and whatever it is.
    pub fn and(mut self, name: &str, entry: Entry) -> Self {
        self.0.insert(name.to_owned(), entry);
        self
    }

    /// These and those.
    pub fn joined(&self, more: &Self) -> Self {
        Self(self.0.clone().into_iter().chain(more.0.clone()).collect())
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The bytes of the file that has this name; none if nothing has it, or no file.
    pub fn bytes(&self, name: &str) -> Option<&Arc<Vec<u8>>> {
        match self.0.get(name)? {
            Entry::File { bytes, .. } => Some(bytes),
            Entry::Twin(of) => self.bytes(of),
            _ => None,
        }
    }

    /// Those that are neither the book nor one of its attendants: what each is, a second name being
    /// as good as a first.
    pub fn others(&self) -> impl Iterator<Item = (&String, &Entry, Option<&Arc<Vec<u8>>>)> {
        let others = self.0.iter().filter(|(name, _)| !name.starts_with(BOOK));
        others.map(|(name, entry)| match entry {
            Entry::File { bytes, .. } => (name, &Entry::Folder, Some(bytes)),
            Entry::Twin(of) => (name, &Entry::Folder, self.bytes(of)),
            other => (name, other, None),
        })
    }

    /// The number of each name's file, in the order of first names, and those files.
    pub fn numbered(&self) -> (BTreeMap<String, usize>, Vec<(Arc<Vec<u8>>, bool)>) {
        let (mut numbers, mut files) = (BTreeMap::new(), Vec::new());
        for (name, entry) in &self.0 {
            match entry {
                Entry::File { bytes, unfinished } => {
                    numbers.insert(name.clone(), files.len());
                    files.push((bytes.clone(), *unfinished));
                }
                Entry::Twin(of) => drop(numbers.insert(name.clone(), numbers[of])),
                _ => {}
            }
        }
        (numbers, files)
    }
}

/// A folder that is filled again and again.
pub struct Fixture(TempDir);

impl Fixture {
    /// A new folder, in memory if the system has a place for that: real disks are slow to sync.
    pub fn new() -> Self {
        Self::with_room(0)
    }

    /// The same for so many bytes.
    pub fn with_room(bytes: u64) -> Self {
        let memory = Path::new("/dev/shm");
        let there =
            rustix::fs::statvfs(memory).is_ok_and(|there| there.f_bavail * there.f_frsize >= bytes);
        let folder = there
            .then(|| tempfile::Builder::new().prefix("tabia-crashes-").tempdir_in(memory).ok())
            .flatten();
        Self(folder.unwrap_or_else(|| tempfile::tempdir().unwrap()))
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    pub fn book(&self) -> PathBuf {
        self.0.path().join(BOOK)
    }

    /// The names of the files in the folder, in order.
    pub fn names(&self) -> Vec<String> {
        self.files().0.into_keys().collect()
    }

    /// Makes the folder hold these files and nothing else.
    pub fn fill(&self, files: &Files) {
        for entry in fs::read_dir(self.folder()).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                fs::remove_dir_all(entry.path()).unwrap();
            } else {
                fs::remove_file(entry.path()).unwrap();
            }
        }
        files.0.iter().for_each(|(name, entry)| self.put(name, entry));
    }

    fn put(&self, name: &str, entry: &Entry) {
        let path = self.folder().join(name);
        if name.contains('/') {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
        }
        match entry {
            Entry::File { bytes, unfinished } => {
                let mode = if *unfinished { MARK | 0o644 } else { 0o644 };
                OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .mode(mode)
                    .open(path)
                    .unwrap()
                    .write_all(bytes)
                    .unwrap();
            }
            Entry::Twin(of) => fs::hard_link(self.folder().join(of), path).unwrap(),
            Entry::Link(to) => symlink(to, path).unwrap(),
            Entry::Folder => fs::create_dir(path).unwrap(),
            Entry::Pipe => rustix::fs::mknodat(
                rustix::fs::CWD,
                path,
                rustix::fs::FileType::Fifo,
                0o644.into(),
                0,
            )
            .unwrap(),
        }
    }

    /// What the folder holds.
    pub fn files(&self) -> Files {
        let mut paths = BTreeMap::new();
        list(self.folder(), "", &mut paths);
        let mut first_names = BTreeMap::new();
        Files(
            paths
                .into_iter()
                .map(|(name, metadata)| {
                    let entry = self.entry(&name, &metadata, &mut first_names);
                    (name, entry)
                })
                .collect(),
        )
    }

    fn entry(
        &self,
        name: &str,
        metadata: &Metadata,
        first_names: &mut BTreeMap<u64, String>,
    ) -> Entry {
        let path = self.folder().join(name);
        if metadata.is_symlink() {
            return Entry::Link(fs::read_link(path).unwrap().to_str().unwrap().to_owned());
        } else if metadata.is_dir() {
            return Entry::Folder;
        } else if !metadata.is_file() {
            return Entry::Pipe;
        }
        if metadata.nlink() > 1 {
            if let Some(first) = first_names.get(&metadata.ino()) {
                return Entry::Twin(first.clone());
            }
            first_names.insert(metadata.ino(), name.to_owned());
        }
        Entry::File {
            bytes: fs::read(path).unwrap().into(),
            unfinished: metadata.mode() & MARK != 0,
        }
    }
}

/// All that is in a folder and in folders in it, by name.
fn list(folder: &Path, before: &str, all: &mut BTreeMap<String, Metadata>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{before}{}", entry.file_name().to_str().unwrap());
        let metadata = entry.metadata().unwrap();
        let is_filled = metadata.is_dir() && fs::read_dir(entry.path()).unwrap().next().is_some();
        if is_filled {
            list(&entry.path(), &format!("{name}/"), all);
        } else {
            all.insert(name, metadata);
        }
    }
}

/// What some work leaves in an empty folder.
pub fn stage(work: impl FnOnce(&Fixture)) -> Files {
    let fixture = Fixture::new();
    work(&fixture);
    fixture.files()
}
