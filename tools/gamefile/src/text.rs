//! Texts as the file holds them, and how long things may be.

use std::borrow::Cow;

/// The most bytes of a name: of a player, an event, a place, a round.
pub const LONGEST_NAME: usize = 255;
/// The most bytes of a set-up text.
pub const LONGEST_SETUP: usize = 4096;
/// The most moves of a game.
pub const MOST_PLIES: usize = 1 << 20;

/// A text as names are stored: control characters are spaces, none at the beginning and the end, and
/// no more than [`LONGEST_NAME`] bytes.
///
/// ```
/// use tabia_gamefile::stored_text;
///
/// assert_eq!(stored_text("<script>\u{1b}[2J "), "<script> [2J");
/// assert_eq!(stored_text("Müller"), "Müller");
/// ```
pub fn stored_text(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    if trimmed.len() <= LONGEST_NAME && !trimmed.contains(char::is_control) {
        return Cow::Borrowed(trimmed);
    }
    let plain: String =
        trimmed.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let plain = plain.trim();
    Cow::Owned(plain[..plain.floor_char_boundary(LONGEST_NAME)].trim_end().to_owned())
}

/// Whether this may stand in a file as a name.
pub(crate) fn is_stored_name(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let is_one = !text.is_empty() && text.len() <= LONGEST_NAME && !text.contains(char::is_control);
    is_one.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g12_names_have_no_control_characters_and_an_end() {
        assert_eq!(stored_text("a\nb\u{85}c\u{7f}"), "a b c");
        let long = "é".repeat(200);
        let stored = stored_text(&long);
        assert_eq!(stored.len(), 254);
        assert!(is_stored_name(stored.as_bytes()).is_some());
        for bad in [&b""[..], b"a\x00", b"\xff", b"\xc2\x85", &[b'a'; 256]] {
            assert_eq!(is_stored_name(bad), None, "{bad:?}");
        }
        assert_eq!(stored_text(" \t "), "");
    }
}
