//! `tabia grow`: killed at any moment it goes on to the same bytes.

use crate::stage::{Ran, Stage};

/// Expansions of a book.
const ALL: u64 = 120;

fn frames(stage: &Stage, book: &str) -> u64 {
    let facts = stage.json(&format!("check {book}"));
    assert_eq!(facts["ok"], true, "{facts}");
    facts["frames"].as_u64().unwrap()
}

fn grow(book: &str, expansions: u64, [workers, in_flight]: [u32; 2]) -> String {
    format!(
        "grow -q {book} --game connect4-5x4 --depth 2 --budget {expansions}expansions --workers {workers} --in-flight {in_flight}"
    )
}

/// Grows a book, and sends a signal as soon as its journal has so many bytes more, unless it has ended
/// before.
fn signalled(stage: &Stage, book: &str, more: u64, args: &str, signal: &str) -> Ran {
    let journal = stage.path(format!("{book}-journal"));
    let len = || std::fs::metadata(&journal).map_or(0, |found| found.len());
    let before = len();
    stage.signalled(args, signal, || len() >= before + more)
}

#[test]
fn a_killed_master_goes_on_to_the_same_bytes() {
    for (in_flight, whole, killed) in [(1, 1, 1), (2, 2, 3), (4, 4, 2)] {
        let stage = Stage::new();
        stage.good(&grow("whole.tabia", ALL, [whole, in_flight]));
        stage.good("compact -q whole.tabia");
        stage.good("grow -q killed.tabia --game connect4-5x4 --depth 2 --budget 0expansions");
        let mut kills = 0;
        for n in 0..17u64 {
            let left = ALL - frames(&stage, "killed.tabia");
            if left == 0 {
                break;
            }
            let args = grow("killed.tabia", left, [killed, in_flight]);
            let more = tabia::mix(n + u64::from(in_flight)) % 2000;
            let ran = signalled(&stage, "killed.tabia", more, &args, "-KILL");
            kills += u32::from(ran.code.is_none());
        }
        let left = ALL - frames(&stage, "killed.tabia");
        stage.good(&grow("killed.tabia", left, [killed, in_flight]));
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
        let grow = |book| format!("grow -q {book} --game connect4-5x4 --depth 2 --budget {budget}");
        stage.good(&grow("whole.tabia"));
        let whole = frames(&stage, "whole.tabia");
        stage.good("compact -q whole.tabia");
        stage.good("grow -q killed.tabia --game connect4-5x4 --depth 2 --budget 0expansions");
        let mut kills = 0;
        loop {
            let ran = signalled(&stage, "killed.tabia", 1000, &grow("killed.tabia"), "-KILL");
            // Killed when its budget is used up, it has nothing left to do but to end.
            if ran.code == Some(0) || !stage.path("killed.tabia-growing").exists() {
                break;
            }
            kills += 1;
        }
        assert!(kills > 1 && frames(&stage, "killed.tabia") == whole, "{budget}: {kills} kills");
        assert!(!stage.path("killed.tabia-growing").exists());
        stage.good("compact -q killed.tabia");
        assert!(stage.read("killed.tabia") == stage.read("whole.tabia"), "{budget}");
        stage.good(&grow("killed.tabia"));
        assert!(frames(&stage, "killed.tabia") > 0, "{budget}: it begins anew");
    }
}

/// While it grows nobody else writes to the book; Ctrl-C ends it with a word, and the book is sound.
#[test]
fn an_interrupted_master_says_so() {
    let stage = Stage::new();
    let journal = stage.path("book.tabia-journal");
    let args = "grow -q book.tabia --game connect4-7x6 --depth 2";
    let ran = stage.signalled(args, "-INT", || {
        let has_begun = journal.metadata().is_ok_and(|found| found.len() > 1000);
        if has_begun {
            let other = stage.run("grow -q book.tabia --depth 2 --budget 1expansion");
            other.is_refusal(&["book.tabia"]);
        }
        has_begun
    });
    let said =
        "tabia: interrupted: what was expanded is in the book, and the same command goes on\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(130), said));
    let before = frames(&stage, "book.tabia");
    assert!(before > 0);
    stage.good("grow -q book.tabia --depth 2 --budget 2expansions");
    assert_eq!(frames(&stage, "book.tabia"), before + 2);
}
