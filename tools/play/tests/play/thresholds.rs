//! Thresholds, best moves, reachability and plies, against the same asked of rows one by one; and
//! books of every kind are trimmed to books of that kind.

use crate::shared::{Content, Shelf, board, code, new_book, plies, quiet};
use std::collections::HashSet;
use std::ops::ControlFlow;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{
    BestGame, Book, Cells, Counts, Digest, Fact, Marks, MoveRow, PositionRow, Ratings, Results,
    Row, Source, TableKind, WithCells, Years,
};
use tabia_games::{Chess, Game, Side};
use tabia_play::{Error, Order, Solution, Step, Thresholds, Trim, TrimPlan, TrimReason};

fn some_book(stack: &Shelf) -> (Content, Book) {
    let content = Content::random(5, 500, 12);
    let book = stack.book("all", &content);
    (content, book)
}

#[test]
fn rows_below_the_thresholds_go_and_others_stay() {
    let stack = Shelf::new();
    let (content, book) = some_book(&stack);
    let own =
        Thresholds { min_games: 3, min_score: "40".parse().unwrap(), ..Thresholds::default() };
    let (stats, trimmed) =
        stack.trimmed(&book, &TrimPlan { own, ..TrimPlan::default() }, "trimmed");
    let now = Content::of_book(&trimmed);
    let often = |row: &&PositionRow| row.counts().games() >= 3;
    let good = |row: &&MoveRow| {
        let Counts { wins, draws, losses } = row.counts();
        wins + draws + losses >= 3 && 10 * (2 * wins + draws) >= 4 * 2 * (wins + draws + losses)
    };
    assert_eq!(now.positions, content.positions.iter().filter(often).copied().collect::<Vec<_>>());
    assert_eq!(now.moves, content.moves.iter().filter(good).copied().collect::<Vec<_>>());
    let (positions, moves) = (stats.positions.unwrap(), stats.moves.unwrap());
    let found = (positions.kept, positions.before());
    assert_eq!(found, (now.positions.len() as u64, content.positions.len() as u64));
    assert_eq!(positions.gone(TrimReason::Games), positions.before() - positions.kept);
    let rare = content.moves.iter().filter(|row| row.counts().games() < 3).count() as u64;
    assert!(moves.gone(TrimReason::Score) > 0);
    let found = (moves.gone(TrimReason::Games), moves.kept + rare + moves.gone(TrimReason::Score));
    assert_eq!(found, (rare, moves.before()));
}

#[test]
fn the_best_moves_of_every_position_are_kept_without_rules() {
    let stack = Shelf::new();
    let (content, _) = some_book(&stack);
    let content = content
        .with_move("", 0xffff, Counts { wins: 9999, draws: 0, losses: 0 }, Marks::empty())
        .with_move("", 1, Counts::default(), Marks::ALWAYS);
    let book = stack.book("all", &content);
    for keep in 1..=3 {
        let own = Thresholds { keep: Some(keep), order: Order::Games, ..Thresholds::default() };
        let (_, trimmed) =
            stack.trimmed(&book, &TrimPlan { own, ..TrimPlan::default() }, "trimmed");
        let mut expected = HashSet::new();
        for mut moves in content.by_position().into_values() {
            moves.sort_by_key(|row| {
                (
                    row.marks() & Marks::ALWAYS == Marks::empty(),
                    std::cmp::Reverse(row.counts().games()),
                    row.code(),
                )
            });
            expected.extend(moves.iter().take(keep as usize).map(|row| (row.key(), row.code())));
        }
        let now = Content::of_book(&trimmed);
        assert_eq!(now.move_set(), expected);
        assert_eq!(now.positions, content.positions);
    }
}

