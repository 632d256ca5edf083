//! Growing books of games made up for tests, by a worker that knows their values, and learning from
//! lost games of chess.

#[path = "../../../play/tests/play/negamax/toy.rs"]
#[allow(dead_code, reason = "made for the tests of negamax")]
mod toy;

mod disk;
mod drop_out;
mod failures;
mod figure_1;
mod laws;
mod learning;
mod monte_carlo;
mod oracle;
mod own_search;
mod played;
mod shelf;
mod sidecar;
mod worth;
