//! `play` without a protocol: one move, and why.

use crate::stage::Stage;

/// Games as PGN: result and moves.
pub fn pgn(games: &[(&str, &str)]) -> String {
    games
        .iter()
        .map(|(result, moves)| {
            format!("[Event \"x\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
        })
        .collect()
}

/// A book in which 1. e4 scored 2 of 3, 1. d4 3 of 5, and 1. a4 nothing of 1.
fn stage() -> Stage {
    let stage = Stage::new();
    let [white, black, draw] = ["1-0", "0-1", "1/2-1/2"];
    let games = [
        (white, "1. e4 e5 2. Nf3"),
        (white, "1. e4 e5 2. Nf3"),
        (black, "1. e4 e5 2. Bc4"),
        (white, "1. d4 d5"),
        (white, "1. d4 d5"),
        (draw, "1. d4 d5"),
        (draw, "1. d4 Nf6"),
        (black, "1. d4 Nf6"),
        (black, "1. a4"),
    ];
    stage.write("games.pgn", pgn(&games));
    stage.good("build -q -o book.tabia games.pgn");
    stage
}

#[test]
fn the_move_is_one_word() {
    let stage = stage();
    for (rule, expected) in [
        ("games", "d4"),
        ("best", "d4"),
        ("default", "e4"),
        ("q", "e4"),
        ("wilson", "d4"),
        ("reg2", "e4"),
        ("softmax(t=0.00001)", "e4"),
        ("random,min-games=4", "d4"),
    ] {
        assert_eq!(
            stage.good(&format!("play book.tabia --rule {rule}")),
            format!("{expected}\n"),
            "{rule}"
        );
    }
    let mut command =
        stage.command(["play", "book.tabia", "--rule", "default", "--moves", "1. e4 e5"]);
    assert_eq!(String::from_utf8(command.output().unwrap().stdout).unwrap(), "Nf3\n");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let mut command = stage.command(["play", "book.tabia", "--rule", "default", "--fen", fen]);
    assert_eq!(String::from_utf8(command.output().unwrap().stdout).unwrap(), "Nf3\n");
}

#[test]
fn no_move_is_exit_code_1_and_a_reason() {
    let stage = stage();
    for (args, why) in [
        ("--rule lcb", "would be the best, but lcb"),
        ("--moves e4_e5 --rule default --min-games 9", "no move of the book may be played"),
        ("--rule games --max-ply 0", "for 0 plies only"),
        ("--rule games --moves h4", "out of the book"),
        ("--rule nr --fen 8/8/4k3/8/8/4K3/4P3/8_w_-_-_0_1", "out of the book"),
    ] {
        let words = args.split(' ').map(|word| word.replace('_', " "));
        let ran = crate::stage::Ran::of(
            stage
                .command(["play", "book.tabia"].map(str::to_owned).into_iter().chain(words))
                .output()
                .unwrap(),
        );
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{args}: {ran:?}");
        assert!(
            ran.err.starts_with("tabia: no move: ")
                && ran.err.contains(why)
                && ran.err.lines().count() == 1,
            "{args}: {ran:?}"
        );
    }
    let ran = stage.run("play -q book.tabia --rule lcb");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(1), "", ""));
    let ran = stage.run("play book.tabia --rule lcb --why");
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    assert!(
        ran.out.starts_with("no move\nlcb: d4 would be the best, but lcb -29.4 % is below 50 %\n"),
        "{ran:?}"
    );
}

#[test]
fn why_shows_each_move_with_its_figures() {
    let stage = stage();
    let shown = stage.good("play book.tabia --rule default --why");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[..2], ["e4", "default: score 66.7 % is the best of 2"]);
    let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(cells(lines[3]), ["move", "games", "score", "why", "not"]);
    assert_eq!(cells(lines[4]), ["e4", "3", "66.7%", "chosen"]);
    assert_eq!(cells(lines[5]), ["d4", "5", "60.0%"]);
    assert_eq!(
        lines[6].split_whitespace().collect::<Vec<_>>().join(" "),
        "a4 1 0.0% score 0 % is below 50 %"
    );
}

