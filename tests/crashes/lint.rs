//! Nothing writes to the disk around the one door: a look at the engine's source.

use std::fs;
use std::path::{Path, PathBuf};

/// What changes a disk, or opens a way to.
const DOORS: [&str; 38] = [
    "fs::write",
    "fs::rename",
    "fs::remove",
    "fs::create_dir",
    "fs::copy",
    "fs::hard_link",
    "fs::set_permissions",
    "fs::soft_link",
    "::symlink(",
    "File::create",
    "File::options",
    "OpenOptions",
    "OpenOptionsExt",
    "DirBuilder",
    "set_len",
    "set_permissions",
    "set_modified",
    "set_times",
    "sync_all",
    "sync_data",
    "write_at",
    "write_all_at",
    "write_all",
    "io::Write",
    "Write as",
    "BufWriter",
    "LineWriter",
    "io::copy",
    "tempfile",
    "NamedTempFile",
    "TempDir",
    "rustix",
    "libc::",
    "MmapMut",
    "MmapOptions",
    "map_mut",
    "Command::new",
    "renameat",
];

/// Lines that may speak of such things, by the file they stand in and what they contain: each goes through the door, or only speaks.
const ALLOWED: &[(&str, &str)] = &[
    // Methods of the door's own files.
    ("publish.rs", "self.file().write_all_at(bytes, offset)"),
    ("publish.rs", "self.file.file().write_at(bytes, self.len)"),
    ("journal/append.rs", "file.set_len("),
    ("journal/append.rs", "file.write_all_at("),
    ("sort/run.rs", "run.file.write_all_at("),
    // Looks for the holes of a file.
    ("bytes.rs", "use rustix::fs::{SeekFrom, seek};"),
    ("bytes.rs", "use rustix::io::Errno;"),
    // A writer into a file of the door.
    ("publish.rs", "impl io::Write for AtomicWriter"),
    ("publish.rs", "/// # let folder = tempfile::tempdir()"),
    // Numbers as text, in memory.
    ("format/mod.rs", "impl fmt::"),
    ("row/mod.rs", "impl std::fmt::"),
    // A documentation comment's example.
    ("book.rs", "/// # let folder = tempfile::tempdir()"),
    ("book.rs", "/// NewBook::new("),
];

/// All Rust files of a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// The lines of a source that go around the door.
fn trespasses(name: &str, source: &str) -> Vec<String> {
    // What stands behind is for tests only: a module of tests is the last thing in a file.
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let allowed = |line: &str| ALLOWED.iter().any(|(file, part)| *file == name && line.contains(part));
    let bad = |line: &&str| {
        // The door's own file, whose name is like a door's.
        let plain = line.replace("AtomicFile", "Atomic");
        DOORS.iter().any(|door| plain.contains(door)) && !allowed(line) && !line.trim_start().starts_with("//! ")
    };
    source.lines().zip(1..).filter(|(line, _)| bad(line)).map(|(line, number)| format!("src/{name}:{number}: {}", line.trim())).collect()
}

#[test]
fn nothing_writes_to_the_disk_around_the_storage_trait() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    let files = sources(&root);
    for path in &files {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
        if name != "storage.rs" {
            all.extend(trespasses(name, &fs::read_to_string(path).unwrap()));
        }
    }
    println!("{} files of the engine read, {} lines write around the storage trait", files.len(), all.len());
    assert!(
        files.len() > 20 && all.is_empty(),
        "only src/storage.rs may write to the disk; put these through its trait:\n{}",
        all.join("\n")
    );
}

#[test]
fn the_lint_sees_what_it_looks_for() {
    for line in ["std::fs::write(path, b\"\")?;", "    fs::rename(a, b)", "File::create(path)", "file.sync_all()", "tempfile::tempfile()"] {
        assert_eq!(trespasses("journal/append.rs", line).len(), 1, "{line}");
    }
    assert_eq!(trespasses("merge.rs", "#[cfg(test)]\nmod tests {\nfs::write(path)").len(), 0);
}
