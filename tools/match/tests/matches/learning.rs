//! A match from which a book learns: each game goes in once, with deviations, before the next.

use crate::shared::{mock, tabia_match};
use std::path::Path;
use std::process::Output;
use tabia::{Book, Env, Existing, Flags, MoveRow, NewBook, PositionRow, Row};
use tabia_games::{Chess, Game, Known};
use tabia_grow::GameLine;
use tabia_play::choice::GameHistory;

pub fn empty(path: &Path, game: &str, keys: &str) {
    let (positions, moves) = (Vec::<PositionRow>::new(), Vec::<MoveRow>::new());
    let new = NewBook::new(game.parse().unwrap(), keys.parse().unwrap());
    new.positions(&positions).moves(&moves).write(&Env::default(), path, Existing::Refuse).unwrap();
}

fn play(book: &Path, rest: &str) -> Output {
    let engine = |seed: u32| format!("'{}' uci chess --seed {seed}", mock().display());
    let arguments = ["--first", &engine(1), "--second", &engine(2), "--nodes", "100"];
    let rest = format!("--max-plies 12 --learn {} {rest}", book.display());
    tabia_match(&arguments, &rest).output().unwrap()
}

#[test]
fn each_game_goes_in_with_deviations_and_once() {
    let folder = tempfile::tempdir().unwrap();
    let (book, file) = (folder.path().join("mine.tabia"), folder.path().join("games.pgn"));
    empty(&book, "chess", "polyglot");
    let output = format!("--games 2 --learn-nodes 50 --output {}", file.display());
    let played = play(&book, &output);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let check = |count: u64| {
        let grown = Book::open(&book).unwrap();
        assert_eq!(grown.sources().unwrap().iter().map(|source| source.games).sum::<u64>(), count);
        let start = Chess::start();
        let row = grown.position(start.key()).unwrap().unwrap();
        assert_eq!(row.counts().games(), count);
        let opening = GameHistory::start(start.clone(), grown.header().keyed);
        let known = Known::Chess(start);
        let lines =
            GameLine::read(&known, grown.header().keyed, std::slice::from_ref(&file)).unwrap();
        assert_eq!(lines.len() as u64, count);
        for game in lines.iter().map(|line| line.history(&opening).unwrap()) {
            assert_eq!(game.plies(), 12);
            for (ply, node) in game.nodes()[..12].iter().enumerate() {
                let row = grown.position(node.key).unwrap().unwrap();
                assert!(row.flags().contains(Flags::EXPANDED), "at {ply}");
                let rows = grown.moves(node.key).unwrap();
                assert!(rows.iter().any(|row| row.counts().games() == 0), "a deviation at {ply}");
            }
            let last = grown.position(game.present().key).unwrap().unwrap();
            assert!(last.eval().is_some(), "the end");
        }
        let facts = grown.facts().unwrap();
        assert_eq!(facts[0].value(), "engine=tabia-search 1; limit=nodes 50; unit=centipawns");
    };
    check(2);
    // Going on plays what is missing, and counts nothing twice.
    let output = format!("--games 4 --learn-nodes 50 --resume --output {}", file.display());
    assert!(play(&book, &output).status.success());
    check(4);
    assert!(play(&book, &output).status.success());
    check(4);
}

#[test]
fn a_book_that_cannot_learn_is_said_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("othello.tabia");
    empty(&other, "othello", "zobrist-8");
    let before = std::fs::read(&other).unwrap();
    for (book, why) in [
        (other.clone(), "is a book of othello"),
        (folder.path().join("nowhere.tabia"), "No such file"),
    ] {
        let played = play(&book, "--games 2");
        assert_eq!(played.status.code(), Some(2));
        let said = String::from_utf8_lossy(&played.stderr).into_owned();
        assert!(played.stdout.is_empty(), "no game was played");
        assert!(said.contains(why) && said.trim_end().lines().count() == 1, "{said}");
    }
    assert_eq!(std::fs::read(&other).unwrap(), before);
}
