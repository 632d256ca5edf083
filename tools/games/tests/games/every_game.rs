//! The laws, for every game whose rules are known, on every size of board and with every key
//! scheme.

use crate::laws::{ends_where_nothing_can_be_played, laws, one_key_has_one_set_of_codes};
use tabia_games::{Game, Known, WithGame};
use tabia_testing::{Rng, Sample};

/// How long and how many the random games are.
struct Laws {
    plies: usize,
    seeds: u64,
}

impl WithGame for Laws {
    type Output = ();

    fn with<G: Game>(self, start: &G) {
        println!("{} {}", start.name(), start.keys());
        laws(start, self.plies, self.seeds);
        // Draws by bare kings may be played on in archives.
        if start.name() != "chess" {
            ends_where_nothing_can_be_played(start, 4 * self.plies, self.seeds);
        }
        // Ko and passes are no part of its keys.
        if !start.name().starts_with("go-") {
            one_key_has_one_set_of_codes(start, self.plies, 50 * self.seeds);
        }
    }
}

#[test]
fn the_laws_hold_in_every_game() {
    let mut sample = Sample::one_in(4);
    for known in Known::all().filter(|_| sample.takes()) {
        known.with(Laws { plies: 100, seeds: 4 });
    }
}

/// Walks at random, and keeps the keys of the boards themselves with the codes of moves on them.
struct Walk {
    seed: u64,
}

impl WithGame for Walk {
    type Output = Vec<(u64, u16)>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let (mut game, mut rng, mut walked) = (start.clone(), Rng::new(self.seed), Vec::new());
        for _ in 0..60 {
            let mut legal = game.legal();
            legal.sort_by_key(|played| game.image(played, 0));
            if legal.is_empty() {
                break;
            }
            let played = rng.pick(&legal);
            if matches!(game.keys(), "polyglot" | "zobrist") {
                assert_eq!(
                    (game.board_key(), game.image(played, 0)),
                    (game.key(), game.code(played))
                );
            }
            walked.push((game.board_key(), game.image(played, 0)));
            game.play(played);
        }
        walked
    }
}

#[test]
fn boards_have_the_keys_of_the_scheme_in_which_images_are_told_apart() {
    for known in Known::all() {
        let apart = ["polyglot", "zobrist"]
            .iter()
            .find_map(|keys| Known::of(known.name(), keys))
            .expect("a scheme");
        for seed in 1..6 {
            assert_eq!(known.with(Walk { seed }), apart.with(Walk { seed }), "{known:?}");
        }
    }
}

#[test]
fn no_two_games_have_the_same_names() {
    let mut names: Vec<_> = Known::all().map(|known| (known.name(), known.keys())).collect();
    names.sort_unstable();
    assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
}
