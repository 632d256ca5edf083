//! Signals, and limits on the size of files and on memory: one line, every file as it was, nothing
//! left behind.

use crate::interrupt::ignored;
use crate::stage::{Ran, Stage, random_games};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// More than a pipe holds: a command that has taken this much reads, and listens to signals.
const TAKEN: usize = 3 << 15;

/// A shell in the stage's folder that sets something and then becomes the command.
fn shell(stage: &Stage, before: &str, args: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("{before}; exec {} {args}", env!("CARGO_BIN_EXE_tabia"));
    command.current_dir(stage.path("")).env("LC_ALL", "C").args(["-c", &script]);
    command
}

/// Runs a command under a limit.
fn limited(stage: &Stage, limit: &str, args: &str) -> Ran {
    Ran::of(shell(stage, limit, args).stdin(Stdio::null()).output().unwrap())
}

/// Runs a command that reads games without end; sends it these signals, one after the other, when
/// it is at work.
fn signalled(stage: &Stage, before: &str, args: &str, signals: &[&str]) -> Ran {
    let games = random_games(1, 50, 40).into_bytes();
    let mut command = shell(stage, before, args);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let pid = child.id().to_string();
    let taken = AtomicUsize::new(0);
    let wait_until = |bytes| {
        while taken.load(Ordering::Relaxed) < bytes {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while stdin.write_all(&games).is_ok() {
                taken.fetch_add(games.len(), Ordering::Relaxed);
            }
            taken.store(usize::MAX, Ordering::Relaxed);
        });
        for signal in signals {
            // It has gone on with its work since the last one.
            wait_until(taken.load(Ordering::Relaxed).saturating_add(TAKEN));
            assert!(
                Command::new("kill").args([signal, pid.as_str()]).status().unwrap().success(),
                "{args} ended before {signal}"
            );
        }
        Ran::of(child.wait_with_output().unwrap())
    })
}

#[test]
fn d5_a_limit_on_the_size_of_files_is_told_and_leaves_nothing() {
    let stage = Stage::with_books();
    stage.write("more.pgn", random_games(3, 200, 40));
    stage.good("add -q league.tabia more.pgn");
    let before = stage.files();
    for args in [
        "build -q -o new.tabia club.pgn",
        "build -q -o club.tabia more.pgn --force",
        "add club.tabia more.pgn",
        "merge -o new.tabia club.tabia league.tabia",
        "merge --into club.tabia league.tabia",
        "compact league.tabia",
        "dump league.tabia -o new.txt",
    ] {
        // In blocks of 512 bytes; the signal does what it does unless somebody cares.
        limited(&stage, "ulimit -f 8", args).is_refusal(&["File too large", "ulimit -f"]);
        assert!(stage.files() == before, "{args}: {:?}", stage.files().keys());
    }
}

#[test]
fn d5_a_limit_on_memory_is_told_and_leaves_nothing() {
    let stage = Stage::with_books();
    stage.write("more.pgn", random_games(3, 200, 40));
    let before = stage.files();
    let mut refused = 0;
    for args in [
        "build -q -o new.tabia more.pgn",
        "add -q club.tabia more.pgn",
        "merge -o new.tabia club.tabia league.tabia",
    ] {
        // In kilobytes, from what the program itself hardly fits in.
        for limit in (20_000..200_000).step_by(15_000) {
            let ran = limited(&stage, &format!("ulimit -v {limit}"), args);
            if ran.code == Some(0) {
                break;
            }
            refused += 1;
            ran.is_refusal(&["ulimit"]);
            assert!(stage.files() == before, "{args} within {limit}: {:?}", stage.files().keys());
        }
        for (name, bytes) in &before {
            std::fs::write(stage.path(name), bytes).unwrap();
        }
        for name in stage.files().keys().filter(|name| !before.contains_key(*name)) {
            std::fs::remove_file(stage.path(name)).unwrap();
        }
    }
    assert!(refused >= 3, "{refused}");
}

#[test]
fn d5_whatever_ends_a_command_is_heard_also_if_interruptions_are_ignored() {
    if ignored() {
        println!("skipped: signals are ignored here");
        return;
    }
    let (build, add) = ("build -o new.tabia - --memory 16M", "add club.tabia - --memory 16M");
    for (before, signals, args) in [
        ("trap '' INT", &["-TERM"][..], build),
        ("trap '' INT HUP", &["-INT", "-HUP", "-TERM"], build),
        ("trap '' HUP", &["-INT"], add),
        (":", &["-HUP"], add),
    ] {
        let stage = Stage::with_books();
        let files = stage.files();
        let ran = signalled(&stage, before, args, signals);
        let last = ran.err.lines().last();
        assert_eq!(
            (ran.code, last),
            (Some(130), Some("tabia: interrupted: nothing was changed")),
            "{before} {signals:?}: {ran:?}"
        );
        assert!(stage.files() == files, "{args}: {:?}", stage.files().keys());
    }
}
