//! From how many games on a move counts: a book that grew says so.

use crate::error::Error;
use crate::growing_book::GrowingBook;
use crate::progress::Watch;
use tabia::{Digest, Fact};
use tabia_play::{MIN_GAMES, min_games};

/// From how many games on a move counts where a book grows as was asked, and the fact that says so if
/// the book doesn't yet; a number that isn't the book's is told to the watch.
///
/// A deviation is one of fewer games, so more games leave every deviation that the book has, and with
/// fewer some wouldn't be any.
///
/// # Errors
/// [`Error::MinGames`] if fewer are asked for.
pub fn agreed(
    asked: Option<u64>,
    book: &GrowingBook<'_>,
    watch: &dyn Watch,
) -> Result<(u64, Option<Fact>), Error> {
    book.check_min_games(asked)?;
    let known = min_games(book.facts());
    let asked = asked.map_or(known, |asked| asked.max(1));
    if asked > known && known > 1 {
        watch.note(&format!(
            "the book took moves of fewer than {known} games for none; now those of fewer than {asked}"
        ));
    }
    let fact = (asked > known)
        .then(|| Fact::new(Digest::NONE, MIN_GAMES, asked.to_string()).ok())
        .flatten();
    Ok((asked, fact))
}
