//! What `build` and `add` make beside counts: columns of moves, and facts that say how each archive
//! was read.

use crate::stage::Stage;
use serde_json::Value;

const START: &str = "463b96181691fc9c";

/// Games of two years a move, some of them rated, with evals.
fn archive(first: u32, games: u32) -> String {
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

fn stage() -> Stage {
    let stage = Stage::new();
    stage.write("a.pgn", archive(1950, 60));
    stage.write("b.pgn", archive(1990, 45));
    stage
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
    let stage = stage();
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
