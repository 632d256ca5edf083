//! Which books are served.

use crate::query::Request;
use crate::reply::{Answered, Reply};
use crate::source::Source;
use crate::sources::Sources;
use serde::Serialize;
use tabia::TableKind;
use tabia::format::{Keyed, Results};
use tabia_explore::Explorable;
use tabia_games::{Game, WithGame};

/// A book.
#[derive(Debug, Serialize)]
struct Served<'a> {
    name: &'a str,
    game: &'static str,
    keys: &'static str,
    /// `position` or `line`.
    keyed: &'static str,
    /// The names of the two sides.
    sides: [&'static str; 2],
    /// The position that games start from.
    start: String,
    positions: Option<u64>,
    moves: Option<u64>,
    /// Whether it knows how games ended.
    results: bool,
    columns: Vec<&'static str>,
    /// Whether openings have names.
    named: bool,
    /// Whether games are beside it.
    games: bool,
    /// Whether it may be edited.
    edit: bool,
    /// Changes whenever the book says something else.
    version: String,
}

/// All books, in the order they were given.
pub fn books(sources: &Sources, _: &Request) -> Answered {
    let all: Vec<_> = sources.all().iter().map(|source| served(source, sources)).collect();
    Reply::json(&serde_json::json!({ "books": all }))
}

fn served<'a>(source: &'a Source, sources: &Sources) -> Served<'a> {
    let snapshot = source.now();
    let header = snapshot.book.header();
    let rows = |kind| {
        let rows = |book: &tabia::Book| Some(book.header().table(kind)?.shape.rows);
        snapshot.book.books().iter().map(rows).sum()
    };
    let columns = header.columns(TableKind::Moves);
    Served {
        name: source.name(),
        game: source.game().name(),
        keys: source.game().keys(),
        keyed: if header.keyed == Keyed::Line { "line" } else { "position" },
        sides: source.game().sides(),
        start: source.game().with(Start),
        positions: rows(TableKind::Positions),
        moves: rows(TableKind::Moves),
        results: header.results == Results::Known,
        columns: columns.iter().map(|column| column.name).collect(),
        named: !source.names().is_empty(),
        games: snapshot.games.as_ref().is_ok_and(|files| !files.is_empty()),
        edit: sources.allows_edits() && snapshot.book.books().len() == 1,
        version: snapshot.version.clone(),
    }
}

/// The start position as text.
struct Start;

impl WithGame for Start {
    type Output = String;

    fn with<G: Game>(self, start: &G) -> String {
        start.setup()
    }
}
