//! Books made of archives: what a plan asks for is there, whatever the way to it, and all files of a
//! book go with it.
#![cfg(feature = "default")]

mod columns;
mod fingerprints;
mod masters;
mod plans;
mod resuming;
mod shared;
mod symmetry_law;
mod transactions;
mod whole;
