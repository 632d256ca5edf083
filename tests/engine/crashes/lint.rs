//! Nothing writes to the disk around the one door: a look at the source of the engine and of the
//! tools.

use std::fs;
use std::path::{Path, PathBuf};

/// What changes a disk, or opens a way to. Tools write to standard output, sockets and children, but
/// make files by the engine's `AtomicFile` or `Storage`.
const DOORS: &[&str] = &[
    "fs::write",
    "fs::rename",
    "fs::remove",
    "fs::create_dir",
    "fs::copy",
    "fs::hard_link",
    "::symlink(",
    "File::create",
    "File::options",
    "OpenOptions",
    "DirBuilder",
    "set_len(",
    "set_permissions",
    "sync_all",
    "sync_data",
    "tempfile",
    ".persist",
];

/// What the engine may not do either.
const DOORS_OF_THE_ENGINE: &[&str] = &[
    "unix::create_unfinished",
    "unix::finish",
    "unix::rename_new",
    "unix::without_links",
    "fs::soft_link",
    "set_modified",
    "set_times",
    "write_at",
    "write_all",
    "io::Write",
    "Write as",
    "BufWriter",
    "LineWriter",
    "io::copy",
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

/// Lines that may speak of such things, by the file they stand in and what they contain: each goes
/// through the door, or only speaks.
const ALLOWED: &[(&str, &str)] = &[
    // Methods of the door's own files.
    ("publish.rs", "self.file().write_all_at(bytes, offset)"),
    ("publish.rs", "self.file.file().write_at(bytes, self.len)"),
    ("journal/append.rs", "file.set_len("),
    ("journal/append.rs", "file.write_all_at("),
    ("sort/run.rs", "file.write_all_at("),
    // Looks for the holes of a file.
    ("bytes.rs", "use rustix::fs::{SeekFrom, seek};"),
    ("bytes.rs", "use rustix::io::Errno;"),
    // A writer into a file of the door.
    ("publish.rs", "impl io::Write for AtomicWriter"),
    // Numbers as text, in memory.
    ("format/mod.rs", "impl fmt::"),
    ("row/mod.rs", "impl std::fmt::"),
];

/// All Rust files of a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let rust = files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// Lines of tools that may, and why.
const ALLOWED_TO_TOOLS: &[(&str, &str)] = &[
    // Files of a storage.
    ("build/src/dedup/log.rs", "file.set_len("),
    ("build/src/skipped_list.rs", "copy.set_len(0)"),
    ("gamefile/src/sorter.rs", "file.set_len(0)"),
    // The folder of an interrupted build: made and removed as a whole; its files are a storage's.
    ("build/src/parts.rs", "fs::create_dir(&self.folder)"),
    ("build/src/parts.rs", "fs::remove_file(entry"),
    ("build/src/parts.rs", "fs::remove_dir(folder)"),
    // A folder of its own for a book that is salvaged, removed whatever comes of it.
    ("build/src/whole.rs", "tempfile::Builder"),
    // Folders of books and of pages, whose files are made by the door; what says that they are whole
    // is made last.
    ("cli/src/verbs/build/shelf.rs", "fs::create_dir_all(folder)"),
    ("cli/src/verbs/site.rs", "fs::create_dir_all(path.parent()"),
    // Books of players, in a folder of the system's for what may go, until the server ends.
    ("serve/src/players.rs", "fs::remove_file(source.path())"),
    ("serve/src/players.rs", "fs::remove_file(files.path(BookFile::Games))"),
    ("cli/src/verbs/serve/players.rs", "DirBuilder"),
    ("cli/src/verbs/serve/players.rs", "fs::remove_dir_all(&self.folder)"),
    // Sockets, which hold nothing.
    ("serve/src/listen.rs", "std::fs::remove_file(path)"),
    // Files in the making, removed by a process that is out of memory.
    ("cli/src/disk.rs", "std::fs::remove_file(name)"),
    // Grows by a game at a time, and is cut to the last whole one when a match is resumed.
    ("match/src/games_file.rs", "OpenOptions"),
    ("match/src/games_file.rs", ".set_len(end)"),
    ("match/src/games_file.rs", "self.file.sync_data()"),
    // A log that grows by a line at a time.
    ("proxy/src/log.rs", "OpenOptions"),
    // Grows by a line a game, durable before the overlay's batch is; a line without its batch is cut
    // off when it is opened.
    ("grow/src/learning/learned_list.rs", "OpenOptions"),
    ("grow/src/learning/learned_list.rs", "file.set_len("),
    ("grow/src/learning/learned_list.rs", "file.sync_data()"),
    // What was made for games of which none could be played.
    ("cli/src/verbs/learn.rs", "fs::remove_file("),
];

/// The lines of a source that go around the door: each is given with its number.
fn trespasses(name: &str, source: &str, more: &[&str], allowed: &[(&str, &str)]) -> Vec<String> {
    // What stands behind is for tests only: a module of tests is the last thing in a file.
    let source = source.split("\nmod tests {").next().unwrap_or_default();
    let allowed =
        |line: &str| allowed.iter().any(|(file, part)| *file == name && line.contains(part));
    let bad = |line: &&str| {
        // The door's own files, whose names are like a door's; and what only speaks: comments and
        // their examples.
        let plain = line
            .replace("AtomicFile", "Atomic")
            .replace("NewFile", "New")
            .replace("GamesFile", "Games");
        let speaks = plain.trim_start().starts_with("//");
        DOORS.iter().chain(more).any(|door| plain.contains(door)) && !allowed(line) && !speaks
    };
    source
        .lines()
        .zip(1..)
        .filter(|(line, _)| bad(line))
        .map(|(line, number)| format!("{name}:{number}: {}", line.trim()))
        .collect()
}

/// Goes through the sources in a folder of the repository, of which at least `least` are to be
/// searched: nothing goes around the door.
fn search(
    folder: &str,
    (more, allowed): (&[&str], &[(&str, &str)]),
    least: usize,
    is_excused: impl Fn(&str) -> bool,
) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut searched, mut all) = (0, Vec::new());
    for path in sources(&root) {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
        if !is_excused(name) {
            searched += 1;
            all.extend(trespasses(name, &fs::read_to_string(&path).unwrap(), more, allowed));
        }
    }
    println!("{searched} files of {folder} read, {} lines go around the storage trait", all.len());
    assert!(
        searched > least && all.is_empty(),
        "make these files by tabia::AtomicFile or a Storage, or excuse them here:\n{}",
        all.join("\n")
    );
}

