//! The processes that are started: this program again, told by an environment variable what to be.

use super::versions::{next, version_of};
use crate::books::{open, open_writer};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tabia::{Env, Existing, MergeOptions, merge};

const ROLE: &str = "TABIA_DEATHS_ROLE";
const BOOK: &str = "TABIA_DEATHS_BOOK";

/// Starts this program in another role.
pub fn start(role: &str, book: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "kills::child::a_child_plays_its_role",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(ROLE, role)
        .env(BOOK, book)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// The main function of a child; in the test run itself it has no role, and does nothing.
#[test]
fn a_child_plays_its_role() {
    let (Ok(role), Ok(book)) = (std::env::var(ROLE), std::env::var(BOOK)) else { return };
    let book = PathBuf::from(book);
    match role.as_str() {
        "writer" => write_forever(&book),
        "merger" => merge_forever(&book),
        "reader" => read_until_told(&book),
        _ => panic!("no such role: {role}"),
    }
}

fn say(line: impl std::fmt::Display) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "said {line}").unwrap();
    out.flush().unwrap();
}

/// Appends batches and compacts now and then, into the other layout every other time; says the version after each batch that was
/// acknowledged.
fn write_forever(path: &Path) {
    let mut writer = open_writer(path);
    let mut version = version_of(&open(path));
    loop {
        for _ in 0..1 + version % 4 {
            writer.append(&next()).unwrap();
            version += 1;
            say(version);
        }
        let packed = writer.header().packed;
        writer.compact_as(packed != version.is_multiple_of(2)).unwrap();
    }
}

/// Merges a book with another one over and over, each time into the same place, in either layout.
fn merge_forever(path: &Path) {
    let other = path.with_extension("other");
    let output = path.with_extension("merged");
    for packed in [false, true].into_iter().cycle() {
        let books = [open(path), open(&other)];
        merge(
            &Env::default(),
            &output,
            &books,
            MergeOptions {
                existing: Existing::Replace,
                packed: Some(packed),
                ..MergeOptions::default()
            },
        )
        .unwrap();
        say("merged");
    }
}

/// Reads over and over until a file `BOOK.stop` is there; says how often it read and how many
/// versions it saw. Every version is a whole one, and none is older than the one before, nor than
/// what was acknowledged before the book was opened.
fn read_until_told(path: &Path) {
    let (mut reads, mut versions, mut last) = (0u64, 0u64, 0);
    let mut book = open(path);
    while !path.with_extension("stop").exists() {
        let acknowledged = std::fs::read_to_string(path.with_extension("acknowledged"))
            .unwrap_or_default()
            .parse()
            .unwrap_or(0);
        book.refresh().unwrap();
        let version = version_of(&book);
        let holds = version >= last && version >= acknowledged;
        assert!(holds, "version {version} after {last}, acknowledged {acknowledged}");
        versions += u64::from(version != last);
        last = version;
        reads += 1;
    }
    say(format_args!("{reads} {versions}"));
}

pub fn heard(output: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(output)
        .lines()
        .filter_map(|line| line.split_once("said ").map(|(_, said)| said.to_owned()))
        .collect()
}
