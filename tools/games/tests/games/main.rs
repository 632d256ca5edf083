//! The games: laws that hold in all of them, published counts, the specification's keys, models
//! written apart, and texts. One program, so that it links once; each file has one subject.

// With a game off, some of what the games' tests share has no user.
#![cfg_attr(not(feature = "default"), allow(dead_code))]

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
