//! Othello: its rules against another program and in the cases that are easily got wrong, its texts,
//! and what a book sees of boards and their images.

use crate::laws::{are_one, keys_are_of_one_board};
use crate::shared::{self, all_read, choices};
use magpie::othello::{Board, Position, Stone};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tabia_games::{Game, Line, Othello, Outcome, Side, Trouble};

fn position(text: &str) -> Othello {
    Othello::start().set_up(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The position after the squares of a transcript.
fn after(moves: &str) -> Othello {
    let read = |game: Othello, text| game.after(&game.read_move(text).expect(moves));
    moves.as_bytes().chunks(2).fold(Othello::start(), read)
}

fn moves(game: &Othello) -> Vec<String> {
    game.legal().iter().map(|played| game.notation(played)).collect()
}

#[test]
fn black_starts_and_f5_is_one_of_four_moves() {
    let start = Othello::start();
    assert_eq!((start.side(), start.sides()), (Side::First, ["Black", "White"]));
    assert_eq!(moves(&start), ["d3", "c4", "f5", "e6"]);
    assert_eq!(start.setup(), "---------------------------OX------XO--------------------------- X");
    let f5 = "---------------------------OX------XXX-------------------------- O";
    assert_eq!(after("f5").setup(), f5);
    assert_eq!((start.score(), after("f5").score()), ([2, 2], [4, 1]));
}

#[test]
fn moves_are_read_in_both_cases_and_nothing_else_is() {
    let start = Othello::start();
    let played = start.read_move(b"f5").expect("a legal move");
    assert_eq!(start.read_move(b"F5"), Ok(played));
    assert_eq!(played.square(), 37);
    assert_eq!([start.notation(&played), start.coordinates(&played)], ["f5", "f5"]);
    assert_eq!(start.disc_on(37), Some(played));
    assert_eq!([36, 0, 64, 255].map(|square| start.disc_on(square)), [None; 4]);
    all_read(&start, "a1 | d4", "illegal");
    all_read(&start, "i5 | f9 | f0 | f | f55 | ", "unreadable");
    all_read(&start, "pass | PA | --", "null");
    assert_eq!(start.read_move(b"pass"), Err(Trouble::Null));
    for (text, why) in [
        ("a1", "`a1` is not legal here (Black to move)"),
        (" pass ", "`pass`: a side that can't move passes by itself: leave passes out"),
    ] {
        assert_eq!(start.parse_move(text).unwrap_err().to_string(), why);
    }
}

/// Black can't move after White's c1.
const BLACK_PASSES: &str = "d3c3e6d2d1e1b2c1";
/// Black takes all discs with the ninth: the shortest game.
const WIPED_OUT: &str = "e6f4e3f6g5d6e7f5c5";

#[test]
fn a_side_that_cannot_move_is_passed_over() {
    let before = after(&BLACK_PASSES[..14]);
    let game = after(BLACK_PASSES);
    assert_eq!([before.side(), game.side()], [Side::Second, Side::Second]);
    assert_eq!([before.has_passed(), game.has_passed()], [false, true]);
    assert_eq!(game.outcome(), None);
    assert!(!moves(&game).is_empty());
    // Set up with the side that can't move, it is the same position.
    let text = game.setup();
    let other = position(&text.replace(" O", " X"));
    assert_eq!((other.key(), other.side(), other.has_passed()), (game.key(), game.side(), true));
    // A game goes on behind a pass, and the note of it is forgotten.
    let mut next = game.clone();
    let played = next.parse_move(&moves(&next)[0]).expect("a legal move");
    next.play(&played);
    assert!(!next.has_passed());
}

#[test]
fn the_game_is_over_when_neither_side_can_move() {
    let game = after(WIPED_OUT);
    assert_eq!((game.outcome(), game.score()), (Some(Outcome::FirstWins), [64, 0]));
    assert!(moves(&game).is_empty());
    // White would be to move; the other side's view is another position.
    assert_eq!(game.side(), Side::Second);
    assert_eq!(position(&game.setup()).key(), game.key());
    let other = position(&format!("{} X", &game.setup()[..64]));
    assert_eq!((other.outcome(), other.score()), (game.outcome(), game.score()));
    assert_eq!(other.side(), Side::First);
    assert_ne!(other.key(), game.key());
    let squares = |black: usize, white: usize| {
        format!("{}{}{} O", "X".repeat(black), "-".repeat(64 - black - white), "O".repeat(white))
    };
    // No line from one color to the other has an empty square behind it. Empty squares are the
    // winner's, and half of them each side's in a draw.
    for (black, white, score, outcome) in [
        (32, 32, [32, 32], Outcome::Draw),
        (31, 33, [31, 33], Outcome::SecondWins),
        (33, 31, [33, 31], Outcome::FirstWins),
        (0, 20, [0, 64], Outcome::SecondWins),
        (0, 0, [32, 32], Outcome::Draw),
    ] {
        let full = position(&squares(black, white));
        assert_eq!((full.score(), full.outcome()), (score, Some(outcome)), "{black} {white}");
    }
}

#[test]
fn set_up_texts_are_read_in_their_dialects() {
    let game = after("f5d6c3");
    let text = game.setup();
    let [squares, side] = [&text[..64], &text[65..]];
    let rows: Vec<&str> = (0..8).map(|row| &squares[8 * row..8 * row + 8]).collect();
    for same in [
        text.clone(),
        text.to_lowercase(),
        format!("  {text}\n"),
        format!("{squares}{side}"),
        text.replace('-', ".").replace('X', "*"),
        format!("{} {side}", rows.join("/")),
        format!("{}\n{side}", rows.join("\n")),
        format!("{text}; c4:+2; f6:-4;"),
    ] {
        let read = position(&same);
        assert_eq!((read.key(), read.setup()), (game.key(), text.clone()), "{same}");
    }
    assert_eq!(position("startpos").key(), Othello::start().key());
    for (wrong, why) in [
        ("", "0 squares"),
        (&text[..63], "63 squares"),
        (squares, "who is to move"),
        (&format!("{squares} b"), "side to move"),
        (&format!("{text} X"), "side to move"),
        (&text.replacen('-', "?", 1), "`?` is no square"),
    ] {
        let error = Othello::start().set_up(wrong).expect_err("no position").to_string();
        assert!(error.contains(why) && error.starts_with('`'), "{error}");
    }
}

#[test]
fn the_diagram_has_the_first_row_on_top() {
    let lines = after("f5").diagram();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "  a b c d e f g h");
    assert_eq!(lines[4..6], ["4 . . . O X . . .", "5 . . . X X X . ."]);
    assert_eq!(lines.len(), 9);
}

/// The bits of magpie's boards are the other way round.
fn bits(stones: magpie::othello::Bitboard) -> u64 {
    stones.raw().reverse_bits()
}

proptest! {
    #[test]
    fn random_games_are_those_of_another_program(choices in prop::collection::vec(any::<u8>(), 60)) {
        let (mut game, mut board, mut stone) = (Othello::start(), Board::standard(), Stone::Black);
        for choice in choices {
            if board.moves_for(stone).is_empty() {
                stone = stone.flip();
            }
            let legal = game.legal();
            let squares = legal.iter().fold(0, |set, played| set | 1 << played.square());
            prop_assert_eq!(squares, bits(board.moves_for(stone)));
            let Some(played) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            prop_assert_eq!(game.side() == Side::First, stone == Stone::Black);
            board.play(stone, Position::try_from(game.notation(played).as_str()).expect("a square"));
            game.play(played);
            prop_assert_eq!(game.discs(), [bits(board.bits_for(Stone::Black)), bits(board.bits_for(Stone::White))]);
            stone = stone.flip();
        }
        if game.outcome().is_some() {
            prop_assert!(board.moves_for(Stone::Black).is_empty() && board.moves_for(Stone::White).is_empty());
        }
    }
}

/// The four first moves are one, and lines go on from f5, as transcripts have it.
#[test]
fn the_canonical_line_begins_with_f5() {
    let start = Othello::start();
    let lines = ["d3", "c4", "f5", "e6"].map(|text| {
        let (line, played) = (Line::start(&start), start.parse_move(text).expect("a legal move"));
        (line.code(&start, &played), line.after(&start, &played).key(), after(text).key())
    });
    assert_eq!(lines, [(37, lines[0].1, lines[0].2); 4]);
    let ranks: BTreeSet<u16> = (0..64).map(|code| start.rank(code)).collect();
    assert_eq!(ranks.len(), 64);
}

/// The image of a set-up text: the square at (x, y) goes where `to` says.
fn image(setup: &str, to: impl Fn(usize, usize) -> (usize, usize)) -> String {
    let mut squares = vec![b'?'; 64];
    for (square, sign) in setup.bytes().take(64).enumerate() {
        let (x, y) = to(square % 8, square / 8);
        squares[8 * y + x] = sign;
    }
    String::from_utf8(squares).expect("ASCII") + &setup[64..]
}

/// The same with all discs turned and the other side to move.
fn with_colors_changed(setup: &str) -> String {
    setup.replace('X', "?").replace('O', "X").replace('?', "O")
}

/// The eight symmetries of the square, by turns and a mirror.
fn turned(x: usize, y: usize, symmetry: usize) -> (usize, usize) {
    let (x, y) = if symmetry >= 4 { (7 - x, y) } else { (x, y) };
    (0..symmetry % 4).fold((x, y), |(x, y), _| (7 - y, x))
}

proptest! {
    #[test]
    fn images_are_one_position(choices in choices(60), symmetry in 0..8usize) {
        let games = shared::played(&Othello::start(), &choices);
        let game = &games[games.len() - 1];
        let setup = image(&game.setup(), |x, y| turned(x, y, symmetry));
        are_one(game, &position(&setup));
        let other = position(&with_colors_changed(&game.setup()));
        are_one(game, &other);
        prop_assert_eq!(other.side(), game.side().other());
        let [plain, other] = [&game.setup(), &setup]
            .map(|setup| Othello::without_symmetry().set_up(setup).expect("a position"));
        prop_assert_eq!(other.key() == plain.key(), other.setup() == plain.setup());
        prop_assert_eq!(game.move_of_code(64), None);
        prop_assert!(game.symmetries().count_ones().is_power_of_two());
    }
}

#[test]
fn different_positions_have_different_keys() {
    let canonical = |game: &Othello| {
        let setup = game.setup();
        let seen = if game.side() == Side::First { setup } else { with_colors_changed(&setup) };
        let images = (0..8).map(|symmetry| image(&seen, |x, y| turned(x, y, symmetry)));
        images.min().expect("eight images")
    };
    assert!(keys_are_of_one_board(&Othello::start(), 60, 2_000, canonical) > 80_000);
}
