//! Negamax over graphs of books, against brute force and against what Buro 1999 says.

mod changing;
mod endgames;
mod opponents;
mod solving;
pub mod toy;
mod trees;
mod whole_chain;
