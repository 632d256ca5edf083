//! Following a game through a tree of moves in all its images at once (Chen and Zhang 2012, "Use of
//! the opening book").
//!
//! The tree is a book keyed by line. There is a pointer for each symmetry `f_i` of the start: it is
//! where the moves `f_i(m_1) ... f_i(m_k)` lead, as long as the book holds them all. The inverse of
//! `f_i` maps what the book knows there back to the board.
//!
//! In a book whose lines are all in canonical form, as [`tabia_games::Line`] makes them and so
//! `build` does, this finds what [`tabia_games::Node`] finds with one pointer: of the images of a
//! sequence only the canonical one is in the book, and the canonical form of a sequence begins as
//! those of its parts. Pointers whose images agree so far are at one place. Lines stored in the
//! orientation in which they were written down (trees made by hand, or imported) are found only by
//! the pointers.

use tabia::Key;
use tabia_games::{Game, line_next, line_start, set_bits};

/// The most symmetries of a game.
const MOST: usize = 16;

/// Where a game is in a tree, in each of its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointers([Option<Key>; MOST]);

/// A move that a tree knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor<M> {
    /// The move on the board of the game.
    pub played: M,
    /// What the book knows the place by that it is played from.
    pub key: Key,
    /// What the book knows the move by there.
    pub code: u16,
}

impl Pointers {
    /// At the root of the lines from this position.
    pub fn start<G: Game>(position: &G) -> Self {
        let (root, mut pointers) = (line_start(position.key()), [None; MOST]);
        set_bits(position.symmetries())
            .for_each(|symmetry| pointers[symmetry as usize] = Some(root));
        Self(pointers)
    }

    /// Where they are after a legal move in this position. `holds` says whether the book has a move
    /// of this code at this place.
    pub fn after<G: Game>(
        &self,
        position: &G,
        played: &G::Move,
        mut holds: impl FnMut(Key, u16) -> bool,
    ) -> Self {
        let mut symmetry = 0;
        Self(self.0.map(|pointer| {
            let code = position.image(played, symmetry);
            symmetry += 1;
            pointer.filter(|&key| holds(key, code)).map(|key| line_next(key, code))
        }))
    }

    /// Whether the game is out of the book.
    pub fn are_out(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// All moves that the book knows here, in one image or another. `codes` gives those that it has
    /// at a place. A move that it knows in several images is there for each place.
    pub fn successors<G: Game, C: IntoIterator<Item = u16>>(
        &self,
        position: &G,
        mut codes: impl FnMut(Key) -> C,
    ) -> Vec<Successor<G::Move>> {
        let (mut legal, mut found) = (Vec::new(), Vec::new());
        position.legal_moves(&mut legal);
        for (symmetry, key) in
            (0..).zip(self.0).filter_map(|(symmetry, pointer)| Some((symmetry, pointer?)))
        {
            for code in codes(key) {
                let is_it = |played: &&G::Move| position.image(played, symmetry) == code;
                let new = legal.iter().find(is_it).map(|played| Successor {
                    played: played.clone(),
                    key,
                    code,
                });
                found.extend(new.filter(|new| !found.contains(new)));
            }
        }
        found
    }
}
