//! Our own search where an engine's command is expected.

use crate::failure::{Done, failure};
use std::ffi::OsString;
use std::path::PathBuf;

/// What is said where it is used because no engine was named.
pub const NOTE: &str = "no engine is given behind `--`: our own search is used";

/// This program.
pub fn program() -> Done<PathBuf> {
    std::env::current_exe().map_err(|error| failure!("the command itself can't be found: {error}"))
}

/// The command by which this program starts itself as an engine of a game, which speaks GTP.
pub fn command(game: &str) -> Done<Vec<OsString>> {
    Ok(vec![program()?.into(), "engine".into(), "--game".into(), game.into()])
}
