//! Engines as child processes: protocols, faults, recordings, and real engines.

mod nboard;
mod processes;
mod protocols;
mod real_engines;
mod recordings;
mod shared;
