//! Our own interface.

use crate::served::Served;
use serde_json::{Value, json};

#[test]
fn two_books_are_compared() {
    let served = Served::new(1);
    crate::served::write(&served.folder.path().join("other.tabia"), 3);
    let compared = served.get("/v1/chess/diff?first=masters&second=other").json();
    assert_eq!((&compared["flips"], &compared["games"]), (&json!(false), &json!([18, 54])));
    let found = (&compared["moves"][0]["san"], &compared["moves"][0]["change"]);
    assert_eq!(found, (&json!("e4"), &json!("changed")));
    let covered = served.get("/v1/chess/coverage?book=masters&by=other&plies=4").json();
    assert_eq!((&covered["games"], &covered["answered"][0]), (&json!(54), &json!(1.0)));
}

#[test]
fn an_answer_that_is_known_is_not_sent_again() {
    let served = Served::new(1);
    let tag = served.get("/v1/chess/explore").header("etag").unwrap().to_owned();
    let again = format!("If-None-Match: {tag}\r\n");
    let answer = served.ask("GET", "/v1/chess/explore", &again);
    assert_eq!((answer.status, answer.body.as_str()), (304, ""));
    assert_eq!(answer.header("etag"), Some(tag.as_str()));
    for target in ["/v1/chess/explore?play=e4", "/masters"] {
        assert_eq!(served.ask("GET", target, &again).status, 200, "{target}");
    }
    for target in
        ["/v1/chess/explore?play=x", "/masters?fen=x", "/v1/chess/diff?with=other&limit=x"]
    {
        assert_eq!(served.ask("GET", target, "If-None-Match: *\r\n").status, 400, "{target}");
    }
    crate::served::write(&served.path(), 2);
    let answer = served.ask("GET", "/v1/chess/explore", &again);
    assert_eq!((answer.status, &answer.json()["whole"]), (200, &json!(36)));
}

#[test]
fn the_description_is_of_what_is_served() {
    let served = Served::new(1);
    let described = served.get("/v1/openapi.json").json();
    for (path, methods) in described["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let target = path.replace("{game}", "chess").replace("{id}", "00000000");
            let answer = served.ask(&method.to_uppercase(), &target, "");
            let said = &operation["responses"][answer.status.to_string()];
            assert!(said.is_object(), "{method} {path}: {} is not described", answer.status);
        }
    }
}

/// Where a book grew, what positions and moves are worth by all that is behind them is told.
#[test]
fn values_are_backed_up_where_a_book_grew() {
    let served = Served::new(1);
    let at = |line: &str| served.get(&format!("/v1/chess/explore?play={line}")).json();
    assert_eq!((&at("e4")["behind"], &at("e4")["moves"][0]["value"]), (&Value::Null, &Value::Null));
    let e4 = u64::from_str_radix(at("e4")["key"].as_str().unwrap(), 16).unwrap();
    let mut batch = tabia::Batch::new();
    let row = tabia::PositionRow::new(e4, tabia::Counts::default());
    batch.add_position(row.with_flags(tabia::Flags::EXPANDED));
    let path = served.path();
    tabia::Writer::open(tabia::Env::default(), &path).unwrap().append(&batch).unwrap();
    let (start, e4) = (at(""), at("e4"));
    // 1... c5, worth 20 to Black, and not what a search said of 1. e4, that it is 25 for White.
    assert_eq!((&e4["eval"], &e4["behind"]["value"]), (&json!(-25), &json!(20)));
    let values = |answer: &Value| {
        let of = |one: &Value| (one["san"].as_str().unwrap().to_owned(), one["value"].clone());
        answer["moves"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    let told = [("e5".to_owned(), json!(-30)), ("c5".to_owned(), json!(20))];
    assert_eq!(values(&e4), told);
    assert_eq!(values(&start)[0], ("e4".to_owned(), json!(-20)));
}
