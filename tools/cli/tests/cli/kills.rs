//! The real command, killed at random moments while it adds, compacts, merges or builds: the old book or the new one, wholly.

use crate::stage::{Stage, random_games, words};
use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Kills of each verb; the long command sets more.
fn kills() -> u32 {
    std::env::var("TABIA_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(40)
}

/// The rows that the book may hold after any of these commands, whether it was done or not.
fn dump(stage: &Stage) -> String {
    let text = stage.good("dump book.tabia");
    // The archives it was made of are lines too, so that a book with half of an addition would be seen.
    text.lines().filter(|line| !line.starts_with("#load")).fold(String::new(), |all, line| all + line + "\n")
}

/// Runs a command to its end and then over and over from the same start, killed at moments spread over the time it took.
fn kill_at_random(stage: &Stage, args: &str) {
    let start = stage.files();
    let restore = || {
        for name in stage.files().keys().filter(|name| !start.contains_key(*name)) {
            std::fs::remove_file(stage.path(name)).unwrap();
        }
        start.iter().for_each(|(name, bytes)| std::fs::write(stage.path(name), bytes).unwrap());
    };
    let before = dump(stage);
    let clock = Instant::now();
    stage.good(args);
    let took = clock.elapsed();
    let after = dump(stage);
    let mut outcomes = BTreeSet::new();
    for n in 0..kills() {
        restore();
        let mut child = stage.command(words(args)).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let share = tabia::mix(u64::from(n) + 1) % 1100;
        std::thread::sleep(Duration::from_nanos(took.as_nanos() as u64 / 1000 * share));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(stage.run("check book.tabia").code, Some(0), "{args}: kill {n}");
        let found = dump(stage);
        assert!(found == before || found == after, "{args}: kill {n} left something else");
        outcomes.insert(found == after);
        // It can be done again, or was done.
        let again = stage.run(args);
        assert!(again.code == Some(0) || found == after, "{args}: kill {n}: {again:?}");
        assert_eq!(dump(stage), after, "{args}: after kill {n}");
        let litter = stage.files().into_keys().find(|name| name.to_string_lossy().ends_with("-new"));
        assert_eq!(litter, None, "{args}: after kill {n}");
    }
    println!("tabia {args}: killed {} times, {} outcomes, 0 lost, 0 double, 0 litter", kills(), outcomes.len());
    restore();
    stage.good(args);
}

#[test]
fn a_killed_command_leaves_the_old_book_or_the_new() {
    let stage = Stage::new();
    stage.write("many.pgn", random_games(1, 300, 60));
    stage.write("more.pgn", random_games(2, 300, 60));
    stage.write("other.pgn", random_games(3, 300, 60));
    stage.good("build -q -o book.tabia many.pgn");
    stage.good("build -q -o other.tabia other.pgn");
    kill_at_random(&stage, "add -q book.tabia more.pgn");
    kill_at_random(&stage, "compact -q book.tabia");
    kill_at_random(&stage, "merge -q --into book.tabia other.tabia");
    kill_at_random(&stage, "build -q --force -o book.tabia many.pgn more.pgn");
}
