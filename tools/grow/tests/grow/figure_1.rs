//! Buro's figure 1: T1 becomes T2. The paper's text has none of its numbers; this tree has all that
//! the text says of it. The best path of T1 is v1 v2 v3; v3 is a leaf and was reached by a deviation;
//! so v3 gets its best and second best move, and v2 its next best deviation; then v4 is next.
//!
//! v1 is 0, v2 is 1, v3 is 4, v4 is 5, the best move at v3; 6 is the second best there, 7 the next
//! best deviation at v2; 8 and 9 are worse ones, 10 is what no book has.

use crate::laws::place;
use crate::oracle::Oracle;
use crate::shelf::{Nobody, Shelf, bytes, grow_by, plan};
use crate::toy::{Toy, key};
use tabia::{Counts, Flags, MoveRow, PositionRow};
use tabia_games::Side;
use tabia_grow::{Stop, Tree};
use tabia_play::choice::GameHistory;

fn toy() -> Toy {
    let (first, second) = (Side::First, Side::Second);
    Toy::new(vec![
        place(first, &[1, 2]),
        place(second, &[3, 4, 7, 9]),
        place(second, &[10]),
        place(first, &[]),
        place(first, &[5, 6, 8]),
        place(second, &[10]),
        place(second, &[10]),
        place(first, &[10]),
        place(second, &[10]),
        place(first, &[10]),
        place(first, &[]),
    ])
}

const EVALS: [i16; 11] = [0, 0, 2, 0, 5, -3, -1, 4, 6, 9, 0];

fn position(at: usize) -> PositionRow {
    PositionRow::new(key(at), Counts::default())
}

fn played(at: usize, code: u16) -> MoveRow {
    MoveRow::new(key(at), code, Counts { wins: 1, draws: 0, losses: 0 })
}

fn deviation(at: usize, code: u16) -> MoveRow {
    MoveRow::new(key(at), code, Counts::default())
}

/// T1: v1 was played to v2, and from there to 3, which is won for v1's side; 2 is the deviation at
/// v1, v3 that at v2.
fn t1() -> (Vec<PositionRow>, Vec<MoveRow>) {
    let positions = vec![
        position(0).with_flags(Flags::EXPANDED),
        position(1).with_flags(Flags::EXPANDED),
        position(2).with_eval(2, 1),
        position(3).with_flags(Flags::PROVEN_WIN),
        position(4).with_eval(5, 1),
    ];
    (positions, vec![played(0, 0), deviation(0, 1), played(1, 0), deviation(1, 1)])
}

/// T2: what T1 has, and what was found.
fn t2() -> (Vec<PositionRow>, Vec<MoveRow>) {
    let (mut positions, mut moves) = t1();
    positions[4] = position(4).with_eval(5, 1).with_flags(Flags::EXPANDED);
    positions.extend([
        position(5).with_eval(-3, 1),
        position(6).with_eval(-1, 1),
        position(7).with_eval(4, 1),
    ]);
    moves.extend([deviation(4, 0), deviation(4, 1), deviation(1, 2)]);
    (positions, moves)
}

#[test]
fn t1_becomes_t2_and_then_v4_is_next() {
    let (shelf, toy) = (Shelf::new(), toy());
    let (positions, moves) = t1();
    let grows = shelf.book("t1.tabia", &positions, &moves);
    let oracle = Box::new(Oracle::new(&toy, &EVALS));
    let (grown, stop) = grow_by(&grows, &toy, &plan(1), vec![oracle], &Nobody).unwrap();
    assert_eq!((grown.expansions, grown.positions, stop), (1, 3, Stop::Budget));
    let (positions, moves) = t2();
    let expected = shelf.book("t2.tabia", &positions, &moves);
    let rows = |path: &std::path::Path| {
        let book = tabia::Book::open(path).unwrap();
        let found = (0..10).map(|at| book.position(key(at)).unwrap());
        let moves = (0..10).map(|at| book.moves(key(at)).unwrap().into_owned());
        (found.collect::<Vec<_>>(), moves.collect::<Vec<_>>())
    };
    assert_eq!(rows(&grows), rows(&expected));
    let t2 = tabia::Book::open(&expected).unwrap();
    let opening = GameHistory::start(toy.clone(), tabia::format::Keyed::Position);
    let (value, line) = Tree::read(&t2, opening, 1)
        .map(|tree| {
            let (value, line) = tree.principal();
            (value, line.iter().map(|&at| tree.graph().key(at)).collect::<Vec<_>>())
        })
        .unwrap();
    assert_eq!(value.and_then(|value| value.number()), Some(3));
    assert_eq!(line, [0, 1, 4, 5].map(key), "v4 is expanded next");
    // The book says by whom.
    assert_ne!(bytes(&grows), bytes(&expected));
    let facts = tabia::Book::open(&grows).unwrap().facts().unwrap();
    assert_eq!(facts[0].value(), "engine=oracle; limit=none; unit=hundredths");
}
