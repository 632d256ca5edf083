//! Every verb through the real binary, with good and bad usage.

mod archives;
mod bad_input;
mod build;
mod change;
mod decide;
mod foreign;
mod games;
mod interrupt;
mod kills;
mod mark;
mod masters;
mod mcst;
mod mix;
mod play;
mod polyglot;
mod ratings;
mod resume;
mod rows;
mod show;
mod stage;
mod suites;
mod text;
mod trim;
mod trust;
mod wanted;
