//! Negamax over the graph that a book is (Buro 1999, "Toward Opening Book Learning", sections 3, 6
//! and 7).
//!
//! The way of the data: [`Graph`] is what a walk from a start finds in [`crate::choice::RowLookup`]; a
//! [`GraphView`] says what its positions are worth in themselves, to whom draws count as what, and
//! which moves are out of the question; [`solve`] values every position of such an [`Arena`];
//! [`variation`] is the line that both sides want; [`Paths`] counts the lines that are as good
//! within a tolerance; [`Replies`] are what an opponent plays who has a book of their own. The rule
//! for choosing moves that is made of it is [`crate::choice::Negamax`].
//!
//! # What a position is worth
//!
//! Buro's trees are complete: in every position the best move that isn't a variation of the book,
//! the deviation, is in the tree too, with its value. So a position is worth what its best move
//! leads to, and its own eval counts in leaves alone. Books aren't always complete. The rules, the
//! first that holds:
//!
//! 1. Where the rules of the game end it, or the row says that it is proven: a win, a draw, a loss.
//!    A position with two proofs has none.
//! 2. The best of its moves, seen from the side to move; moves of which nothing is known don't
//!    count.
//! 3. Where the best deviation isn't in the book (the row isn't flagged `EXPANDED`), the position's
//!    own value stands for the moves that aren't: it counts as one more move. ([`Unexpanded::Own`];
//!    with [`Unexpanded::Moves`] it doesn't.)
//! 4. A position without such moves: its own value, which is its eval or the score of its games
//!    ([`Unit`]), one of both for the whole graph.
//! 5. Else nothing is known, and moves that lead to it aren't chosen.
//!
//! So evals of different depths are mixed by one rule only: an eval is taken where the search that
//! made it knew more than the book does.
//!
//! In scores rule 3 is left out: the score of a position is the average of the games that went on
//! from it, not a value of the moves that the book lacks.
//!
//! # Repetition
//!
//! Chess, checkers and Go go in circles. A position's value must not depend on how it was reached,
//! so the history of a game doesn't count; play that never comes to an end is worth what a private
//! draw is. The game on the graph is then a deterministic graphical game (Washburn 1990): it has
//! exactly one value, both sides can reach it whatever the other does, and neither the order of
//! rows nor that of computing matters. See [`solve`].

mod arena;
mod graph;
mod growth;
mod opponent;
mod paths;
mod replies;
mod solve;
mod value;
mod variation;
mod view;

pub use arena::Arena;
pub(crate) use arena::seen;
pub use graph::{Edge, Graph, Proof};
pub use growth::GraphOptions;
pub use paths::Paths;
pub use replies::Replies;
pub use solve::{Solved, solve};
pub use value::{Unit, Value};
pub use variation::{End, Variation, variation};
pub use view::{DrawPolicy, DrawValue, GraphView, Unexpanded};
