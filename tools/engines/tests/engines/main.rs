//! Engines as child processes: protocols, faults, and real engines.

mod nboard;
mod processes;
mod protocols;
mod real_engines;
mod shared;
