//! A folder to work in, and what is in it as a value.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use xxhash_rust::xxh3::Xxh3Default;

/// The book every scenario is about.
pub const BOOK: &str = "book.tabia";
/// Its journal.
pub const JOURNAL: &str = "book.tabia-journal";
/// What it is called while it is made.
pub const UNFINISHED: &str = "book.tabia-new";

/// The files of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(pub BTreeMap<String, Arc<Vec<u8>>>);

impl Files {
    /// What tells these files from others.
    pub fn id(&self) -> u128 {
        let mut hash = Xxh3Default::new();
        for (name, bytes) in &self.0 {
            hash.update(name.as_bytes());
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        }
        hash.digest128()
    }

    pub fn with(mut self, name: &str, bytes: Vec<u8>) -> Self {
        self.0.insert(name.to_owned(), Arc::new(bytes));
        self
    }

    /// The names of those that are neither the book nor one of its attendants.
    pub fn others(&self) -> impl Iterator<Item = (&String, &Arc<Vec<u8>>)> {
        self.0.iter().filter(|(name, _)| !name.starts_with(BOOK))
    }
}

/// A folder that is filled again and again.
pub struct Ground(TempDir);

impl Ground {
    /// A new folder, in memory if the system has a place for that: real disks are slow to sync.
    pub fn new() -> Self {
        Self::with_room(0)
    }

    /// The same for so many bytes.
    pub fn with_room(bytes: u64) -> Self {
        let memory = Path::new("/dev/shm");
        let there = rustix::fs::statvfs(memory).is_ok_and(|there| there.f_bavail * there.f_frsize >= bytes);
        let folder = there.then(|| tempfile::Builder::new().prefix("tabia-crashes-").tempdir_in(memory).ok()).flatten();
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
        let entries = fs::read_dir(self.folder()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Makes the folder hold these files and nothing else.
    pub fn lay(&self, files: &Files) {
        for name in self.names() {
            if !files.0.contains_key(&name) {
                fs::remove_file(self.folder().join(name)).unwrap();
            }
        }
        for (name, bytes) in &files.0 {
            let path = self.folder().join(name);
            fs::write(&path, &bytes[..]).unwrap();
            if name.ends_with("-new") {
                fs::set_permissions(&path, Permissions::from_mode(0o1644)).unwrap();
            }
        }
    }

    /// What the folder holds.
    pub fn files(&self) -> Files {
        let entries = fs::read_dir(self.folder()).unwrap().map(|entry| entry.unwrap());
        Files(entries.map(|entry| (entry.file_name().into_string().unwrap(), Arc::new(fs::read(entry.path()).unwrap()))).collect())
    }
}
