//! `tabia grow`: killed at any moment it goes on to the same bytes.

use crate::stage::{Stage, kill, piped, words};
use std::ffi::OsString;
use std::path::Path;
use std::process::Child;

/// Expansions of a book.
const ALL: u64 = 120;

fn frames(stage: &Stage, book: &str) -> u64 {
    let facts = stage.json(&format!("check {book}"));
    assert_eq!(facts["ok"], true, "{facts}");
    facts["frames"].as_u64().unwrap()
}

fn args(book: &str, expansions: u64, [workers, in_flight]: [u32; 2]) -> Vec<OsString> {
    words(&format!(
        "grow -q {book} --game connect4-5x4 --depth 2 --budget {expansions}expansions --workers {workers} --in-flight {in_flight}"
    ))
}

/// Waits until the journal of a book has so many bytes more, or its writer has ended.
fn grown_by(journal: &Path, more: u64, child: &mut Child) {
    let len = || std::fs::metadata(journal).map_or(0, |found| found.len());
    let before = len();
    while len() < before + more && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
}

#[test]
fn a_killed_master_goes_on_to_the_same_bytes() {
    for (in_flight, whole, killed) in [(1, 1, 1), (2, 2, 3), (4, 4, 2)] {
        let stage = Stage::new();
        assert!(
            stage.start(args("whole.tabia", ALL, [whole, in_flight])).wait().unwrap().success()
        );
        stage.good("compact -q whole.tabia");
        stage.good("grow -q killed.tabia --game connect4-5x4 --depth 2 --budget 0expansions");
        let mut kills = 0;
        for n in 0..17u64 {
            let left = ALL - frames(&stage, "killed.tabia");
            if left == 0 {
                break;
            }
            let mut child = stage.start(args("killed.tabia", left, [killed, in_flight]));
            let more = tabia::mix(n + u64::from(in_flight)) % 2000;
            grown_by(&stage.path("killed.tabia-journal"), more, &mut child);
            child.kill().unwrap();
            kills += u32::from(child.wait().unwrap().code().is_none());
        }
        let left = ALL - frames(&stage, "killed.tabia");
        let last = args("killed.tabia", left, [killed, in_flight]);
        assert!(stage.start(&last).wait().unwrap().success());
        assert_eq!(frames(&stage, "killed.tabia"), ALL);
        assert!(kills > 3, "{kills} kills");
        stage.good("compact -q killed.tabia");
        assert!(stage.read("killed.tabia") == stage.read("whole.tabia"), "{in_flight} in flight");
    }
}

/// The same command, killed over and over, ends where one that nobody killed does; then it begins anew.
#[test]
fn a_killed_command_keeps_its_budget() {
    for budget in ["60expansions", "150positions", "100expansions --budget 90positions"] {
        let stage = Stage::new();
        let grow = |book: &str| {
            words(&format!("grow -q {book} --game connect4-5x4 --depth 2 --budget {budget}"))
        };
        assert!(stage.start(grow("whole.tabia")).wait().unwrap().success());
        let whole = frames(&stage, "whole.tabia");
        stage.good("compact -q whole.tabia");
        stage.good("grow -q killed.tabia --game connect4-5x4 --depth 2 --budget 0expansions");
        let mut kills = 0;
        loop {
            let mut child = stage.start(grow("killed.tabia"));
            grown_by(&stage.path("killed.tabia-journal"), 1000, &mut child);
            child.kill().unwrap();
            // Killed when its budget is used up, it has nothing left to do but to end.
            let is_done = child.wait().unwrap().success();
            if is_done || !stage.path("killed.tabia-growing").exists() {
                break;
            }
            kills += 1;
        }
        assert!(kills > 1 && frames(&stage, "killed.tabia") == whole, "{budget}: {kills} kills");
        assert!(!stage.path("killed.tabia-growing").exists());
        stage.good("compact -q killed.tabia");
        assert!(stage.read("killed.tabia") == stage.read("whole.tabia"), "{budget}");
        assert!(stage.start(grow("killed.tabia")).wait().unwrap().success());
        assert!(frames(&stage, "killed.tabia") > 0, "{budget}: it begins anew");
    }
}

/// While it grows nobody else writes to the book; Ctrl-C ends it with a word, and the book is sound.
#[test]
fn an_interrupted_master_says_so() {
    let stage = Stage::new();
    let args = "grow -q book.tabia --game connect4-7x6 --depth 2".split(' ');
    let mut child = piped(stage.command(args));
    grown_by(&stage.path("book.tabia-journal"), 1000, &mut child);
    let other = stage.run("grow -q book.tabia --depth 2 --budget 1expansion");
    other.is_refusal(&["book.tabia"]);
    assert!(kill("-INT", child.id()));
    let ran = crate::stage::Ran::of(child.wait_with_output().unwrap());
    let said =
        "tabia: interrupted: what was expanded is in the book, and the same command goes on\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(130), said));
    let before = frames(&stage, "book.tabia");
    assert!(before > 0);
    stage.good("grow -q book.tabia --depth 2 --budget 2expansions");
    assert_eq!(frames(&stage, "book.tabia"), before + 2);
}
