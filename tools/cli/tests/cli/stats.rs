//! `stats`: figures by ply, where games leave a book, and its holes.

use crate::stage::{Stage, random_games};
use serde_json::Value;

fn number(facts: &Value, name: &str) -> u64 {
    facts[name].as_u64().unwrap_or_else(|| panic!("{name}: {facts}"))
}

/// The sum of a figure over all plies.
fn sum(facts: &Value, name: &str) -> u64 {
    facts["plies"].as_array().unwrap().iter().map(|ply| number(ply, name)).sum()
}

fn fits(text: &str) {
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.lines().all(|line| line.trim_end() == line), "{text:?}");
}

/// A stage with a book of random games and one of half of them.
fn stage() -> Stage {
    let (stage, text) = (Stage::with_books(), random_games(7, 600, 14));
    stage.write("games.pgn", &text);
    let half = text.len() / 2;
    let end = half + text[half..].find("[Event").unwrap();
    stage.write("half.pgn", &text[..end]);
    stage.write("rest.pgn", &text[end..]);
    stage.good("build -q -o games.tabia games.pgn");
    stage.good("build -q -o half.tabia half.pgn");
    stage
}

#[test]
fn figures_add_up_to_the_book() {
    let stage = stage();
    for book in ["games.tabia", "club.tabia", "league.tabia"] {
        let (facts, info) =
            (stage.json(&format!("stats {book}")), stage.json(&format!("info {book}")));
        for table in ["positions", "moves"] {
            let rows = &facts[table];
            assert_eq!(rows["rows"], info[table]);
            assert_eq!(number(rows, "reached") + number(rows, "unreached"), number(rows, "rows"));
            assert_eq!(sum(&facts, table), number(rows, "reached"));
        }
        assert_eq!(sum(&facts, "positions_once"), number(&facts["positions"], "once"));
        assert_eq!(sum(&facts, "moves_once"), number(&facts["moves"], "once"));
        assert_eq!(sum(&facts, "leaves"), number(&facts, "leaves"));
        let text = stage.good(&format!("stats {book}"));
        fits(&text);
        assert!(text.contains("seen once") && text.contains("  ply    positions"), "{text}");
    }
    // A game from a set-up position isn't reached from the start.
    let facts = stage.json("stats club.tabia");
    assert!(number(&facts["positions"], "unreached") > 0);
    assert_eq!(facts["plies"][0]["games"], 6);
    let text = stage.good("stats club.tabia");
    assert!(text.contains("  reached ") && text.contains("not in the figures below"), "{text}");
    // A limit of plies shows the rest together.
    let text = stage.good("stats games.tabia --max-ply 3");
    fits(&text);
    assert!(text.contains("\n   4+ ") && !text.contains("\n    4 "), "{text}");
    assert_eq!(
        stage.json("stats games.tabia --max-ply 3")["plies"],
        stage.json("stats games.tabia")["plies"]
    );
}

#[test]
fn games_of_the_book_stay_in_it_and_others_leave() {
    let stage = stage();
    let own = stage.json("stats games.tabia --archives games.pgn");
    assert_eq!(
        (number(&own, "games"), number(&own, "stayed"), number(&own, "exits")),
        (600, 600, 0)
    );
    let facts = stage.json("stats half.tabia --archives rest.pgn --limit 1000000");
    assert_eq!(number(&facts, "games"), number(&facts, "stayed") + number(&facts, "left"));
    assert_eq!(sum(&facts, "left"), number(&facts, "left"));
    let top = facts["top"].as_array().unwrap();
    assert_eq!(top.len() as u64, number(&facts, "exits"));
    assert_eq!(top.iter().map(|exit| number(exit, "games")).sum::<u64>(), number(&facts, "left"));
    // The line leads to the position, and the book doesn't have the move there.
    for exit in top.iter().take(5) {
        let line: Vec<&str> =
            exit["line"].as_array().unwrap().iter().map(|san| san.as_str().unwrap()).collect();
        let line = line.join(" ");
        let output =
            stage.command(["explore", "half.tabia", "--json", "--moves", &line]).output().unwrap();
        let explored: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(explored["key"], exit["key"]);
        let known = explored["moves"].as_array().unwrap();
        assert_eq!(exit["answered"], !known.is_empty());
        for played in exit["moves"].as_array().unwrap() {
            assert!(known.iter().all(|known| known["code"] != played["code"]), "{exit}");
            assert!(played["san"].is_string());
        }
    }
    let last = facts["plies"].as_array().unwrap().last().unwrap();
    let stayed = number(&facts, "stayed") as f64 / number(&facts, "games") as f64;
    assert!((last["answered"].as_f64().unwrap() - stayed).abs() < 1e-9);
    // However many threads there are, and whatever the order of archives.
    for options in ["rest.pgn --threads 1", "rest.pgn --threads 3"] {
        assert_eq!(
            stage.json(&format!("stats half.tabia --limit 1000000 --archives {options}")),
            facts
        );
    }
    fits(&stage.good("stats half.tabia --archives rest.pgn club.pgn league.pgn --limit 50"));
    // Games without a result count too.
    stage.write("open.pgn", "[Result \"*\"]\n\n1. e4 e5 *\n");
    assert_eq!(number(&stage.json("stats club.tabia --archives open.pgn"), "stayed"), 1);
}

