//! Choosing moves: the rules of the papers by cases computed by hand and against a naive reading of
//! them, chance, the book maker's word.

mod archive;
mod cases;
mod chance;
