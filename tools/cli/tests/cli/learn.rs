//! `learn --self-play`: engines play, and what is lost is learned, whatever interrupts it.

use crate::stage::Stage;
use std::path::Path;
use std::time::Duration;
use tabia_testing::program;

/// A book of a few first moves, bad ones for White among them.
fn stage() -> Stage {
    let stage = Stage::new();
    let games = "f3 e5 g4 1-0\nf3 e5 e4 1-0\ng4 d5 f3 1-0\ne4 e5 Nf3 1-0\nh4 e5 Rh3 1-0\nf3 d5 0-1\n\
                 g4 e5 0-1\nh4 d5 0-1\na3 h5 0-1\na3 g5 0-1\n";
    stage.write("games.lines", games);
    stage.good("build -q -o book.tabia --game chess games.lines");
    stage
}

fn command(games: u32, engine: &Path) -> String {
    format!(
        "learn o.tabia --book book.tabia --self-play {games} --nodes 20 --json -- {}",
        engine.display()
    )
}

/// Plays and learns; what it says.
fn told(stage: &Stage, games: u32, engine: &Path) -> serde_json::Value {
    serde_json::from_str(&stage.good(&command(games, engine))).unwrap()
}

/// What was learned, byte by byte.
fn learned(stage: &Stage) -> [Vec<u8>; 3] {
    ["o.tabia", "o.tabia-journal", "o.tabia-learned"].map(|name| stage.read(name))
}

/// Games that are finished in the file.
fn finished(stage: &Stage) -> usize {
    let text = std::fs::read_to_string(stage.path("o.tabia-games.pgn")).unwrap_or_default();
    text.matches("{tabia-match 1 ").count()
}

/// An engine that always does the same: whoever stops and goes on gets the same overlay.
#[test]
fn self_play_goes_on_as_if_it_had_not_been_interrupted() {
    let Some(engine) = program("stockfish") else { return };
    let whole = stage();
    let first = told(&whole, 12, &engine);
    assert_eq!((&first["games"], &first["known"]), (&12.into(), &0.into()), "{first}");
    assert!(first["learned"].as_u64().unwrap() >= 2, "{first}");
    assert_eq!(first["curve"][0]["to"], 12);

    let parts = stage();
    for games in [1, 5, 12] {
        parts.good(&command(games, &engine));
    }
    assert_eq!(learned(&parts), learned(&whole));
    assert_eq!(finished(&parts), 12);
    let again = told(&parts, 12, &engine);
    assert_eq!((&again["learned"], &again["games"]), (&0.into(), &12.into()), "{again}");
    assert_eq!(again["known"], first["learned"]);

    let killed = stage();
    for after in [2, 4] {
        let signal = if after == 2 { "-INT" } else { "-KILL" };
        killed.signalled(&command(12, &engine), signal, || {
            std::thread::sleep(Duration::from_millis(5));
            finished(&killed) >= after
        });
    }
    killed.good(&command(12, &engine));
    assert_eq!(learned(&killed), learned(&whole));

    let other = command(12, &engine).replace("--nodes 20", "--nodes 30");
    killed.bad(&other, &["o.tabia-games.pgn", "played otherwise"]);
}

/// A game that an engine loses by a crash says nothing of the book.
#[test]
fn games_that_end_by_a_crash_are_not_learned() {
    let Some(engine) = program("stockfish") else { return };
    let stage = stage();
    let crashing = "learn o.tabia --book book.tabia --self-play 4 --nodes 20 --opponent-engine";
    let mut args = crate::stage::words(crashing);
    args.push("sh -c 'while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) exit 3;; esac; done'".into());
    args.extend(["--".into(), engine.into_os_string()]);
    stage.bad_args(args, &["game 1 failed 3 times", "opponent lost it by crash"]);
}
