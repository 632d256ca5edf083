//! What files of WTHOR look like.

/// Bytes of a game.
pub(crate) const GAME: usize = 68;
/// Bytes of the header.
pub(crate) const HEADER: usize = 16;

/// Whether this is the header of a file of games: the day it was made, the number of games, no
/// number of names, a year, a board of 8 or 10.
pub(crate) fn looks_like(start: &[u8]) -> bool {
    let [century, year, month, day, games0, games1, games2, games3, 0, 0, _, _, board, ..] = *start
    else {
        return false;
    };
    let is_date = matches!(century, 19..=21)
        && year < 100
        && matches!(month, 1..=12)
        && matches!(day, 1..=31);
    start.len() >= HEADER
        && is_date
        && matches!(board, 0 | 8 | 10)
        && [games0, games1, games2, games3] != [0; 4]
}
