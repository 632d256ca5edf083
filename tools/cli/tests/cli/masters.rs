//! The big archive of master games, against what an independent replay counted, if `../shared/data`
//! is there: every line of 1 to 3 plies, and what is skipped.

use crate::stage::Stage;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use tabia_games::{Chess, Game};

/// Wins of White, draws, wins of Black, by the moves before and the move.
type Lines = BTreeMap<(String, String), [i64; 3]>;

#[test]
fn every_line_of_three_plies_is_as_an_independent_replay_counted() {
    let (Some(archive), Some(oracle)) = (
        tabia_testing::data("chess/masters.pgn.zst"),
        tabia_testing::data("reference/chess_counts/oracle_pgnm2024.tsv"),
    ) else {
        return;
    };
    let stage = Stage::new();
    let text = zstd::decode_all(std::fs::File::open(&archive).unwrap()).unwrap();
    let mut expected = read_oracle(&std::fs::read_to_string(oracle).unwrap());
    // The independent replay took tags and moves that two blank lines part for two games.
    let built = build(&stage, &archive, "off");
    let skipped = json!({"no_moves": 275, "no_result": 362, "illegal_move": 2});
    assert_eq!((&built["games_read"], &built["skipped"]), (&415_536.into(), &skipped));
    correct(&mut expected, &stage, &text);
    compare(&stage, &expected);
    if !tabia_testing::whole() {
        return;
    }
    let built = build(&stage, &archive, "on");
    let skipped = json!({"no_result": 87, "illegal_move": 2});
    assert_eq!((&built["games_read"], &built["skipped"]), (&(415_536 - 275).into(), &skipped));
    assert_eq!((&built["games"], &built["plies"]), (&415_172.into(), &34_132_858.into()));
    let text = String::from_utf8_lossy(&text);
    for (at, _) in text.match_indices("]\r\n\r\n\r\n") {
        let game = text[..at].rfind("[Event ").unwrap();
        add_line(&mut expected, text[game..].as_bytes(), 1);
    }
    compare(&stage, &expected);
}

/// Asks the book for all moves of these lines.
fn compare(stage: &Stage, expected: &Lines) {
    let mut found = Lines::new();
    let befores: std::collections::BTreeSet<&String> =
        expected.keys().map(|(before, _)| before).collect();
    for before in befores {
        explore(stage, before, &mut found);
    }
    assert_eq!(found.len(), expected.len());
    for (line, counts) in &found {
        assert_eq!(expected.get(line), Some(counts), "{line:?}");
    }
}

/// Builds the book with little memory; what is said of it.
fn build(stage: &Stage, archive: &Path, join_split: &str) -> Value {
    let args = format!(
        "build -o m.tabia --force --memory 64M --errors skipped.tsv --json --join-split {join_split}"
    );
    let mut child = stage
        .command(args.split(' '))
        .arg(archive)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let resident = text
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(resident.unwrap_or(0u64));
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(most < 160_000, "--memory 64M took {most} kB");
    let mut built: Value =
        serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    println!("{built}, at most {most} kB resident");
    built["skipped"].as_object_mut().unwrap().retain(|_, games| *games != 0);
    built
}

fn read_oracle(text: &str) -> Lines {
    let line = |line: &str| {
        let (line, counts) = line.split_once('\t')?;
        let (before, played) = line.split_once('>')?;
        let counts: Vec<i64> = counts.split('\t').map(|count| count.parse().unwrap()).collect();
        Some(((before.to_owned(), played.to_owned()), [counts[0], counts[1], counts[2]]))
    };
    text.lines().filter(|line| !line.starts_with('#')).filter_map(line).collect()
}

/// The replay counted lines of games, the beginnings of illegal ones too; a book counts positions,
/// however reached.
fn correct(expected: &mut Lines, stage: &Stage, text: &[u8]) {
    let skipped = stage.text("skipped.tsv");
    for line in skipped
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|line| line[2] == "illegal_move")
    {
        add_line(expected, &text[line[1].parse().unwrap()..], -1);
    }
    // Two games come to these positions by a move lost on either side.
    for (before, played, counts) in [("Nf3 Nf6", "c4", 0), ("e4 e5", "Nc3", 1)] {
        expected.get_mut(&(before.to_owned(), played.to_owned())).unwrap()[counts] += 1;
    }
    expected.retain(|_, counts| *counts != [0; 3]);
}

/// Adds the first three plies of the game that starts this text, so many times.
fn add_line(lines: &mut Lines, text: &[u8], times: i64) {
    let text = String::from_utf8_lossy(&text[..text.len().min(4000)]);
    let result = text.split("[Result \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let counts = [("1-0", 0), ("1/2-1/2", 1), ("0-1", 2)]
        .iter()
        .find(|(name, _)| *name == result)
        .unwrap()
        .1;
    let body: Vec<&str> = text
        .lines()
        .skip_while(|line| line.is_empty() || line.starts_with('['))
        .take_while(|line| !line.is_empty())
        .collect();
    let body = body.join(" ").replace('.', " ");
    let moves = body
        .split_whitespace()
        .filter(|word| !word.starts_with(|letter: char| letter.is_ascii_digit()));
    let (mut position, mut before) = (Chess::start(), Vec::new());
    for played in moves.take(3) {
        let played = position.parse_move(played).unwrap();
        let name = plain(&position.notation(&played));
        lines.entry((before.join(" "), name.clone())).or_default()[counts] += times;
        before.push(name);
        position.play(&played);
    }
}

/// What `explore` says of the moves after these.
fn explore(stage: &Stage, before: &str, found: &mut Lines) {
    let output =
        stage.command(["explore", "m.tabia", "--json", "--moves", before]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let explored: Value = serde_json::from_slice(&output.stdout).unwrap();
    for played in explored["moves"].as_array().unwrap() {
        let mut counts = ["wins", "draws", "losses"].map(|count| played[count].as_i64().unwrap());
        if before.split_whitespace().count() % 2 == 1 {
            counts.reverse();
        }
        found.insert((before.to_owned(), plain(played["san"].as_str().unwrap())), counts);
    }
}

/// A move without what it does to the king, as the replay wrote it.
fn plain(san: &str) -> String {
    san.trim_end_matches(['+', '#']).to_owned()
}
