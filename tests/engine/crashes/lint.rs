//! Nothing writes to the disk around the one door: a look at the source of the engine and of the
//! tools.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let rust = files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// A part of the list of doors and of what is excused: its lines behind this heading.
fn listed(heading: &str) -> Vec<&'static str> {
    let parts = include_str!("lint.txt").split("\n## ");
    let part = parts.filter_map(|part| part.strip_prefix(heading)).next().unwrap();
    part.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// What a search looks for, and the lines that may have it, by their file and what they contain.
struct Doors {
    doors: Vec<&'static str>,
    allowed: Vec<(&'static str, &'static str)>,
}

impl Doors {
    fn of_the_engine() -> Self {
        let mut all = Self::of("Lines of the engine that may");
        all.doors.extend(listed("What the engine may not do either"));
        all
    }

    fn of_tools() -> Self {
        Self::of("Lines of tools that may")
    }

    fn of(excuses: &str) -> Self {
        let doors = listed("What changes a disk, or opens a way to");
        let excuses = listed(excuses).into_iter();
        Self { doors, allowed: excuses.map(|line| line.split_once(" | ").unwrap()).collect() }
    }

    /// The lines of a source that go around the door: each is given with its number.
    fn trespasses(&self, name: &str, source: &str) -> Vec<String> {
        // What stands behind is for tests only: a module of tests is the last thing in a file.
        let source = source.split("mod tests {").next().unwrap_or_default();
        let is_allowed = |line: &str| {
            self.allowed.iter().any(|(file, part)| *file == name && line.contains(part))
        };
        let bad = |line: &&str| {
            // The door's own files, whose names are like a door's; and what only speaks: comments and
            // their examples.
            let plain = line
                .replace("AtomicFile", "Atomic")
                .replace("NewFile", "New")
                .replace("GamesFile", "Games");
            let speaks = plain.trim_start().starts_with("//");
            self.doors.iter().any(|door| plain.contains(door)) && !is_allowed(line) && !speaks
        };
        let lines = source.lines().zip(1..).filter(|(line, _)| bad(line));
        lines.map(|(line, number)| format!("{name}:{number}: {}", line.trim())).collect()
    }

    /// Goes through the sources in a folder of the repository, of which at least `least` are to be
    /// searched: nothing goes around the door.
    fn search(&self, folder: &str, least: usize, is_excused: impl Fn(&str) -> bool) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let (mut searched, mut all) = (0, Vec::new());
        for path in sources(&root) {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
            if !is_excused(name) {
                searched += 1;
                all.extend(self.trespasses(name, &fs::read_to_string(&path).unwrap()));
            }
        }
        println!("{searched} files of {folder} read, {} lines go around the storage", all.len());
        assert!(
            searched > least && all.is_empty(),
            "make these files by tabia::AtomicFile or a Storage, or excuse them in lint.txt:\n{}",
            all.join("\n")
        );
    }
}

#[test]
fn nothing_writes_to_the_disk_around_the_storage_trait() {
    // The door, what systems have of it, and a module of tests in a file of its own.
    let excused = ["storage.rs", "column/carried.rs"];
    let is_excused = |name: &str| excused.contains(&name) || name.starts_with("platform");
    Doors::of_the_engine().search("src", 20, is_excused);
}

#[test]
fn t11_no_tool_makes_files_around_the_storage_trait() {
    Doors::of_tools().search("tools", 100, |name| !name.contains("/src/"));
}

#[test]
fn the_lint_sees_what_it_looks_for() {
    let (engine, tools) = (Doors::of_the_engine(), Doors::of_tools());
    let found = |name: &str, line: &str| engine.trespasses(name, line).len();
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
    let found = |name: &str, line: &str| tools.trespasses(name, line).len();
    assert_eq!(found("proxy/src/log.rs", "OpenOptions::new()"), 0);
    assert_eq!(found("proxy/src/relay.rs", "OpenOptions::new()"), 1);
    assert_eq!(found("cli/src/verbs/dump.rs", "let file = File::create(path)?;"), 1);
    assert_eq!(found("cli/src/verbs/dump.rs", "let file = NewFile::create(path)?;"), 0);
}
