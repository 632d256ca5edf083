//! Books of every kind are trimmed to books of that kind: with ratings, a filter, one table only.

use crate::shared::{Content, Shelf, new_book};
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{
    BestGame, Cells, Counts, Digest, Fact, MoveRow, Ratings, Results, Row, Source, TableKind,
    WithCells, Years,
};
use tabia_games::Side;
use tabia_play::{Order, Solution, Thresholds, TrimPlan};

fn content() -> Content {
    Content::random(21, 300, 10)
}

/// The best two moves of White, and all replies.
fn white() -> TrimPlan {
    let own = Thresholds { min_games: 2, keep: Some(2), ..Thresholds::default() };
    let solution = Solution { sides: vec![Side::First], reply: Thresholds::default() };
    TrimPlan { own, solution: Some(solution), ..TrimPlan::default() }
}

#[test]
fn cells_of_kept_moves_and_facts_stay() {
    let stack = Shelf::new();
    let content = content();
    let ratings = |row: &MoveRow| Ratings {
        mover_sum: row.hash().get() % 3000,
        opponent_sum: 2100,
        games: 1,
        score: u64::from(row.code() % 3),
    };
    let game = |row: &MoveRow| BestGame { rank: row.code(), digest: row.hash().get() >> 16 };
    let cells = |row: &MoveRow| {
        Cells::NONE.with(ratings(row)).with(game(row)).with(Years::of_game(1900 + row.code() % 100))
    };
    let rated: Chunk<MoveRow> =
        content.moves.iter().map(|&row| WithCells { row, cells: cells(&row) }).collect();
    let facts = vec![Fact::new(Digest::NONE, "made-by", "hand").unwrap()];
    let new = new_book().filter(true).facts(facts.clone());
    let book = stack.made("rated", new.positions(&content.positions).moves(&rated));
    let (stats, trimmed) = stack.walk(&book, &white(), "trimmed");
    let found = (trimmed.header().columns(TableKind::Moves), trimmed.facts().unwrap());
    assert_eq!(found, (rated.columns(), facts));
    let (_, plain) = stack.walk(&stack.book("plain", &content), &white(), "of-plain");
    let kept = Content::of_book(&plain).moves;
    let expected: Chunk<MoveRow> =
        rated.iter().filter(|played| kept.contains(&played.row)).collect();
    assert_eq!(RowSet::<MoveRow>::rows(&trimmed).unwrap().collect().unwrap(), expected);
    assert_eq!(stats.moves.unwrap().kept, expected.len() as u64);
    assert!(trimmed.header().section(tabia::format::Tag::TAGS).is_some());
}

#[test]
fn sources_and_counts_without_results_stay() {
    let stack = Shelf::new();
    let draw = |games| Counts { wins: 0, draws: games, losses: 0 };
    let moves: Vec<MoveRow> = content()
        .moves
        .iter()
        .map(|row| MoveRow::of_hash(row.hash(), row.code(), draw(row.counts().games() as u32)))
        .collect();
    let sources =
        vec![Source { digest: Digest([7; 16]), games: 300, name: "random.pgn".to_owned() }];
    let new = new_book().results(Results::Unknown).sources(sources.clone());
    let book = stack.made("counts", new.moves(&moves));
    let (stats, trimmed) = stack.walk(&book, &white(), "trimmed");
    assert_eq!(
        (trimmed.header().results, trimmed.sources().unwrap(), trimmed.has(TableKind::Positions)),
        (Results::Unknown, sources, false)
    );
    assert!(stats.positions.is_none());
    // All scores are even, so that the moves played most are best.
    let mut by_games = white();
    by_games.own.order = Order::Games;
    stack.walk(&book, &by_games, "by-games");
    assert!(stack.bytes("by-games") == stack.bytes("trimmed"));
}
