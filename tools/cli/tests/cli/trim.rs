//! `trim`: smaller books by thresholds, by reach, and as solution trees.

use crate::stage::{Stage, random_games};
use std::collections::HashSet;
use tabia::row::{MoveRow, Row};
use tabia::{Book, Counts};
use tabia_games::{Chess, Game, Side};

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

/// Plays by a tree against every reply of the book it comes from: how many positions were met, and
/// in how many the book had no acceptable move.
fn play(source: &Book, tree: &Book, side: Side, keep: usize) -> (usize, u64) {
    let (mut waiting, mut seen, mut ends) = (vec![Chess::start()], HashSet::new(), 0);
    while let Some(board) = waiting.pop() {
        if !seen.insert(board.key()) {
            continue;
        }
        let known = source.moves(board.key()).unwrap();
        let kept = tree.moves(board.key()).unwrap();
        if board.side() == side {
            let points = |counts: Counts| 2 * u64::from(counts.wins) + u64::from(counts.draws);
            let is_acceptable = |row: &MoveRow| {
                row.counts().games() >= 20 && 2 * points(row.counts()) >= row.counts().games()
            };
            let acceptable = known.iter().filter(|row| is_acceptable(row)).count();
            assert!(kept.iter().all(is_acceptable));
            assert_eq!(kept.len(), acceptable.min(keep));
            ends += u64::from(acceptable == 0);
        } else {
            assert_eq!(kept, known, "every reply is there, as it was");
        }
        for row in kept.iter() {
            let mut after = board.clone();
            after.play(&board.move_of_code(row.code()).unwrap());
            waiting.push(after);
        }
    }
    (seen.len(), ends)
}

#[test]
fn trees_of_the_masters_are_playable_against_every_reply() {
    let Some(archive) = tabia_testing::data("chess/masters.pgn.zst") else { return };
    let stage = Stage::new();
    let built = stage
        .command(["build", "-q", "-o", "masters.tabia", "--memory", "512M"])
        .arg(archive)
        .status()
        .unwrap();
    assert!(built.success());
    let source = Book::open(stage.path("masters.tabia")).unwrap();
    for (name, side) in [("white", Side::First), ("black", Side::Second)] {
        let mut before = 0;
        for keep in 1..=3 {
            let args = format!(
                "trim masters.tabia -o {name}-{keep}.tabia --solution {name} --keep {keep} --min-games 20 --min-score 25"
            );
            let trimmed = stage.json(&args);
            let tree = Book::open(stage.path(format!("{name}-{keep}.tabia"))).unwrap();
            let (met, ends) = play(&source, &tree, side, keep);
            println!("{name}, best {keep}: {met} positions, {ends} ends: {trimmed}");
            assert_eq!(trimmed["positions"]["kept"], met);
            assert!(met > before && ends > 0);
            before = met;
        }
    }
    let both = stage.json(
        "trim masters.tabia -o both.tabia --solution both --keep 2 --min-games 20 --min-score 25",
    );
    let both_book = Book::open(stage.path("both.tabia")).unwrap();
    let mut all = HashSet::new();
    for name in ["white-2.tabia", "black-2.tabia"] {
        let tree = Book::open(stage.path(name)).unwrap();
        let rows =
            tabia::stream::Rows::collect(tabia::stream::RowSet::<MoveRow>::rows(&tree).unwrap())
                .unwrap();
        assert!(rows.rows().iter().all(|row| both_book.moves(row.key()).unwrap().contains(row)));
        all.extend(rows.rows().iter().map(|row| (row.key(), row.code())));
    }
    assert_eq!(both["moves"]["kept"], all.len());
    println!("both, best 2: {both}");
}
