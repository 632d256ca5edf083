//! Othello's keys: against the specification's vectors, and the laws that all keys with symmetry
//! keep.

#![cfg(feature = "othello")]

use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};
use tabia_games::othello::Disc;
use tabia_games::{Game, Known, Line, Othello, Side};

fn both() -> [Othello; 2] {
    [Othello::start(), Othello::without_symmetry()]
}

fn after(start: &Othello, moves: &str) -> Othello {
    let mut game = start.clone();
    for text in moves.as_bytes().chunks(2) {
        let played = game.read_move(text).expect("a legal move");
        game.play(&played);
    }
    game
}

/// The table of the specification, computed by a program of its own: moves, set-up text, key
/// without symmetry, key, symmetries, a move and its code.
#[test]
fn keys_are_those_of_the_specification() {
    let text = include_str!("../../../format-spec/keys.md");
    let section = text
        .split("## Othello")
        .nth(1)
        .and_then(|text| text.split("\n## ").next())
        .expect("a section of its own");
    let [folded, plain] = both();
    let mut vectors = 0;
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [moves, setup, apart, key, symmetries, played, code] = cells[..] else {
            panic!("{line}")
        };
        let game = after(&folded, moves);
        assert_eq!(game.setup(), setup, "{moves}");
        assert_eq!(format!("{:016x}", game.key()), key, "{moves}");
        assert_eq!(format!("{:08b}", game.symmetries()), symmetries, "{moves}");
        assert_eq!(format!("{:016x}", after(&plain, moves).key()), apart, "{moves}");
        assert_eq!(folded.set_up(setup).expect("a position").key(), game.key());
        if let Ok(played) = game.parse_move(played) {
            assert_eq!(game.code(&played).to_string(), code, "{moves}");
        }
        vectors += 1;
    }
    assert!(vectors >= 10);
}

#[test]
fn books_have_a_name_for_each_scheme() {
    assert_eq!(
        both().map(|start| (start.name(), start.keys())),
        [("othello", "zobrist-8"), ("othello", "zobrist")]
    );
    for start in both() {
        let known = Known::of(start.name(), start.keys()).expect("a known game");
        assert_eq!(known, Known::Othello(start));
    }
}

