//! Keys, codes and symmetries against the vectors of the specification, which programs of their own
//! computed, and the names that books have for key schemes.

use crate::shared::after;
use tabia_games::{Game, Known, Line, with_game};

/// The rows of `N` cells in a part of the specification of keys.
fn rows<const N: usize>(begin: &str, end: &str) -> Vec<[&'static str; N]> {
    let text = include_str!("../../../../format-spec/keys.md");
    let part = text.split(begin).nth(1).expect("a part of its own").split(end).next();
    let cells = |line: &'static str| -> Vec<&str> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
    };
    let rows = part.unwrap_or_default().lines().filter(|line| line.starts_with("| "));
    rows.filter_map(|line| cells(line).try_into().ok()).collect()
}

fn known(game: &str, keys: &str) -> Known {
    Known::of(game, keys).unwrap_or_else(|| panic!("{game} {keys}"))
}

fn check(game: &str, keys: &str, vector: Vector<'_>) {
    with_game!(known(game, keys), start => vector.check(start));
}

/// What the specification says of a position.
struct Vector<'a> {
    moves: &'a str,
    setup: &'a str,
    key: &'a str,
    /// As binary digits; not asked for if empty.
    symmetries: &'a str,
    /// A legal move and its code.
    played: [&'a str; 2],
}

impl Vector<'_> {
    fn check<G: Game>(self, start: &G) {
        let Self { moves, setup, key, symmetries, played: [played, code] } = self;
        let set_up = start.set_up(setup).unwrap_or_else(|error| panic!("{error}"));
        let mut games = vec![set_up];
        if !moves.is_empty() {
            games.push(after(start, moves));
        }
        for game in games {
            assert_eq!((game.setup().as_str(), game.keys()), (setup, start.keys()));
            assert_eq!(format!("{:016x}", game.key()), key, "{setup}");
            if !symmetries.is_empty() {
                let found = u16::from_str_radix(symmetries, 2).expect("binary digits");
                assert_eq!(game.symmetries(), found, "{setup}");
            }
            match game.parse_move(played) {
                Ok(played) if !code.is_empty() => {
                    assert_eq!(game.code(&played).to_string(), code, "{setup}");
                }
                Ok(_) => {}
                Err(_) => {
                    assert_eq!((played, game.outcome().is_some()), ("-", true), "{setup}");
                }
            }
        }
    }
}

fn spaced(moves: &str) -> String {
    let pairs = moves.as_bytes().chunks(2).map(|pair| String::from_utf8_lossy(pair).into_owned());
    pairs.collect::<Vec<_>>().join(" ")
}

#[cfg(feature = "draughts")]
#[test]
fn draughts() {
    for (game, end) in [("checkers", "game `draughts-10`"), ("draughts-10", "\n## ")] {
        let vectors = rows::<6>(&format!("game `{game}`:"), end);
        for [setup, apart, key, played, code_apart, code] in vectors.iter().skip(1).copied() {
            for (keys, key, code) in [("zobrist", apart, code_apart), ("zobrist-2", key, code)] {
                let played = [played, code];
                check(game, keys, Vector { moves: "", setup, key, symmetries: "", played });
            }
        }
        assert!(vectors.len() > 6, "{}", vectors.len());
    }
}

#[cfg(feature = "othello")]
#[test]
fn othello() {
    let vectors = rows::<7>("## Othello", "\n## ");
    for [moves, setup, apart, key, symmetries, played, code] in vectors.iter().skip(1).copied() {
        let moves = &spaced(moves);
        let plain = Vector { moves, setup, key: apart, symmetries: "", played: [played, ""] };
        check("othello", "zobrist", plain);
        let played = [played, code];
        check("othello", "zobrist-8", Vector { moves, setup, key, symmetries, played });
    }
    assert!(vectors.len() > 10);
}

#[cfg(feature = "connect")]
#[test]
fn connect_four_and_tic_tac_toe() {
    let vectors = rows::<8>("## Connect Four and tic-tac-toe", "\n## ");
    for [game, moves, setup, apart, key, symmetries, played, code] in
        vectors.iter().skip(1).copied()
    {
        let together = if game == "tic-tac-toe" { "zobrist-8" } else { "zobrist-2" };
        let plain = Vector { moves, setup, key: apart, symmetries: "", played: [played, ""] };
        check(game, "zobrist", plain);
        let played = [played, code];
        check(game, together, Vector { moves, setup, key, symmetries, played });
    }
    assert_eq!(vectors.len(), 1 + 12);
}

#[cfg(feature = "chess")]
#[test]
fn variants_of_chess() {
    let vectors = rows::<6>("## Variants of chess", "\n## ");
    for [game, moves, setup, key, played, code] in vectors.iter().skip(1).copied() {
        let vector = Vector { moves, setup, key, symmetries: "", played: [played, code] };
        check(game, "polyglot", vector);
    }
    assert_eq!(vectors.len(), 1 + 12);
}

fn line_key<G: Game>(start: &G, moves: &str) -> String {
    let (mut game, mut line) = (start.clone(), Line::start(start));
    for text in moves.split_whitespace() {
        let played = game.parse_move(text).expect("a legal move");
        line = line.after(&game, &played);
        game.play(&played);
    }
    format!("{:016x}", line.key())
}

#[cfg(feature = "chess")]
#[test]
fn lines_of_chess() {
    for (moves, key) in [
        ("", "3aa0f82ca23c21ea"),
        ("e4", "677eace632638070"),
        ("e4 e5 Nf3", "f08796549f5afa13"),
        ("Nf3 e5 e4", "97d0afe5bc63aa3a"),
    ] {
        assert_eq!(line_key(&tabia_games::Chess::start(), moves), key, "{moves}");
    }
}

#[cfg(feature = "go")]
#[test]
fn go() {
    let vectors = rows::<11>("\n## Go", "\n## ");
    let mut sizes = Vec::new();
    for [size, moves, setup, key, key_8, key_16, symmetries, line, played, code_8, code_16] in
        vectors.iter().skip(1).copied()
    {
        let game = format!("go-{size}");
        for (keys, key, symmetries, code) in [
            ("zobrist", key, "", ""),
            ("zobrist-8", key_8, "", code_8),
            ("zobrist-16", key_16, symmetries, code_16),
        ] {
            let played = [played, code];
            check(&game, keys, Vector { moves, setup, key, symmetries, played });
        }
        let start = known(&game, "zobrist-8");
        assert_eq!(with_game!(start, start => line_key(start, moves)), line, "{moves}");
        sizes.push(size);
    }
    assert!(sizes.len() >= 10, "{sizes:?}");
    assert!(["2", "5", "9", "13", "19"].iter().all(|size| sizes.contains(size)), "{sizes:?}");
}

#[test]
fn books_have_a_name_for_each_game_and_scheme() {
    let schemes = |game: &str| -> Vec<&str> {
        Known::all().filter(|known| known.name() == game).map(|known| known.keys()).collect()
    };
    for (game, keys) in [
        ("chess", vec!["polyglot"]),
        ("othello", vec!["zobrist-8", "zobrist"]),
        ("go-9", vec!["zobrist-8", "zobrist", "zobrist-16"]),
        ("checkers", vec!["zobrist-2", "zobrist"]),
        ("draughts-10", vec!["zobrist-2", "zobrist"]),
        ("connect4-7x6", vec!["zobrist-2", "zobrist"]),
        ("tic-tac-toe", vec!["zobrist-8", "zobrist"]),
    ] {
        assert!(schemes(game).is_empty() || schemes(game) == keys, "{game}: {:?}", schemes(game));
    }
}
