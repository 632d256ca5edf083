//! `tabia grow --method playing`: the same book with any workers, however often it was interrupted;
//! its rows are its games.

use crate::stage::Stage;
use std::collections::BTreeMap;
use tabia::{Book, Key, Marks, Row};
use tabia_games::{ConnectFour, Node};

const HOW: &str = "--method playing --nodes 40 --max-ply 6 --seed 3";

fn grow(book: &str, expansions: u32, workers: u32) -> String {
    format!(
        "grow -q {book} --game connect4-5x4 {HOW} --workers {workers} --budget {expansions}expansions"
    )
}

/// The games of a file in the order of their numbers.
fn games(stage: &Stage, name: &str) -> Vec<String> {
    let text = stage.text(name);
    let mut games: Vec<String> = text.split("\n\n").map(str::to_owned).collect();
    games.sort_by_key(|game| {
        let number = game.split(" game=").nth(1).and_then(|rest| rest.split(' ').next());
        number.and_then(|number| number.parse::<u32>().ok())
    });
    // How long moves took is no part of it.
    games.iter().map(|game| game.split(" micros=").next().unwrap_or("").to_owned()).collect()
}

#[test]
fn any_workers_and_interruptions_make_the_same_book() {
    let stage = Stage::new();
    stage.good(&grow("whole.tabia", 3, 1));
    let dump = |book: &str| stage.good(&format!("dump {book}"));
    // Others, with a stop in between, and the ends of the files torn off.
    stage.good(&grow("parts.tabia", 1, 3));
    for (file, cut) in [("parts.tabia-games.lines", 40), ("parts.tabia-growing", 3)] {
        let mut bytes = stage.read(file);
        bytes.truncate(bytes.len() - cut);
        stage.write(file, bytes);
    }
    stage.good(&grow("parts.tabia", 3, 2));
    assert_eq!(dump("parts.tabia"), dump("whole.tabia"));
    let of = |book: &str| games(&stage, &format!("{book}.tabia-games.lines"));
    assert!(of("parts") == of("whole") && of("whole").len() > 400);
    // Nothing is left to do: the budget is that of the whole.
    stage.good(&grow("parts.tabia", 3, 2));
    assert_eq!(dump("parts.tabia"), dump("whole.tabia"));

    // The rows are the games: as a build counts them, but for the mark.
    stage.good(
        "build -q -o games.tabia --game connect4-5x4 --lines --max-ply 6 whole.tabia-games.lines",
    );
    let rows = |name: &str| {
        let book = Book::open(stage.path(name)).unwrap();
        let start = ConnectFour::start(5, 4).unwrap();
        let (mut found, mut open) = (BTreeMap::new(), vec![(Node::start(start, false), 0)]);
        while let Some((node, ply)) = open.pop() {
            for row in book.moves(node.key).unwrap().iter() {
                found.insert((node.key, row.code()), (row.counts(), row.marks()));
                if ply < 5 {
                    open.push((node.after(&node.move_of_code(row.code()).unwrap()), ply + 1));
                }
            }
        }
        found
    };
    type Rows = BTreeMap<(Key, u16), (tabia::Counts, Marks)>;
    let counts = |rows: &Rows| rows.values().map(|row| row.0).collect::<Vec<_>>();
    let (played, built): (Rows, Rows) = (rows("whole.tabia"), rows("games.tabia"));
    assert_eq!(counts(&played), counts(&built));
    let marked: Vec<_> = played.iter().filter(|(_, row)| row.1 == Marks::ALWAYS).collect();
    assert!(!marked.is_empty(), "no move won more");

    // What is marked is played by the rule, and nothing else.
    let is_marked = |key| marked.iter().any(|((of, _), _)| *of == key);
    let start = Node::start(ConnectFour::start(5, 4).unwrap(), false).key;
    let told = stage.run("play whole.tabia --rule always");
    assert_eq!(told.code, Some(if is_marked(start) { 0 } else { 1 }), "{told:?}");
    let told = stage.shell("tabia play whole.tabia --rule 'always else games'");
    assert_eq!(told.code, Some(0), "{told:?}");
    // Games of engines and of people don't mix.
    stage.bad("merge -o both.tabia whole.tabia games.tabia", &["counts"]);
}
