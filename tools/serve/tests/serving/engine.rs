//! An engine beside the books.

use crate::served::Served;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tabia_games::{Chess, Known};
use tabia_serve::Engines;

/// A server with our own search beside its books.
pub fn served() -> Served {
    let engines = Engines::new(None).started(&Known::Chess(Chess::start())).unwrap();
    Served::with(1, |mut sources, _| {
        sources.engines = Some(engines.into());
        sources
    })
}

fn lines(body: &str) -> Vec<Value> {
    // The body comes in chunks, each behind its length.
    let lines = body.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn what_it_finds_is_told_until_it_is_done() {
    let served = served();
    let books = served.get("/v1/books").json();
    assert_eq!(books["engines"][0]["game"], "chess");
    // A mate in one.
    let target = "/v1/chess/engine?fen=6k1/5ppp/8/8/8/8/8/R6K_w_-_-_0_1&seconds=0.5";
    let answer = served.get(target);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/x-ndjson")));
    let told = lines(&answer.body);
    let (last, before) = told.split_last().unwrap();
    assert!(before.iter().all(|line| line["done"] == false));
    let found = (&last["done"], &last["score"], &last["eval"], &last["line"][0]["san"]);
    assert_eq!(found, (&json!(true), &json!("#1"), &json!(31_999), &json!("Ra8#")));
    assert_eq!(last["engine"], books["engines"][0]["name"]);
}

/// A client has one search, and none when it is gone.
#[test]
fn a_new_search_ends_the_one_before() {
    let served = served();
    let ask = |seconds: f64| {
        let mut stream = TcpStream::connect(served.address).unwrap();
        let target = format!("/v1/chess/engine?seconds={seconds}");
        write!(stream, "GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(50))).unwrap();
        let mut begin = [0; 15];
        stream.read_exact(&mut begin).unwrap();
        assert_eq!(&begin, b"HTTP/1.1 200 OK");
        stream
    };
    let mut first = ask(60.0);
    drop(ask(60.0));
    let mut third = ask(0.2);
    for stream in [&mut first, &mut third] {
        let mut all = String::new();
        stream.read_to_string(&mut all).unwrap();
        assert_eq!(lines(&all).last().unwrap()["done"], true);
    }
}
