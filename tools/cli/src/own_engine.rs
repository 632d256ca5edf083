//! Our own search where an engine's command is expected.

use crate::failure::{Done, failure};
use std::ffi::OsString;

/// What is said where it is used because no engine was named.
pub const NOTE: &str = "no engine is given behind `--`: our own search is used";

/// The command by which this program starts itself as an engine of a game, which speaks GTP.
pub fn command(game: &str) -> Done<Vec<OsString>> {
    let program = std::env::current_exe()
        .map_err(|error| failure!("cannot find this program, to start it as an engine: {error}"))?;
    Ok(vec![program.into(), "engine".into(), "--game".into(), game.into()])
}
