//! The engine as a whole: laws, models, damage. One program, so that it links once; each file has one subject.

mod books;
mod columns;
mod damage;
mod differences;
mod flips;
mod forge;
mod golden;
mod image;
mod journals;
mod large;
mod laws;
mod messages;
mod model;
mod probes;
mod results;
mod salvaging;
#[path = "../shared/synthetic.rs"]
mod synthetic;
mod writers;
