//! The search in all games, against plain searches, published results and the law of its limits.

mod limits;
mod othello;
mod shared;
mod small_games;
mod sure;
mod tactics;
