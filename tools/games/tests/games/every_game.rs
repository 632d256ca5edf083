//! The laws, for every game whose rules are known, on every size of board and with every key
//! scheme.

use crate::laws::{ends_where_nothing_can_be_played, laws, one_key_has_one_set_of_codes};
use tabia_games::{Game, Known, with_game};
use tabia_testing::{Rng, Sample};

/// Checks all laws on so many random games of so many plies.
fn all_laws<G: Game>(start: &G, plies: usize, seeds: u64) {
    println!("{} {}", start.name(), start.keys());
    laws(start, plies, seeds);
    // Draws by bare kings may be played on in archives.
    if start.name() != "chess" {
        ends_where_nothing_can_be_played(start, 4 * plies, seeds);
    }
    // Ko and passes are no part of its keys.
    if !start.name().starts_with("go-") {
        one_key_has_one_set_of_codes(start, plies, 50 * seeds);
    }
}

#[test]
fn the_laws_hold_in_every_game() {
    let mut sample = Sample::one_in(4);
    for known in Known::all().filter(|_| sample.takes()) {
        with_game!(known, start => all_laws(start, 100, 4));
    }
}

/// Walks at random, and keeps the keys of the boards themselves with the codes of moves on them.
fn walk<G: Game>(start: &G, seed: u64) -> Vec<(u64, u16)> {
    let (mut game, mut rng, mut walked) = (start.clone(), Rng::new(seed), Vec::new());
    for _ in 0..60 {
        let mut legal = game.legal();
        legal.sort_by_key(|played| game.image(played, 0));
        if legal.is_empty() {
            break;
        }
        let played = rng.pick(&legal);
        let on_board = (game.board_key(), game.image(played, 0));
        if matches!(game.keys(), "polyglot" | "zobrist") {
            assert_eq!(on_board, (game.key(), game.code(played)));
        }
        walked.push(on_board);
        game.play(played);
    }
    walked
}

#[test]
fn boards_have_the_keys_of_the_scheme_in_which_images_are_told_apart() {
    for known in Known::all() {
        let apart = ["polyglot", "zobrist"]
            .iter()
            .find_map(|keys| Known::of(known.name(), keys))
            .expect("a scheme");
        for seed in 1..6 {
            let walked = |known: &Known| with_game!(known, start => walk(start, seed));
            assert_eq!(walked(&known), walked(&apart), "{known:?}");
        }
    }
}

#[test]
fn no_two_games_have_the_same_names() {
    let mut names: Vec<_> = Known::all().map(|known| (known.name(), known.keys())).collect();
    names.sort_unstable();
    assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
}
