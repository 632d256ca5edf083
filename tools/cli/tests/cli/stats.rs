//! `stats`: figures by ply, where games leave a book, and its holes.

use crate::stage::{Stage, random_games};
use serde_json::Value;

fn number(facts: &Value, name: &str) -> u64 {
    facts[name].as_u64().unwrap_or_else(|| panic!("{name}: {facts}"))
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
fn games_of_the_book_stay_in_it_and_others_leave_whoever_reads_them() {
    let stage = stage();
    let own = stage.json("stats games.tabia --archives games.pgn");
    assert_eq!(
        (number(&own, "games"), number(&own, "stayed"), number(&own, "exits")),
        (600, 600, 0)
    );
    let facts = stage.json("stats half.tabia --archives rest.pgn --limit 1000000");
    assert!(number(&facts, "left") > 0);
    for options in ["rest.pgn --threads 1", "rest.pgn --threads 3"] {
        assert_eq!(
            stage.json(&format!("stats half.tabia --limit 1000000 --archives {options}")),
            facts
        );
    }
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
fn all_that_is_shown_fits_80_columns() {
    let stage = stage();
    stage.good("trim -q games.tabia -o white.tabia --solution white --keep 1 --min-games 5");
    for options in [
        "club.tabia",
        "games.tabia",
        "games.tabia --max-ply 3",
        "half.tabia --archives rest.pgn club.pgn league.pgn --limit 50",
        "half.tabia --against games.tabia",
        "white.tabia --against games.tabia --white-only",
    ] {
        fits(&stage.good(&format!("stats {options}")));
    }
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
