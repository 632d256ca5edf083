//! Games that are images of each other are one game to a book: the same keys, the same codes, the
//! same lines.
//!
//! The image of a game is played on a board of its own: its moves there are those whose images
//! under the identity are the images of the game's moves under the symmetry. So this needs nothing
//! of the game but what the trait says.

use super::{choose, codes};
use std::collections::BTreeSet;
use tabia_games::{Game, Line, set_bits};
use tabia_testing::Rng;

/// Plays random games and their images under every symmetry of the start position. It must be its
/// own canonical image; of another one there is nothing to do.
pub fn images<G: Game>(start: &G, plies: usize, seeds: u64) {
    if start.symmetries() & 1 == 0 {
        return;
    }
    for symmetry in set_bits(start.symmetries()).filter(|&symmetry| symmetry != 0) {
        for seed in 0..seeds {
            Pair::new(start, symmetry).play(plies, &mut Rng::new(seed));
        }
    }
}

struct Pair<G: Game> {
    symmetry: u32,
    position: G,
    image: G,
    line: Line,
    line_of_image: Line,
}

impl<G: Game> Pair<G> {
    fn new(start: &G, symmetry: u32) -> Self {
        let line = Line::start(start);
        Self { symmetry, position: start.clone(), image: start.clone(), line, line_of_image: line }
    }

    fn play(mut self, plies: usize, rng: &mut Rng) {
        for _ in 0..=plies {
            let (legal, legal_of_image) = (self.position.legal(), self.image.legal());
            self.check(&legal, &legal_of_image);
            let Some(played) = choose(rng, &legal) else { break };
            let image = self.image_of(played, &legal_of_image);
            self.step(played, &image);
        }
    }

    fn image_of(&self, played: &G::Move, legal_of_image: &[G::Move]) -> G::Move {
        let wanted = self.position.image(played, self.symmetry);
        let mut found =
            legal_of_image.iter().filter(|played| self.image.image(played, 0) == wanted);
        match (found.next(), found.next()) {
            (Some(image), None) => image.clone(),
            _ => {
                let (here, symmetry) = (self.position.setup(), self.symmetry);
                panic!("{here}: {played:?} has no one image under symmetry {symmetry}")
            }
        }
    }

    fn step(&mut self, played: &G::Move, image: &G::Move) {
        self.line = self.line.after(&self.position, played);
        self.line_of_image = self.line_of_image.after(&self.image, image);
        self.position.play(played);
        self.image.play(image);
    }

    fn check(&self, legal: &[G::Move], legal_of_image: &[G::Move]) {
        let place = || {
            let [here, image] = [&self.position, &self.image].map(G::setup);
            format!("symmetry {}, {here} and {image}", self.symmetry)
        };
        assert_eq!(self.position.key(), self.image.key(), "keys: {}", place());
        assert_eq!(self.line.key(), self.line_of_image.key(), "keys of lines: {}", place());
        assert_eq!(self.position.side(), self.image.side(), "side to move: {}", place());
        assert_eq!(self.position.outcome(), self.image.outcome(), "outcome: {}", place());
        assert_eq!(codes(&self.position), codes(&self.image), "codes: {}", place());
        let in_line = |line: Line, position: &G, legal: &[G::Move]| {
            legal.iter().map(|played| line.code(position, played)).collect::<BTreeSet<u16>>()
        };
        let mine = in_line(self.line, &self.position, legal);
        let others = in_line(self.line_of_image, &self.image, legal_of_image);
        assert_eq!(mine, others, "codes in the line: {}", place());
    }
}
