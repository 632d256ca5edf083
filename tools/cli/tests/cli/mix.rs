//! `mix`: from a matrix of scores to weights for strategies.

use crate::decide::pgn;
use crate::play::installed;
use crate::stage::Stage;
use serde_json::Value;

/// Rock, paper, scissors.
const GAME: &str =
    "first\\second rock paper scissors\nrock 50 0 100\npaper 100 50 0\nscissors 0 100 50\n";

fn stage() -> Stage {
    let stage = Stage::new();
    stage.write("game.txt", GAME);
    stage
}

#[test]
fn who_plays_rock_paper_scissors_plays_all_three() {
    let stage = stage();
    let found = stage.json("mix game.txt");
    for side in ["first", "second"] {
        let strategies = found[side]["strategies"].as_array().unwrap();
        assert_eq!(strategies.len(), 3);
        for strategy in strategies {
            assert!((strategy["exact"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-9, "{found}");
            assert!((strategy["played"].as_f64().unwrap() - 1.0 / 3.0).abs() < 0.02, "{found}");
        }
    }
    let stands = found["fictitious_play"].as_array().unwrap();
    assert_eq!(
        stands.iter().map(|stand| stand["rounds"].as_u64().unwrap()).collect::<Vec<_>>(),
        [10, 100, 1000, 10_000]
    );
    assert!((found["exact"]["first_gets"].as_f64().unwrap() - 50.0).abs() < 1e-9);
    assert!(stage.good("mix game.txt").contains("33.3 %"));
    assert_eq!(stage.run_with("mix -", GAME.as_bytes()).code, Some(0));
}

#[test]
fn fictitious_play_ends_when_it_is_good_enough() {
    let stage = stage();
    let found = stage.json("mix game.txt --exploitability 5 --rounds 1000000");
    let last = found["fictitious_play"].as_array().unwrap().last().unwrap();
    assert!(
        last["exploitability"].as_f64().unwrap() <= 5.0
            && last["rounds"].as_u64().unwrap() < 10_000,
        "{found}"
    );
    let few = stage.json("mix game.txt --rounds 3");
    assert_eq!(few["fictitious_play"][0]["rounds"].as_u64(), Some(3));
}

#[test]
fn weights_go_to_a_file() {
    let stage = stage();
    stage.good("mix game.txt -o weights.json");
    let weights: serde_json::Value = serde_json::from_slice(&stage.read("weights.json")).unwrap();
    assert_eq!(
        (weights["tabia_mix"].as_u64(), weights["first"].as_array().unwrap().len()),
        (Some(1), 3)
    );
    let refused = stage.run("mix game.txt -o weights.json");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    stage.good("mix game.txt -o weights.json --force --weights played");
    let played: serde_json::Value = serde_json::from_slice(&stage.read("weights.json")).unwrap();
    assert_ne!(weights, played);
    assert_eq!(stage.run("mix game.txt -o game.txt --force").code, Some(2));
    assert_eq!(stage.read("game.txt"), GAME.as_bytes());
}

#[test]
fn what_is_no_matrix_is_refused_in_one_line() {
    let stage = stage();
    stage.write("short.txt", "x a b\nc 50\n");
    stage.write("odd.txt", "x a\nc fifty\n");
    stage.write("none.txt", "");
    stage.write("bytes.txt", [0xff, 0xfe]);
    for (file, part) in [
        ("short.txt", "line 2"),
        ("odd.txt", "`fifty`"),
        ("none.txt", "no matrix"),
        ("bytes.txt", "no text"),
        ("gone.txt", "cannot read"),
    ] {
        let refused = stage.run(&format!("mix {file}"));
        assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1), "{refused:?}");
        assert!(refused.err.contains(part), "{refused:?}");
    }
    assert_eq!(stage.run("mix game.txt --rounds 0").code, Some(2));
}

/// Lines of chess in which `best` plays e4 and `q` plays d4.
fn with_book(stage: &Stage) {
    let games =
        [("1-0", "1. e4"), ("1-0", "1. e4"), ("0-1", "1. e4"), ("0-1", "1. e4"), ("1-0", "1. d4")];
    stage.write("games.pgn", pgn(&games));
    stage.good("build -q -o book.tabia games.pgn");
}

#[test]
fn one_strategy_is_drawn_for_each_game() {
    let stage = stage();
    with_book(&stage);
    stage.write("matrix.txt", "first\\second best q\nbest 0 100\nq 100 50\n");
    let found = stage.json("mix matrix.txt -o weights.json");
    assert!(
        (found["first"]["strategies"][0]["exact"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-9,
        "{found}"
    );
    let moves: Vec<String> = (0..300)
        .map(|game| stage.good(&format!("play book.tabia --mix weights.json --game-number {game}")))
        .collect();
    let best = moves.iter().filter(|played| *played == "e4\n").count();
    // A third of 300, give or take four standard deviations.
    assert!(
        best.abs_diff(100) < 33 && moves.iter().all(|played| played == "e4\n" || played == "d4\n"),
        "{best}"
    );
    let why = stage.good("play book.tabia --mix weights.json --why");
    assert!(why.contains("drawn for this game with"), "{why}");
    assert_eq!(stage.run("play book.tabia --mix weights.json --rule q").code, Some(2));
    assert_eq!(stage.run("play book.tabia --mix game.txt").code, Some(2));
}

#[test]
fn an_opponents_book_is_heeded_by_negamax_alone() {
    let stage = stage();
    with_book(&stage);
    stage.good("play book.tabia --rule negamax --opponent book.tabia --why");
    let refused = stage.run("play book.tabia --rule lcb --opponent book.tabia");
    assert!(refused.code == Some(2) && refused.err.contains("choose negamax"), "{refused:?}");
    stage.write("tree.mcst", "{0 1 2 {+41 1 2}}");
    stage.good("import mcst -o other.tabia tree.mcst");
    let refused = stage.run("play book.tabia --rule negamax --opponent other.tabia");
    assert!(refused.code == Some(2) && refused.err.contains("other.tabia"), "{refused:?}");
}

#[test]
fn rules_are_played_against_each_other() {
    let stage = stage();
    with_book(&stage);
    for (args, part) in [
        ("--rule q --rule best -- stockfish", "--nodes"),
        ("--rule q --nodes 5 -- stockfish", "twice"),
        ("--rule q --rule q --nodes 5 -- stockfish", "q is given twice"),
        ("--rule q --rule best --nodes 5 -- no-such-engine", "no-such-engine"),
    ] {
        let refused = stage.run(&format!("mix --book book.tabia {args}"));
        assert!(refused.code == Some(2) && refused.err.contains(part), "{refused:?}");
    }
    let Some(engine) = installed("stockfish") else { return };
    let engine = engine.display();
    let told =
        stage.good(&format!("mix --json --book book.tabia --rule q --rule best --games-per-pair 2 --nodes 50 --scores scores.tsv -- {engine}"));
    let found: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(found["first"]["strategies"].as_array().map(Vec::len), Some(2), "{found}");
    let scores = String::from_utf8(stage.read("scores.tsv")).unwrap();
    let games =
        |cell: &str| cell.split('-').map(|count| count.parse::<u32>().unwrap()).sum::<u32>();
    let cells: Vec<u32> =
        scores.lines().skip(2).flat_map(|line| line.split('\t').skip(1)).map(games).collect();
    assert_eq!(cells, [2, 2, 2, 2], "{scores}");
    let again: Value = stage.json("mix scores.tsv");
    assert_eq!(again["exact"], found["exact"]);
}
