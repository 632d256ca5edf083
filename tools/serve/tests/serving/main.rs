//! Books served over real connections.

mod chessdb;
mod edits;
mod explorer;
mod hostile;
mod own;
mod player;
mod served;
mod swaps;
