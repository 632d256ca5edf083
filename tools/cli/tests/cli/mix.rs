//! `tabia-match mix`: from a matrix of scores to weights for strategies.

use crate::stage::Stage;
use serde_json::Value;
use tabia_testing::program;

/// What `tabia-match mix` finds.
fn mix(stage: &Stage, args: &str) -> Value {
    let ran = stage.shell(&format!("tabia-match mix --json {args}"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn rules_are_played_against_each_other() {
    let Some(engine) = program("stockfish") else { return };
    let (stage, engine) = (Stage::new(), engine.display());
    stage.write("games.lines", "e4 1-0\ne4 1-0\ne4 0-1\ne4 0-1\nd4 1-0\n");
    stage.good("build -q -o book.tabia --game chess games.lines");
    let found = mix(
        &stage,
        &format!(
            "--book book.tabia --rule q --rule best --games-per-pair 2 --nodes 50 --scores scores.tsv -- {engine}"
        ),
    );
    assert_eq!(found["first"]["strategies"].as_array().map(Vec::len), Some(2), "{found}");
    let scores = stage.text("scores.tsv");
    let games =
        |cell: &str| cell.split('-').map(|count| count.parse::<u32>().unwrap()).sum::<u32>();
    let cells: Vec<u32> =
        scores.lines().skip(2).flat_map(|line| line.split('\t').skip(1)).map(games).collect();
    assert_eq!(cells, [2, 2, 2, 2], "{scores}");
    let again = mix(&stage, "scores.tsv");
    assert_eq!(again["exact"], found["exact"]);
}
