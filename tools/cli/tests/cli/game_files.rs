//! The file of games beside a book: added to, merged, damaged, hostile names.

use crate::stage::Stage;
use serde_json::json;
use std::fmt::Write;

/// Games of chess with these beginnings of names.
fn archive(names: &[&str]) -> String {
    let mut text = String::new();
    for (number, name) in names.iter().enumerate() {
        let moves = ["1. e4 e5 2. Nf3", "1. d4 d5 2. c4", "1. e4 c5 2. Nf3 d6"][number % 3];
        let _ = writeln!(
            text,
            "[Event \"E{number}\"]\n[White \"{name}\"]\n[Black \"B\"]\n[WhiteElo \"24{number:02}\"]\n[BlackElo \"2400\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n"
        );
    }
    text
}

#[test]
fn added_games_are_beside_the_book_and_as_if_built_at_once() {
    let stage = Stage::new();
    stage.write("a.pgn", archive(&["A", "B", "C"]));
    stage.write("b.pgn", archive(&["D", "A", "E", "F"]));
    for games in ["--games", "--games=named"] {
        stage.good(&format!("build -q --force {games} -o ab.tabia a.pgn b.pgn"));
        stage.good(&format!("build -q --force {games} -o a.tabia a.pgn"));
        let added = stage.json("add a.tabia b.pgn");
        assert_eq!(added["games_file"]["kept"], if games == "--games" { "all" } else { "named" });
        stage.good("check a.tabia");
        if games == "--games" {
            assert!(stage.read("a.tabia-games") == stage.read("ab.tabia-games"));
        }
        stage.good("compact a.tabia");
        // Of named games, those that were named before stay.
        let top = |book: &str| stage.json(&format!("games {book} --top 1"))["games"].clone();
        assert_eq!(top("a.tabia"), top("ab.tabia"));
    }
    // Merged into a book, likewise.
    stage.good("build -q --force --games -o a.tabia a.pgn");
    stage.good("build -q --force --games -o b.tabia b.pgn");
    stage.good("build -q --force --games -o ab.tabia a.pgn b.pgn");
    stage.good("merge --into a.tabia b.tabia");
    assert!(stage.read("a.tabia-games") == stage.read("ab.tabia-games"));
}

#[test]
fn copies_that_do_not_count_are_not_kept() {
    let stage = Stage::new();
    stage.write("a.pgn", archive(&["A", "B", "C", "D"]));
    let built = stage.json("build --games --dedup exact -o a.tabia a.pgn");
    assert_eq!((&built["games"], &built["games_file"]["games"]), (&json!(3), &json!(3)));
    stage.good("check a.tabia");
}

#[test]
fn hostile_names_are_text() {
    let stage = Stage::new();
    let name = "<script>alert(1)</script>\u{1b}[31m\u{7}";
    stage.write("a.pgn", archive(&[name]));
    stage.good("build -q --games -o a.tabia a.pgn");
    let shown = stage.good("games a.tabia");
    assert!(
        shown.contains("<script>alert(1)</script> [31m") && !shown.contains('\u{1b}'),
        "{shown}"
    );
    for args in ["games a.tabia --format pgn", "games a.tabia --json"] {
        let said = stage.good(args);
        assert!(said.contains("<script>alert(1)</script> [31m"), "{said}");
    }
}

#[test]
fn a_damaged_file_of_games_is_told_and_salvaged_and_costs_the_book_nothing() {
    let stage = Stage::new();
    stage.write("a.pgn", archive(&["A", "B", "C", "D", "E"]));
    stage.good("build -q --games -o a.tabia a.pgn");
    let whole = stage.read("a.tabia-games");
    for at in [0, 20, 80, 4096, 4200, whole.len() / 2, whole.len() - 5000, whole.len() - 1] {
        let mut bad = whole.clone();
        bad[at] ^= 0x10;
        stage.write("a.tabia-games", &bad);
        let ran = stage.run("check a.tabia");
        assert_eq!(ran.code, Some(1), "{at}: {ran:?}");
        let checked = stage.run("check a.tabia --json");
        let checked: serde_json::Value = serde_json::from_str(&checked.out).unwrap();
        assert_eq!(checked["games_file"]["ok"], json!(false));
        stage.good("explore a.tabia");
        stage.good("info a.tabia");
        let saved = stage.json("salvage a.tabia -o saved.tabia --force");
        assert_eq!(saved["moves"]["lost"], json!(0));
        let games = &saved["games_file"];
        let (kept, lost) = (games["kept"].as_u64().unwrap(), games["lost"].as_u64().unwrap());
        assert_eq!(kept + lost, 5, "{at}");
        stage.run("games a.tabia");
    }
    stage.write("a.tabia-games", &whole[..whole.len() - 4096]);
    stage.bad("games a.tabia", &["a.tabia-games", "G-5"]);
    stage.write("a.tabia-games", "something else");
    stage.bad("build --force --games -o a.tabia a.pgn", &["a.tabia-games", "no file of games"]);
}

#[test]
fn games_that_are_there_are_replaced_only_where_that_is_asked_for() {
    let stage = Stage::new();
    stage.write("a.pgn", archive(&["A", "B"]));
    stage.good("build -q --games -o a.tabia a.pgn");
    stage.good("build -q --games -o new.tabia a.pgn");
    std::fs::remove_file(stage.path("new.tabia")).unwrap();
    for verb in [
        "build --games -o new.tabia a.pgn",
        "merge -o new.tabia a.tabia",
        "pack a.tabia -o new.tabia",
        "salvage a.tabia -o new.tabia",
    ] {
        stage.bad(verb, &["new.tabia-games", "exists already", "--force"]);
        stage.good(&format!("{verb} --force"));
        std::fs::remove_file(stage.path("new.tabia")).unwrap();
    }
}
