//! An overlay that learns, with all that learning a game needs.

use crate::learning::error::LearnError;
use crate::learning::learned_list::LearnedList;
use crate::learning::lost_games::LostGame;
use crate::learning::overlay::Overlay;
use crate::learning::scaling::Scaling;
use crate::learning::{Lesson, learn};
use std::path::Path;
use tabia::{Book, Env};
use tabia_games::Game;

/// An overlay that learns games one after the other, each once.
pub struct Lessons<'a> {
    book: &'a Book,
    overlay: Overlay<'a>,
    list: LearnedList,
    scaling: Scaling,
}

impl<'a> Lessons<'a> {
    /// Opens the overlay of a book, with the list of what it has learned.
    ///
    /// # Errors
    /// As [`Overlay::open`] and [`LearnedList::open`].
    pub fn open(
        env: Env<'a>,
        path: &Path,
        book: &'a Book,
        scaling: Scaling,
    ) -> Result<Self, LearnError> {
        let overlay = Overlay::open(env, path, book)?;
        let list = LearnedList::open(path, overlay.sequence())?;
        Ok(Self { book, overlay, list, scaling })
    }

    /// The book that the overlay is laid over.
    #[must_use]
    pub fn book(&self) -> &'a Book {
        self.book
    }

    /// The overlay.
    #[must_use]
    pub fn overlay(&self) -> &Overlay<'a> {
        &self.overlay
    }

    /// Learns a lost game.
    ///
    /// # Errors
    /// As [`learn`].
    pub fn learn<G: Game>(&mut self, start: &G, game: &LostGame) -> Result<Lesson, LearnError> {
        learn(start, self.book, &mut self.overlay, &mut self.list, game, &self.scaling)
    }
}
