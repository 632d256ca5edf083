//! What an operator gives: names of the server, origins, a token.

use std::fs::File;
use std::io::{self, Read};

/// A name of a server, for [`crate::Guard::hosts`].
///
/// # Errors
/// What it has to be.
pub fn host(text: &str) -> Result<String, &'static str> {
    match text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._".contains(letter)) {
        true if !text.is_empty() => Ok(text.to_owned()),
        _ => Err("give a name such as book.example.org, without a port"),
    }
}

/// An origin, as browsers write it, or `*`, for [`crate::Guard::origins`].
///
/// # Errors
/// What it has to be.
pub fn origin(text: &str) -> Result<String, &'static str> {
    let is_one = text.split_once("://").is_some_and(|(scheme, host)| {
        !scheme.is_empty() && !host.is_empty() && !host.contains(['/', '?', '#', ' ', '*'])
    });
    if is_one || text == "*" {
        return Ok(text.to_owned());
    }
    Err("give SCHEME://HOST or SCHEME://HOST:PORT with nothing behind, or '*'")
}

/// A token that nobody can guess, for [`crate::Sources::token`].
///
/// # Errors
/// The system's.
pub fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
