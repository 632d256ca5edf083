//! Go's keys, lines and codes against the vectors of the specification, which a program of its own
//! computed.

#![cfg(feature = "go")]

use tabia_games::go::{Go, Symmetry};
use tabia_games::{Game, Known, Line};

fn after(start: &Go, moves: &str) -> (Go, Line) {
    let (mut game, mut line) = (*start, Line::start(start));
    for text in moves.split_whitespace() {
        let played = game.parse_move(text).expect("a legal move");
        line = line.after(&game, &played);
        game.play(&played);
    }
    (game, line)
}

#[test]
fn keys_are_those_of_the_specification() {
    let text = include_str!("../../../format-spec/keys.md");
    let section = text
        .split("\n## Go")
        .nth(1)
        .and_then(|text| text.split("\n## ").next())
        .expect("a section of its own");
    let (mut vectors, mut sizes) = (0, Vec::new());
    for line in section.lines().filter(|line| {
        line.starts_with("| ") && line.contains(" | `") && line.split('|').count() == 13
    }) {
        let cells: Vec<&str> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let Ok(size) = cells[0].parse::<usize>() else { continue };
        let [_, moves, setup, key, key_8, key_16, symmetries, line, played, code_8, code_16] =
            cells[..]
        else {
            panic!("{line}")
        };
        let [(plain, _), (eight, in_line), (sixteen, _)] =
            [Symmetry::None, Symmetry::Board, Symmetry::BoardAndColors]
                .map(|symmetry| after(&Go::start(size, symmetry).expect("a size"), moves));
        assert_eq!([plain, eight, sixteen].map(|game| game.setup()), [setup; 3]);
        assert_eq!(
            [plain, eight, sixteen].map(|game| format!("{:016x}", game.key())),
            [key, key_8, key_16],
            "{moves}"
        );
        assert_eq!(format!("{:016b}", sixteen.symmetries()), symmetries, "{moves}");
        assert_eq!(format!("{:016x}", in_line.key()), line, "{moves}");
        let code =
            |game: &Go| game.code(&game.parse_move(played).expect("a legal move")).to_string();
        assert_eq!([code(&eight), code(&sixteen)], [code_8, code_16], "{moves}");
        sizes.push(size);
        vectors += 1;
    }
    assert!(
        vectors >= 10 && [2, 5, 9, 13, 19].iter().all(|size| sizes.contains(size)),
        "{sizes:?}"
    );
}

#[test]
fn books_have_a_name_for_each_size_and_scheme() {
    for start in Go::all() {
        assert_eq!(Known::of(start.name(), start.keys()), Some(Known::Go(start)));
    }
}
