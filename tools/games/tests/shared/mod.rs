//! Where the shared game data lies, if it does: beside the checkout. Tests that need it say so and
//! pass without it.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::path::PathBuf;

/// A file or folder of the shared data, or none, with a note.
pub fn data(path: &str) -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let found = Some(root.join(path)).filter(|path| path.exists());
    if found.is_none() {
        println!("skipped: {path} is not in {}", root.display());
    }
    found
}

/// The text of a file of the shared data, or none, with a note.
pub fn text(path: &str) -> Option<String> {
    data(path).map(|path| std::fs::read_to_string(path).expect("a readable file"))
}
