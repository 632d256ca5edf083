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
