//! Books served over real connections.

mod answers;
mod edits;
mod engine;
mod filters;
mod guarded;
mod hostile;
mod own;
mod player;
mod served;
mod shelves;
mod swaps;
