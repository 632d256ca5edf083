//! The rules of Go against a naive model: a board of letters, chains found by walking all of it, ko
//! as "not the board of two moves ago".

use crate::shared::after;
use proptest::prelude::*;
use tabia_games::go::{Go, Komi, Move, Suicide, Symmetry};
use tabia_games::{Game, Outcome, Side, Trouble};

#[derive(Clone, PartialEq, Debug)]
struct Model {
    rows: Vec<Vec<char>>,
}

impl Model {
    fn empty(size: usize) -> Self {
        Self { rows: vec![vec!['.'; size]; size] }
    }

    fn beside(&self, row: usize, column: usize) -> Vec<(usize, usize)> {
        let size = self.rows.len();
        let all = [
            (row.wrapping_sub(1), column),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
        ];
        all.into_iter().filter(|&(row, column)| row < size && column < size).collect()
    }

    /// The chain of a stone, and how many liberties it has.
    fn chain(&self, row: usize, column: usize) -> (Vec<(usize, usize)>, usize) {
        let (mut chain, mut liberties, mut next) = (vec![(row, column)], Vec::new(), 0);
        while let Some(&(r, c)) = chain.get(next) {
            next += 1;
            for (r, c) in self.beside(r, c) {
                if self.rows[r][c] == '.' && !liberties.contains(&(r, c)) {
                    liberties.push((r, c));
                } else if self.rows[r][c] == self.rows[row][column] && !chain.contains(&(r, c)) {
                    chain.push((r, c));
                }
            }
        }
        (chain, liberties.len())
    }

    /// The board after a stone, or none if it is suicide that isn't allowed.
    fn after(&self, row: usize, column: usize, stone: char, suicide: Suicide) -> Option<Self> {
        let mut board = self.clone();
        board.rows[row][column] = stone;
        for (r, c) in self.beside(row, column) {
            if board.rows[r][c] != '.' && board.rows[r][c] != stone && board.chain(r, c).1 == 0 {
                board.take(r, c);
            }
        }
        let (chain, liberties) = board.chain(row, column);
        if liberties == 0 {
            if suicide == Suicide::Illegal || (suicide == Suicide::OfSeveral && chain.len() == 1) {
                return None;
            }
            board.take(row, column);
        }
        Some(board)
    }

    fn take(&mut self, row: usize, column: usize) {
        for (r, c) in self.chain(row, column).0 {
            self.rows[r][c] = '.';
        }
    }

    /// The area of black and white, found by spreading each color over the empty points.
    fn area(&self) -> [u16; 2] {
        let spread = |stone: char| {
            let (mut board, mut grows) = (self.clone(), true);
            while grows {
                grows = false;
                let size = self.rows.len();
                for (r, c) in (0..size * size).map(|point| (point / size, point % size)) {
                    let is_stone = |&(r, c): &(usize, usize)| board.rows[r][c] == stone;
                    if board.rows[r][c] == '.' && board.beside(r, c).iter().any(is_stone) {
                        board.rows[r][c] = stone;
                        grows = true;
                    }
                }
            }
            board
        };
        let (black, white) = (spread('X'), spread('O'));
        let count = |stone: char, own: &Self, other: &Self| {
            let pairs = own.rows.iter().flatten().zip(other.rows.iter().flatten());
            let is_its = |&(&own, &other): &_| own == stone && (other == '.' || other == stone);
            pairs.filter(is_its).count() as u16
        };
        [count('X', &black, &white), count('O', &white, &black)]
    }
}

fn letter(side: Side) -> char {
    if side == Side::First { 'X' } else { 'O' }
}

fn board(go: &Go) -> Model {
    let size = go.size();
    let stone = |row: usize, column: usize| go.at((row * size + column) as u16).map_or('.', letter);
    let row = |row| (0..size).map(|column| stone(row, column)).collect();
    Model { rows: (0..size).map(row).collect() }
}

