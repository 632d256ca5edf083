//! What a book has at each ply, against a search over its rows.

use crate::shared::{Content, Shelf, code, plies, quiet};
use std::collections::BTreeMap;
use tabia::{Counts, Marks, PositionRow, Row};
use tabia_games::Chess;
use tabia_play::{Level, Levels, Survey};

fn levels<R: Row>(rows: &[R], plies: &BTreeMap<u64, usize>) -> Levels {
    let mut levels = Levels::default();
    for row in rows {
        let games = row.counts().games();
        let level = Level { rows: 1, games, once: u64::from(games == 1) };
        match plies.get(&row.key()) {
            Some(&ply) => {
                levels.plies.resize(levels.plies.len().max(ply + 1), Level::default());
                levels.plies[ply] = levels.plies[ply].and(level);
            }
            None => levels.unreached = levels.unreached.and(level),
        }
    }
    levels
}

#[test]
fn each_row_counts_at_its_least_ply() {
    for (seed, games, length) in [(1, 500, 12), (2, 40, 60), (3, 1, 1)] {
        let (shelf, mut content) = (Shelf::new(), Content::random(seed, games, length));
        let stray = Counts { wins: 7, draws: 0, losses: 0 };
        content.positions.push(PositionRow::new(77, stray));
        let content = content.with_move("", 0xffff, stray, Marks::empty()).with_move(
            "Nh3 Nh6 Na3 Na6",
            code("Nh3 Nh6 Na3 Na6", "Rb1"),
            stray,
            Marks::empty(),
        );
        let book = shelf.book("all", &content).into();
        let survey = Survey::of(&book, &Chess::start(), &quiet).unwrap();
        let plies = plies(&content, &[Chess::start()], 0);
        let positions = survey.positions.as_ref().unwrap();
        assert_eq!(positions, &levels(&content.positions, &plies));
        assert_eq!(survey.moves, levels(&content.moves, &plies));
        let found = positions.reached().rows + positions.unreached.rows;
        assert_eq!(found, content.positions.len() as u64);
        let found = survey.moves.reached().rows + survey.moves.unreached.rows;
        assert_eq!(found, content.moves.len() as u64);
        assert_eq!((survey.illegal, positions.unreached.rows), (1, 1));
        let by_position = content.by_position();
        let mut leaves = vec![0; survey.leaves.len()];
        for (_, &ply) in plies.iter().filter(|(key, _)| !by_position.contains_key(key)) {
            leaves[ply] += 1;
        }
        assert_eq!(survey.leaves, leaves);
        assert!(survey.memory > 13 * content.moves.len() as u64);
    }
}
