//! The games: laws that hold in all of them, published counts, the specification's keys, models
//! written apart, and texts. One program, so that it links once; each file has one subject.

#[cfg(feature = "draughts")]
mod checkers_keys;
#[cfg(feature = "draughts")]
mod checkers_model;
#[cfg(feature = "draughts")]
mod checkers_moves;
#[cfg(feature = "chess")]
mod chess_keys;
#[cfg(feature = "chess")]
mod chess_moves;
#[cfg(feature = "connect")]
mod connect_four;
mod every_game;
#[cfg(feature = "go")]
mod go_corners;
#[cfg(feature = "go")]
mod go_rules;
#[cfg(feature = "go")]
mod go_symmetry;
mod laws;
#[cfg(feature = "othello")]
mod othello;
mod perft;
mod shared;
mod specification;
