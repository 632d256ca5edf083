//! What positions of a grown book are worth: `explore`, `tree` and `play --rule negamax` say the same.

use crate::stage::Stage;
use serde_json::Value;
use std::collections::BTreeSet;

/// What a command says of a book after a line.
fn told(stage: &Stage, words: &str, line: &str) -> Value {
    let after = if line.is_empty() { String::new() } else { format!("--moves '{}'", line.trim()) };
    let ran = stage.shell(&format!("tabia {words} {after} --json"));
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {line}: {ran:?}"))
}

/// Compares all expanded positions of a book; of how many a move was chosen.
fn compares(stage: &Stage, book: &str) -> usize {
    let (mut lines, mut seen, mut compared) = (vec![String::new()], BTreeSet::new(), 0);
    while let Some(line) = lines.pop() {
        let at = told(stage, &format!("explore {book}"), &line);
        if !seen.insert(at["key"].to_string()) {
            continue;
        }
        let played = format!("play {book} --rule 'negamax(unknown=ignore)' --why");
        let played = told(stage, &played, &line);
        let tree = format!("tree {book} --max-ply 1 --min-share 0 --min-games 0 --breadth 999");
        let tree = told(stage, &tree, &line);
        let known = played["candidates"].as_array().unwrap();
        let of = |moves: &Value, code: &Value| {
            let found = moves.as_array().unwrap().iter().find(|one| one["code"] == *code);
            found.map_or(Value::Null, |one| one["value"].clone())
        };
        let mut best = Vec::new();
        for judged in known {
            let (code, value) = (&judged["code"], &judged["figures"]["value"]);
            let number = |value: &Value| value.as_f64().map_or(value.clone(), Value::from);
            let row = at["moves"].as_array().unwrap().iter().find(|one| one["code"] == *code);
            if row.is_some() {
                assert_eq!(number(&of(&at["moves"], code)), *value, "{line}: {code}");
                assert_eq!(number(&of(&tree["nodes"], code)), *value, "{line}: {code}");
            }
            best.extend((judged["chosen"] == true).then(|| value.clone()));
        }
        assert_eq!(tree["nodes"][0]["value"], at["behind"]["value"], "{line}");
        assert_eq!(tree["evals"], at["behind"]["evals"], "{line}");
        if let [best] = &best[..] {
            let value = &at["behind"]["value"];
            assert_eq!(value.as_f64().map_or(value.clone(), Value::from), *best, "{line}");
            compared += 1;
        }
        for one in at["moves"].as_array().unwrap().iter().filter(|one| is_expanded_at(one)) {
            lines.push(format!("{line} {}", one["uci"].as_str().unwrap()));
        }
    }
    compared
}

fn is_expanded_at(one: &Value) -> bool {
    let flags = one["position"]["flags"].as_array();
    flags.is_some_and(|flags| flags.contains(&"expanded".into()))
}

#[test]
fn every_view_says_what_negamax_plays_by() {
    let stage = Stage::with_books();
    stage.good("grow -q own.tabia --game othello --nodes 300 --budget 25expansions");
    assert!(compares(&stage, "own.tabia") > 10);
    let sure = "grow -q sure.tabia --game connect4-4x4 --depth 4 --budget 60expansions";
    stage.good(sure);
    assert!(compares(&stage, "sure.tabia") > 10);
    stage.good("grow -q club.tabia --nodes 300 --budget 12expansions");
    assert!(compares(&stage, "club.tabia") > 5);
    // Where nothing is expanded nothing is said of it.
    let plain = stage.json("explore league.tabia");
    assert!(plain["behind"].is_null() && plain["moves"][0]["value"].is_null(), "{plain}");
}
