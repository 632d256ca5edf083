//! Every verb through the real binary, with good and bad usage.

mod bad_input;
mod examples;
mod growing;
mod help;
mod interactive;
mod kills;
mod learn;
mod limits;
mod masters;
mod own_search;
mod play;
mod readme;
mod resume;
mod sessions;
mod stage;
