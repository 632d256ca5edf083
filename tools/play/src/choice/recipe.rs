//! Rules as users write them.

use crate::choice::{Choice, Rows, Select, Situation};
use crate::error::Error;
use crate::node::Node;
use std::fmt;
use std::str::FromStr;
use tabia_games::Game;

/// A rule as users write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// The move played most often.
    Games,
}

/// A text that is no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no rule: give games")]
pub struct BadRecipe {
    /// The text given.
    pub text: String,
}

impl FromStr for Recipe {
    type Err = BadRecipe;

    fn from_str(text: &str) -> Result<Self, BadRecipe> {
        if text == "games" { Ok(Self::Games) } else { Err(BadRecipe { text: text.to_owned() }) }
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("games")
    }
}

impl Recipe {
    /// The rule itself, for games in these books that begin in this position. May read all of the books that it leads to.
    ///
    /// # Errors
    /// The books'.
    pub fn prepare<'a, G: Game>(&self, _rows: &'a dyn Rows, _start: &Node<G>) -> Result<Box<dyn Select<G> + 'a>, Error> {
        Ok(Box::new(MostGames))
    }
}

struct MostGames;

impl<G: Game> Select<G> for MostGames {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let most = (0..at.candidates.len()).max_by_key(|&place| (at.candidates[place].games(), std::cmp::Reverse(place)));
        Ok(Choice { chosen: most, ..Choice::none(at.candidates.len(), "played most often") })
    }
}
