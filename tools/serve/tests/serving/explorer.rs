//! `/masters`, `/lichess`, `/player` and cloud evals, field by field.

use crate::served;
use crate::served::Served;
use serde_json::json;
use tabia::{Book, Env, MergeOptions, Results, merge};
use tabia_serve::Sources;

/// lichess's format has no place for games of unknown results but draws: the answer says so.
#[test]
fn a_book_without_results_says_so_and_has_no_performance() {
    let served = Served::with(1, |_, folder| {
        let (known, unknown) = (folder.join("masters.tabia"), folder.join("unknown.tabia"));
        let options = MergeOptions { results: Some(Results::Unknown), ..MergeOptions::default() };
        merge(&Env::default(), &unknown, &[Book::open(&known).unwrap()], options).unwrap();
        Sources::new(vec![served::source("masters", &unknown)]).unwrap()
    });
    let node = served.get("/masters").json();
    let found = [&node["results"], &node["white"], &node["draws"], &node["black"]];
    assert_eq!(found, [&json!("unknown"), &json!(0), &json!(18), &json!(0)]);
    let answer = served.get("/v1/chess/explore").json();
    assert_eq!([&answer["results"], &answer["moves"][0]["wins"]], [&json!(false), &json!(null)]);
    assert_eq!(answer["moves"][0]["games"], 10);
    let answer = served.get("/v1/chess/play?rule=games").json();
    assert_eq!(answer["candidates"][0]["figures"], json!({"games": 10}));
    assert!(Served::new(1).get("/masters").json().get("results").is_none());
}
