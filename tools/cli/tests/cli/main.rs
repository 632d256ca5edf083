//! Every verb through the real binary, with good and bad usage.

mod bad_input;
mod build;
mod change;
mod interrupt;
mod kills;
mod masters;
mod rows;
mod show;
mod stage;
mod text;
mod trust;
