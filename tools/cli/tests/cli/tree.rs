//! `tree`: the lines of a book, as text and JSON.

use crate::stage::{Stage, random_games};

#[test]
fn lines_fit_80_columns_however_long_they_are() {
    let stage = Stage::new();
    stage.write("games.pgn", random_games(3, 300, 60));
    stage.good("build -q -o games.tabia games.pgn --evals");
    for options in ["--max-ply 60 --min-share 0", "--max-ply 60 --breadth 1", "--max-ply 0"] {
        let text = stage.good(&format!("tree games.tabia {options}"));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{options}: {text}");
        assert!(text.lines().all(|line| line.trim_end() == line), "{options}");
    }
}
