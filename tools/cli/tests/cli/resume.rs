//! Builds that are interrupted or killed, and go on.

use crate::stage::{Ran, Stage, random_games};
use std::path::Path;
use std::time::Duration;

/// A folder with archives that take a few seconds to read.
fn large() -> Stage {
    let stage = Stage::new();
    let games = random_games(7, 400, 60);
    let bad = "[Event \"bad\"]\n[Result \"1-0\"]\n\n1. e5 1-0\n\n";
    stage.write("one.pgn", (games.clone() + bad).repeat(80));
    stage.write("two.pgn", random_games(8, 400, 60).repeat(60) + bad);
    stage.write("three.pgn", games.repeat(40));
    stage
}

const BUILD: &str = "--memory 16M --part-size 100K one.pgn two.pgn three.pgn";

/// Starts a build, and sends it a signal once something is kept.
fn interrupted(stage: &Stage, args: &str, signal: &str) -> Ran {
    let kept = stage.path("b.tabia-building/part-0001.tabia");
    let mut is_kept = false;
    let ran = stage.signalled(args, signal, || {
        std::thread::sleep(Duration::from_millis(5));
        is_kept |= kept.exists();
        is_kept
    });
    assert!(is_kept, "the build was done before anything was kept: {ran:?}");
    ran
}

/// On a machine that is slow to deliver the signal the build may be done before: then it is tried
/// again.
fn interrupted_before_its_end(stage: &Stage, args: &str, signal: &str) -> Ran {
    for _ in 0..20 {
        let ran = interrupted(stage, args, signal);
        if ran.code != Some(0) {
            return ran;
        }
        for name in ["b.tabia", "b.tabia-games", "b.tabia-fingerprints", "errors.tsv"] {
            let _ = std::fs::remove_file(stage.path(name));
        }
    }
    panic!("the signal never comes in time");
}

fn is_resumed_to_the_same_bytes(options: &str, signal: &str) {
    let stage = large();
    stage.good(&format!("build -q -o whole.tabia --errors whole.tsv {options} {BUILD}"));
    let build = format!("build -o b.tabia --errors errors.tsv {options} {BUILD}");
    let ran = interrupted_before_its_end(&stage, &format!("{build} --threads 2"), signal);
    assert!(!stage.path("b.tabia").exists() && !stage.path("errors.tsv").exists());
    if signal == "-INT" && ran.code == Some(130) {
        assert!(ran.err.contains("--resume") && ran.err.contains("b.tabia-building"), "{ran:?}");
    }
    stage.bad(&build, &["b.tabia-building", "--resume", "--force"]);
    stage.bad(
        &format!("{build} --resume --max-ply 20"),
        &["b.tabia-building", "other archives or options"],
    );
    let ran = stage.run(&format!("{build} --resume --threads 3"));
    assert!(ran.code == Some(0) && ran.err.contains("going on after"), "{ran:?}");
    for file in ["", "-games", "-fingerprints"] {
        let [b, whole] = ["b", "whole"].map(|name| format!("{name}.tabia{file}"));
        assert_eq!(stage.path(&b).exists(), stage.path(&whole).exists(), "{file}");
        assert!(!stage.path(&b).exists() || stage.read(&b) == stage.read(&whole), "{file}");
    }
    assert_eq!(stage.text("errors.tsv"), stage.text("whole.tsv"));
    assert!(!stage.path("b.tabia-building").exists());
}

#[test]
fn a_killed_build_that_leaves_out_copies_is_resumed_to_the_same_bytes() {
    is_resumed_to_the_same_bytes("--dedup prefix --games", "-KILL");
}

#[test]
fn an_interrupted_build_says_how_to_go_on() {
    is_resumed_to_the_same_bytes("--ratings --games --pack", "-INT");
}

#[test]
fn what_was_kept_is_discarded_by_force_and_refused_if_damaged() {
    let stage = large();
    interrupted(&stage, &format!("build -o b.tabia {BUILD}"), "-KILL");
    let folder = stage.path("b.tabia-building");
    let run = largest(&folder);
    let whole = std::fs::read(&run).unwrap();
    let mut bytes = whole.clone();
    bytes[whole.len() / 2] ^= 1;
    for bad in [&bytes[..], &whole[..whole.len() / 2]] {
        std::fs::write(&run, bad).unwrap();
        stage.bad(&format!("build --resume -o b.tabia {BUILD}"), &["b.tabia-building", "damaged"]);
    }
    std::fs::write(&run, &whole).unwrap();
    stage.good("build -q --force -o b.tabia club.pgn");
    assert!(!folder.exists());
}

fn largest(folder: &Path) -> std::path::PathBuf {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.max_by_key(|path| path.metadata().unwrap().len()).unwrap()
}