#[test]
fn nothing_writes_to_the_disk_around_the_storage_trait() {
    // The door, what only Unix has of it, and a module of tests in a file of its own.
    let excused = ["storage.rs", "unix.rs", "column/carried.rs"];
    search("src", (DOORS_OF_THE_ENGINE, ALLOWED), 20, |name| excused.contains(&name));
}

#[test]
fn t11_no_tool_makes_files_around_the_storage_trait() {
    search("tools", (&[], ALLOWED_TO_TOOLS), 100, |name| !name.contains("/src/"));
}

#[test]
fn the_lint_sees_what_it_looks_for() {
    let found = |name: &str, line: &str| trespasses(name, line, DOORS_OF_THE_ENGINE, ALLOWED).len();
    for line in [
        "std::fs::write(path, b\"\")?;",
        "    fs::rename(a, b)",
        "File::create(path)",
        "file.sync_all()",
        "tempfile::tempfile()",
    ] {
        assert_eq!(found("journal/append.rs", line), 1, "{line}");
    }
    assert_eq!(found("merge.rs", "#[cfg(test)]\nmod tests {\nfs::write(path)"), 0);
    let found = |name: &str, line: &str| trespasses(name, line, &[], ALLOWED_TO_TOOLS).len();
    assert_eq!(found("proxy/src/log.rs", "OpenOptions::new()"), 0);
    assert_eq!(found("proxy/src/relay.rs", "OpenOptions::new()"), 1);
    assert_eq!(found("cli/src/verbs/dump.rs", "let file = File::create(path)?;"), 1);
    assert_eq!(found("cli/src/verbs/dump.rs", "let file = NewFile::create(path)?;"), 0);
}
