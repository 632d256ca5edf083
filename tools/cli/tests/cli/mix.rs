//! `mix`: from a matrix of scores to weights for strategies.

use crate::stage::Stage;

/// Rock, paper, scissors.
const GAME: &str = "first\\second rock paper scissors\nrock 50 0 100\npaper 100 50 0\nscissors 0 100 50\n";

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
    assert_eq!(stands.iter().map(|stand| stand["rounds"].as_u64().unwrap()).collect::<Vec<_>>(), [10, 100, 1000, 10_000]);
    assert!((found["exact"]["first_gets"].as_f64().unwrap() - 50.0).abs() < 1e-9);
    assert!(stage.good("mix game.txt").contains("33.3 %"));
    assert_eq!(stage.run_with("mix -", GAME.as_bytes()).code, Some(0));
}

#[test]
fn fictitious_play_ends_when_it_is_good_enough() {
    let stage = stage();
    let found = stage.json("mix game.txt --exploitability 5 --rounds 1000000");
    let last = found["fictitious_play"].as_array().unwrap().last().unwrap();
    assert!(last["exploitability"].as_f64().unwrap() <= 5.0 && last["rounds"].as_u64().unwrap() < 10_000, "{found}");
    let few = stage.json("mix game.txt --rounds 3");
    assert_eq!(few["fictitious_play"][0]["rounds"].as_u64(), Some(3));
}

#[test]
fn weights_go_to_a_file() {
    let stage = stage();
    stage.good("mix game.txt -o weights.json");
    let weights: serde_json::Value = serde_json::from_slice(&stage.read("weights.json")).unwrap();
    assert_eq!((weights["tabia_mix"].as_u64(), weights["first"].as_array().unwrap().len()), (Some(1), 3));
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
    for (file, part) in
        [("short.txt", "line 2"), ("odd.txt", "`fifty`"), ("none.txt", "no matrix"), ("bytes.txt", "no text"), ("gone.txt", "cannot read")]
    {
        let refused = stage.run(&format!("mix {file}"));
        assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1), "{refused:?}");
        assert!(refused.err.contains(part), "{refused:?}");
    }
    assert_eq!(stage.run("mix game.txt --rounds 0").code, Some(2));
}
