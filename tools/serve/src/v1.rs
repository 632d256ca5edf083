//! The interface of our own, for books of all games: see `openapi.json`.

mod books;
mod coverage;
mod diff;
mod edit;
mod explore;
mod games;
mod play;

pub use books::books;
pub use coverage::coverage;
pub use diff::diff;
pub use edit::edit;
pub use explore::explore;
pub use games::{game, games};
pub use play::play;

use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::source::Source;
use crate::sources::Sources;

/// What describes all of it, for programs.
pub const OPEN_API: &str = include_str!("v1/openapi.json");

/// The description.
pub fn open_api(_: &Sources, _: &Request) -> Answered {
    Ok(Reply::new("application/json", OPEN_API))
}

/// The book that a request is about: that of the parameter `name`, or the first one of the game in
/// the path.
fn asked<'a>(sources: &'a Sources, request: &Request, name: &str) -> Result<&'a Source, Refusal> {
    let (game, book) = (request.part("game")?, request.text(name));
    sources.of(game, book).ok_or_else(|| {
        let (game, book) = (game.escape_debug(), book.map(str::escape_debug));
        Refusal::Missing(match book {
            Some(book) => format!("no book of {game} is called {book} here"),
            None => format!("no book of {game} is served here"),
        })
    })
}
