//! The command: a match interrupted and gone on with, its report, and what it says when it can't be
//! done.

use crate::shared::{mock, tabia_match};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn command(first: &str, second: &str, rest: &str) -> Command {
    let engine = |arguments: &str| format!("'{}' {arguments}", mock().display());
    tabia_match(&["--first", &engine(first), "--second", &engine(second)], rest)
}

fn play(first: &str, second: &str, rest: &str) -> Output {
    command(first, second, rest).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The records of a file with what doesn't depend on time: their moves, by game.
pub fn moves(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut games: Vec<(u32, String)> = text
        .split("[Event ")
        .skip(1)
        .map(|game| {
            let number =
                game.split("[Round \"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
            let moves = game.split("\n\n").nth(1).unwrap();
            let words = moves
                .split_whitespace()
                .filter(|word| !word.ends_with("s}") && !word.starts_with("micros="));
            (number, words.collect::<Vec<_>>().join(" "))
        })
        .collect();
    games.sort();
    games.into_iter().map(|(_, moves)| moves).collect()
}

#[test]
fn a_report_for_people_and_for_programs() {
    let rest =
        "--game chess --nodes 100 --games 4 --max-plies 30 --openings random:4 --second-name other";
    let people = play("uci chess --seed 1 --book 2", "uci chess --seed 2 illegal@9", rest);
    let said = text(&people.stdout);
    assert!(people.status.success(), "{}", text(&people.stderr));
    assert!(
        said.contains(
            "game 1 (opening 1): Mock 1 - other 1-0, 21 plies, 2 book moves, illegal-move: `a1a8`"
        ),
        "{said}"
    );
    assert!(
        said.contains("faults     4 illegal moves")
            && said.contains("book moves 2.00 a game")
            && said.contains("100 nodes a move"),
        "{said}"
    );
    let programs = play(
        "uci chess --seed 1 --book 2",
        "uci chess --seed 2 illegal@9",
        &format!("{rest} --json"),
    );
    let report: Value = serde_json::from_slice(&programs.stdout).unwrap();
    let found = (&report["results"], &report["pairs"]);
    assert_eq!(found, (&serde_json::json!([4, 0, 0]), &serde_json::json!([0, 0, 0, 0, 2])));
    assert_eq!(report["players"][1]["illegal_moves"], 4);
    assert!(
        said.contains("as first   2 won, 0 drawn, 0 lost; 2.00 book moves and ")
            && said.contains("as second  0 won, 0 drawn, 2 lost; "),
        "{said}"
    );
    let [first, second] = ["as_first", "as_second"].map(|side| &report["players"][0][side]);
    assert_eq!(first["results"], serde_json::json!([2, 0, 0]));
    assert_eq!((&second["book_moves_per_game"], &report["sprt"]), (&2.0.into(), &Value::Null));
    assert_eq!(report["each"].as_array().unwrap().len(), 4);
    assert_eq!(report["estimate"]["elo"], Value::Null, "infinite");
}

#[test]
fn an_interrupted_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole.pgn", "parts.pgn"].map(|name| folder.path().join(name));
    let rest = |path: &Path| {
        format!(
            "--nodes 100 --games 10 --max-plies 20 --openings random:4 --concurrency 2 --output {}",
            path.display()
        )
    };
    let (first, second) = ("uci chess --seed 1 --slow 10", "uci chess --seed 2 --slow 10");
    assert!(play(first, second, &rest(&whole)).status.success());
    let mut child =
        command(first, second, &rest(&parts)).stdout(std::process::Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !std::fs::read_to_string(&parts).is_ok_and(|text| text.contains("[Round \"2\"]")) {
        assert!(Instant::now() < deadline, "no game is finished");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let before = moves(&parts).len();
    assert!((2..10).contains(&before), "{before}");
    let refused = play(first, second, &rest(&parts));
    let holds = text(&refused.stderr).contains("--resume goes on with it");
    assert!(holds, "{}", text(&refused.stderr));
    let other = play(first, "uci chess --seed 3", &format!("{} --resume", rest(&parts)));
    assert!(text(&other.stderr).contains("another match"), "{}", text(&other.stderr));
    let resumed = play(first, second, &format!("{} --resume --json", rest(&parts)));
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    assert_eq!(moves(&parts), moves(&whole));
    let report: Value = serde_json::from_slice(&resumed.stdout).unwrap();
    let found = (&report["games"], report["each"].as_array().unwrap().len());
    assert_eq!(found, (&serde_json::json!(10), 10));
}

#[test]
fn a_match_ends_when_its_test_is_decided() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = ("uci chess --seed 1", "uci chess --seed 2 illegal@3");
    let run = |name: &str, rest: &str| {
        let path = folder.path().join(name);
        let rest = format!(
            "--nodes 100 --openings random:4 --games 100 --sprt 0:400 --json --output {} {rest}",
            path.display()
        );
        let output = play(first, second, &rest);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        (report, text(&output.stderr), std::fs::read_to_string(path).unwrap())
    };
    let (one, said, games) = run("one.pgn", "");
    assert_eq!(said, "");
    // Each pair that is won adds a little less than ln(0.909 / 0.5) = 0.598 to the ratio.
    assert_eq!((&one["sprt"]["accepted"], &one["sprt"]["games"]), (&"H1".into(), &10.into()));
    let kept = |report: &Value| report["games"].as_u64().unwrap();
    assert!((10..=12).contains(&kept(&one)), "but for a pair that was begun: {}", kept(&one));
    let (several, _, _) = run("several.pgn", "--concurrency 3");
    assert_eq!(several["sprt"], one["sprt"]);
    assert!(kept(&several) < 100 && several["pairs"].is_array(), "pairs are whole");
    let (again, said, unchanged) = run("one.pgn", "--resume");
    assert!(said.contains("decide the test: nothing is played"), "{said}");
    assert!(again["sprt"] == one["sprt"] && unchanged == games);
    let cut = games.find("[Round \"6\"]").unwrap();
    std::fs::write(folder.path().join("cut.pgn"), &games[..cut]).unwrap();
    let (resumed, _, _) = run("cut.pgn", "--resume");
    assert_eq!(resumed["sprt"], one["sprt"]);
    let [cut, one] = ["cut.pgn", "one.pgn"].map(|name| moves(&folder.path().join(name)));
    assert_eq!(cut[..10], one[..10]);
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    for (first, rest, why) in [
        ("uci chess", "", "UCI engines need a limit"),
        (
            "uci chess",
            "--nodes 5 --openings /nowhere/suite.epd",
            "/nowhere/suite.epd: cannot read the openings",
        ),
        ("uci chess", "--nodes 5 --first-option Hsah=4", "it has no such option"),
        ("uci chess crash@0", "--nodes 5", "has ended (exit status: 3)"),
        ("uci chess", "--nodes 5 --games 3 --sprt 0:5", "give --games an even number"),
        ("gtp go-9", "--game go-9 --nodes 5", "GTP has no limits of nodes"),
        ("gtp go-9", "--game go-9 --first-setup xyzzy", "refused `xyzzy`: unknown command"),
    ] {
        let second = if first.starts_with("gtp") { "gtp go-9" } else { "uci chess" };
        let output = play(first, second, rest);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why) && said.trim_end().lines().count() == 1, "{said}");
    }
    let nowhere = "--first /nowhere/engine --second /nowhere/engine --nodes 5";
    let missing = tabia_match(&[], nowhere).output().unwrap();
    assert!(text(&missing.stderr).contains("can't be started"), "{}", text(&missing.stderr));
}
