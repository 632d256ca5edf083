//! `build`, `add` and `merge`: nothing but the games shows in the bytes, however they come together;
//! columns of moves.

use crate::stage::{Stage, data, random_games};
use serde_json::Value;
use std::io::Write;

#[test]
fn the_load_shows_in_the_size() {
    let stage = Stage::new();
    stage.write("many.pgn", random_games(1, 60, 40));
    let size = |load: &str| {
        stage.json(&format!("build -q --force -o t.tabia --load {load} many.pgn"))["bytes"].as_u64()
    };
    assert!(size("0.98") < size("0.8") && size("0.8") < size("0.5"));
    assert_eq!(stage.json("info t.tabia")["load"], 0.5);
}

#[test]
fn archives_are_told_by_content() {
    let stage = Stage::new();
    let plain = stage.read("club.pgn");
    stage.write("zstd", zstd::encode_all(&plain[..], 3).unwrap());
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&plain).unwrap();
    stage.write("gzip", gzip.finish().unwrap());
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    bzip2.write_all(&plain).unwrap();
    stage.write("bzip2", bzip2.finish().unwrap());
    stage.good("build -q -o club.tabia club.pgn");
    for archive in ["zstd", "gzip", "bzip2"] {
        stage.good(&format!("build -q --force -o other.tabia {archive}"));
        assert_eq!(stage.run("diff club.tabia other.tabia").code, Some(0), "{archive}");
        let digest =
            |book: &str| stage.json(&format!("info {book}"))["sources"][0]["digest"].clone();
        assert_eq!(
            digest("other.tabia"),
            digest("club.tabia"),
            "{archive}: the digest is of what was compressed"
        );
    }
    let ran = stage.run_with("build -o piped.tabia -", &stage.read("zstd"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stage.json("info piped.tabia")["sources"][0]["name"], "-");
    assert_eq!(stage.run("diff club.tabia piped.tabia").code, Some(0));
}

#[test]
fn fifty_archives_added_one_by_one_and_compacted_are_one_build() {
    let stage = Stage::new();
    let names: Vec<String> = (0..50).map(|week| format!("week-{week:02}.pgn")).collect();
    for (week, name) in names.iter().enumerate() {
        stage.write(name, random_games(week as u64, 5, 20));
    }
    stage.good(&format!("build -q -o all.tabia {}", names.join(" ")));
    stage.good("build -q -o grown.tabia week-00.pgn");
    names[1..].iter().for_each(|name| drop(stage.good(&format!("add -q grown.tabia {name}"))));
    stage.good("compact -q grown.tabia");
    assert_eq!(stage.json("info grown.tabia")["digest"], stage.json("info all.tabia")["digest"]);
    assert_eq!(stage.good("diff grown.tabia all.tabia"), stage.good("diff all.tabia all.tabia"));
}

/// Games that are looked for twice go another way to the book, by spools, and count there just the
/// same.
#[test]
fn what_is_wanted_is_the_same_with_dedup() {
    let stage = Stage::new();
    std::fs::copy(data("players.pgn"), stage.path("games.pgn")).unwrap();
    for options in [
        "--keyed line",
        "--white-only",
        "--black-only --evals",
        "--results unknown",
        "--player ada --evals",
        "--min-plies 3 --keyed line --ratings",
    ] {
        stage.good(&format!("build -q --force -o straight.tabia {options} club.pgn games.pgn"));
        stage.good(&format!(
            "build -q --force --dedup exact -o spooled.tabia {options} club.pgn games.pgn"
        ));
        // The facts tell how each was made.
        let [straight, spooled] =
            ["straight", "spooled"].map(|book| stage.dump(&format!("{book}.tabia"), &["#fact"]));
        assert!(straight == spooled, "{options}");
    }
}

const START: &str = "463b96181691fc9c";

/// Games of two years a move, some of them rated, with evals.
fn dated_games(first: u32, games: u32) -> String {
    let openings = [
        "e4 {[%eval 0.3,12]} e5 2. Nf3",
        "d4 {[%eval 0.2,9]} d5",
        "c4 e5 2. g3",
        "e4 c5 2. Nf3 d6",
    ];
    let game = |number: u32| {
        let year = first + number % 9;
        let (elo, opening) = (2000 + number * 37 % 700, openings[(number * 7 % 11 % 4) as usize]);
        let ratings = if number.is_multiple_of(3) {
            String::new()
        } else {
            format!("[WhiteElo \"{elo}\"]\n[BlackElo \"{}\"]\n", elo + 50)
        };
        let result = ["1-0", "0-1", "1/2-1/2"][number as usize % 3];
        format!(
            "[White \"P{number}\"]\n[Date \"{year}.05.17\"]\n{ratings}[Result \"{result}\"]\n\n1. {opening} {result}\n\n"
        )
    };
    (0..games).map(game).collect()
}

/// A move of the start, by its coordinates.
fn move_of(stage: &Stage, book: &str, code: u32) -> Value {
    let moves = stage.json(&format!("get {book} {START}"))[0]["moves"].clone();
    moves.as_array().unwrap().iter().find(|row| row["move"] == code).unwrap().clone()
}

/// The code of 1. e4.
const E4: u32 = 796;

#[test]
fn years_and_games_are_built_and_added() {
    let stage = Stage::new();
    stage.write("a.pgn", dated_games(1950, 60));
    stage.write("b.pgn", dated_games(1990, 45));
    stage.good("build -q --years --games -o book.tabia a.pgn");
    let before = move_of(&stage, "book.tabia", E4);
    assert_eq!((&before["first_year"], &before["last_year"]), (&1950.into(), &1958.into()));
    assert!(before.get("rated_games").is_none());
    stage.good("add -q book.tabia b.pgn");
    let after = move_of(&stage, "book.tabia", E4);
    assert_eq!((&after["first_year"], &after["last_year"]), (&1950.into(), &1998.into()));
    assert_ne!(after["game"], "0000000000000000");
    assert!(after["game"].as_str() >= before["game"].as_str(), "the better game of the two");
    stage.good("build -q --years -o years.tabia a.pgn");
    assert!(move_of(&stage, "years.tabia", E4).get("game").is_none());
}
