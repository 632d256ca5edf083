//! `tree`: the lines of a book, as text and JSON.

use crate::stage::{Stage, random_games};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use tabia_games::{Chess, Game};

/// A stage with a few games that transpose.
fn stage() -> Stage {
    let stage = Stage::new();
    let game = |moves: &str, result: &str| format!("[Result \"{result}\"]\n\n{moves} {result}\n\n");
    let text = [
        game("1. d4 d5 2. Nf3 Nf6", "1-0").repeat(3),
        game("1. Nf3 d5 2. d4 e6", "0-1").repeat(2),
        game("1. e4 e5 2. Nf3 Nc6", "1/2-1/2").repeat(4),
        game("1. e4! c5 2. Nf3", "1-0"),
    ];
    stage.write("few.pgn", text.concat());
    stage.good("build -q -o few.tabia few.pgn");
    stage
}

fn nodes(tree: &Value) -> &Vec<Value> {
    tree["nodes"].as_array().unwrap()
}

#[test]
fn lines_fit_80_columns_however_long_they_are() {
    let stage = Stage::new();
    stage.write("games.pgn", random_games(3, 300, 60));
    stage.good("build -q -o games.tabia games.pgn --evals");
    for options in ["--max-ply 60 --min-share 0", "--max-ply 60 --breadth 1", "--max-ply 0"] {
        let text = stage.good(&format!("tree games.tabia {options}"));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{options}: {text}");
        assert!(text.lines().all(|line| line.trim_end() == line), "{options}");
    }
}

#[test]
fn json_has_the_moves_of_the_book() {
    let stage = stage();
    let tree = stage.json("tree few.tabia --min-share 0");
    assert_eq!(
        (&tree["game"], &tree["results"], &tree["truncated"]),
        (&"chess".into(), &true.into(), &false.into())
    );
    let root = &nodes(&tree)[0];
    assert_eq!(
        (&root["parent"], &root["san"], &root["games"]),
        (&Value::Null, &Value::Null, &10.into())
    );
    assert_eq!(root["position"]["wins"], 4);
    let mut same = 0;
    for (place, node) in nodes(&tree).iter().enumerate().skip(1) {
        let parent = node["parent"].as_u64().unwrap() as usize;
        assert!(parent < place && node["id"] == place);
        let mut line = vec![place];
        while let Some(before) = nodes(&tree)[line[line.len() - 1]]["parent"].as_u64() {
            line.push(before as usize);
        }
        let mut board = Chess::start();
        for &node in line.iter().rev().skip(1) {
            board.play(&board.parse_move(nodes(&tree)[node]["uci"].as_str().unwrap()).unwrap());
        }
        assert_eq!(node["key"], format!("{:016x}", board.key()));
        let explored = stage.json(&format!("get few.tabia {}", node["key"].as_str().unwrap()));
        let row = &explored[0]["position"];
        let games: u64 =
            ["wins", "draws", "losses"].iter().map(|name| row[name].as_u64().unwrap()).sum();
        assert_eq!(node["position"]["games"], games, "{explored}");
        same += usize::from(node["same_as"].is_u64());
    }
    assert_eq!(same, 1);
    let first = &nodes(&tree)[1];
    assert_eq!(
        (&first["san"], &first["share"], &first["marks"][0]),
        (&"e4".into(), &0.5.into(), &"!".into())
    );
}

#[test]
fn trees_of_all_kinds_of_books() {
    let stage = Stage::with_books();
    stage.write("games.pgn", random_games(4, 400, 12));
    stage.good("build -q -o games.tabia games.pgn");
    let whole = stage.good("tree games.tabia --max-ply 8 --min-share 0");
    // Shares as one.
    stage.good("merge -q -o one.tabia games.tabia --share 1/2");
    stage.good("merge -q -o two.tabia games.tabia --share 2/2");
    assert_eq!(stage.good("tree one.tabia two.tabia --max-ply 8 --min-share 0"), whole);
    // A journal as well as what it is compacted to.
    stage.good("add -q games.tabia league.pgn");
    let added = stage.good("tree games.tabia --max-ply 8 --min-share 0");
    assert_ne!(added, whole);
    assert_eq!(stage.good("tree games.tabia --max-ply 8 --min-share 0 --bare"), whole);
    stage.good("compact -q games.tabia");
    assert_eq!(stage.good("tree games.tabia --max-ply 8 --min-share 0"), added);
    // Lines never meet.
    stage.good("build -q -o lines.tabia --keyed line games.pgn");
    let lines = stage.json("tree lines.tabia --min-share 0");
    assert!(nodes(&lines).iter().all(|node| node["same_as"].is_null()));
    assert!(
        nodes(&stage.json("tree games.tabia --min-share 0"))
            .iter()
            .any(|node| node["same_as"].is_u64())
    );
    // Results that aren't known are no scores.
    stage.good("build -q -o counts.tabia --results unknown games.pgn");
    let counts = stage.good("tree counts.tabia");
    assert!(!counts.contains("scores") && !counts.contains("White"), "{counts}");
    let counts = stage.json("tree counts.tabia");
    assert_eq!((&nodes(&counts)[1]["wins"], &counts["results"]), (&Value::Null, &false.into()));
    // Without positions, games are those of the moves.
    stage.good("build -q -o moves.tabia --tables moves games.pgn");
    let moves = stage.json("tree moves.tabia");
    assert_eq!(
        (&nodes(&moves)[0]["games"], &nodes(&moves)[0]["position"]),
        (&400.into(), &Value::Null)
    );
    // Images of a board are one.
    stage.write("few.lines", "f5 d6 c3 1-0\nd3 c3 c4 0-1\nc4 c3 d3 0-1\nf5 f6 e6 1-0\n");
    stage.good("build -q -o othello.tabia --game othello few.lines");
    let text = stage.good("tree othello.tabia --min-share 0");
    assert!(text.contains("\n1. f5  ") && text.contains("  Black\n"), "{text}");
}

#[test]
fn totals_of_random_games_are_those_of_the_book() {
    let (stage, text) = (Stage::new(), random_games(5, 500, 8));
    stage.write("games.pgn", &text);
    stage.good("build -q -o games.tabia games.pgn");
    let tree = stage.json("tree games.tabia --min-share 0 --max-ply 9");
    let info = stage.json("info games.tabia");
    // All games are of this length at most, so all of the book is in the tree.
    let followed = nodes(&tree).iter().filter(|node| node["same_as"].is_null());
    let keys: BTreeSet<&str> = followed.map(|node| node["key"].as_str().unwrap()).collect();
    assert_eq!(info["positions"], keys.len());
    assert_eq!(info["moves"], nodes(&tree).len() - 1);
    let by_parent =
        nodes(&tree).iter().skip(1).fold(BTreeMap::<u64, u64>::new(), |mut sums, node| {
            *sums.entry(node["parent"].as_u64().unwrap()).or_default() +=
                node["games"].as_u64().unwrap();
            sums
        });
    assert_eq!(by_parent[&0], 500);
}

#[test]
fn bad_usage_of_tree() {
    let stage = Stage::with_books();
    stage.bad("tree club.pgn", &["club.pgn", "not a Tabia book"]);
    stage.bad("tree club.tabia --max-nodes 0", &["--max-nodes", "'0'"]);
    stage.bad("tree club.tabia --min-share -1", &["'-1'"]);
    stage.bad("tree club.tabia --moves e5", &["--moves: move 1", "e5"]);
    stage.bad("tree club.tabia --fen x", &["--fen"]);
    assert_eq!(stage.json("-q tree club.tabia --max-nodes 3")["truncated"], true);
}