/// The four first moves are one, and lines go on from f5, as transcripts have it.
#[test]
fn the_canonical_line_begins_with_f5() {
    let start = Othello::start();
    let lines = ["d3", "c4", "f5", "e6"].map(|text| {
        let played = start.parse_move(text).expect("a legal move");
        (
            Line::start(&start).code(&start, &played),
            Line::start(&start).after(&start, &played).key(),
            after(&start, text).key(),
        )
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
    setup
        .chars()
        .map(|sign| {
            if sign == 'X' {
                'O'
            } else if sign == 'O' {
                'X'
            } else {
                sign
            }
        })
        .collect()
}

/// The eight symmetries of the square, by turns and a mirror.
fn turned(x: usize, y: usize, symmetry: usize) -> (usize, usize) {
    let (x, y) = if symmetry >= 4 { (7 - x, y) } else { (x, y) };
    (0..symmetry % 4).fold((x, y), |(x, y), _| (7 - y, x))
}

fn moves(game: &Othello) -> Vec<Disc> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

fn codes(game: &Othello) -> BTreeSet<u16> {
    moves(game).iter().map(|played| game.code(played)).collect()
}

/// The key of what a move leads to, by its code.
fn leads_to(game: &Othello, code: u16) -> u64 {
    let mut next = game.clone();
    next.play(&game.move_of_code(code).expect("a legal move"));
    next.key()
}

fn random_game(start: &Othello, choices: &[u8]) -> Vec<Othello> {
    let mut games = vec![start.clone()];
    for &choice in choices {
        let mut game = games[games.len() - 1].clone();
        let legal = moves(&game);
        let Some(played) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
        game.play(played);
        games.push(game);
    }
    games
}

proptest! {
    #[test]
    fn images_have_one_key_and_the_same_codes(choices in prop::collection::vec(any::<u8>(), 0..60), symmetry in 0..8usize) {
        let games = random_game(&Othello::start(), &choices);
        let game = &games[games.len() - 1];
        let other = game.set_up(&image(&game.setup(), |x, y| turned(x, y, symmetry))).expect("a position");
        prop_assert_eq!(other.key(), game.key());
        prop_assert_eq!(codes(&other), codes(game));
        for code in codes(game) {
            prop_assert_eq!(leads_to(&other, code), leads_to(game, code));
        }
        let other = game.set_up(&with_colors_changed(&game.setup())).expect("a position");
        prop_assert_eq!((other.key(), other.side(), codes(&other)), (game.key(), game.side().other(), codes(game)));
        let plain = Othello::without_symmetry().set_up(&game.setup()).expect("a position");
        let other = plain.set_up(&image(&game.setup(), |x, y| turned(x, y, symmetry))).expect("a position");
        prop_assert_eq!(other.key() == plain.key(), other.setup() == plain.setup());
    }

    /// A move's image on the canonical board leads to an image of what the move leads to, and back
    /// to a move as good as it.
    #[test]
    fn codes_lead_back_to_the_board_asked_for(choices in prop::collection::vec(any::<u8>(), 0..60)) {
        for start in both() {
            for game in random_game(&start, &choices) {
                for played in moves(&game) {
                    let back = game.move_of_code(game.code(&played)).expect("a legal move");
                    let [mut one, mut other] = [game.clone(), game.clone()];
                    one.play(&played);
                    other.play(&back);
                    prop_assert_eq!(one.key(), other.key());
                    prop_assert!(back == played || game.symmetries().count_ones() > 1);
                }
                prop_assert_eq!(game.move_of_code(64), None);
                prop_assert_eq!(game.symmetries().count_ones().is_power_of_two(), true);
            }
        }
    }

    #[test]
    fn keys_kept_up_to_date_are_keys_computed_afresh(choices in prop::collection::vec(any::<u8>(), 60)) {
        for start in both() {
            for game in random_game(&start, &choices) {
                let fresh = start.set_up(&game.setup()).expect("a position");
                prop_assert_eq!((fresh.key(), fresh.symmetries(), fresh.side()), (game.key(), game.symmetries(), game.side()));
                prop_assert_eq!(fresh.setup(), game.setup());
            }
        }
    }

    /// A line and its images are one line, whose code at every ply leads back to the board asked
    /// for.
    #[test]
    fn images_of_a_line_are_one_line(choices in prop::collection::vec(any::<u8>(), 1..60), first in 0..4usize) {
        // The symmetries of the start: those that take it to itself.
        let itself: Vec<usize> = (0..8).filter(|&symmetry| image(&Othello::start().setup(), |x, y| turned(x, y, symmetry)) == Othello::start().setup()).collect();
        let (mut one, mut other) = (Othello::start(), Othello::start());
        let mut lines = [Line::start(&one); 2];
        for choice in choices {
            let legal = moves(&one);
            let Some(played) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            let (x, y) = turned(usize::from(played.square() % 8), usize::from(played.square() / 8), itself[first]);
            let mirrored = other.disc_on((8 * y + x) as u8).expect("the image of a legal move");
            let code = lines[0].code(&one, played);
            prop_assert_eq!(lines[1].code(&other, &mirrored), code);
            prop_assert_eq!(lines[0].move_of_code(&one, code).map(|back| lines[0].after(&one, &back).key()), Some(lines[0].after(&one, played).key()));
            lines = [lines[0].after(&one, played), lines[1].after(&other, &mirrored)];
            one.play(played);
            other.play(&mirrored);
            prop_assert_eq!(lines[0].key(), lines[1].key());
            prop_assert_eq!(one.key(), other.key());
        }
    }
}

/// Every position of random games, by a canonical text made here: as many keys as texts.
#[test]
fn different_positions_have_different_keys() {
    let (mut texts, mut state) = (HashMap::new(), 1_u64);
    for _ in 0..2_000 {
        let choices: [u8; 60] = std::array::from_fn(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as u8
        });
        for game in random_game(&Othello::start(), &choices) {
            let setup = game.setup();
            let seen = if game.side() == Side::First {
                setup.clone()
            } else {
                with_colors_changed(&setup)
            };
            let least = (0..8)
                .map(|symmetry| image(&seen, |x, y| turned(x, y, symmetry)))
                .min()
                .expect("eight images");
            let before = texts.insert(game.key(), least.clone());
            assert!(before.is_none_or(|before| before == least), "{setup}");
        }
    }
    let distinct: BTreeSet<&String> = texts.values().collect();
    assert_eq!(distinct.len(), texts.len());
    assert!(texts.len() > 80_000);
}
