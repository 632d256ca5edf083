//! A book that is replaced while it is served.

use crate::served::{Served, write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tabia::{Batch, Env, Writer};

#[test]
fn each_answer_is_of_one_book_whole() {
    let served = Served::new(1);
    let (ends, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !ends.load(Ordering::Relaxed) {
                    let answer = served.get("/masters");
                    assert_eq!(answer.status, 200, "{answer:?}");
                    let node = answer.json();
                    let factor = node["white"].as_u64().unwrap() / 9;
                    assert!(factor > 0 && node["white"] == 9 * factor, "{node}");
                    assert_eq!(
                        (&node["draws"], &node["black"]),
                        (&(6 * factor).into(), &(3 * factor).into())
                    );
                    assert_eq!(node["moves"][0]["white"], 5 * factor);
                    asked.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for factor in 2..80 {
            write(&served.path(), factor);
            // What was replaced is seen by whoever asks after it.
            assert_eq!(served.get("/masters").json()["white"], 9 * factor);
        }
        ends.store(true, Ordering::Relaxed);
    });
    assert!(asked.into_inner() > 0);
}

#[test]
fn a_journal_that_grows_is_seen_and_what_is_taken_away_stays() {
    let served = Served::new(1);
    let before = served.get("/masters").json();
    let key = tabia_games::Game::key(&tabia_games::Chess::start());
    let mut batch = Batch::new();
    let d4 = tabia_games::Game::parse_move(&tabia_games::Chess::start(), "d4").unwrap();
    batch.delete_move(key, tabia_games::Game::code(&tabia_games::Chess::start(), &d4));
    Writer::open(Env::default(), served.path()).unwrap().append(&batch).unwrap();
    assert_eq!(before["moves"].as_array().unwrap().len(), 3);
    assert_eq!(served.get("/masters").json()["moves"].as_array().unwrap().len(), 2);
    // Damaged, or gone: what was there is served on.
    std::fs::remove_file(served.path()).unwrap();
    assert_eq!(served.get("/masters").json()["moves"].as_array().unwrap().len(), 2);
    std::fs::write(served.path(), "no book").unwrap();
    assert_eq!(served.get("/masters").json()["moves"].as_array().unwrap().len(), 2);
}
