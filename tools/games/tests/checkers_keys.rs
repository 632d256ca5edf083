//! Keys and codes of draughts: against the specification's vectors, and the laws that all keys with
//! symmetry keep.

#![cfg(feature = "draughts")]

#[path = "shared/checkers.rs"]
mod checkers;

use checkers::{positions, starts};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};
use tabia_games::{Checkers, Game, Known, Line, Side, set_bits};

fn both() -> [Checkers; 2] {
    [Checkers::english(), Checkers::international()]
}

/// The tables of the specification, computed by a program of its own: set-up text, key without
/// symmetry, key, a move, its code without symmetry and its code.
#[test]
fn keys_are_those_of_the_specification() {
    let text = include_str!("../../../format-spec/keys.md");
    for start in both() {
        let head = format!("game `{}`:", start.name());
        let table = text.split(&head).nth(1).expect("a table of its own");
        let rows = table.lines().skip(4).take_while(|line| line.starts_with("| "));
        let mut count = 0;
        for line in rows {
            let cells: Vec<&str> = line
                .trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().trim_matches('`'))
                .collect();
            let [setup, apart, key, played, code_apart, code] = cells[..] else { panic!("{line}") };
            let game = start.set_up(setup).expect("a position");
            let plain = game.clone().with_images_apart();
            assert_eq!(game.setup(), setup);
            assert_eq!(
                [format!("{:016x}", plain.key()), format!("{:016x}", game.key())],
                [apart, key],
                "{setup}"
            );
            if let Ok(played) = game.parse_move(played) {
                assert_eq!(
                    [plain.code(&played).to_string(), game.code(&played).to_string()],
                    [code_apart, code],
                    "{setup}"
                );
            } else {
                assert_eq!((played, game.outcome().is_some()), ("-", true));
            }
            count += 1;
        }
        assert!(count >= 6, "{count}");
    }
}

#[test]
fn books_have_a_name_for_each_board_and_scheme() {
    let names: Vec<_> =
        both().into_iter().flat_map(|start| [start.clone(), start.with_images_apart()]).collect();
    assert_eq!(
        names.iter().map(|start| (start.name(), start.keys())).collect::<Vec<_>>(),
        [
            ("checkers", "zobrist-2"),
            ("checkers", "zobrist"),
            ("draughts-10", "zobrist-2"),
            ("draughts-10", "zobrist")
        ]
    );
    for start in names {
        assert_eq!(Known::of(start.name(), start.keys()), Some(Known::Checkers(start.clone())));
        assert_eq!(start.set_up("W:WK5:BK9").expect("a position").keys(), start.keys());
    }
}

/// A board and its image for the other side, by exchanging the letters and the numbers of the
/// set-up text.
fn turned(game: &Checkers) -> Checkers {
    let setup = game.setup();
    let last = game.squares() + 1;
    let mut parts = setup.split(':');
    let other = |letter: &str| if letter == "W" { "B" } else { "W" };
    let to_move = other(parts.next().expect("a side"));
    let pieces = parts.map(|part| {
        let items = part[1..].split(',').filter(|item| !item.is_empty()).map(|item| {
            match item.strip_prefix('K') {
                Some(number) => format!("K{}", last - number.parse::<u32>().expect("a number")),
                None => (last - item.parse::<u32>().expect("a number")).to_string(),
            }
        });
        format!("{}{}", other(&part[..1]), items.collect::<Vec<_>>().join(","))
    });
    let text = format!("{to_move}:{}", pieces.collect::<Vec<_>>().join(":"));
    game.set_up(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn legal(game: &Checkers) -> Vec<tabia_games::checkers::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

/// All that must hold in any position.
fn laws(game: &Checkers) -> Result<(), TestCaseError> {
    let (image, moves) = (turned(game), legal(game));
    prop_assert_eq!(game.key(), image.key());
    let codes: BTreeSet<u16> = moves.iter().map(|played| game.code(played)).collect();
    prop_assert_eq!(codes.len(), moves.len());
    prop_assert_eq!(&codes, &legal(&image).iter().map(|played| image.code(played)).collect());
    prop_assert_ne!(game.clone().with_images_apart().key(), image.with_images_apart().key());
    let again = game.set_up(&game.setup()).expect("a position");
    prop_assert_eq!(again.key(), game.key(), "kept up to date");
    for played in &moves {
        prop_assert_eq!(game.move_of_code(game.code(played)), Some(*played));
        for text in [game.notation(played), game.coordinates(played)] {
            prop_assert_eq!(game.parse_move(&text), Ok(*played), "{} {}", game.setup(), text);
        }
    }
    let symmetry = set_bits(game.symmetries()).next().expect("one");
    prop_assert_eq!(symmetry, u32::from(game.side() == Side::Second));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn laws_hold_in_any_position(game in positions()) {
        laws(&game)?;
    }

    #[test]
    fn laws_hold_in_random_games(start in starts(), choices in proptest::collection::vec(any::<usize>(), 1..160)) {
        let mut game = start;
        for choice in choices {
            laws(&game)?;
            let moves = legal(&game);
            match moves.len() {
                0 => break,
                count => game.play(&moves[choice % count]),
            }
        }
    }

    /// A game and its image, played from the turned start, are one: position by position, and as
    /// lines.
    #[test]
    fn a_game_and_its_image_are_one(start in positions(), choices in proptest::collection::vec(any::<usize>(), 1..80)) {
        let mut game = start;
        let mut image = turned(&game);
        let (mut line, mut image_line) = (Line::start(&game), Line::start(&image));
        for choice in choices {
            let moves = legal(&game);
            let Some(played) = moves.get(choice % moves.len().max(1)) else { break };
            let mirrored = image.move_of_code(game.code(played)).expect("its image is legal");
            prop_assert_eq!(line.code(&game, played), image_line.code(&image, &mirrored));
            (line, image_line) = (line.after(&game, played), image_line.after(&image, &mirrored));
            game.play(played);
            image.play(&mirrored);
            prop_assert_eq!((game.key(), line.key()), (image.key(), image_line.key()));
        }
    }

    /// Any code and any text find a legal move, or none.
    #[test]
    fn foreign_codes_and_texts_do_no_harm(code in any::<u16>(), text in "[0-9x:-]{0,12}") {
        for game in both() {
            if let Some(played) = game.move_of_code(code) {
                prop_assert_eq!(game.code(&played), code);
            }
            if let Ok(played) = game.parse_move(&text) {
                prop_assert!(legal(&game).contains(&played));
            }
        }
    }
}

/// Different positions have different keys: all that six plies lead to, and their images none.
#[test]
fn positions_have_keys_of_their_own() {
    for start in both() {
        let (mut seen, mut frontier): (HashMap<u64, String>, Vec<Checkers>) =
            (HashMap::new(), vec![start]);
        for _ in 0..6 {
            let mut next = Vec::new();
            for game in &frontier {
                for played in legal(game) {
                    let mut after = game.clone();
                    after.play(&played);
                    let canonical = if after.side() == Side::First {
                        after.setup()
                    } else {
                        turned(&after).setup()
                    };
                    match seen.get(&after.key()) {
                        Some(known) => assert_eq!(*known, canonical),
                        None => {
                            seen.insert(after.key(), canonical);
                            next.push(after);
                        }
                    }
                }
            }
            frontier = next;
        }
        let boards: BTreeSet<&String> = seen.values().collect();
        assert_eq!(boards.len(), seen.len());

        assert!(seen.len() > 10_000);
    }
}
