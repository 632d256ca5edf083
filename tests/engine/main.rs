//! The engine as a whole: laws, models, damage, crashes. One program, so that it links once; each
//! file has one subject.

#![allow(
    clippy::type_complexity,
    clippy::reversed_empty_ranges,
    clippy::nonminimal_bool,
    reason = "tables of cases, ranges without hashes among them; chances drawn in a fixed order"
)]

mod books;
mod columns;
mod crashes;
mod damage;
mod differences;
mod facts;
mod flips;
mod golden;
mod image;
mod journals;
mod kills;
mod large;
mod laws;
mod messages;
mod misplaced;
mod model;
mod packed;
mod packed_damage;
mod pieces;
mod probes;
mod results;
mod salvaging;
mod sets;
mod slack;
mod synthetic;
mod unknown;
mod writers;