/// Plays a game by picking legal moves, and compares all that can be played at each turn.
fn compare(size: usize, picks: &[u16], suicide: Suicide) -> Result<(), TestCaseError> {
    let mut go = Go::start(size, Symmetry::Board).expect("a size").with_suicide(suicide);
    let (mut before, mut model) = (None, Model::empty(size));
    for &pick in picks {
        let moves = go.legal();
        let mut expected = Vec::new();
        for point in 0..size * size {
            let (row, column) = (point / size, point % size);
            let is_empty = model.rows[row][column] == '.';
            let played = || model.after(row, column, letter(go.side()), suicide);
            let after = is_empty.then(played).flatten();
            // A stone that dies by its own hand repeats no ko: it captures nothing.
            let is_ko =
                |after: &Model| Some(after) == before.as_ref() && after.rows[row][column] != '.';
            if let Some(after) = after.filter(|after| !is_ko(after)) {
                expected.push((point as u16, after));
            }
        }
        let points: Vec<u16> = moves.iter().filter_map(|played| played.point).collect();
        let legal: Vec<u16> = expected.iter().map(|(point, _)| *point).collect();
        prop_assert_eq!(&points, &legal, "{:?}", go);
        prop_assert_eq!(moves.len(), points.len() + 1);
        prop_assert_eq!(go.area(), model.area());
        let played = moves[usize::from(pick) % points.len().max(1)];
        go.play(&played);
        let after = expected.into_iter().find(|(point, _)| Some(*point) == played.point);
        before = Some(model.clone());
        model = after.map_or(model, |(_, after)| after);
        prop_assert_eq!(board(&go), model.clone());
    }
    Ok(())
}

fn suicides() -> impl Strategy<Value = Suicide> {
    prop::sample::select(vec![Suicide::Illegal, Suicide::OfSeveral, Suicide::Legal])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(90))]

    #[test]
    fn moves_and_captures_are_the_models(size in 2usize..=6, picks in prop::collection::vec(any::<u16>(), 0..250), suicide in suicides()) {
        compare(size, &picks, suicide)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn so_they_are_on_large_boards(size in 7usize..=19, picks in prop::collection::vec(any::<u16>(), 0..300), suicide in suicides()) {
        compare(size, &picks, suicide)?;
    }

}

fn nine() -> Go {
    Go::start(9, Symmetry::Board).expect("a size")
}

#[test]
fn sizes_from_two_to_nineteen() {
    for (size, symmetry) in [(1, Symmetry::Board), (20, Symmetry::Board), (0, Symmetry::None)] {
        assert!(Go::start(size, symmetry).is_none(), "{size}");
    }
    assert_eq!(Go::all().count(), 18 * 3);
    assert_eq!((nine().name(), nine().keys()), ("go-9", "zobrist-8"));
}

#[test]
fn ko_forbids_to_take_back_at_once_and_no_longer() {
    let ko = after(&nine(), "d5 e5 e6 f6 e4 f4 pass g5 f5");
    assert_eq!(ko.setup(), "9/9/9/4XO3/3X1XO2/4XO3/9/9/9 w E5");
    assert_eq!(ko.read_move(b"e5"), Err(Trouble::Illegal));
    assert_eq!(ko.diagram().lines().nth(5), Some(" 5 . . . X + X O . . 5"));
    let later = after(&ko, "a1 a2 e5");
    assert_eq!(later.setup(), "9/9/9/4XO3/3XO1O2/4XO3/9/X8/O8 b F5");
    assert_ne!(ko.key(), later.key());
    // Where the key is concerned a ko is no part of the position.
    let without = nine().set_up("9/9/9/4XO3/3X1XO2/4XO3/9/9/9 w").expect("a position");
    assert_eq!(without.key(), ko.key());
    assert!(without.read_move(b"e5").is_ok());
    // Black may fill its own ko.
    let mut filled = ko;
    assert_eq!(filled.try_play(&Move { side: Side::First, point: Some(4 * 9 + 4) }), Ok(()));
    assert_eq!(filled.side(), Side::Second);
}

#[test]
fn two_passes_end_the_game_until_an_archive_goes_on() {
    let mut over = after(&nine(), "e5 pass pass");
    assert!(over.legal().is_empty());
    assert_eq!(over.outcome(), Some(Outcome::FirstWins));
    assert_eq!(over.read_move(b"a1"), Err(Trouble::Illegal));
    assert_eq!(over.try_play(&Move { side: Side::Second, point: Some(0) }), Ok(()));
    assert_eq!((over.outcome(), over.side()), (None, Side::First));
}

