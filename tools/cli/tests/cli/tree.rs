//! `tree`: the lines of a book, as text and JSON.

use crate::stage::{Stage, random_games};
use serde_json::Value;

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
