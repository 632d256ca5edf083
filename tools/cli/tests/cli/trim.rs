//! `trim`: smaller books by thresholds, by reach, and as solution trees.

use crate::stage::{Stage, random_games};

#[test]
fn trimming_is_free_of_threads_and_of_the_way_the_book_came_about() {
    let stage = Stage::new();
    stage.write("a.pgn", random_games(31, 150, 30));
    stage.write("b.pgn", random_games(32, 150, 30));
    stage.good("build -q -o all.tabia a.pgn b.pgn");
    stage.good("build -q -o a.tabia --load 0.6 a.pgn");
    stage.good("build -q -o b.tabia b.pgn");
    stage.good("merge -q -o merged.tabia b.tabia a.tabia");
    for asked in ["--solution both --keep 2", "--min-games 2 --reachable", "--keep 2 --min-games 2"]
    {
        stage.good(&format!("trim --force all.tabia -o one.tabia {asked}"));
        stage.good(&format!("trim --force merged.tabia -o other.tabia {asked}"));
        assert!(stage.read("one.tabia") == stage.read("other.tabia"), "{asked}");
    }
}
