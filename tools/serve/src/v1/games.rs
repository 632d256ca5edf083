//! The best games behind a position, and one game by its id.

use super::asked;
use crate::games::top;
use crate::place;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::sources::Sources;
use tabia_gamefile::GameLookup;
use tabia_games::Game;
use tabia_play::explore::{Explorable, ListedGames};
use tabia_play::{GameFormat, game_text};

/// How many games are told where the client doesn't say, and the most.
const GAMES: [usize; 2] = [8, 100];

/// The best games that pass a position.
pub fn games(sources: &Sources, request: &Request) -> Answered {
    let asked = asked(sources, request, "book", "")?;
    let count = request.number("top", GAMES[0])?.min(GAMES[1]);
    let books = &asked.books;
    let files = books.games()?;
    if files.is_empty() && books.first().game_files()?.is_empty() {
        return Err(Refusal::Missing("no games are beside this book".to_owned()));
    }
    let history = place::asked(request, asked.game, books.header().keyed)?;
    let found = top(books, &files, history.present(), count)?;
    Ok(Reply::json(&ListedGames::new(history.present(), &found, true))?.of_books(books))
}

/// A game, in the notation that is usual for it.
pub fn game(sources: &Sources, request: &Request) -> Answered {
    let asked = asked(sources, request, "book", "")?;
    let files = asked.books.games()?;
    let missing = || Refusal::Missing("there is no such game".to_owned());
    let id = request.part("id")?.parse().map_err(|_| missing())?;
    let found = files.with_id(id)?;
    let game = found.first().ok_or_else(missing)?;
    let text = game_text(asked.game, game, GameFormat::of(asked.game.name()));
    let text = text.map_err(Refusal::failed)?;
    Ok(Reply::new("text/plain; charset=utf-8", text).of_books(&asked.books))
}
