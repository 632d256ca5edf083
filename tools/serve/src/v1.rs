//! The interface of our own, for books of all games: see `openapi.json`.

mod books;
mod coverage;
mod diff;
mod edit;
mod explore;

pub use books::books;
pub use coverage::coverage;
pub use diff::diff;
pub use edit::edit;
pub use explore::{explore, game, games, play};

use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::selection::Selection;
use crate::shelf::{Choice, Shelf};
use crate::sources::Sources;
use tabia_games::Known;
use tabia_interop::opening_names::OpeningNames;

/// What describes all of it, for programs.
pub fn open_api(_: &Sources, _: &Request) -> Answered {
    Ok(Reply::new("application/json", include_str!("v1/openapi.json")))
}

/// What a request is about.
struct Asked<'a> {
    name: &'a str,
    game: &'a Known,
    names: &'a OpeningNames,
    books: Selection,
}

/// The book or the shelf of the parameter `name`, or the first one of the game in the path, and of a
/// shelf the games that `speeds`, `ratings`, `since` and `until` choose; what goes before these names
/// is `prefix`.
fn asked<'a>(
    sources: &'a Sources,
    request: &Request,
    name: &str,
    prefix: &str,
) -> Result<Asked<'a>, Refusal> {
    let found = named(sources, request.part("game")?, request.text(name))?;
    let books = found.select(&Choice::of(request, prefix)?, prefix)?;
    Ok(Asked { name: &found.name, game: found.game(), names: found.names(), books })
}

/// The book or the shelf of a game that is called by this name, or the first one of the game.
pub fn named<'a>(
    sources: &'a Sources,
    game: &str,
    name: Option<&str>,
) -> Result<&'a Shelf, Refusal> {
    sources.find(game, name).ok_or_else(|| {
        let (game, name) = (game.escape_debug(), name.map(str::escape_debug));
        Refusal::Missing(match name {
            Some(name) => format!("no book of {game} is called {name} here"),
            None => format!("no book of {game} is served here"),
        })
    })
}
