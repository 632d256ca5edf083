//! A book between a GUI and an engine: the protocols by scripts, and the pipes.

mod gtp;
mod nboard;
mod relay;
mod shared;
mod uci;
