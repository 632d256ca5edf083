//! What tells a file's content from others.

use crate::in_order::InOrder;
use std::path::Path;
use tabia::Digest;
use tabia::bytes::Pread;
use xxhash_rust::xxh3::Xxh3;

/// The digest of the bytes of a file, or of what has this address; none if it can't be read.
pub(crate) fn digest_of_file(path: &Path) -> Option<Digest> {
    let (mut hash, file) = (Xxh3::new(), Pread::open(path).ok()?);
    std::io::copy(&mut InOrder::new(&file), &mut hash).ok()?;
    Some(Digest(hash.digest128().to_be_bytes()))
}
