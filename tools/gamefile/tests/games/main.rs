//! Files of games: what goes in comes out, in whatever order it went in; no damage is believed; and
//! none is lost or half there: every call to the disk that making one needs fails in every way, also
//! twice in a row, and the power goes at every moment. The disk is that of the engine's own tests,
//! `tests/crashes`.

#[path = "../../../../tests/crashes/disk.rs"]
#[allow(dead_code, clippy::type_complexity, reason = "the engine's tests need more of it")]
mod disk;
#[path = "../../../../tests/crashes/fixture.rs"]
#[allow(dead_code, clippy::type_complexity, reason = "the engine's tests need more of it")]
mod fixture;
#[path = "../../../../tests/crashes/power.rs"]
#[allow(
    dead_code,
    clippy::nonminimal_bool,
    clippy::type_complexity,
    reason = "the engine's tests need more of it"
)]
mod power;

mod damage;
mod foreign;
mod games;
mod golden;
mod laws;
mod states;
mod works;
