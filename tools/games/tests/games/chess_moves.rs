//! Chess moves: codes both ways, notation both ways, every spelling, helpful errors.

use crate::shared::{all_read, choices, played};
use proptest::prelude::*;
use shakmaty::san::San;
use tabia_games::{Chess, Game, Outcome, Side};

fn at(setup: &str) -> Chess {
    Chess::from_setup(setup).unwrap_or_else(|error| panic!("{error}"))
}

/// The two sides of a row, parted by a colon: a UCI move or the kind of error, and texts of it.
fn reads(setup: &str, table: &str) {
    for row in table.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (expected, texts) = row.split_once(": ").expect("a move and texts");
        all_read(&at(setup), texts, expected);
    }
}

/// From and to as in the specification, castling to the rook.
#[test]
fn codes_are_polyglots() {
    for (setup, played, code) in [
        ("startpos", "e4", 0o1434),
        ("startpos", "g1f3", 0o0625),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", 0o0407),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", 0o0400),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8", 0o7477),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", 0o7470),
        ("4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e1h1", 0o0407),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=N", 0o1_6070),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", 0o4_6070),
        ("8/7k/8/8/8/8/p7/2K5 b - - 0 1", "a2a1r", 0o3_1000),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "dxe3", 0o3324),
    ] {
        let position = at(setup);
        let played = position.parse_move(played).expect("a legal move");
        assert_eq!(position.code(&played), code, "{setup}");
        assert_eq!(position.move_of_code(code), Some(played), "{setup}");
    }
}

#[test]
fn a_code_that_is_not_legal_gives_none() {
    assert_eq!([0, 0o1444, u16::MAX].map(|code| Chess::start().move_of_code(code)), [None; 3]);
    // The king's own step is not castling: Polyglot writes castling as king takes rook.
    assert_eq!(at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").move_of_code(0o0406), None);
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn every_spelling_archives_hold_and_what_is_no_legal_move() {
    for (setup, table) in [
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "e1g1: O-O | 0-0 | o-o | O-O+ | e1g1 | e1h1
            e1c1: O-O-O",
        ),
        ("1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1", "c1b1: O-O-O | 0-0-0 | c1b1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "illegal: O-O"),
        ("r3k2r/8/8/8/8/5r2/8/R3K2R w KQkq - 0 1", "illegal: O-O"),
        (
            KIWIPETE,
            "e5d7: Nxd7 | Nd7 | Nexd7 | N5xd7 | Ne5xd7
            e5d3: Ne5-d3 | e5d3 | e5-d3 | Nd3!?
            d5e6: dxe6 | de6 | d5xe6 | d5:e6
            g2g4: Pg4 | g2-g4
            f3f6: Qxf6#",
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "d4e3: dxe3 | dxe3e.p. | dxe3ep | d4e3 | de3 | d4xe3",
        ),
        (
            "3n4/2k1P3/8/8/8/8/8/K7 w - - 0 1",
            "e7d8q: exd8=Q | exd8Q | exd8=q | e7d8q | e7xd8=Q+ | exd8/Q",
        ),
        (
            "startpos",
            "illegal: e5 | exd3 | Nf6 | Ke2 | e2e5 | e8=Q | O-O
            null: -- | Z0 | 0000
            unreadable: e2e4q | Sf3 | e9 |  | hello | O-O-O-O | é",
        ),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "ambiguous: Rd1"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1: Rd1"),
        // One of the two knights is pinned, so there is no doubt.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2: Ne2"),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "illegal: a8 | a8=K"),
    ] {
        reads(setup, table);
    }
}

#[test]
fn errors_help() {
    let error = Chess::start().parse_move("Nf6").expect_err("not legal");
    assert_eq!(error.to_string(), "`Nf6` is not legal here (White to move)");
    let error = at("4k3/8/8/8/8/8/4K3/R6R w - - 0 1").parse_move("Rd1").expect_err("ambiguous");
    assert_eq!(error.to_string(), "`Rd1` could be more than one move; say from where, as in Rad1");
    for (text, said) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "`8/8/8/8/8/8/8/8 w - - 0 1` is not a position of chess: "),
        ("hello", "give a FEN such as rnbqkbnr/"),
        ("QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/K6k w - - 0 1", "is not a position of chess"),
    ] {
        let error = Chess::from_setup(text).expect_err("no position").to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn set_ups_are_read_leniently_where_nothing_is_lost() {
    // Without counters, and castling rights as Shredder writes them.
    for rest in ["w KQkq -", "w HAha - 0 1"] {
        let text = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {rest}");
        assert_eq!([at(&text), at("startpos")].map(|game| game.key()), [Chess::start().key(); 2]);
    }
    // Castling rights without a rook are dropped.
    assert_eq!(at("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1").setup(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

#[test]
fn the_end_of_a_game_and_the_side_to_move() {
    assert_eq!(Chess::start().outcome(), None);
    assert_eq!(Chess::start().side(), Side::First);
    for (setup, side, outcome) in [
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            Side::First,
            Outcome::SecondWins,
        ),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", Side::Second, Outcome::FirstWins),
        ("k7/2Q5/8/8/8/8/8/K7 b - - 0 1", Side::Second, Outcome::Draw),
    ] {
        assert_eq!((at(setup).side(), at(setup).outcome()), (side, Some(outcome)), "{setup}");
    }
}

#[test]
fn the_diagram_shows_the_board_from_whites_side() {
    let diagram = Chess::start().diagram();
    assert!(diagram.starts_with("8 r n b q k b n r\n7 p p"), "{diagram}");
    assert!(diagram.ends_with("1 R N B Q K B N R\n  a b c d e f g h\n"), "{diagram}");
}

const STARTS: [&str; 5] = [
    "startpos",
    KIWIPETE,
    "nrnbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNQBRKBR w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "6k1/5p2/8/3N1N2/8/3N1N2/1Q6/K3Q3 w - - 0 1",
];

proptest! {
    /// Our resolution of SAN, made for speed, against shakmaty's: for all squares and pieces.
    #[test]
    fn san_means_what_shakmaty_says(start in 0..STARTS.len(), choices in choices(100), files in prop::collection::vec(0u8..9, 8)) {
        let games = played(&at(STARTS[start]), &choices);
        let game = &games[games.len() - 1];
        for role in ["", "N", "B", "R", "Q", "K"] {
            for to in 0..64u8 {
                let file = files[usize::from(to % 8)];
                let origin = if file < 8 { char::from(b'a' + file).to_string() } else { String::new() };
                for (mark, promotion) in [("", ""), ("x", ""), ("", "=Q"), ("x", "=N")] {
                    let square = format!("{}{}", char::from(b'a' + to % 8), char::from(b'1' + to / 8));
                    let text = format!("{role}{origin}{mark}{square}{promotion}");
                    let Ok(san) = text.parse::<San>() else { continue };
                    if let Ok(theirs) = san.to_move(game.standard().unwrap()) {
                        // Pawn captures without a file are not SAN; shakmaty takes them.
                        if role.is_empty() && mark == "x" && origin.is_empty() { continue }
                        prop_assert_eq!(game.parse_move(&text), Ok(theirs), "{} in {}", text, game.setup());
                    } else if let Ok(ours) = game.parse_move(&text) {
                        // Only the `x` may be missing or too much.
                        let other = if mark == "x" { text.replace('x', "") } else { format!("{role}{origin}x{square}{promotion}") };
                        let theirs = other.parse::<San>().ok().and_then(|san| san.to_move(game.standard().unwrap()).ok());
                        prop_assert_eq!(Some(ours), theirs, "{} in {}", text, game.setup());
                    }
                }
            }
        }
    }
}
