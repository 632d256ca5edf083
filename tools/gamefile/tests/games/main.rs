//! Files of games: what goes in comes out, in whatever order it went in; no damage is believed; and
//! none is lost or half there: every call to the disk that making one needs fails in every way,
//! and the power goes at every moment (`tabia_testing::crash`).

mod damage;
mod foreign;
mod games;
mod golden;
mod laws;
mod states;
mod works;
