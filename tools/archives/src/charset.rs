//! The letters of archives that don't say in which charset they are written.

use std::borrow::Cow;

/// The text of these bytes: UTF-8, or else Latin-1.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}
