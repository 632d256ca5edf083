//! Signals, and limits on memory: one line, every file as it was, nothing left behind.

use crate::stage::{Ran, Stage, kill, piped, random_games, words};
use std::io::{Read, Write};
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

/// Whether whoever started the tests wants interruptions ignored; then so does the command.
fn ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    // SIGHUP, SIGINT, SIGTERM
    u64::from_str_radix(mask.trim(), 16).unwrap_or(0) & (1 | 1 << 1 | 1 << 14) != 0
}

/// Runs a command that reads this text without end; sends it these signals, one after the other,
/// when it is at work.
fn signalled(stage: &Stage, before: &str, args: &str, text: &[u8], signals: &[&str]) -> Ran {
    let mut child = piped(shell(stage, before, args));
    let mut stdin = child.stdin.take().unwrap();
    let pid = child.id();
    let taken = AtomicUsize::new(0);
    let wait_until = |bytes| {
        while taken.load(Ordering::Relaxed) < bytes {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while stdin.write_all(text).is_ok() {
                taken.fetch_add(text.len(), Ordering::Relaxed);
            }
            taken.store(usize::MAX, Ordering::Relaxed);
        });
        for signal in signals {
            // It has gone on with its work since the last one.
            wait_until(taken.load(Ordering::Relaxed).saturating_add(TAKEN));
            assert!(kill(signal, pid), "{args} ended before {signal}");
        }
        Ran::of(child.wait_with_output().unwrap())
    })
}

#[test]
fn d5_a_limit_on_memory_is_told_and_leaves_nothing() {
    let stage = Stage::with_books();
    stage.write("more.pgn", random_games(3, 200, 40));
    let before = stage.files();
    let within = |limit: u32, args: &str| {
        let mut limited = shell(&stage, &format!("ulimit -v {limit}"), args);
        Ran::of(limited.stdin(Stdio::null()).output().unwrap())
    };
    // In kilobytes, from what the program itself hardly fits in.
    let mut limits = (20_000..300_000).step_by(5_000);
    let least = limits.find(|&limit| within(limit, "--version").code == Some(0));
    let mut refused = 0;
    for args in [
        "build -q -o new.tabia more.pgn",
        "add -q club.tabia more.pgn",
        "merge -o new.tabia club.tabia league.tabia",
    ] {
        for limit in (least.unwrap()..300_000).step_by(15_000) {
            let ran = within(limit, args);
            if ran.code == Some(0) {
                break;
            }
            refused += 1;
            ran.is_refusal(&["ulimit"]);
            assert!(stage.files() == before, "{args} within {limit}: {:?}", stage.files().keys());
        }
        stage.restore(&before);
    }
    assert!(refused >= 3, "{refused}");
}

#[test]
fn d5_whatever_ends_a_command_is_heard_and_changes_nothing_also_if_interruptions_are_ignored() {
    if ignored() {
        return tabia_testing::skip("signals are ignored here");
    }
    let games = random_games(1, 50, 40).into_bytes();
    let rows = b"{\"key\":\"000000000000000f\",\"wins\":1}\n".repeat(1000);
    let (build, add) = ("build -o new.tabia - --memory 16M", "add club.tabia - --memory 16M");
    let one_thread = "build -o new.tabia - --memory 16M --threads 1";
    for (before, signals, args, text) in [
        (":", &["-INT"][..], build, &games),
        (":", &["-INT"], one_thread, &games),
        (":", &["-INT"], add, &games),
        (":", &["-INT"], "load -o new.tabia --game go --keys z -", &rows),
        ("trap '' INT", &["-TERM"], build, &games),
        ("trap '' INT HUP", &["-INT", "-HUP", "-TERM"], build, &games),
        ("trap '' HUP", &["-INT"], add, &games),
        (":", &["-HUP"], add, &games),
    ] {
        let stage = Stage::with_books();
        let files = stage.files();
        let ran = signalled(&stage, before, args, text, signals);
        let last = ran.err.lines().last();
        assert_eq!(
            (ran.code, last),
            (Some(130), Some("tabia: interrupted: nothing was changed")),
            "{before} {signals:?}: {ran:?}"
        );
        assert!(stage.files() == files, "{args}: {:?}", stage.files().keys());
    }
}

#[test]
fn a_dump_that_nobody_reads_can_be_interrupted() {
    if ignored() {
        return tabia_testing::skip("signals are ignored here");
    }
    let stage = Stage::new();
    let rows: String = (0..200_000u64).map(|key| format!("{key:016x}\t1\n")).collect();
    stage.write("rows.tsv", format!("#game\tgo\n#keys\tz\n#positions\tkey\twins\n{rows}"));
    stage.good("load -q -o many.tabia rows.tsv");
    let mut child = piped(stage.command(words("dump many.tabia")));
    // It writes until the pipe is full.
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 100]).unwrap();
    assert!(kill("-INT", child.id()));
    let ran = Ran::of(child.wait_with_output().unwrap());
    let told = "tabia: interrupted: nothing was changed\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(130), told), "{:?}", ran.code);
}