#[test]
fn json_has_every_candidate() {
    let stage = stage();
    let found = stage.json("play book.tabia --rule random --seed 4 --game-number 2");
    assert_eq!((found["rule"].as_str(), found["ply"].as_u64()), (Some("random"), Some(0)));
    let candidates = found["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 3);
    let chosen = candidates.iter().find(|candidate| candidate["chosen"] == true).unwrap();
    assert_eq!((&chosen["san"], &chosen["uci"]), (&found["move"]["san"], &found["move"]["uci"]));
    let d4 = candidates.iter().find(|candidate| candidate["uci"] == "d2d4").unwrap();
    assert_eq!(
        (
            d4["figures"]["games"].as_u64(),
            d4["figures"]["points"].as_f64(),
            d4["figures"]["chance"].as_f64()
        ),
        (Some(5), Some(6.0), Some(0.6))
    );
    let a4 = candidates.iter().find(|candidate| candidate["uci"] == "a2a4").unwrap();
    assert_eq!((a4["figures"]["chance"].as_f64(), a4["out"].as_str()), (Some(0.0), None));
    assert_eq!(stage.json("play book.tabia --rule random --seed 4 --game-number 2"), found);
    let ran = stage.run("play book.tabia --rule lcb --json");
    let none: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(
        ran.code == Some(1)
            && none["move"].is_null()
            && none["why"].as_str().unwrap().contains("d4 would be the best")
    );
    assert_eq!(none["candidates"][0]["out"], "lcb -29.4 % is below 50 %");
}

#[test]
fn a_patch_lies_over_the_book() {
    let stage = stage();
    stage.write("patch.pgn", pgn(&[("0-1", "1. e4 c5")]));
    stage.good("build -q -o patch.tabia patch.pgn");
    assert_eq!(stage.good("play book.tabia --overlay patch.tabia --rule q"), "d4\n");
    assert_eq!(stage.good("play patch.tabia --overlay book.tabia --rule q"), "e4\n");
}

#[test]
fn what_cannot_be_done_is_told() {
    let stage = stage();
    stage.bad("play book.tabia --rule lbc", &["lbc", "give default, q, rote"]);
    stage.bad("play book.tabia --rule rote", &["rote: ", "keyed by position", "`q`"]);
    stage.bad("play book.tabia --moves e5", &["--moves: move 1", "e5"]);
    stage.bad("play book.tabia --fen x", &["--fen"]);
    stage.bad("play missing.tabia", &["missing.tabia"]);
    stage.bad("play book.tabia --protocol uci --fen x -- true", &["--fen and --moves", "GUI"]);
    stage.bad("play book.tabia --protocol uci --why -- true", &["--why"]);
    stage.good("build -q -o moves.tabia --tables moves games.pgn");
    stage.bad("play moves.tabia --rule lcb", &["lcb: ", "no positions table", "by=moves"]);
    assert_eq!(stage.good("play moves.tabia --rule default,by=moves"), "e4\n");
    stage.good("build -q -o lines.tabia --keyed line games.pgn");
    assert_eq!(stage.good("play lines.tabia --rule rote"), "e4\n");
    stage.bad("play book.tabia --overlay lines.tabia", &["lines.tabia"]);
}

#[test]
fn othello_is_played_on_the_users_board() {
    let stage = Stage::new();
    stage.write("games.txt", "f5d6c3d3c4f4f6 1-0\n");
    let ran = stage.run("build -q -o book.tabia --game othello games.txt");
    if ran.code != Some(0) {
        stage.write("games.ggf", "(;GM[Othello]PC[x]DT[0]PB[a]PW[b]RE[+4]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6]B[c3];)\n");
        stage.good("build -q -o book.tabia games.ggf");
    }
    assert_eq!(stage.good("play book.tabia --rule games"), "f5\n");
    let answer = |first: &str| {
        stage.good(&format!("play book.tabia --rule games --moves {first}")).trim().to_owned()
    };
    // d6 behind f5, and its image behind the images of f5.
    assert_eq!(
        (
            answer("f5").as_str(),
            answer("d3").as_str(),
            answer("c4").as_str(),
            answer("e6").as_str()
        ),
        ("d6", "c5", "e3", "f4")
    );
}
