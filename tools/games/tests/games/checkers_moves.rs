//! Draughts as people write it: moves in every spelling, set-up texts, diagrams, helpful errors.

use crate::shared::{after, all_read, read};
use tabia_games::{Checkers, Game, Outcome, Side, Trouble};

fn english(setup: &str) -> Checkers {
    Checkers::english().set_up(setup).unwrap_or_else(|error| panic!("{error}"))
}

fn international(setup: &str) -> Checkers {
    Checkers::international().set_up(setup).unwrap_or_else(|error| panic!("{error}"))
}

/// All legal moves as PDN writes them.
fn legal(game: &Checkers) -> String {
    let moves = game.legal();
    let mut texts: Vec<String> = moves.iter().map(|played| game.notation(played)).collect();
    texts.sort();
    texts.join(" ")
}

#[test]
fn moves_are_read_in_every_spelling() {
    let start = Checkers::english();
    all_read(&start, "11-15 |  11-15  | 1115 | 11x15 | 11:15", "11-15");
    all_read(&start, "09-13", "9-13");
    all_read(&start, "11-16-20 | 11-18 | 15-19 | 21-17 | 11-33 | 11-99 | 11-11", "illegal");
    let unreadable = " | 11 | 11- | -15 | 11--15 | a3- | a3 | a0-b1 | i3-h4 | a9-b8 | 0-0 | 1-0 | 11 15 \
                      | 11-15! | 11-115 | 111-5 | 011-15 | \u{661}1-15";
    all_read(&start, unreadable, "unreadable");
    all_read(&start, "-- | -", "null");
    assert_eq!(read(&start, &"1-".repeat(8)), "unreadable");
    assert_eq!(read(&start, &"1-2-".repeat(40)), "illegal", "more squares than any move has");
}

/// Squares as in chess, a1 in the lower left corner of the diagram.
#[test]
fn squares_may_have_letters() {
    let start = Checkers::english();
    all_read(&start, "f6-g5 | F6-G5 | f6g5 | f6xg5 | f6:g5", "11-16");
    // Archives with letters are of other games.
    assert_eq!(start.read_move(b"f6-g5"), Err(Trouble::Unreadable));
    for (text, number) in [("b6-a5", "9-13"), ("h6-g5", "12-16"), ("d6-e5", "10-15")] {
        all_read(&start, text, number);
    }
    all_read(&start, "c3-d4 | f6-f5 | f6-e6 | a3-b4 | f6-f6", "illegal");
    all_read(&english("W:W22:B1"), "c3-d4", "22-18");
    let capture = english("W:W22:B18,11");
    assert_eq!(read(&capture, "c3xe5xg7"), read(&capture, "22x15x8"));
    let start = Checkers::international();
    all_read(&start, "d4-e5", "32-28");
    all_read(&start, "j4-i5 | j4i5", "35-30");
    all_read(&start, "c4-d5", "illegal");
    all_read(&international("W:W6:B45"), "a9-b10", "6-1");
}

/// The last move of a game in the Open Checker Archive: three men.
#[test]
fn captures_are_read_with_any_of_their_squares() {
    let game = english("W:W26:B22,14,6");
    let texts = "26x1 | 26x17x10x1 | 26-17-10-1 | 26:17:10:1 | 26x10x1 | 26x17x1 | 2601 | 26-1 | 26X1 | 26*1";
    all_read(&game, texts, "26x17x10x1");
    let others = "26x17 | 26x17x10 | 26x18x1 | 26x10x17x1 | 26-23 | 26x17x10x1x5";
    all_read(&game, others, "illegal");
    assert_eq!(after(&game, "26x1").setup(), "B:WK1:B");
    assert_eq!(legal(&game), "26x1");
}

/// Squares that a king only passes over may be named, too; those that it doesn't come to may not.
#[test]
fn kings_pass_over_squares() {
    let game = international("W:WK47:B19,29,31,42");
    assert_eq!(legal(&game), "47x36");
    let texts = "47x36 | 47x38x24x13x36 | 47x33x24x13x36 | 47x38x33x24x18x36 | 47x24x36";
    all_read(&game, texts, "47x38x24x13x36");
    all_read(&game, "47x20x36 | 47x13x24x36 | 47x42x36 | 47x41 | 47x27", "illegal");
}

/// The example of PDN 3.0 for moves that are written with the whole way.
#[test]
fn a_capture_that_could_be_several_is_written_with_its_way() {
    let game = international("W:WK47:B14,19,29,31,42");
    assert_eq!(legal(&game), "47x38x20x9x36 47x38x24x13x36");
    all_read(&game, "47x20x36", "47x38x20x9x36");
    // Both pass over 13.
    all_read(&game, "47x36 | 47x38x36 | 47x13x36", "ambiguous");
    assert_eq!(after(&game, "47x38x24x13x36").setup(), "B:WK36:B14");
    let error = game.parse_move("47x36").expect_err("ambiguous").to_string();
    assert!(error.contains("47x38x20x9x36"), "{error}");
}

