//! Keys and codes of draughts: what a book sees of boards and their images.

use crate::checkers_model::{positions, starts};
use crate::laws::{are_one, keys_are_of_one_board, laws_from};
use crate::shared::{choices, played};
use proptest::prelude::*;
use tabia_games::{Checkers, Game, Line, Side};

/// A board's image for the other side, by exchanging letters and numbers of the set-up text.
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

fn check(game: &Checkers) {
    let image = turned(game);
    are_one(game, &image);
    assert_ne!(game.clone().with_images_apart().key(), image.with_images_apart().key());
    assert_eq!(game.symmetries(), if game.side() == Side::Second { 2 } else { 1 });
    game.legal().iter().for_each(|played| {
        assert_eq!(game.move_of_code(game.code(played)).as_ref(), Some(played));
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn laws_hold_in_any_position(game in positions()) {
        check(&game);
        laws_from(&game, 0, 1);
    }

    #[test]
    fn laws_hold_in_random_games(start in starts(), choices in choices(160)) {
        played(&start, &choices).iter().for_each(check);
    }

    /// A game and its image, played from the turned start, are one line.
    #[test]
    fn a_game_and_its_image_are_one(start in positions(), choices in choices(80)) {
        let (mut image, mut game) = (turned(&start), start);
        let mut lines = [Line::start(&game), Line::start(&image)];
        for choice in choices {
            let moves = game.legal();
            let Some(played) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
            let mirrored = image.move_of_code(game.code(played)).expect("its image is legal");
            prop_assert_eq!(lines[0].code(&game, played), lines[1].code(&image, &mirrored));
            lines = [lines[0].after(&game, played), lines[1].after(&image, &mirrored)];
            game.play(played);
            image.play(&mirrored);
            prop_assert_eq!((game.key(), lines[0].key()), (image.key(), lines[1].key()));
        }
    }
}

/// Different positions have different keys, and their images none.
#[test]
fn positions_have_keys_of_their_own() {
    let canonical = |game: &Checkers| match game.side() {
        Side::First => game.setup(),
        Side::Second => turned(game).setup(),
    };
    for start in [Checkers::english(), Checkers::international()] {
        assert!(keys_are_of_one_board(&start, 30, 1_000, canonical) > 10_000);
    }
}
