//! Books as graphs: trimming them, what they cover, choosing moves, solving.

mod choice;
mod coverage;
mod expanded;
mod memory;
#[cfg(feature = "mix")]
mod mixing;
mod negamax;
mod own_game;
mod pointers;
mod real_books;
mod shared;
mod solution;
mod survey;
mod thresholds;
mod top_games;
mod tree;
