//! No file of games is lost or half there: every call to the disk that making one needs fails in
//! every way, also twice in a row, and the power goes at every moment. The disk is that of the
//! engine's own tests, `tests/engine/crashes`.

#[path = "../games/fixture.rs"]
#[allow(dead_code, reason = "the other tests need more of it")]
mod games;

mod foreign;
mod states;
mod works;
