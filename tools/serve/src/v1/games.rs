//! The best games behind a position, and one game by its id.

use super::asked;
use crate::games::{Games, top};
use crate::place;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::selection::Selection;
use crate::sources::Sources;
use tabia_games::{Game, Known};
use tabia_play::explore::{Explorable, ListedGames};
use tabia_play::{GameFormat, game_text};

/// How many games are told where the client doesn't say, and the most.
const GAMES: [usize; 2] = [8, 100];

/// The best games that pass a position.
pub fn games(sources: &Sources, request: &Request) -> Answered {
    let asked = asked(sources, request, "book", "")?;
    let count = request.number("top", GAMES[0])?.min(GAMES[1]);
    let reply = listed(asked.game, request, &asked.books, count)?;
    Ok(reply.of_books(&asked.books))
}

fn listed(start: &Known, request: &Request, books: &Selection, count: usize) -> Answered {
    let files = Games::of(books.books())?;
    if files.is_empty() && books.first().game_files()?.is_empty() {
        return Err(Refusal::Missing("no games are beside this book".to_owned()));
    }
    let history = place::asked(request, start, books.header().keyed)?;
    let found = top(books, &files, history.present(), count)?;
    Reply::json(&ListedGames::new(history.present(), &found, true))
}

/// A game, in the notation that is usual for it.
pub fn game(sources: &Sources, request: &Request) -> Answered {
    let asked = asked(sources, request, "book", "")?;
    let files = Games::of(asked.books.books())?;
    let missing = || Refusal::Missing("there is no such game".to_owned());
    let id = request.part("id")?.parse().map_err(|_| missing())?;
    let found = files.with_id(id)?;
    let game = found.first().ok_or_else(missing)?;
    let text = game_text(asked.game, game, GameFormat::of(asked.game.name()));
    let text = text.map_err(Refusal::failed)?;
    Ok(Reply::new("text/plain; charset=utf-8", text).of_books(&asked.books))
}