#[test]
fn suicide_is_an_option() {
    let stones = "O1O6/OOO6/9/9/9/9/9/9/9 b";
    let strict = nine().set_up(stones).expect("a position");
    let free = strict.with_suicide(Suicide::OfSeveral);
    assert_eq!(strict.read_move(b"b9"), Err(Trouble::Illegal));
    assert_eq!(free.read_move(b"b9"), Err(Trouble::Illegal), "one stone alone");
    let nothing = after(&strict.with_suicide(Suicide::Legal), "b9");
    assert_eq!(nothing.setup(), "O1O6/OOO6/9/9/9/9/9/9/9 w", "as a pass does");
    let two = nine().set_up("1XO6/OO7/9/9/9/9/9/9/9 b").expect("a position");
    assert_eq!(two.read_move(b"a9"), Err(Trouble::Illegal));
    let gone = after(&two.with_suicide(Suicide::OfSeveral), "a9");
    assert_eq!(gone.setup(), "2O6/OO7/9/9/9/9/9/9/9 w");
    assert_eq!(nine().set_up(&gone.setup()).expect("a position").key(), gone.key());
}

#[test]
fn a_move_out_of_turn_is_that_of_its_color() {
    let mut twice = nine();
    for point in [40, 20] {
        twice.try_play(&Move { side: Side::First, point: Some(point) }).expect("legal");
    }
    assert_eq!(twice.setup(), "9/9/2X6/9/4X4/9/9/9/9 w");
    assert_eq!(twice.key(), after(&nine(), "e5 pass c7").key());
    assert_eq!(nine().turned(Side::Second).setup(), "9/9/9/9/9/9/9/9/9 w");
}

#[test]
fn set_up_texts_that_are_no_positions() {
    let long = "row 2 from the top doesn't have 9 points";
    for (text, why) in [
        ("", "it has 1 rows, not 9"),
        ("9/9/9/9 b", "it has 4 rows, not 9"),
        ("9/9/9/9/9/9/9/9/9", "it doesn't say who is to move"),
        ("9/9/9/9/9/9/9/9/8 b", "row 9 from the top doesn't have 9 points"),
        ("9/X9/9/9/9/9/9/9/9 b", long),
        ("9/99999999999999999999999999/9/9/9/9/9/9/9 b", long),
        ("9/Y8/9/9/9/9/9/9/9 b", "row 2 from the top has a `Y`"),
        ("XO7/O8/9/9/9/9/9/9/9 b", "a chain has no liberty"),
        ("9/9/9/9/9/9/9/9/X8 b A1", "`A1` can't be a ko"),
        ("9/9/9/9/9/9/9/9/9 b E5 x", "`x` stands behind it"),
    ] {
        assert_eq!(nine().set_up(text).expect_err(text).why, why, "{text}");
    }
}

#[test]
fn a_board_is_drawn_with_its_coordinates() {
    let go = after(&nine(), "c3 g7");
    let drawn = "   A B C D E F G H J
 9 . . . . . . . . . 9
 8 . . . . . . . . . 8
 7 . . + . . . O . . 7
 6 . . . . . . . . . 6
 5 . . . . + . . . . 5
 4 . . . . . . . . . 4
 3 . . X . . . + . . 3
 2 . . . . . . . . . 2
 1 . . . . . . . . . 1
   A B C D E F G H J
";
    assert_eq!(go.diagram(), drawn);
    let empty = |size| Go::start(size, Symmetry::Board).expect("a size").diagram();
    let marks =
        [2, 3, 5, 6, 7, 8, 9, 13, 14, 15, 18, 19].map(|size| empty(size).matches('+').count());
    assert_eq!(marks, [0, 0, 1, 0, 5, 4, 5, 5, 4, 9, 4, 9]);
}

#[test]
fn area_and_komi() {
    let go = nine().set_up("3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4 b").expect("a position");
    assert_eq!(go.area(), [36, 45]);
    assert_eq!(go.score("7.5".parse().expect("a komi")), -16.5);
    assert_eq!(go.scored("-9".parse().expect("a komi")), Outcome::Draw);
    assert_eq!(nine().area(), [0, 0]);
    let komi = |text: &str| text.parse().map(Komi::hundredths).ok();
    let read = ["7.5", "6.50", "0", "-5.5", "+.5", "3,75", "0.50000", "007"].map(komi);
    assert_eq!(read, [750, 650, 0, -550, 50, 375, 50, 700].map(Some));
    let wrong = ["", ".", "-", "7.5.5", "1e3", "1000", "7.555", "99999999999", "7 5"];
    assert_eq!(wrong.map(komi), [None; 9]);
    assert_eq!(Komi::SEVEN_AND_A_HALF.to_string(), "7.5");
}