#[test]
fn a_report_has_a_line_for_each_game() {
    let stage = Stage::with_books();
    stage.write(
        "a.pgn",
        "[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. a3 1-0\n\n[Result \"1-0\"]\n\n1. a4 1-0\n",
    );
    stage.write("b.pgn", "[Result \"0-1\"]\n\n1. f3 e5 0-1\n");
    let facts = stage.json("stats club.tabia --archives a.pgn b.pgn --report left.tsv");
    assert_eq!((number(&facts, "games"), number(&facts, "left")), (3, 2));
    let expected = "\
# archive\tgame\tbyte\tplies\tleft_at\tmove
a.pgn\t1\t0\t5\t5\t3. a3
a.pgn\t2\t47\t1\t1\t1. a4
b.pgn\t1\t0\t2\t\t
";
    let text = stage.text("left.tsv");
    assert_eq!(text, expected);
    stage.bad("stats club.tabia --archives a.pgn --report left.tsv", &["left.tsv", "--force"]);
    stage.good("stats club.tabia --archives b.pgn --report left.tsv --force");
    assert_eq!(stage.text("left.tsv").lines().count(), 2);
}

#[test]
fn holes_are_found_in_another_book() {
    let stage = stage();
    let none = stage.json("stats games.tabia --against half.tabia");
    assert_eq!((number(&none, "holes"), number(&none, "left")), (0, 0));
    let facts = stage.json("stats half.tabia --against games.tabia --limit 1000000");
    let top = facts["top"].as_array().unwrap();
    assert_eq!((top.len() as u64, number(&facts, "games")), (number(&facts, "holes"), 600));
    assert_eq!(top.iter().map(|hole| number(hole, "games")).sum::<u64>(), number(&facts, "left"));
    assert!(top.windows(2).all(|pair| number(&pair[0], "games") >= number(&pair[1], "games")));
    fits(&stage.good("stats half.tabia --against games.tabia"));
    let three = stage.json("stats half.tabia --against games.tabia --max-ply 3");
    assert!(three["plies"].as_array().unwrap().len() <= 3);
    // A repertoire has no holes where its side plays.
    stage.good("trim -q games.tabia -o white.tabia --solution white --keep 1 --min-games 5");
    let white = stage.json("stats white.tabia --against games.tabia --white-only --limit 1000");
    assert!(number(&white, "left_by_own_side") > 0);
    for hole in white["top"].as_array().unwrap() {
        assert_eq!(hole["line"].as_array().unwrap().len() % 2, 1, "Black moves: {hole}");
    }
    fits(&stage.good("stats white.tabia --against games.tabia --white-only"));
}

#[test]
fn figures_of_other_games_and_keys() {
    let stage = Stage::new();
    stage.write("few.lines", "f5 d6 c3 1-0\nd3 c3 c4 0-1\nf5 f6 e6 1-0\n");
    stage.write("other.lines", "c4 c3 d3 0-1\nd3 e3 f4 0-1\n");
    for keyed in ["position", "line"] {
        stage.good(&format!(
            "build -q --force -o few.tabia --game othello --keyed {keyed} few.lines"
        ));
        stage.good(&format!(
            "build -q --force -o other.tabia --game othello --keyed {keyed} other.lines"
        ));
        let facts = stage.json("stats few.tabia");
        assert_eq!(facts["positions"]["unreached"], 0);
        assert_eq!(
            (number(&facts["plies"][0], "games"), number(&facts["plies"][1], "positions")),
            (3, 1)
        );
        let left = stage.json("stats few.tabia --archives other.lines");
        assert_eq!(number(&left, "games"), 2);
        let holes = stage.json("stats few.tabia --against other.tabia --black-only");
        assert_eq!(number(&holes, "games"), 2);
    }
    stage
        .good("build -q -o counts.tabia --results unknown --tables moves few.lines --game othello");
    let facts = stage.json("stats counts.tabia");
    assert_eq!((&facts["positions"], number(&facts["plies"][0], "games")), (&Value::Null, 3));
    fits(&stage.good("stats counts.tabia"));
}

#[test]
fn bad_usage_of_stats() {
    let stage = Stage::with_books();
    stage.good("build -q -o positions.tabia --tables positions club.pgn");
    stage.write("few.lines", "f5 d6 c3 1-0\n");
    stage.good("build -q -o othello.tabia --game othello few.lines");
    for (arguments, said) in [
        ("nothing.tabia", &["nothing.tabia"][..]),
        ("club.tabia --max-ply 0", &["--max-ply", "'0'"]),
        ("club.tabia --against league.tabia --limit 0", &["--limit", "'0'"]),
        ("club.tabia --report x", &["--archives"]),
        ("club.tabia --threads 2", &["--archives"]),
        ("club.tabia --archives", &["--archives"]),
        ("club.tabia --archives nothing.pgn --report y", &["nothing.pgn"]),
        ("club.tabia --archives club.tabia --report y", &["club.tabia"]),
        ("club.tabia --archives few.lines", &["1 game can't be read as chess"]),
        ("positions.tabia", &["--tables positions,moves"]),
        ("positions.tabia --archives club.pgn", &["--tables positions,moves"]),
        ("club.tabia --against positions.tabia", &["positions.tabia", "--tables positions,moves"]),
        ("club.tabia --against othello.tabia", &["othello.tabia", "chess"]),
        ("club.tabia --archives league.pgn --report league.pgn --force", &["same file"]),
        ("club.tabia --archives league.pgn --report club.tabia --force", &["same file"]),
        ("club.tabia --archives league.pgn --report no/such.tsv", &["no"]),
        ("club.tabia --white-only --black-only", &["--white-only", "--black-only"]),
    ] {
        stage.bad(&format!("stats {arguments}"), said);
    }
}
