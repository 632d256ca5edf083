//! The engine as a whole: laws, models, damage. One program, so that it links once; each file has one subject.

mod books;
mod columns;
mod damage;
mod differences;
mod facts;
mod flips;
mod forge;
mod golden;
mod image;
mod journals;
mod large;
mod laws;
mod messages;
mod model;
mod pieces;
mod probes;
mod results;
mod salvaging;
mod sets;
mod slack;
#[path = "../shared/synthetic.rs"]
mod synthetic;
mod unknown;
mod writers;
