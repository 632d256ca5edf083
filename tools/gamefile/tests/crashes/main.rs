//! No file of games is lost or half there: every call to the disk that making one needs fails in
//! every way, also twice in a row, and the power goes at every moment. The disk is that of the
//! engine's own tests, `tests/engine/crashes`.

#[path = "../../../../tests/engine/crashes/disk.rs"]
#[allow(dead_code, clippy::type_complexity, reason = "the engine's tests need more of it")]
mod disk;
#[path = "../../../../tests/engine/crashes/fixture.rs"]
#[allow(dead_code, clippy::type_complexity, reason = "the engine's tests need more of it")]
mod fixture;
#[path = "../games/fixture.rs"]
#[allow(dead_code, reason = "the other tests need more of it")]
mod games;
#[path = "../../../../tests/engine/crashes/power.rs"]
#[allow(
    dead_code,
    clippy::nonminimal_bool,
    clippy::type_complexity,
    reason = "the engine's tests need more of it"
)]
mod power;

mod foreign;
mod states;
mod works;