#[test]
fn english_rules() {
    // Any capture may be chosen, but one must be made, to its end; men don't capture backwards.
    assert_eq!(legal(&english("B:W14,15,22,32:B10,11")), "10x19 10x26 11x25");
    assert_eq!(legal(&english("W:W18:B14,22,23")), "18x9");
    // A man that reaches the king row stops there.
    let crowned = english("B:W26,27:B22");
    assert_eq!(legal(&crowned), "22x31");
    assert_eq!(after(&crowned, "22x31").setup(), "W:W27:BK31");
    // Kings go one square, in all directions.
    assert_eq!(legal(&english("W:WK18:B1")), "18-14 18-15 18-22 18-23");
    // A king may come back to where it started.
    let round = english("B:W6,7,14,15:BK2");
    assert_eq!(legal(&round), "2x2");
    assert_eq!(read(&round, "2x11x18x9x2"), "2x9x18x11x2");
    assert_eq!(after(&round, "2x2").setup(), "W:W:BK2");
}

#[test]
fn international_rules() {
    // Most pieces must be taken, kings count as men.
    assert_eq!(legal(&international("W:W33:B28,K29,20")), "33x15");
    assert_eq!(legal(&international("W:W33:B28,K29")), "33x22 33x24");
    // A man captures backwards.
    assert_eq!(legal(&international("W:W18:B23")), "18x29");
    // A man that only passes the king row stays a man.
    let passing = international("W:W12:B8,9");
    assert_eq!(legal(&passing), "12x14");
    assert_eq!(after(&passing, "12x3x14").setup(), "B:W14:B");
    // Kings fly.
    let moves = "46-10 46-14 46-19 46-23 46-28 46-32 46-37 46-41 46-5";
    assert_eq!(legal(&international("W:WK46:B45")), moves);
}

#[test]
fn who_cannot_move_loses() {
    assert_eq!(Checkers::english().outcome(), None);
    assert_eq!(english("W:W12:B8,3").outcome(), Some(Outcome::FirstWins));
    assert_eq!(english("B:W12:B").outcome(), Some(Outcome::SecondWins));
    assert_eq!(international("W:W:B5").outcome(), Some(Outcome::SecondWins));
    assert_eq!(international("B:W6:B1").outcome(), None);
    for (start, first) in [(Checkers::english(), "Black"), (Checkers::international(), "White")] {
        assert_eq!((start.side(), start.sides()[0]), (Side::First, first));
    }
}

#[test]
fn set_up_texts_are_read_in_every_spelling() {
    let written = "B:W18,24,K27:B12,16,K20";
    for text in [
        "B:W18,24,K27:B12,16,K20.",
        "B:W18,24,K27:B12,16,K20...",
        "B:BK20,16,12:WK27,24,18",
        "b:w18,24,k27:b12,16,k20",
        " B : W18, 24, K27 : B12, 16, K20 ",
        "B:W18,24,K27:B12,16,K20:H0:F1",
        "B:W018,24,K27:B12,16,K20",
        "B:W18,24,,K27,:B12,16,K20:",
    ] {
        assert_eq!(english(text).setup(), written, "{text}");
    }
    assert_eq!(english("B:W21-32:B1-12").key(), Checkers::english().key());
    assert_eq!(international("W:W31-50:B1-20").key(), Checkers::international().key());
    assert_eq!(international("W:WK1-3,K10-K12:B").setup(), "W:WK1,K2,K3,K10,K11,K12:B");
    assert_eq!(english("startpos").key(), Checkers::english().key());
    assert_eq!(english("W::").setup(), "W:W:B");
}

#[test]
fn what_is_no_position_is_refused_with_the_reason() {
    let why = |text: &str| Checkers::english().set_up(text).expect_err(text).why;
    assert_eq!(why("?:W18:B12"), "it doesn't say who is to move");
    assert_eq!(why(""), "`` is neither W nor B");
    assert_eq!(why("X:W18:B12"), "`X` is neither W nor B");
    assert_eq!(why("W:W18:G12"), "`G` is neither W nor B");
    assert_eq!(why("W:W18:W12"), "the pieces of White stand there twice");
    assert_eq!(why("W:W38:B12"), "`38` is no square of this board");
    for item in ["0", "a3", "12-", "-12", "20-10", "K", "1-33", "99999999999", "1-2-3", "\u{e9}"] {
        assert!(why(&format!("W:W{item}:B12")).contains("is no square"), "{item}");
    }
    assert_eq!(why("W:W18:B18"), "two pieces stand on square 18");
    assert_eq!(why("W:W18,K18:B1"), "two pieces stand on square 18");
    assert_eq!(why("W:W13-25:B1"), "White has more than 12 pieces");
    assert_eq!(why("W:W4:B12"), "a man of White stands on square 4, where it would be a king");
    assert_eq!(why("W:W5:B29"), "a man of Black stands on square 29, where it would be a king");
    assert!(why("W\u{e9}").contains("neither W nor B"));
    let error = Checkers::english().set_up("rnbq w - -").expect_err("no position").to_string();
    assert!(error.contains("checkers") && error.contains("B:W21-32:B1-12"), "{error}");
}

#[test]
fn diagrams_have_square_1_at_the_top_left() {
    let game = english("W:W18,K27,32:B1,K10");
    let expected = " 1   b   .   .   .  4
 5 .   .   .   .    8
 9   .   B   .   . 12
13 .   .   .   .   16
17   .   w   .   . 20
21 .   .   .   .   24
25   .   .   W   . 28
29 .   .   .   w   32
";
    assert_eq!(game.diagram(), expected);
    let rows: Vec<String> =
        Checkers::international().diagram().lines().map(str::to_owned).collect();
    assert_eq!(rows[0], " 1   b   b   b   b   b  5");
    assert_eq!(rows[9], "46 w   w   w   w   w   50");
}
