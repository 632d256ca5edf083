//! The stages of building a book, adding to it and merging books, with weights: the seconds that
//! 415,536 master games took on two cores, or in proportion.

use crate::course::Leg;
use crate::plan::BuildPlan;
use tabia::{Book, Column, TableKind};
use tabia_gamefile::KeptGames;

/// Archives are read.
pub const READING: &str = "reading";
/// What was read is sorted.
pub const SORTING: &str = "sorting";
/// Rows are counted before they are written.
pub const COUNTING: &str = "counting";
/// Rows are written.
pub const WRITING: &str = "writing";
/// A file is made durable.
pub const SYNCING: &str = "syncing";

/// A file of games is written.
const GAMES: [Leg; 2] = [Leg::new(COUNTING, 0.8), Leg::new(WRITING, 1.0)];

/// Archives are read, sorted and written to a book.
pub fn building(plan: &BuildPlan) -> Vec<Leg> {
    let columns = plan.read.wanted.columns;
    // The cells of a move beside those of ratings, years and games together.
    let wide = columns.stride() as f64 / 36.0;
    let mut legs = vec![Leg::new(READING, 2.0 + 1.7 * wide), Leg::new(SORTING, 0.3 + 0.3 * wide)];
    if plan.games == Some(KeptGames::Named) {
        legs.push(Leg::new(SORTING, 0.4));
    }
    if plan.games.is_some() {
        legs.extend(GAMES);
    }
    if plan.packed {
        let named = if columns.has(Column::GAME) { 1.0 } else { 0.0 };
        // The games that cells name are gathered first.
        legs.extend((named > 0.0).then(|| Leg::new(COUNTING, 4.5)));
        legs.push(Leg::new(COUNTING, 1.0 + 2.1 * wide + 2.7 * named));
        legs.push(Leg::new(WRITING, 1.4 + 2.7 * wide + 2.9 * named));
    } else {
        legs.extend(plan.tables.positions.then(|| Leg::new(WRITING, 1.6)));
        legs.extend(plan.tables.moves.then(|| Leg::new(WRITING, 1.7 + 2.1 * wide)));
    }
    legs.push(Leg::new(SYNCING, 0.2));
    legs
}

/// Archives are added to a book, with a file of games beside it or without.
pub fn adding(has_games: bool) -> Vec<Leg> {
    let games = if has_games { &GAMES[..] } else { &[] };
    [&[Leg::new(READING, 2.0), Leg::new(SORTING, 0.3)], games].concat()
}

/// Books become one, packed or plain: merged, packed, compacted; whether the files of games beside
/// them do, too.
pub fn merging(packed: bool, books: &[Book], has_games: bool) -> Vec<Leg> {
    let games = if has_games { &GAMES[..] } else { &[] };
    let has = |kind: &TableKind| books.iter().any(|book| book.has(*kind));
    let tables = TableKind::ALL.into_iter().filter(has).count();
    let names_games = |book: &Book| book.header().columns(TableKind::Moves).has(Column::GAME);
    let legs = |counting, writing| [Leg::new(COUNTING, counting), Leg::new(WRITING, writing)];
    let rows = if !packed {
        legs(0.3, 1.7).repeat(tables)
    } else if books.iter().any(names_games) {
        [&[Leg::new(COUNTING, 3.5)], &legs(3.5, 4.0)[..]].concat()
    } else {
        legs(1.2, 1.3).to_vec()
    };
    [games, &rows].concat()
}
