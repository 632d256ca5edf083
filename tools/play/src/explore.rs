//! What a book knows of a position and its moves, as facts: for tables, HTTP and pages.

mod answer;
mod book;
mod decided;
mod explored;
pub mod labels;
mod lines;
mod listed_games;
mod shown_tree;

pub use answer::{Answer, LastInBook, Opening};
pub use book::{Explorable, OpenBook};
pub use decided::{Decided, Judgement, Named};
pub use explored::{
    Behind, Explored, Move, PositionFacts, PositionRowFacts, Score, Share, Strength, Whole,
};
pub use lines::{Numbers, Played};
pub use listed_games::{ListedGame, ListedGames, ListedPlayer};
pub use shown_tree::{ShownTree, TreeFacts};
