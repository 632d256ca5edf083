//! The page: files that are part of this program.

use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::sources::Sources;

/// A file of the page.
struct File {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal $kind:literal),* $(,)?) => {
        [$(File { name: $name, kind: $kind, bytes: include_bytes!(concat!("page/", $name)) }),*]
    };
}

const FILES: &[File] = &files![
    "index.html" "text/html; charset=utf-8",
    "page.css" "text/css; charset=utf-8",
    "board.js" "text/javascript; charset=utf-8",
    "compare.js" "text/javascript; charset=utf-8",
    "coverage.js" "text/javascript; charset=utf-8",
    "dom.js" "text/javascript; charset=utf-8",
    "files.js" "text/javascript; charset=utf-8",
    "games.js" "text/javascript; charset=utf-8",
    "main.js" "text/javascript; charset=utf-8",
    "panels.js" "text/javascript; charset=utf-8",
    "pieces.js" "text/javascript; charset=utf-8",
    "record.js" "text/javascript; charset=utf-8",
    "source.js" "text/javascript; charset=utf-8",
    "source_error.js" "text/javascript; charset=utf-8",
    "state.js" "text/javascript; charset=utf-8",
    "stats.js" "text/javascript; charset=utf-8",
    "table.js" "text/javascript; charset=utf-8",
    "theme.js" "text/javascript; charset=utf-8",
    "walk.js" "text/javascript; charset=utf-8",
];

/// The files of the page, by their names.
pub fn files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    FILES.iter().map(|file| (file.name, file.bytes))
}

/// The page.
pub fn page(_: &Sources, request: &Request) -> Answered {
    file("index.html", request)
}

/// Another file of it.
pub fn asset(_: &Sources, request: &Request) -> Answered {
    file(request.part("file")?, request)
}

fn file(name: &str, request: &Request) -> Answered {
    let found = FILES.iter().find(|file| file.name == name);
    let file = found.ok_or_else(|| Refusal::Missing("not found".to_owned()))?;
    // As the program, so its page.
    let version = env!("CARGO_PKG_VERSION");
    let version = format!("{version}-{:08x}", xxhash_rust::xxh3::xxh3_64(file.bytes));
    request.check_new(&version)?;
    Ok(Reply::new(file.kind, file.bytes).of_version(&version).checked_each_time())
}
