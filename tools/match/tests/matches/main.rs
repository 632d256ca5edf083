//! Matches: whole games, every way a game ends, the command, and learning.

mod command;
mod learning;
mod referee;
mod shared;
mod whole_games;
