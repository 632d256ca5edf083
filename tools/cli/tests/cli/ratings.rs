//! Books with ratings, and books of counts without results, as `info`, `explore`, `get` and `diff`
//! show them.

use crate::stage::Stage;
use serde_json::{Value, json};
use tabia::format::Results;
use tabia::stream::Chunk;
use tabia::{
    Cells, Counts, Env, Existing, Marks, MoveRow, NewBook, PositionRow, Ratings, WithCells,
    sort_and_merge,
};
use tabia_games::{Chess, Game};

/// The codes of 1. d4 and 1. e4.
const D4: u16 = 731;
const E4: u16 = 796;

fn new_book<'a>() -> NewBook<'a> {
    NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap())
}

/// A stage with `rated.tabia`: 1. e4 in three games, of which two are rated, and 1. d4 in one that
/// is not.
fn rated() -> Stage {
    let stage = Stage::new();
    let start = Chess::start().key();
    let e4 =
        MoveRow::new(start, E4, Counts { wins: 2, draws: 1, losses: 0 }).with_marks(Marks::GOOD);
    let ratings = Ratings { mover_sum: 4731, opponent_sum: 4590, games: 2, score: 3 };
    let e4 = WithCells { row: e4, cells: Cells::NONE.with(ratings) };
    let mut moves: Chunk<MoveRow> =
        [e4, MoveRow::new(start, D4, Counts { wins: 0, draws: 1, losses: 0 }).into()]
            .into_iter()
            .collect();
    moves.sort_and_merge();
    new_book()
        .moves(&moves)
        .write(&Env::default(), &stage.path("rated.tabia"), Existing::Refuse)
        .unwrap();
    stage
}

/// A stage with `counts.tabia`, which counts games without results.
fn counted() -> Stage {
    let stage = Stage::new();
    let start = Chess::start().key();
    let draws = |draws| Counts { wins: 0, draws, losses: 0 };
    let positions = vec![PositionRow::new(start, draws(4))];
    let mut moves = vec![MoveRow::new(start, E4, draws(3)), MoveRow::new(start, D4, draws(1))];
    sort_and_merge(&mut moves);
    let new = new_book().results(Results::Unknown).positions(&positions).moves(&moves);
    new.write(&Env::default(), &stage.path("counts.tabia"), Existing::Refuse).unwrap();
    stage
}

fn near(value: &Value, expected: f64) {
    assert!((value.as_f64().unwrap() - expected).abs() < 0.01, "{value}, {expected}");
}

#[test]
fn explore_shows_average_performance_and_gain_of_a_move() {
    let stage = rated();
    let start = stage.json("explore rated.tabia");
    assert_eq!((&start["columns"], &start["results"]), (&json!(["ratings"]), &true.into()));
    let (e4, d4) = (&start["moves"][0], &start["moves"][1]);
    // Three points of four against 2295: 400 log10(3) above it.
    near(&e4["average_rating"], 2365.5);
    near(&e4["performance"], 2485.85);
    near(&e4["gain"], 120.35);
    assert_eq!((&e4["rated_games"], &e4["games"], &e4["wins"]), (&2.into(), &3.into(), &2.into()));
    let unrated = [&d4["average_rating"], &d4["performance"], &d4["gain"], &d4["rated_games"]];
    assert_eq!(unrated, [&Value::Null, &Value::Null, &Value::Null, &0.into()]);
    let text = stage.good("explore rated.tabia");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let columns = |first: &str| {
        rows.iter()
            .find(|row| row.first() == Some(&first))
            .unwrap_or_else(|| panic!("{first}: {text}"))
    };
    assert!(
        columns("move").ends_with(&["rating", "performance", "gain", "leads", "to", "win"]),
        "{text}"
    );
    assert!(columns("e4!").ends_with(&["2366", "2486", "+120", "-", "-"]), "{text}");
    assert!(columns("d4").ends_with(&["-", "-", "-", "-", "-"]), "{text}");
}

#[test]
fn a_book_without_ratings_shows_none() {
    let stage = Stage::with_books();
    let start = stage.json("explore club.tabia");
    assert_eq!(
        (&start["columns"], &start["moves"][0]["average_rating"]),
        (&json!([]), &Value::Null)
    );
    assert!(!start["moves"][0].as_object().unwrap().contains_key("rated_games"));
    assert!(!stage.good("explore club.tabia").contains("performance"));
    assert!(!stage.good("get club.tabia 463b96181691fc9c").contains("rating"));
    assert!(
        !stage.json("get club.tabia 463b96181691fc9c")[0]["moves"][0]
            .as_object()
            .unwrap()
            .contains_key("rated_games")
    );
    assert_eq!(stage.json("info club.tabia")["columns"], json!([]));
}

