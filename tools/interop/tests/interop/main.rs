//! Books of other programs: what is read of them, what is written, and what is refused.

mod abk;
mod castling;
mod ctg;
mod edax;
mod lichess_evals;
mod mcst;
mod polyglot;
mod real_polyglot;
mod rows;
mod shared;
mod suite;
