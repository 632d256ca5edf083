//! Growing books of games made up for tests, by a worker that knows their values.

#[path = "../../../play/tests/negamax/toy.rs"]
#[allow(dead_code, reason = "made for the tests of negamax")]
mod toy;

mod drop_out;
mod figure_1;
mod laws;

mod oracle;
mod shelf;
mod worth;
