//! Negamax over the graph of a book (Buro 1999, "Toward Opening Book Learning", sections 3, 6, 7).
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
//! leads to, and its own eval counts in leaves alone. Books of games aren't complete: the best move
//! of a position may never have been played, and a single game would prove a win. So values are
//! backed up where the book is complete. The rules, the first that holds:
//!
//! 1. Where the rules of the game end it, or the row says that it is proven: a win, a draw, a loss.
//!    A position with two proofs has none.
//! 2. Where the best deviation is in the book (the row is flagged `EXPANDED`): the best of its
//!    moves, seen from the side to move; moves of which nothing is known don't count.
//! 3. Else its eval, or the best of its moves if that is better: the eval stands for the moves that
//!    the book lacks, and a refutation that the book knows counts. So nothing is ever lost for sure
//!    because the moves that the book happens to have lose. A search of the position has looked at
//!    its moves: so a move counts here only if what is behind it was searched as deeply, that is if
//!    the depth of its eval is at most one less; or if it is sure, or flagged `EXPANDED`.
//! 4. In a graph without evals: the record of the games that came there, with few games held
//!    against the side that chose to go there ([`Unit::bound`]). Moves behind it don't count.
//! 5. A position without moves that count: its own value, which is its eval or its record ([`Unit`]),
//!    one of both for the whole graph.
//! 6. Else nothing is known, and moves that lead to it aren't chosen.
//!
//! Where the book maker marked moves `always`, the book's own side looks no further than these, and
//! they count without the flag; so do replies that an opponent's book is known to give. With
//! [`Unexpanded::Moves`] rule 2 holds for all positions, and rules 3 and 4 for none.
//!
//! Depths are compared nowhere else: of two moves the one with the better value is the better one,
//! and where a move is to be chosen all are weighed, however deeply they were searched.
//!
//! A mate is one ply further away with every move that lies before it: 31,997, a mate in three
//! plies, is 31,996 before the move that leads there ([`Value::a_move_earlier`]). Proofs have no
//! length; of several proven wins the one in the fewest moves of the book is chosen.
//!
//! # Repetition
//!
//! Chess, checkers and Go go in circles. A position's value must not depend on how it was reached,
//! so the history of a game doesn't count; play that never comes to an end is worth what a private
//! draw is. The game on the graph is then a deterministic graphical game (Washburn 1990): it has
//! exactly one value, both sides can reach it whatever the other does, and neither the order of
//! rows nor that of computing matters. See [`solve`].

mod graph;
mod growth;
mod links;
mod paths;
mod replies;
mod solve;
mod value;
mod variation;
mod view;

pub use graph::{Edge, Graph, Proof, Record};
pub use growth::GraphOptions;
pub use paths::Paths;
pub use replies::Replies;
pub(crate) use solve::seen;
pub use solve::{Arena, Solved, solve};
pub use value::{Unit, Value};
pub use variation::{End, Variation, variation};
pub use view::{DrawPolicy, DrawValue, GraphView, Unexpanded};
