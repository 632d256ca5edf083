//! The laws, for every game whose rules are known, on every size of board and with every key scheme.

mod laws;

use laws::{ends_where_nothing_can_be_played, laws, one_key_has_one_set_of_codes};
use tabia_games::{Game, Known, WithGame};

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
    for known in Known::all() {
        known.with(Laws { plies: 100, seeds: 4 });
        assert_eq!(Known::of(known.name(), known.keys()), Some(known));
    }
}

#[test]
fn no_two_games_have_the_same_names() {
    let mut names: Vec<_> = Known::all().map(|known| (known.name(), known.keys())).collect();
    names.sort_unstable();
    assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
}
