//! Matches: whole games, every way a game ends, the command, and learning.

mod command;
mod learning;
mod playing;
mod referee;
mod shared;
mod whole_games;
