//! A small file of text, read as a whole.

use crate::failure::{Done, Failure, failure};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes of such a file.
const MOST: u64 = 16 << 20;

/// The text of a file; `-` is standard input.
pub fn read(path: &Path) -> Done<String> {
    let failed = |error: std::io::Error| Failure::system(path, "read", &error);
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        File::open(path).map_err(failed)?.take(MOST + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > MOST {
        return Err(failure!("{}: this is far too long: more than 16 MiB", path.display()));
    }
    String::from_utf8(bytes).map_err(|_| failure!("{}: this is no text", path.display()))
}
