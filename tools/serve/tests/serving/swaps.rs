//! A book that is replaced while it is served.

use crate::served::{Served, source, write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tabia::{Batch, Env, Writer};
use tabia_games::{Chess, Game};
use tabia_serve::{Catalogue, Guard, Sources};

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
                    let found = (&node["draws"], &node["black"]);
                    assert_eq!(found, (&(6 * factor).into(), &(3 * factor).into()));
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
    let (start, mut batch) = (Chess::start(), Batch::new());
    batch.delete_move(start.key(), start.code(&start.parse_move("d4").unwrap()));
    Writer::open(Env::default(), served.path()).unwrap().append(&batch).unwrap();
    assert_eq!(before["moves"].as_array().unwrap().len(), 3);
    assert_eq!(served.get("/masters").json()["moves"].as_array().unwrap().len(), 2);
    // Damaged, or gone: what was there is served on, and all that say so.
    let state = || served.get("/v1/books").json()["books"][0]["state"].clone();
    let tag = || served.get("/masters").header("etag").unwrap().to_owned();
    let (whole, kept) = (tag(), std::fs::read(served.path()).unwrap());
    assert_eq!(state(), "current");
    let draughts = served.folder.path().join("draughts.tabia");
    tabia::NewBook::new("checkers-english".parse().unwrap(), "zobrist".parse().unwrap())
        .positions(&Vec::<tabia::PositionRow>::new())
        .write(&Env::default(), &draughts, tabia::Existing::Refuse)
        .unwrap();
    let other_game = std::fs::read(&draughts).unwrap();
    for replacement in [None, Some(b"no book".to_vec()), Some(other_game)] {
        std::fs::remove_file(served.path()).unwrap();
        if let Some(bytes) = replacement {
            std::fs::write(served.path(), bytes).unwrap();
        }
        let answer = served.get("/masters");
        assert_eq!(answer.json()["moves"].as_array().unwrap().len(), 2);
        let found = (answer.header("x-tabia-stale"), answer.header("cache-control"));
        assert_eq!(found, (Some("true"), Some("no-cache")));
        assert_eq!(state(), "stale");
        assert_ne!(tag(), whole);
        std::fs::write(served.path(), &kept).unwrap();
        // It isn't tried at once again.
        while state() != "current" {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert_eq!((served.get("/masters").header("x-tabia-stale"), tag()), (None, whole.clone()));
    }
    assert_eq!(served.get("/v1/chess/explore?book=other").header("x-tabia-stale"), None);
}

/// Books come and go.
#[test]
fn what_is_found_is_served_and_what_fails_changes_nothing() {
    let (told, asked) = std::sync::mpsc::channel();
    let served = Served::by(1, Guard::default(), |sources, folder| {
        let path = folder.join("other.tabia");
        let look = move |now: &Sources, is_asked: bool| {
            told.send(is_asked).unwrap();
            let [again, new] = ["other", "new"].map(|name| Arc::new(source(name, &path)));
            now.replaced(vec![again, new], Vec::new()).ok()
        };
        Catalogue::watched(sources, Box::new(look))
    });
    assert!(!asked.recv().unwrap());
    let names = || {
        let books = served.get("/v1/books").json();
        let books = books["books"].as_array().unwrap().clone();
        books.into_iter().map(|book| book["name"].clone()).collect::<Vec<_>>()
    };
    while names() != ["other", "new"] {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(served.get("/v1/chess/explore?book=new").status, 200);
    assert_eq!(served.get("/v1/chess/explore?book=masters").status, 404);
}
