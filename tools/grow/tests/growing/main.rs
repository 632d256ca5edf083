//! Growing books of games made up for tests, by a worker that knows their values.

#[path = "../../../play/tests/play/negamax/toy.rs"]
#[allow(dead_code, reason = "made for the tests of negamax")]
mod toy;

mod disk;
mod drop_out;
mod failures;
#[path = "../../../../fuzz/src/faults.rs"]
mod faults;
mod figure_1;
mod laws;
mod sidecar;

mod oracle;
mod played;
mod shelf;
mod worth;
