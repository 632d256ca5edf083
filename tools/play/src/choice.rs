//! Choosing a move from a book.
//!
//! A [`Player`] has books ([`Rows`]: one, or several in order), a rule ([`Select`]) and a [`Dice`]. Asked about a game as far as it was played (a [`Course`]) it lists what
//! the books know of each legal move ([`Candidate`]), leaves out what must not be played, and lets the rule choose. A rule may always answer "no move": leaving the book early
//! is better than playing a bad move. Every [`Choice`] says why it was made, with the figures of each candidate.

mod books;
mod candidate;
mod course;
mod dice;
mod explained;
mod negamax;
mod player;
mod recipe;
mod rules;

pub use books::{Books, Rows};
pub use candidate::{Candidate, Reached, candidates};
pub use course::Course;
pub use dice::{Dice, Random};
pub use explained::{Choice, Figure, Judged};
pub use negamax::{BadOption, Negamax, Options};
pub use player::{Decision, Limits, Player, Select, Situation};
pub use recipe::{BadRecipe, Mixture, Recipe};
pub use rules::{By, Conditions, Mixed, Pick, Policy, Prior, Reentry, Strategy, Temperature, Value, Worth};
