//! Castling as the king's two steps in Polyglot's books, and which moves of a book are reached.

use std::cell::Cell;
use tabia::sort::{Sorted, Sorter};
use tabia::storage::System;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Counts, Env, MoveRow, Row};
use tabia_games::{Chess, Game};
use tabia_interop::polyglot::{self, Castlings, Doubt, Read};
use tabia_interop::{Legality, Reach, Reached};
use tabia_testing::settle;

/// The code of two squares, as they are written: e1g1.
fn squares(text: &str) -> u16 {
    let [from, to] = [&text[..2], &text[2..4]].map(|square| {
        let [file, rank] = *square.as_bytes() else { panic!("{square}") };
        u16::from(rank - b'1') * 8 + u16::from(file - b'a')
    });
    from << 6 | to
}

/// Two wins for each move of a line, which castles as the king's two steps where a move is written
/// e1g1, and as its move to the rook where it is written O-O.
fn line(start: &Chess, moves: &str) -> Vec<MoveRow> {
    let mut position = start.clone();
    let mut rows = Vec::new();
    for text in moves.split_whitespace() {
        let played = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        let is_two_steps = text.starts_with('e') && played.is_castle();
        let code = if is_two_steps { squares(text) } else { position.code(&played) };
        let counts = Counts::new(2, 0, 0);
        rows.push(MoveRow::new(position.key(), code, counts));
        position.play(&played);
    }
    rows
}

fn sorted(rows: &[MoveRow]) -> Sorted<MoveRow> {
    let folder = tempfile::tempdir().unwrap();
    let mut sorter = Sorter::new(&System, folder.path(), 0);
    rows.iter().for_each(|&row| sorter.push(row).unwrap());
    Sorted::join(&Env::default(), vec![sorter.finish()]).unwrap()
}

fn rows_of(rows: &dyn RowSet<MoveRow>) -> Vec<MoveRow> {
    let found: Chunk<MoveRow> = rows.rows().and_then(Rows::collect).unwrap();
    found.rows().to_vec()
}

fn respelled(rows: &[MoveRow]) -> (Vec<MoveRow>, Castlings) {
    let folder = tempfile::tempdir().unwrap();
    let (moves, castlings) =
        polyglot::respell(sorted(rows), &Env::default(), folder.path(), 0, |_| Ok(())).unwrap();
    (rows_of(&moves), castlings)
}

fn settled(mut rows: Vec<MoveRow>) -> Vec<MoveRow> {
    settle(&mut rows);
    rows
}

const ITALIAN: &str = "e4 e5 Nf3 Nf6 Bc4 Bc5";
const LONG: &str = "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7";

#[test]
fn i1_two_steps_of_the_king_are_castling_by_the_board() {
    let start = Chess::start();
    for (moves, proper, count) in [
        (format!("{ITALIAN} e1g1 e8g8 d3"), format!("{ITALIAN} O-O O-O d3"), 2),
        (format!("{LONG} e1c1 e8c8 e3"), format!("{LONG} O-O-O O-O-O e3"), 2),
        (format!("{ITALIAN} O-O O-O d3"), format!("{ITALIAN} O-O O-O d3"), 0),
    ] {
        let (found, castlings) = respelled(&line(&start, &moves));
        assert_eq!(found, settled(line(&start, &proper)), "{moves}");
        assert_eq!(castlings, Castlings { respelled: count, ..Castlings::default() }, "{moves}");
        // All of them are legal now, and what is behind the castlings is reached.
        let legality = Reached::walk(&found, &start, |_| Ok(())).unwrap().legality();
        assert_eq!(legality, Legality { legal: found.len() as u64, illegal: 0, unreached: 0 });
    }
}

#[test]
fn i1_a_rook_that_goes_from_e1_to_g1_stays_one() {
    let start = Chess::start();
    let rook = "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O Re1 a6 Kh1 a5 Rg1 a4";
    let (found, castlings) = respelled(&line(&start, rook));
    assert_eq!((found, castlings), (settled(line(&start, rook)), Castlings::default()));
}

#[test]
fn i1_both_spellings_in_a_position_are_one_move() {
    let start = Chess::start();
    let two = [line(&start, &format!("{ITALIAN} e1g1")), line(&start, &format!("{ITALIAN} O-O"))];
    let (found, castlings) = respelled(&two.concat());
    let proper = line(&start, &format!("{ITALIAN} O-O"));
    assert_eq!(found, settled([proper.clone(), proper].concat()));
    assert_eq!(castlings.respelled, 1);
}

