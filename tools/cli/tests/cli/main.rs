//! Every verb through the real binary, with good and bad usage.

mod bad_input;
mod crowded;
mod examples;
mod foreign;
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
mod stage;
mod suites;
mod tree;
mod values;
