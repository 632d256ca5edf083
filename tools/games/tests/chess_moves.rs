//! Chess moves: codes both ways, notation both ways, every spelling archives hold, and errors that
//! help.

#![cfg(feature = "chess")]

use proptest::prelude::*;
use shakmaty::san::San;
use tabia_games::{Chess, Game, MoveError, Outcome, Side};

fn at(setup: &str) -> Chess {
    Chess::from_setup(setup).unwrap_or_else(|error| panic!("{error}"))
}

/// The UCI text of the move a text means, or the kind of error.
fn read(setup: &str, text: &str) -> String {
    let game = at(setup);
    match game.parse_move(text) {
        Ok(played) => game.coordinates(&played),
        Err(MoveError::Unreadable { .. }) => "unreadable".into(),
        Err(MoveError::Null { .. }) => "null".into(),
        Err(MoveError::Pass { .. }) => "pass".into(),
        Err(MoveError::Illegal { .. }) => "illegal".into(),
        Err(MoveError::Ambiguous { .. }) => "ambiguous".into(),
    }
}

#[test]
fn codes_are_polyglots() {
    let code = |setup, text| {
        let game = at(setup);
        game.code(&game.parse_move(text).expect("a legal move"))
    };
    assert_eq!(code("startpos", "e4"), 0o1434);
    assert_eq!(code("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8=N"), 0o1_6070);
    assert_eq!(code("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8=Q"), 0o4_6070);
    let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(code(castle, "O-O"), 0o0407);
    assert_eq!(code(castle, "O-O-O"), 0o0400);
    assert_eq!(code("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "dxe3"), 0o3324);
}

#[test]
fn a_code_that_is_not_legal_gives_none() {
    assert_eq!(Chess::start().move_of_code(0), None);
    assert_eq!(Chess::start().move_of_code(0o1444), None);
    assert_eq!(Chess::start().move_of_code(u16::MAX), None);
    // The king's own step is not castling: Polyglot writes castling as king takes rook.
    assert_eq!(at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").move_of_code(0o0406), None);
}

#[test]
fn castling_is_written_as_the_variant_does() {
    let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for text in ["O-O", "0-0", "o-o", "O-O+", "e1g1", "e1h1"] {
        assert_eq!(read(standard, text), "e1g1", "{text}");
    }
    assert_eq!(read(standard, "O-O-O"), "e1c1");
    let chess960 = "1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1";
    for text in ["O-O-O", "0-0-0", "c1b1"] {
        assert_eq!(read(chess960, text), "c1b1", "{text}");
    }
    assert_eq!(read("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O"), "illegal");
    assert_eq!(read("r3k2r/8/8/8/8/5r2/8/R3K2R w KQkq - 0 1", "O-O"), "illegal");
}

#[test]
fn every_spelling_archives_hold() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for (text, uci) in [
        ("Nxd7", "e5d7"),
        ("Nd7", "e5d7"),
        ("Nexd7", "e5d7"),
        ("N5xd7", "e5d7"),
        ("Ne5xd7", "e5d7"),
        ("Ne5-d3", "e5d3"),
        ("e5d3", "e5d3"),
        ("e5-d3", "e5d3"),
        ("Nd3!?", "e5d3"),
        ("dxe6", "d5e6"),
        ("de6", "d5e6"),
        ("d5xe6", "d5e6"),
        ("d5:e6", "d5e6"),
        ("Pg4", "g2g4"),
        ("g2-g4", "g2g4"),
        ("Qxf6#", "f3f6"),
    ] {
        assert_eq!(read(kiwipete, text), uci, "{text}");
    }
    let en_passant = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    for text in ["dxe3", "dxe3e.p.", "dxe3ep", "d4e3", "de3", "d4xe3"] {
        assert_eq!(read(en_passant, text), "d4e3", "{text}");
    }
    let promotion = "3n4/2k1P3/8/8/8/8/8/K7 w - - 0 1";
    for text in ["exd8=Q", "exd8Q", "exd8=q", "e7d8q", "e7xd8=Q+", "exd8/Q"] {
        assert_eq!(read(promotion, text), "e7d8q", "{text}");
    }
}

#[test]
fn what_is_not_a_legal_move_says_which() {
    for (text, kind) in [
        ("e5", "illegal"),
        ("exd3", "illegal"),
        ("Nf6", "illegal"),
        ("Ke2", "illegal"),
        ("e2e5", "illegal"),
        ("e2e4q", "unreadable"),
        ("e8=Q", "illegal"),
        ("O-O", "illegal"),
        ("--", "null"),
        ("Z0", "null"),
        ("0000", "null"),
        ("Sf3", "unreadable"),
        ("e9", "unreadable"),
        ("", "unreadable"),
        ("hello", "unreadable"),
        ("O-O-O-O", "unreadable"),
        ("é", "unreadable"),
    ] {
        assert_eq!(read("startpos", text), kind, "{text}");
    }
    let two_rooks = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
    assert_eq!(read("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1"), "ambiguous");
    assert_eq!(read(two_rooks, "Rd1"), "a1d1");
    // One of the two knights is pinned, so there is no doubt.
    assert_eq!(read("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2"), "g1e2");
    assert_eq!(read("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8"), "illegal");
    assert_eq!(read("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8=K"), "illegal");
}

#[test]
fn errors_help() {
    let error = Chess::start().parse_move("Nf6").expect_err("not legal");
    assert_eq!(error.to_string(), "`Nf6` is not legal here (White to move)");
    let error = at("4k3/8/8/8/8/8/4K3/R6R w - - 0 1").parse_move("Rd1").expect_err("ambiguous");
    assert_eq!(error.to_string(), "`Rd1` could be more than one move; say from where, as in Rad1");
    let error = Chess::from_setup("8/8/8/8/8/8/8/8 w - - 0 1").expect_err("no kings").to_string();
    assert!(
        error.starts_with("`8/8/8/8/8/8/8/8 w - - 0 1` is not a position of chess: "),
        "{error}"
    );
    assert!(
        Chess::from_setup("hello")
            .expect_err("no FEN")
            .to_string()
            .contains("give a FEN such as rnbqkbnr/")
    );
    assert!(Chess::from_setup("QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/K6k w - - 0 1").is_err());
}

#[test]
fn set_ups_are_read_leniently_where_nothing_is_lost() {
    assert_eq!(at("startpos").key(), Chess::start().key());
    assert_eq!(
        at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").key(),
        Chess::start().key()
    );
    // Castling rights without a rook are dropped.
    assert_eq!(at("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1").setup(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    // Shredder's way to write castling rights.
    assert_eq!(
        at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1").key(),
        Chess::start().key()
    );
}

#[test]
fn the_end_of_a_game_and_the_side_to_move() {
    assert_eq!(Chess::start().outcome(), None);
    assert_eq!(Chess::start().side(), Side::First);
    assert_eq!(
        at("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").outcome(),
        Some(Outcome::SecondWins)
    );
    assert_eq!(at("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").outcome(), Some(Outcome::FirstWins));
    assert_eq!(at("k7/2Q5/8/8/8/8/8/K7 b - - 0 1").outcome(), Some(Outcome::Draw));
    assert_eq!(at("k7/2Q5/8/8/8/8/8/K7 b - - 0 1").side(), Side::Second);
}

#[test]
fn the_diagram_shows_the_board_from_whites_side() {
    let diagram = Chess::start().diagram();
    assert!(diagram.starts_with("8 r n b q k b n r\n7 p p"), "{diagram}");
    assert!(diagram.ends_with("1 R N B Q K B N R\n  a b c d e f g h\n"), "{diagram}");
}

const STARTS: [&str; 5] = [
    "startpos",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "nrnbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNQBRKBR w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "6k1/5p2/8/3N1N2/8/3N1N2/1Q6/K3Q3 w - - 0 1",
];

fn random_position() -> impl Strategy<Value = Chess> {
    (0..STARTS.len(), prop::collection::vec(any::<u16>(), 0..100)).prop_map(|(start, choices)| {
        let mut game = at(STARTS[start]);
        let mut moves = Vec::new();
        for choice in choices {
            game.legal_moves(&mut moves);
            let Some(played) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
            game.play(played);
        }
        game
    })
}

proptest! {
    #[test]
    fn codes_notation_and_coordinates_lead_back_to_the_move(game in random_position()) {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        for played in moves {
            prop_assert_eq!(game.move_of_code(game.code(&played)), Some(played));
            for text in [game.notation(&played), game.coordinates(&played)] {
                prop_assert_eq!(game.parse_move(&text), Ok(played), "{} in {}", text, game.setup());
            }
        }
    }

    /// Our resolution of SAN, made for speed, against shakmaty's: all squares and pieces, with and
    /// without where from.
    #[test]
    fn san_means_what_shakmaty_says(game in random_position(), files in prop::collection::vec(0u8..9, 8)) {
        for role in ["", "N", "B", "R", "Q", "K"] {
            for to in 0..64u8 {
                let file = files[usize::from(to % 8)];
                let origin = if file < 8 { char::from(b'a' + file).to_string() } else { String::new() };
                for (mark, promotion) in [("", ""), ("x", ""), ("", "=Q"), ("x", "=N")] {
                    let square = format!("{}{}", char::from(b'a' + to % 8), char::from(b'1' + to / 8));
                    let text = format!("{role}{origin}{mark}{square}{promotion}");
                    let Ok(san) = text.parse::<San>() else { continue };
                    if let Ok(theirs) = san.to_move(game.position()) {
                        // Pawn captures without a file are not SAN; shakmaty takes them.
                        if role.is_empty() && mark == "x" && origin.is_empty() { continue }
                        prop_assert_eq!(game.parse_move(&text), Ok(theirs), "{} in {}", text, game.setup());
                    } else if let Ok(ours) = game.parse_move(&text) {
                        // Only the `x` may be missing or too much.
                        let other = if mark == "x" { text.replace('x', "") } else { format!("{role}{origin}x{square}{promotion}") };
                        let theirs = other.parse::<San>().ok().and_then(|san| san.to_move(game.position()).ok());
                        prop_assert_eq!(Some(ours), theirs, "{} in {}", text, game.setup());
                    }
                }
            }
        }
    }
}
