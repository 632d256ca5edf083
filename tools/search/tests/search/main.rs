//! The search in all games, against plain searches, published results and the law of its limits.

#[path = "../../../play/tests/play/negamax/toy.rs"]
#[allow(dead_code, reason = "made for the tests of negamax")]
mod toy;

mod limits;
mod othello;
mod shared;
mod small_games;
mod sure;
mod tactics;
mod uct;
