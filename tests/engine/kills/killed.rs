//! Writers and mergers killed at random moments, on the disk and in memory: nothing acknowledged is
//! lost, nothing is applied twice.

use super::child::{heard, start};
use super::versions::{ROWS, create, version_of};
use crate::books::{checked, open, open_writer};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};
use tabia::mix;
use tabia_testing::Sample;

/// How many children are killed in each folder.
fn kills() -> u64 {
    Sample::one_in(10).count(100)
}

/// A folder on the disk, and one in memory where there is such.
fn folders() -> Vec<tempfile::TempDir> {
    let on_disk = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    [Some(on_disk), tempfile::tempdir_in("/dev/shm").ok()].into_iter().flatten().collect()
}

/// How long a child takes until it says something for the first time: the median of a few.
fn time_to_speak(role: &str, path: &Path) -> Duration {
    let mut times: Vec<_> = (0..5)
        .map(|_| {
            let clock = Instant::now();
            let mut child = start(role, path);
            let said = BufReader::new(child.stdout.take().unwrap())
                .lines()
                .any(|line| line.unwrap().contains("said "));
            let took = clock.elapsed();
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(said, "{role} said nothing");
            took
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// Starts a child, kills it, and returns what it said: every other one after it has spoken, so that
/// it is at work however busy the machine is; the rest at any moment up to then and somewhat later.
fn kill(role: &str, path: &Path, n: u64, time_to_speak: Duration) -> Vec<String> {
    let mut child = start(role, path);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    while !n.is_multiple_of(2) && !said.contains("said ") {
        assert!(output.read_line(&mut said).unwrap() > 0, "{role} said nothing");
    }
    std::thread::sleep(time_to_speak.mul_f64((mix(n + 1) % 1250) as f64 / 1000.0));
    child.kill().unwrap();
    output.read_to_string(&mut said).unwrap();
    child.wait().unwrap();
    heard(said.as_bytes())
}

#[test]
fn a_writer_killed_at_any_moment_loses_nothing_and_doubles_nothing() {
    let kills = kills();
    for (folder, packed) in folders().into_iter().zip([false, true]) {
        let path = folder.path().join("book.tabia");
        create(&path, 20_000, packed);
        let time_to_speak = time_to_speak("writer", &path);
        let (mut version, mut working) = (version_of(&open(&path)), 0);
        for n in 0..kills {
            let said = kill("writer", &path, n, time_to_speak);
            let acknowledged = said.last().map_or(version, |last| last.parse().unwrap());
            working += u64::from(!said.is_empty());
            let found = version_of(&open(&path));
            let holds = found == acknowledged || found == acknowledged + 1;
            assert!(holds, "acknowledged {acknowledged}, found {found}");
            assert!(checked(&path).ok());
            version = found;
        }
        assert!(working >= kills / 5, "too few children got to work: {working}");
        // The next writer clears up what the dead ones left.
        open_writer(&path).compact().unwrap();
        assert_eq!(version_of(&open(&path)), version);
        let left: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        let known = ["book.tabia", "book.other", "book.merged"];
        assert!(left.iter().all(|name| known.iter().any(|known| name == known)), "{left:?}");
        println!(
            "{} writers killed in {}, {working} of them at work: {version} versions, 0 lost, 0 double",
            kills,
            folder.path().display()
        );
    }
}

#[test]
fn a_merge_killed_at_any_moment_leaves_the_old_book_or_the_new() {
    let kills = kills();
    for (folder, packed) in folders().into_iter().zip([false, true]) {
        let path = folder.path().join("book.tabia");
        create(&path, 20_000, packed);
        create(&path.with_extension("other"), 10_000, !packed);
        let output = path.with_extension("merged");
        create(&output, 0, packed);
        let time_to_speak = time_to_speak("merger", &path);
        create(&output, 0, packed);
        let rows_of = |path: &Path| {
            open(path).header().table(tabia::TableKind::Positions).unwrap().shape.rows
        };
        let (mut old, mut new) = (0, 0);
        for n in 0..kills {
            kill("merger", &path, n, time_to_speak);
            assert!(checked(&output).ok());
            match rows_of(&output) {
                ROWS => old += 1,
                rows => {
                    assert_eq!(rows, ROWS + 20_000);
                    new += 1;
                    create(&output, 0, packed);
                }
            }
        }
        println!(
            "{} merges killed in {}: {old} left the old book, {new} the new, 0 anything else",
            kills,
            folder.path().display()
        );
    }
}
