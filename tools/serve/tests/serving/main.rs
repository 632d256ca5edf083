//! Books served over real connections.

mod chessdb;
mod edits;
mod explorer;
mod filters;
mod hostile;
mod own;
mod page;
mod player;
mod served;
mod shelves;
mod swaps;
