//! `tabia-match tune`: what comes of it, the same after an interruption and with any number of
//! workers, and what is refused.

use crate::command::{moves, text};
use crate::shared::{mock, tabia_match};
use serde_json::Value;
use std::process::Output;

/// A few steps and games.
const FEW: &str = "--openings random:4 --rate 0.3 --iterations 8 --games 4";

/// An engine that plays an illegal move with its move `{ply}`: later is better.
fn tune(rest: &str) -> Output {
    let engine = format!("'{}' uci chess illegal@{{ply}}", mock().display());
    tabia_match(&["tune", "--engine", &engine, "--nodes", "100"], rest).output().unwrap()
}

#[test]
fn better_values_are_found_and_proved() {
    let folder = tempfile::tempdir().unwrap();
    let rest = |name: &str| {
        format!("{FEW} --tune ply=4:2:20:1:int --output {}", folder.path().join(name).display())
    };
    let whole = tune(&rest("whole.pgn"));
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let said = text(&whole.stdout);
    assert!(
        said.contains("tuned in 8 iterations, 16 games, 16 of them ended by faults")
            && said.contains("tuned against start: 4 of 4 games")
            && said.contains("4 won, 0 drawn, 0 lost"),
        "{said}"
    );
    // What was finished before goes on to the same end, with two games at a time.
    let games = std::fs::read_to_string(folder.path().join("whole.pgn")).unwrap();
    for last in ["[Round \"8\"]", "[Round \"19\"]"] {
        let cut = games.find(last).unwrap();
        std::fs::write(folder.path().join("cut.pgn"), &games[..cut]).unwrap();
        let resumed = tune(&format!("{} --resume --concurrency 2 --json", rest("cut.pgn")));
        let report: Value = serde_json::from_slice(&resumed.stdout).unwrap();
        let [cut, whole] = ["cut.pgn", "whole.pgn"].map(|name| moves(&folder.path().join(name)));
        assert_eq!((cut.len(), cut == whole), (20, true));
        let tuned = report["parameters"][0]["tuned"].as_f64().unwrap();
        assert!(said.contains(&format!("ply        {tuned}; before 4, of 2 to 20")), "{said}");
        assert_eq!(report["validation"]["results"], serde_json::json!([4, 0, 0]));
    }
    let other = tune(&format!("{} --resume --seed 2", rest("whole.pgn")));
    assert!(text(&other.stderr).contains("games of another match"), "{}", text(&other.stderr));
}

#[test]
fn values_that_stay_are_not_compared() {
    let output = tune("--tune ply=4:2:20:1:int --iterations 1 --rate 0.001");
    let said = text(&output.stdout);
    assert!(said.ends_with("these are the values of the start: there is nothing to compare\n"));
}

#[test]
fn what_cannot_be_tuned_is_said_in_one_line() {
    let ply = "--tune ply=4:2:20:1:int";
    for (rest, why) in [
        ("--tune margin=4:2:20:1", "{margin} is nowhere in the engine's command"),
        ("--tune ply=4:2:20:1:int --tune ply=5:2:20:1:int", "ply is given twice"),
        (&format!("{ply} --pairs 500000"), "at most 1000000 games"),
        (&format!("{ply} --games 5"), "give --games an even number"),
        (&format!("{ply} --openings /nowhere/suite.epd"), "cannot read the openings"),
    ] {
        let output = tune(rest);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why) && said.trim_end().lines().count() == 1, "{said}");
    }
    assert_eq!(tune("--tune ply=4:5:20:1").status.code(), Some(2));
}
