//! Games that are images of each other are one game to a book: the same keys, codes and lines.
//!
//! The image of a game is played on a board of its own: its moves there are those whose images
//! under the identity are the images of the game's moves under the symmetry. So this needs nothing
//! of the game but what the trait says.

use super::{Walk, choose, codes};
use std::collections::BTreeSet;
use tabia_games::{Game, set_bits};
use tabia_testing::Rng;

/// Plays random games and their images under every symmetry of the start position. It must be its
/// own canonical image; of another one there is nothing to do.
pub fn images<G: Game>(start: &G, plies: usize, seeds: u64) {
    if start.symmetries() & 1 == 0 {
        return;
    }
    for symmetry in set_bits(start.symmetries()).filter(|&symmetry| symmetry != 0) {
        for seed in 0..seeds {
            let [mut game, mut image] = [(); 2].map(|()| Walk::from(start.clone()));
            let mut rng = Rng::new(seed);
            for _ in 0..=plies {
                check(symmetry, &game, &image);
                let Some(played) = choose(&mut rng, &game.legal).cloned() else { break };
                image.play(&image_of(symmetry, &game, &played, &image));
                game.play(&played);
            }
        }
    }
}

fn image_of<G: Game>(symmetry: u32, game: &Walk<G>, played: &G::Move, image: &Walk<G>) -> G::Move {
    let wanted = game.position.image(played, symmetry);
    let mut found = image.legal.iter().filter(|played| image.position.image(played, 0) == wanted);
    match (found.next(), found.next()) {
        (Some(image), None) => image.clone(),
        _ => {
            let here = game.position.setup();
            panic!("{here}: {played:?} has no one image under symmetry {symmetry}")
        }
    }
}

fn check<G: Game>(symmetry: u32, game: &Walk<G>, image: &Walk<G>) {
    let place = || {
        let [here, there] = [game, image].map(|walk| walk.position.setup());
        format!("symmetry {symmetry}, {here} and {there}")
    };
    let (here, there) = (&game.position, &image.position);
    assert_eq!(here.key(), there.key(), "keys: {}", place());
    assert_eq!(game.line.key(), image.line.key(), "keys of lines: {}", place());
    assert_eq!(here.side(), there.side(), "side to move: {}", place());
    assert_eq!(here.outcome(), there.outcome(), "outcome: {}", place());
    assert_eq!(codes(here), codes(there), "codes: {}", place());
    let in_line = |walk: &Walk<G>| -> BTreeSet<u16> {
        walk.legal.iter().map(|played| walk.line.code(&walk.position, played)).collect()
    };
    assert_eq!(in_line(game), in_line(image), "codes in the line: {}", place());
}
