//! Which books are served.

use crate::query::Request;
use crate::reply::{Answered, Reply};
use crate::shelf::{Choice, Offered, Shelf};
use crate::source::Snapshot;
use crate::sources::Sources;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use tabia::{Keyed, Results, TableKind};
use tabia_games::Game;
use tabia_play::explore::Explorable;

#[derive(Debug, Serialize)]
struct Served<'a> {
    name: &'a str,
    game: &'static str,
    keys: &'static str,
    /// `position` or `line`.
    keyed: &'static str,
    sides: [&'static str; 2],
    /// The position that games start from.
    start: String,
    /// Of a shelf what there is to choose from.
    #[serde(skip_serializing_if = "Option::is_none")]
    facets: Option<Offered>,
    /// Of a shelf how many books it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    slices: Option<usize>,
    /// Not of a shelf: its books may have positions in common.
    positions: Option<u64>,
    moves: Option<u64>,
    /// Whether it knows how games ended.
    results: bool,
    columns: Vec<&'static str>,
    /// Whether openings have names.
    named: bool,
    games: bool,
    edit: bool,
    /// Changes whenever the book says something else.
    version: String,
    /// `current`, or `stale` where what is on the disk now can't be served.
    state: &'static str,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// All books, then all shelves, in the order they were given; and the engines beside them.
pub fn books(sources: &Sources, _: &Request) -> Answered {
    let all: Vec<_> = sources.each().map(|found| served(found, sources)).collect();
    let engines: Vec<_> = sources.engines.as_ref().map_or_else(Vec::new, |engines| {
        let games: BTreeSet<_> = all.iter().map(|book| book.game).collect();
        let games = games.into_iter().filter(|game| engines.plays(game));
        games.map(|game| json!({ "game": game, "name": engines.name })).collect()
    });
    Reply::json(&json!({ "books": all, "engines": engines }))
}

fn served<'a>(found: &'a Shelf, sources: &Sources) -> Served<'a> {
    let books = found.chosen(&Choice::default());
    let header = books.header();
    let shelf = Some(found).filter(|found| found.book().is_none());
    let files = if shelf.is_none() { books.first.book.books() } else { &[] };
    let rows = |kind| {
        let rows = |book: &tabia::Book| Some(book.header().table(kind)?.shape.rows);
        if files.is_empty() { None } else { files.iter().map(rows).sum() }
    };
    let has_games =
        |snapshot: &Arc<Snapshot>| snapshot.games.as_ref().is_ok_and(|files| !files.is_empty());
    let columns = header.columns(TableKind::Moves);
    let problem = found.sources().find_map(|source| source.status().problem);
    Served {
        name: &found.name,
        game: found.game().name(),
        keys: found.game().keys(),
        keyed: if header.keyed == Keyed::Line { "line" } else { "position" },
        sides: found.game().sides(),
        start: found.game().setup(),
        facets: shelf.map(Shelf::offered),
        slices: shelf.map(|shelf| shelf.sources().len()),
        positions: rows(TableKind::Positions),
        moves: rows(TableKind::Moves),
        results: header.results == Results::Known,
        columns: columns.iter().map(|column| column.name).collect(),
        named: !found.names().is_empty(),
        games: books.books.iter().any(has_games),
        edit: sources.token.is_some() && files.len() == 1,
        version: books.version(),
        state: if problem.is_some() { "stale" } else { "current" },
        problem,
    }
}
