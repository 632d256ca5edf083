//! What files of GGF look like, and where games start in them.

/// Whether a game starts with this text.
pub(crate) fn starts_game(text: &[u8]) -> bool {
    text.strip_prefix(b"(;").is_some_and(|text| text.trim_ascii_start().starts_with(b"GM["))
}

/// Whether a file that starts like this is GGF, whose games have names where SGF has numbers. A
/// number may stand before them.
pub(crate) fn looks_like(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = text[digits..].trim_ascii_start();
    let game = text
        .strip_prefix(b"(;")
        .map(<[u8]>::trim_ascii_start)
        .and_then(|text| text.strip_prefix(b"GM["));
    game.is_some_and(|game| game.trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic))
}