#[test]
fn get_and_info_show_that_moves_have_ratings() {
    let stage = rated();
    let text = stage.good("get rated.tabia 463b96181691fc9c");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("# ")).collect();
    let header = "#moves\tkey\twins\tdraws\tlosses\tmove\tmarks\tmover_rating_sum\topponent_rating_sum\trated_games\trated_score";
    let (d4, e4) = (
        "463b96181691fc9c\t0\t1\t0\t731\t0\t0\t0\t0\t0",
        "463b96181691fc9c\t2\t1\t0\t796\t1\t4731\t4590\t2\t3",
    );
    assert_eq!(lines, [header, d4, e4]);
    let e4 = &stage.json("get rated.tabia 463b96181691fc9c")[0]["moves"][1];
    let expected = json!({"move": 796, "wins": 2, "draws": 1, "losses": 0, "marks": ["!"],
        "mover_rating_sum": 4731, "opponent_rating_sum": 4590, "rated_games": 2, "rated_score": 3});
    assert_eq!(e4, &expected);
    let info = stage.json("info rated.tabia");
    assert_eq!((&info["columns"], &info["results"]), (&json!(["ratings"]), &true.into()));
    assert!(stage.good("info rated.tabia").contains("\ncolumns    ratings of the moves\n"));
}

#[test]
fn diff_shows_ratings() {
    let stage = rated();
    let (start, none) = (Chess::start().key(), Counts::default());
    let moves = vec![MoveRow::new(start, E4, none)];
    new_book()
        .moves(&moves)
        .write(&Env::default(), &stage.path("plain.tabia"), Existing::Refuse)
        .unwrap();
    let ran = stage.run("diff plain.tabia rated.tabia");
    assert_eq!(ran.code, Some(1));
    let e4 = "463b96181691fc9c\t0\t0\t0\t796\t0\t0\t0\t0\t0";
    for line in [
        format!("-moves\t{e4}"),
        "+moves\t463b96181691fc9c\t2\t1\t0\t796\t1\t4731\t4590\t2\t3".to_owned(),
    ] {
        assert!(ran.out.lines().any(|shown| shown == line), "{line}: {}", ran.out);
    }
}

#[test]
fn a_book_of_counts_alone_shows_games_and_no_score() {
    let stage = counted();
    let start = stage.json("explore counts.tabia");
    assert_eq!(
        (&start["results"], &start["games"], &start["moves"][0]["games"]),
        (&false.into(), &4.into(), &3.into())
    );
    for place in [&start, &start["moves"][0]] {
        assert_eq!([&place["wins"], &place["draws"], &place["losses"]], [&Value::Null; 3]);
    }
    let text = stage.good("explore counts.tabia");
    assert!(
        text.contains("4 games, of unknown results")
            && !text.contains("win")
            && !text.contains("draw"),
        "{text}"
    );
    let e4 = text.lines().find(|line| line.starts_with(" e4")).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(e4.split_whitespace().collect::<Vec<_>>(), ["e4", "3", "75.0%", "-"]);
    assert_eq!(stage.json("info counts.tabia")["results"], false);
    let info = stage.good("info counts.tabia");
    assert!(
        info.contains("results    unknown")
            && info.contains("counts of 4 in all")
            && !info.contains("draws"),
        "{info}"
    );
}

#[test]
fn counts_alone_with_ratings_show_who_played_but_not_how_well() {
    let stage = Stage::new();
    let row = MoveRow::new(Chess::start().key(), E4, Counts { wins: 0, draws: 2, losses: 0 });
    let ratings = Ratings { mover_sum: 4000, opponent_sum: 4100, games: 2, score: 2 };
    let moves: Chunk<MoveRow> =
        [WithCells { row, cells: Cells::NONE.with(ratings) }].into_iter().collect();
    new_book()
        .results(Results::Unknown)
        .moves(&moves)
        .write(&Env::default(), &stage.path("both.tabia"), Existing::Refuse)
        .unwrap();
    let e4 = &stage.json("explore both.tabia")["moves"][0];
    assert_eq!(
        [&e4["average_rating"], &e4["performance"], &e4["gain"]],
        [&2000.0.into(), &Value::Null, &Value::Null]
    );
    let text = stage.good("explore both.tabia");
    assert!(
        text.contains("rating") && text.contains("2000") && !text.contains("performance"),
        "{text}"
    );
}

#[test]
fn counts_alone_are_not_merged_with_results() {
    let stage = counted();
    stage.good("build -q -o club.tabia club.pgn");
    stage.bad("merge -q -o all.tabia counts.tabia club.tabia", &["without results"]);
    assert!(!stage.path("all.tabia").exists());
}
