//! Matches: whole games, every way a game ends, the command, tuning, and learning.

mod command;
mod learning;
mod playing;
mod referee;
mod shared;
mod tuning;
mod whole_games;