/// Nothing of these books leads to the position that the guess is about.
#[test]
fn i1_without_a_board_castling_is_what_most_such_moves_of_the_book_are() {
    let start = Chess::start();
    let alone = Chess::from_setup("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1").unwrap();
    let far = || line(&alone, "e1g1");
    let castles = line(&start, &format!("{ITALIAN} e1g1 e8g8"));
    let rook = line(&start, "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O Re1 a6 Kh1 a5 Rg1 a4");
    let count = |books: &[Vec<MoveRow>]| respelled(&books.concat()).1;
    let expected = |respelled, guessed, undecided| Castlings { respelled, guessed, undecided };
    assert_eq!(count(&[castles.clone(), far()]), expected(2, 1, 0));
    assert_eq!(count(&[rook.clone(), far()]), expected(0, 0, 1));
    assert_eq!(count(&[far()]), expected(0, 0, 1), "nothing says how this book castles");
    // Another move of that position starts on e1 and goes where no king can go.
    let code = squares("e1e7");
    let queen = vec![MoveRow::new(alone.key(), code, Counts::new(1, 0, 0))];
    assert_eq!(count(&[castles, far(), queen]), expected(2, 0, 1));
}

/// Where a book has the moves of one side only, the walk tries all replies that lead back into it.
#[test]
fn i4_replies_that_the_book_lacks_are_tried_and_nothing_else() {
    let start = Chess::start();
    let all = line(&start, "e4 e5 Nf3 Nc6 Bb5 a6");
    let white: Vec<MoveRow> = all.iter().step_by(2).copied().collect();
    let elsewhere = line(&Chess::from_setup("7k/8/8/8/8/8/8/K7 w - - 0 1").unwrap(), "Kb2");
    let illegal = MoveRow::new(start.key(), squares("e2e5"), all[0].counts());
    let book = settled([white.clone(), elsewhere.clone(), vec![illegal]].concat());
    let reached = Reached::walk(&book, &start, |_| Ok(())).unwrap();
    assert_eq!(reached.legality(), Legality { legal: 3, illegal: 1, unreached: 1 });
    assert!(white.iter().all(|row| reached.of(row) == Reach::Legal));
    assert_eq!(reached.of(&illegal), Reach::Illegal);
    assert_eq!(reached.of(&elsewhere[0]), Reach::Unreached);
    assert_eq!(reached.of(&all[1]), Reach::Unreached, "no move of the book");
}

#[test]
fn a_walk_can_be_stopped() {
    let start = Chess::start();
    let (mut rows, mut waiting) = (Vec::new(), vec![(start.clone(), 0)]);
    while let Some((position, ply)) = waiting.pop() {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        for played in &legal {
            let code = position.code(played);
            rows.push(MoveRow::new(position.key(), code, Counts::default()));
            let mut next = position.clone();
            next.play(played);
            if ply < 3 {
                waiting.push((next, ply + 1));
            }
        }
    }
    let (rows, heard) = (settled(rows), Cell::new(0));
    let stopped = Reached::walk(&rows, &start, |reached| {
        heard.set(reached);
        Err(tabia::Error::Interrupted)
    });
    assert!(matches!(stopped, Err(tabia::Error::Interrupted)) && heard.get() == 1024);
}

#[test]
fn i3_what_is_no_polyglot_book_is_doubted() {
    let read =
        |entries, disorders, trailing| Read { entries, disorders, trailing, ..Read::default() };
    assert_eq!(read(21_153, 7_051, 0).doubt(), None);
    let disorder = Doubt::Order { disorders: 10_588, entries: 21_153 };
    assert_eq!(read(21_153, 10_588, 0).doubt(), Some(disorder));
    assert_eq!(read(9, 0, 1).doubt(), Some(Doubt::Size(1)));
    let start = Chess::start();
    let doubt = |rows: &[MoveRow]| polyglot::doubt_of_moves(&sorted(rows)).unwrap();
    let illegal = [squares("e2e5"), squares("a1a8")]
        .map(|code| MoveRow::new(start.key(), code, Counts::default()));
    assert_eq!(doubt(&illegal), Some(Doubt::Start(2)));
    assert_eq!(doubt(&[illegal.as_slice(), &line(&start, "e4")].concat()), None);
    let alone = Chess::from_setup("7k/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
    assert_eq!(doubt(&line(&alone, "Kb2")), None);
}
