//! What files of transcripts look like.

/// What stands in a line, between spaces and signs.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b':' | 0))
        .filter(|word| !word.is_empty())
}

/// Whether the first line that is a game begins with squares of a board, four or more, with nothing
/// between them.
pub(crate) fn looks_like(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let word = lines
        .find(|line| !line.is_empty() && !line.starts_with(b"#"))
        .and_then(|line| words(line).next())
        .unwrap_or_default();
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    word.len() >= 8 && word[..8].chunks(2).all(is_square)
}
