//! `/player`, of books that are made when they are asked for.

use crate::served::{self, Served};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;
use tabia_build::ArchiveList;
use tabia_games::{Chess, Known};
use tabia_interop::opening_names::OpeningNames;
use tabia_serve::Players;

/// A game in this month, so fast, with these players and moves.
fn game(month: &str, time: &str, players: [&str; 2], moves: &str) -> String {
    let [white, black] = players;
    let result = moves.rsplit(' ').next().unwrap();
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1700\"]\n[Date \"{month}.01\"]\n[TimeControl \"{time}\"]\n[Result \"{result}\"]\n\n{moves}\n\n"
    )
}

/// What the last line says, and whether it was the only one.
fn last(served: &Served, target: &str) -> Value {
    let answer = served.get(target);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/x-ndjson")));
    // A streamed body comes in chunks, whose lengths stand between the lines.
    let mut lines = answer.body.lines().filter(|line| line.starts_with('{'));
    serde_json::from_str(lines.next_back().unwrap()).unwrap()
}

fn served(text: &str) -> Served {
    Served::with(1, |mut sources, folder| {
        let archive = folder.join("games.pgn");
        fs::write(&archive, text).unwrap();
        let archives = ArchiveList::of(&[archive]).unwrap();
        let books = folder.join("players");
        fs::create_dir(&books).unwrap();
        let game = Known::Chess(Chess::start());
        let players = Players::new(game, archives, OpeningNames::default(), books);
        sources.players = Some(Arc::new(players));
        sources
    })
}

fn games() -> String {
    [
        game("2020.01", "180+0", ["Ann Archer", "Bob"], "1. e4 e5 1-0"),
        game("2020.02", "600+5", ["Ann Archer", "Cy"], "1. e4 c5 0-1"),
        game("2020.03", "180+0", ["Ann Archer", "Cy"], "1. d4 d5 1/2-1/2"),
        game("2020.03", "180+0", ["Bob", "Ann Archer"], "1. c4 e5 1-0"),
        game("2020.03", "180+0", ["Ann Archer 2", "Bob"], "1. f4 e5 1-0"),
    ]
    .concat()
}

/// The moves with their games, and all of them together.
fn counts(node: &Value) -> (Vec<(String, [u64; 3])>, [u64; 3]) {
    served::counts(node, "uci")
}

#[test]
fn a_player_s_book_is_made_when_it_is_asked_for() {
    let served = served(&games());
    let asked = |more: &str| last(&served, &format!("/player?player=ann+archer{more}"));
    let white = asked("&color=white");
    let moves = vec![("e2e4".to_owned(), [1, 0, 1]), ("d2d4".to_owned(), [0, 1, 0])];
    assert_eq!(counts(&white), (moves, [1, 1, 1]));
    let first = &white["moves"][0];
    let found = (&first["averageOpponentRating"], &white["queuePosition"]);
    assert_eq!(found, (&json!(1700), &json!(0)));
    assert_eq!(counts(&asked("&color=black")).0, [("c2c4".to_owned(), [1, 0, 0])]);
    // Both sides' moves, in the games of the color that was asked for.
    let found = counts(&asked("&color=white&play=e2e4")).0;
    assert_eq!(found, [("c7c5".to_owned(), [0, 0, 1]), ("e7e5".to_owned(), [1, 0, 0])]);
    assert_eq!(counts(&asked("&color=white&speeds=rapid")).1, [0, 0, 1]);
    // The latest first, with what the archive says of them.
    assert_eq!(
        white["recentGames"][0],
        json!({
            "uci": "d2d4", "id": white["moves"][1]["game"]["id"], "winner": null,
            "white": {"name": "Ann Archer", "rating": 1500}, "black": {"name": "Cy", "rating": 1700},
            "year": 2020, "month": "2020-03",
        })
    );
    let recent = |more: &str| -> Vec<_> {
        let node = asked(&format!("&color=white{more}"));
        node["recentGames"].as_array().unwrap().iter().map(|game| game["month"].clone()).collect()
    };
    assert_eq!(recent(""), ["2020-03", "2020-02", "2020-01"]);
    assert_eq!(recent("&play=e2e4&recentGames=1"), ["2020-02"]);
    assert_eq!(recent("&speeds=rapid&since=2020-1&ratings=2500"), ["2020-02"]);
    assert_eq!(asked("&color=white&speeds=rapid")["recentGames"][0]["speed"], "rapid");
    // Whoever moves, opponents and performance are the player's.
    let after = &asked("&color=white&play=e2e4")["moves"];
    let told = |place: usize| {
        ["san", "averageOpponentRating", "performance"].map(|name| after[place][name].clone())
    };
    assert_eq!(told(0), [json!("c5"), json!(1700), json!(900)]);
    assert_eq!(told(1), [json!("e5"), json!(1700), json!(2500)]);
    for (modes, status) in [("", 200), ("rated,casual", 200), ("rated", 400), ("slow", 400)] {
        let target = format!("/player?player=Ann+Archer&color=white&modes={modes}");
        assert_eq!(served.get(&target).status, status, "{modes}");
    }
    assert_eq!(counts(&asked("&color=white&since=2020-02&until=2020-02")).1, [0, 0, 1]);
    assert_eq!(counts(&asked("&color=white&since=2021-01")).1, [0, 0, 0]);
    assert_eq!(counts(&asked("&color=white&variant=chess960")).1, [0, 0, 0]);
    // Who isn't there has no games.
    assert_eq!(counts(&last(&served, "/player?player=Nobody&color=white")).1, [0, 0, 0]);
}

#[test]
fn what_can_t_be_asked_is_refused_before_a_book_is_made() {
    let served = served(&games());
    for (query, says) in [
        ("player=ann&color=white&speeds=slow", "`slow` is no speed"),
        ("player=%2e&color=white", "no player's name"),
        ("player=ann&color=white&fen=x", "fen"),
        ("player=ann&color=white&play=e2e5", "move 1 of play"),
        ("player=ann&color=white&since=2020", "since"),
        ("player=ann&color=white&modes=rated", "modes"),
        ("player=ann&color=white&variant=horde", "variant"),
    ] {
        let answer = served.get(&format!("/player?{query}"));
        assert!(answer.status == 400 && answer.body.contains(says), "{query}: {answer:?}");
    }
    let made = fs::read_dir(served.folder.path().join("players")).unwrap().count();
    assert_eq!(made, 0);
}

#[test]
fn a_changed_archive_is_read_again() {
    let served = served(&games());
    let target = "/player?player=Ann+Archer&color=white";
    assert_eq!(counts(&last(&served, target)).1, [1, 1, 1]);
    let more = game("2020.04", "180+0", ["Ann Archer", "Di"], "1. e4 e6 1-0");
    fs::write(served.folder.path().join("games.pgn"), games() + &more).unwrap();
    assert_eq!(counts(&last(&served, target)).1, [2, 1, 1]);
    // An archive that can't be read any more is an error, and no book without games.
    fs::remove_file(served.folder.path().join("games.pgn")).unwrap();
    let answer = served.get(target);
    assert!(answer.status == 500 || !answer.body.contains("\"moves\":[{"), "{answer:?}");
}
