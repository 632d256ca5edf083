//! The laws, for every game whose rules are known, of every size and with every key scheme.

use crate::laws::{ends_where_nothing_can_be_played, laws, one_key_has_one_set_of_codes};
use tabia_games::{Game, Known, OwnType, with_game};
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

/// A game of random moves, by its own type and as any game: whatever is asked, both answer the same.
fn is_the_same_as_any<G: Game>(start: &G, known: &Known, own: &OwnType<G>) {
    let (mut game, mut any, mut rng) = (start.clone(), known.clone(), Rng::new(5));
    let mut played_before = Vec::new();
    for _ in 0..40 {
        assert_eq!([any.setup(), any.diagram()], [game.setup(), game.diagram()]);
        assert_eq!([any.key(), any.board_key()], [game.key(), game.board_key()]);
        assert_eq!((any.symmetries(), any.side()), (game.symmetries(), game.side()));
        assert_eq!(any.outcome(), game.outcome());
        assert_eq!(any.set_up(&any.setup()).map(|set| set.key()), Ok(any.key()));
        let (legal, all) = (game.legal(), any.legal());
        assert_eq!(legal.iter().cloned().map(own.known_move).collect::<Vec<_>>(), all);
        assert_eq!(game.playable().len(), any.playable().len());
        for (played, any_played) in legal.iter().zip(&all) {
            let (code, image) = (game.code(played), game.image(played, 0));
            assert_eq!((code, image), (any.code(any_played), any.image(any_played, 0)));
            assert_eq!(game.rank(image), any.rank(image));
            assert_eq!(game.move_of_code(code).map(own.known_move), any.move_of_code(code));
            let text = game.notation(played);
            assert_eq!(any.notation(any_played), text);
            assert_eq!(any.coordinates(any_played), game.coordinates(played));
            assert_eq!(any.read_move(text.as_bytes()).as_ref(), Ok(any_played), "{text}");
            assert_eq!(any.parse_move(&text).as_ref(), Ok(any_played), "{text}");
        }
        if legal.is_empty() {
            break;
        }
        let at = rng.below(legal.len() as u64) as usize;
        game.play(&legal[at]);
        any.play(&all[at]);
        played_before.push(all[at].clone());
    }
    assert_eq!((own.own)(&any).key(), game.key());
    assert!(any.as_own().is::<G>());
    let moves: Vec<_> = played_before.iter().map(|played| (own.own_move)(played).clone()).collect();
    let own_corners = start.corner_games(&moves, &game, 4);
    let corners = known.corner_games(&played_before, &any, 4);
    assert_eq!(corners.len(), own_corners.len());
    for (corner, own) in corners.iter().zip(&own_corners) {
        let legal = [corner.legal.len(), own.legal.len()];
        let found = (corner.last, corner.start.key(), legal[0]);
        assert_eq!(found, (own.last, own.start.key(), legal[1]));
    }
}

#[test]
fn any_known_game_is_the_game_itself() {
    for known in Known::all() {
        with_game!(known, start, own => is_the_same_as_any(start, &known, &own));
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
