//! Every verb through the real binary, with good and bad usage.

mod archives;
mod bad_input;
mod build;
mod change;
mod games;
mod interrupt;
mod kills;
mod masters;
mod mcst;
mod play;
mod ratings;
mod resume;
mod rows;
mod show;
mod stage;
mod text;
mod trim;
mod trust;
mod wanted;