#[test]
fn what_is_reached_within_the_plies_stays() {
    let stack = Shelf::new();
    let (content, book) = some_book(&stack);
    // A row that nothing leads to, and a position without moves.
    let stray = PositionRow::new(77, Counts { wins: 50, draws: 0, losses: 0 });
    let (after, often) = ("Nh3 Nh6 Na3 Na6", stray.counts());
    let content =
        Content { positions: [content.positions, vec![stray]].concat(), moves: content.moves }
            .with_move(after, code(after, "Rb1"), often, Marks::empty());
    drop(book);
    let book = stack.book("all", &content);
    let later = board("a3 a6");
    assert!(!book.moves(later.key()).unwrap().is_empty());
    for from in [vec![Chess::start()], vec![later.clone()], vec![Chess::start(), later]] {
        for (min_games, max_ply) in
            [(0, None), (2, None), (0, Some(0)), (0, Some(1)), (1, Some(5)), (3, Some(4))]
        {
            let own = Thresholds { min_games, ..Thresholds::default() };
            let (stats, trimmed) = stack.walked(
                &book,
                &TrimPlan { own, max_ply, ..TrimPlan::default() },
                &from,
                "trimmed",
            );
            let (now, plies) = (Content::of_book(&trimmed), plies(&content, &from, min_games));
            let near = |key: u64, less: usize| {
                plies
                    .get(&key)
                    .is_some_and(|&ply| max_ply.is_none_or(|most| ply + less <= most as usize))
            };
            let positions = content
                .positions
                .iter()
                .filter(|row| row.counts().games() >= min_games && near(row.key(), 0));
            let moves = content
                .moves
                .iter()
                .filter(|row| row.counts().games() >= min_games && near(row.key(), 1));
            let found = now.positions;
            assert_eq!(found, positions.copied().collect::<Vec<_>>(), "{min_games} {max_ply:?}");
            assert_eq!(now.moves, moves.copied().collect::<Vec<_>>(), "{min_games} {max_ply:?}");
            let at_last = |row: &&MoveRow| {
                row.counts().games() >= min_games
                    && max_ply.is_some()
                    && plies.get(&row.key()).copied() == max_ply.map(|most| most as usize)
            };
            let found = stats.moves.unwrap().gone(TrimReason::Ply);
            assert_eq!(found, content.moves.iter().filter(at_last).count() as u64);
            assert!(stats.positions.unwrap().gone(TrimReason::Unreached) > 0);
        }
    }
}

#[test]
fn walking_in_circles_ends() {
    let stack = Shelf::new();
    let games = [
        "1 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4 e5 Nf3 Nf6 Ng1 Ng8",
        "0 Nc3 Nc6 Nb1 Nb8 Nf3 Nf6 Nc3",
        "= Nf3 Nf6 Nc3 Ng8 Nb1 Nf6",
    ];
    let content = Content::of_games(games);
    let book = stack.book("circles", &content);
    let (stats, trimmed) = stack.walk(&book, &TrimPlan::default(), "trimmed");
    assert_eq!(stats.moves.unwrap().before(), stats.moves.unwrap().kept);
    let holds = stack.bytes("circles") == stack.bytes("trimmed");
    assert!(holds, "all is reached, so the bytes are the same");
    drop(trimmed);
    let walked = Trim::by_walk(&book, TrimPlan::default(), &[Chess::start()], &quiet)
        .unwrap()
        .walked
        .unwrap();
    let holds = walked.plies < 9 && walked.widest_bytes > 64;
    assert!(holds, "{walked:?}: least plies, not those of the games");
}

#[test]
fn whoever_watches_can_stop_every_stage() {
    let stack = Shelf::new();
    let (_, book) = some_book(&stack);
    let stop_at = |wanted: fn(Step) -> bool| {
        move |step| if wanted(step) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    for wanted in
        [|step| matches!(step, Step::Reading(..)), |step| matches!(step, Step::Walking { .. })]
    {
        let stopped =
            Trim::by_walk(&book, TrimPlan::default(), &[Chess::start()], &stop_at(wanted))
                .err()
                .unwrap();
        assert!(matches!(stopped, Error::Engine(tabia::Error::Interrupted)));
    }
    let trim = Trim::by_walk(&book, TrimPlan::default(), &[Chess::start()], &quiet).unwrap();
    let stopped = trim.stats(&stop_at(|step| matches!(step, Step::Judging(..)))).err().unwrap();
    assert!(matches!(stopped, Error::Engine(tabia::Error::Interrupted)));
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
    let content = Content::random(21, 300, 10);
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
    let moves: Vec<MoveRow> = Content::random(21, 300, 10)
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
