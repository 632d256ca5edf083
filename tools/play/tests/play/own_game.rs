//! The worked example of a game: the laws of games, and the book that is made of it.

#[path = "../../examples/own_game.rs"]
#[allow(dead_code, reason = "its `main` is for people")]
mod example;
#[path = "../../../games/tests/games/laws/mod.rs"]
#[allow(dead_code, reason = "those of known games need more of it")]
mod laws;

use example::{Race, build, explore, played, trim};
use std::collections::BTreeMap;
use tabia::{Book, Counts, Row, TableKind};
use tabia_games::{Game, Node, perft};

#[test]
fn the_laws_hold_and_leaves_are_as_many_as_by_hand() {
    laws::laws(&Race::start(), 42, 30);
    laws::ends_where_nothing_can_be_played(&Race::start(), 42, 200);
    laws::one_key_has_one_set_of_codes(&Race::start(), 42, 200);
    let near = Race::start().set_up("11 first").unwrap();
    // Of four moves from 11, 3 3 3 3 and the four orders of 3 3 3 2 come past 21.
    assert_eq!([3, 4, 10].map(|depth| perft(&near, depth)), [27, 76, 1]);
}

#[test]
fn a_book_counts_what_the_games_are() {
    let (folder, text) = (tempfile::tempdir().unwrap(), played(300));
    let (book, faults) = build(&text, &folder.path().join("games")).unwrap();
    assert_eq!(faults, [""; 0]);
    let mut expected = BTreeMap::<(u64, u16), [u32; 2]>::new();
    for game in text.lines().skip(1) {
        let (moves, result) = game.rsplit_once(' ').unwrap();
        let mut total = 0;
        for (ply, added) in moves.split(' ').enumerate() {
            let added: u16 = added.parse().unwrap();
            let is_lost = (result == "1-0") != (ply % 2 == 0);
            let key = total * 2 + ply as u64 % 2;
            expected.entry((key, added)).or_default()[usize::from(is_lost)] += 1;
            total += u64::from(added);
        }
    }
    let rows = book.header().table(TableKind::Moves).unwrap().shape.rows;
    assert_eq!(rows, expected.len() as u64);
    for ((key, code), [wins, losses]) in expected {
        let rows = book.moves(key).unwrap();
        let row = rows.iter().find(|row| row.code() == code).unwrap();
        assert_eq!(row.counts(), Counts { wins, draws: 0, losses }, "{key} {code}");
    }
    let (_, faults) = build("3 3 *\n3 4 1-0\n", &folder.path().join("bad")).unwrap();
    assert_eq!(
        faults,
        ["byte 0: it has no decided result", "byte 6: `4` can't be read as a move at ply 2"]
    );
}

#[test]
fn a_trimmed_book_has_one_move_for_the_first_and_all_for_the_second() {
    let folder = tempfile::tempdir().unwrap();
    let (book, _) = build(&played(3_000), &folder.path().join("games")).unwrap();
    let path = folder.path().join("first");
    let kept = trim(&book, &path).unwrap();
    assert!(tabia::check(&tabia::Env::default(), &path).unwrap().ok());
    let small = Book::open(&path).unwrap();
    let root = Node::start(Race::start(), false);
    let first = explore(&small, &root).unwrap();
    let [(played, _)] = first.as_slice() else { panic!("{first:?}") };
    let after = root.after(&root.position.parse_move(played).unwrap());
    assert_eq!(explore(&small, &after).unwrap(), explore(&book, &after).unwrap());
    let all = book.header().table(TableKind::Moves).unwrap().shape.rows;
    assert!(kept > 10 && kept < all, "{kept} of {all}");
}
