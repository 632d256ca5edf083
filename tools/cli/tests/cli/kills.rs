//! The real command, killed at random moments while it adds, compacts, merges or builds: the old
//! book or the new one, wholly.

use crate::stage::{Stage, random_games, words};
use std::ffi::{OsStr, OsString};
use std::time::{Duration, Instant};
use tabia_testing::Sample;

fn kills() -> u32 {
    Sample::one_in(10).count(40) as u32
}

/// The rows that the book may hold after any of these commands, whether it was done or not.
fn dump(stage: &Stage) -> String {
    let text = stage.good("dump book.tabia");
    // The archives it was made of are lines too, so that a book with half of an addition would be
    // seen.
    text.lines()
        .filter(|line| !line.starts_with("#load"))
        .fold(String::new(), |all, line| all + line + "\n")
}

/// Runs a command to its end and then over and over from the same start, killed at moments measured
/// by the time it took.
fn kill_at_random(stage: &Stage, args: &str) {
    let start_files = stage.files();
    let before = dump(stage);
    let mut times = [(); 5].map(|()| {
        stage.restore(&start_files);
        let clock = Instant::now();
        assert!(stage.start(words(args)).wait().unwrap().success());
        clock.elapsed()
    });
    times.sort_unstable();
    let after = dump(stage);
    let mut moments = Moments::new(times[times.len() / 2]);
    let mut new = 0;
    for n in 0..kills() {
        stage.restore(&start_files);
        let mut child = stage.start(words(args));
        std::thread::sleep(moments.next(n));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(stage.run("check book.tabia").code, Some(0), "{args}: kill {n}");
        let found = dump(stage);
        assert!(found == before || found == after, "{args}: kill {n} left something else");
        // A compaction changes no row: it is done when the book has another file.
        let done = if before == after {
            stage.read("book.tabia") != start_files[OsStr::new("book.tabia")]
        } else {
            found == after
        };
        moments.take(n, done);
        new += u32::from(done);
        // It can be done again, or was done.
        let again = stage.run(args);
        assert!(again.code == Some(0) || found == after, "{args}: kill {n}: {again:?}");
        assert_eq!(dump(stage), after, "{args}: after kill {n}");
        // Nothing but what was there and the book's journal.
        let is_ours =
            |name: &OsString| start_files.contains_key(name) || name == "book.tabia-journal";
        let litter = stage.files().into_keys().find(|name| !is_ours(name));
        assert_eq!(litter, None, "{args}: after kill {n}");
    }
    println!(
        "tabia {args}: killed {} times: {} left the old book, {new} the new, 0 lost, 0 double, 0 litter",
        kills(),
        kills() - new
    );
    stage.restore(&start_files);
    stage.good(args);
}

/// When to kill: every other time at a moment spread over the time that the command takes, else
/// about the moment at which it takes effect, which is found by going to and fro.
struct Moments {
    took: Duration,
    effect: Duration,
}

impl Moments {
    fn new(took: Duration) -> Self {
        Self { took, effect: took.mul_f64(0.9) }
    }

    fn next(&self, n: u32) -> Duration {
        if n.is_multiple_of(2) {
            return self.effect;
        }
        self.took.mul_f64((tabia::mix(u64::from(n) + 1) % 1100) as f64 / 1000.0)
    }

    /// Takes what came of the last kill: the next one comes sooner if the work was done, later if
    /// it wasn't.
    fn take(&mut self, n: u32, done: bool) {
        if n.is_multiple_of(2) {
            self.effect = self.effect.mul_f64(if done { 0.96 } else { 1.05 });
        }
    }
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
