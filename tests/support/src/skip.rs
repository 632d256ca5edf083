//! Tests that need what is not on every machine.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;
use std::path::{Path, PathBuf};

/// Reports that the calling test is skipped, and why; the test returns then. `./test.sh` lists
/// what was skipped: each goes as a line `test: reason` into the file that `TABIA_SKIPS` names.
///
/// # Panics
///
/// With `TABIA_ALL=1`, where everything that tests need has to be there.
#[track_caller]
pub fn skip(reason: impl Display) {
    let thread = std::thread::current();
    let test = match thread.name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => Location::caller().to_string(),
    };
    println!("skipped: {test}: {reason}");
    if let Some(path) = std::env::var_os("TABIA_SKIPS") {
        let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        // One call: other tests write to the file at the same time.
        file.write_all(format!("{test}: {reason}\n").as_bytes()).unwrap();
    }
    assert!(std::env::var_os("TABIA_ALL").is_none_or(|value| value != "1"), "skipped: {reason}");
}

/// A file or folder of `../shared/data` beside the repository, or none, reported by [`skip`].
#[track_caller]
pub fn data(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let found = Some(root.join(path)).filter(|path| path.exists());
    if found.is_none() {
        skip(format_args!("../shared/data/{path} is not there"));
    }
    found
}

/// A program in the `PATH` or in `/usr/games`, or none, reported by [`skip`].
#[track_caller]
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let found = folders.find_map(|folder| Some(folder.join(name)).filter(|file| file.is_file()));
    if found.is_none() {
        skip(format_args!("{name} is not installed"));
    }
    found
}
