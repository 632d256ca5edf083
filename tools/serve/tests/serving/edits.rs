//! Edits by those who may.

use crate::served::{Served, TOKEN};
use serde_json::json;
use tabia::Book;

fn edit(served: &Served, token: &str, body: &str) -> (u16, serde_json::Value) {
    let answer = served.edit(token, body);
    (answer.status, answer.json())
}

#[test]
fn marks_and_evals_are_durable_and_seen_at_once() {
    let served = Served::editable(1);
    let (status, answer) = edit(&served, TOKEN, r#"{"move": "d2d4", "mark": "never"}"#);
    assert_eq!((status, &answer["sequence"]), (200, &json!(1)));
    let at = served.get("/v1/chess/explore").json();
    let found = (&at["moves"][1]["marks"], &at["moves"][1]["games"]);
    assert_eq!(found, (&json!(["never"]), &json!(7)));
    // Said again, it is as it is.
    let (status, answer) = edit(&served, TOKEN, r#"{"move": "d4", "mark": "never"}"#);
    assert_eq!((status, &answer["sequence"]), (200, &json!(null)));
    let (status, _) = edit(&served, TOKEN, r#"{"play": "e4,e5", "eval": -12, "depth": 9}"#);
    assert_eq!(status, 200);
    let at = served.get("/v1/chess/explore?play=e4,e5").json();
    assert_eq!((&at["eval"], &at["depth"], &at["wins"]), (&json!(-12), &json!(9), &json!(3)));
    edit(&served, TOKEN, r#"{"book": "masters", "move": "d4", "mark": "none"}"#);
    assert_eq!(served.get("/v1/chess/explore").json()["moves"][1]["marks"], json!([]));
    assert!(
        Book::open(served.path())
            .unwrap()
            .facts()
            .unwrap()
            .iter()
            .any(|fact| fact.value().contains("set by hand"))
    );
}

#[test]
fn without_the_token_or_sense_nothing_changes() {
    let served = Served::editable(1);
    let good = r#"{"move": "d4", "mark": "never"}"#;
    for token in ["", "x", &TOKEN[1..], &format!("{TOKEN}x")] {
        assert_eq!(edit(&served, token, good).0, 403, "{token}");
    }
    for body in [
        "",
        "[]",
        "{}",
        r#"{"move": "d4"}"#,
        r#"{"move": "d5", "mark": "never"}"#,
        r#"{"move": "d4", "mark": "perhaps"}"#,
        r#"{"eval": 40000}"#,
        r#"{"eval": 1, "mark": "never"}"#,
        r#"{"move": "d4", "mark": "never", "x": 1}"#,
        r#"{"fen": "x", "eval": 1}"#,
    ] {
        assert_eq!(edit(&served, TOKEN, body).0, 400, "{body}");
    }
    assert_eq!(edit(&served, TOKEN, r#"{"book": "none", "eval": 1}"#).0, 404);
    assert_eq!(served.get("/v1/chess/edit").status, 405);
    assert_eq!(Book::open(served.path()).unwrap().journal().frames, 0);
    let served = Served::new(1);
    assert_eq!(edit(&served, TOKEN, good).0, 403);
    let of_shelf = r#"{"book": "lichess", "move": "d4", "mark": "never"}"#;
    assert_eq!(edit(&Served::with_shelf(), TOKEN, of_shelf).0, 400);
}
