//! What tells a file's content from others.

use std::fs::File;
use std::path::Path;
use tabia::Digest;
use xxhash_rust::xxh3::Xxh3;

/// The digest of a file's bytes; none if it can't be read.
pub(crate) fn digest_of_file(path: &Path) -> Option<Digest> {
    let (mut hash, mut file) = (Xxh3::new(), File::open(path).ok()?);
    std::io::copy(&mut file, &mut hash).ok()?;
    Some(Digest(hash.digest128().to_be_bytes()))
}
