//! A simulated disk, which fails or dies at the call it is told to, and what it may hold when the
//! power is gone.

#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::nonminimal_bool,
    clippy::type_complexity,
    reason = "calls and errors have the system's names; chances are drawn in a fixed order"
)]

pub mod disk;
pub mod fixture;
pub mod power;
