//! Disks that are full or read-only. They take mounts of their own, which want the rights of root;
//! without them these tests say that they skipped.

use super::versions::{create, next, version_of};
use crate::books::{checked, merge_new, open, open_writer};
use std::path::{Path, PathBuf};
use std::process::Command;
use tabia::{Env, Error, Writer};

/// A small file system of its own, unmounted when dropped.
struct Mount(tempfile::TempDir);

impl Mount {
    fn new(megabytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mount = Self(folder);
        let size = format!("size={megabytes}m");
        if mount.mount(&["-t", "tmpfs", "-o", &size, "tabia"]) {
            Some(mount)
        } else {
            tabia_testing::skip("mounting a file system takes the rights of root");
            None
        }
    }

    fn mount(&self, arguments: &[&str]) -> bool {
        let status = Command::new("mount")
            .args(arguments)
            .arg(self.0.path())
            .stderr(std::process::Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

fn is_no_space(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull)
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| read(entry.unwrap())).collect();
    files.sort();
    files
}

#[test]
fn a_full_disk_loses_nothing() {
    [false, true].into_iter().for_each(fill_a_disk);
}

fn fill_a_disk(packed: bool) {
    let Some(mount) = Mount::new(4) else { return };
    let path = mount.path("book.tabia");
    create(&path, 20_000, packed);
    // Batches until the journal has no room: those acknowledged stay.
    let mut writer = open_writer(&path);
    let mut acknowledged = 0;
    let error = loop {
        match writer.append(&next()) {
            Ok(_) => acknowledged += 1,
            Err(error) => break error,
        }
    };
    assert!(is_no_space(&error), "{error}");
    assert!(matches!(writer.append(&next()), Err(Error::Poisoned { .. })));
    drop(writer);
    assert!(acknowledged > 0);
    assert_eq!(version_of(&open(&path)), acknowledged);
    // A compaction and a merge have no room either: everything stays as it is.
    let before = files(mount.0.path());
    for packed in [false, true] {
        let error = open_writer(&path).compact_as(packed).unwrap_err();
        assert!(is_no_space(&error), "{error}");
    }
    let books = [open(&path)];
    let error = merge_new(&mount.path("merged.tabia"), &books).unwrap_err();
    assert!(is_no_space(&error), "{error}");
    assert!(files(mount.0.path()) == before);
    assert!(checked(&path).ok());
    // With room again it goes on.
    assert!(mount.mount(&["-o", "remount,size=16m"]));
    let mut writer = open_writer(&path);
    writer.append(&next()).unwrap();
    assert!(writer.compact().unwrap());
    assert_eq!(version_of(&open(&path)), acknowledged + 1);
    println!("a full disk: {acknowledged} acknowledged batches, 0 lost");
}

#[test]
fn a_read_only_disk_can_be_read_and_nothing_else() {
    [false, true].into_iter().for_each(read_a_read_only_disk);
}

fn read_a_read_only_disk(packed: bool) {
    let Some(mount) = Mount::new(4) else { return };
    let path = mount.path("book.tabia");
    create(&path, 100, packed);
    open_writer(&path).append(&next()).unwrap();
    let before = files(mount.0.path());
    assert!(mount.mount(&["-o", "remount,ro"]));
    let book = open(&path);
    assert_eq!(version_of(&book), 1);
    assert!(checked(&path).ok());
    let read_only = |error: &Error| matches!(error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::ReadOnlyFilesystem);
    let error = Writer::open(Env::default(), &path).err().unwrap();
    assert!(read_only(&error), "{error}");
    let error = merge_new(&mount.path("merged.tabia"), &[book]).unwrap_err();
    assert!(read_only(&error), "{error}");
    assert!(files(mount.0.path()) == before);
}
