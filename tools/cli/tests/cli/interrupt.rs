//! Ctrl-C leaves nothing half-written.

use crate::stage::{Ran, Stage, random_games, words};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Whether whoever started the tests wants interruptions ignored; then so does the command.
pub fn ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    // SIGHUP, SIGINT, SIGTERM
    u64::from_str_radix(mask.trim(), 16).unwrap_or(0) & (1 | 1 << 1 | 1 << 14) != 0
}

#[test]
fn an_interrupted_command_changes_nothing() {
    if ignored() {
        println!("skipped: signals are ignored here");
        return;
    }
    let games = random_games(1, 50, 40).into_bytes();
    for (verb, threads) in
        [("build -o new.tabia -", 1), ("build -o new.tabia -", 2), ("add club.tabia -", 2)]
    {
        let stage = Stage::with_books();
        let before = stage.files();
        let mut command = stage.command(words(&format!("{verb} --memory 16M --threads {threads}")));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let pid = child.id().to_string();
        let ran = std::thread::scope(|scope| {
            scope.spawn(|| while stdin.write_all(&games).is_ok() {});
            std::thread::sleep(Duration::from_millis(400));
            assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
            Ran::of(child.wait_with_output().unwrap())
        });
        assert_eq!(
            (ran.code, ran.err.lines().last()),
            (Some(130), Some("tabia: interrupted: nothing was changed")),
            "{ran:?}"
        );
        assert!(stage.files() == before, "{verb}: {:?}", stage.files().keys());
    }
}
