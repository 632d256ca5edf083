//! What a book knows of a position and of the moves played there, as facts: for the command's tables,
//! for HTTP, for pages.

mod answer;
mod book;
mod decided;
mod explored;
pub mod labels;
mod lines;
mod listed_games;
mod strength;

pub use answer::{Answer, LastInBook, Opening};
pub use book::{Explorable, OpenBook, Sum};
pub use decided::{Decided, Judgement, Named};
pub use explored::{Explored, Move, PositionFacts, Score, Share, Whole};
pub use lines::{Numbers, Played};
pub use listed_games::{ListedGame, ListedGames, ListedPlayer};
pub use strength::Strength;
