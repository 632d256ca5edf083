//! Every verb through the real binary, with good and bad usage.

mod bad_input;
mod build;
mod columns;
mod examples;
mod foreign;
mod game_files;
mod growing;
mod interactive;
mod kills;
mod learn;
mod limits;
mod masters;
mod mix;
mod own_search;
mod play;
mod playing;
mod readme;
mod resume;
mod rows;
mod sessions;
mod shares;
mod stage;
mod stats;
mod suites;
mod tree;
mod values;
