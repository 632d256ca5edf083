//! Requests and what is answered, field by field (`answers.txt`); the page.

use crate::served::{Answer, Served, source};
use crate::{engine, filters};
use serde_json::{Value, json};
use tabia::{Book, Env, MergeOptions, Results, merge};
use tabia_serve::Sources;

/// Boards that are often asked for, by their names.
const BOARDS: [(&str, &str); 3] = [
    ("{start}", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1"),
    ("{e4}", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1"),
    ("{castling}", "r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1"),
];

/// `@` is followed by what is served: `books` of a factor, them and a `shelf`, them and an `engine`,
/// or the `games` of `filters.rs` in books of these names and columns. A line with a status and a
/// target (and maybe a header behind `|`) is a request; the lines below it say what is in its answer: a JSON pointer with a value (or
/// `#` and how many there are, `absent`, `text`, `~` and what a text has in it), where `/*` stands for all elements of a list; a
/// `header`; the whole `body`; or what it `says`.
#[test]
fn requests_are_answered() {
    tabia_testing::scripts(include_str!("answers.txt"), |script| {
        let (mut served, mut answer) = (None, None);
        for line in script.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
            let (word, rest) = line.split_once(' ').unwrap();
            if word == "@" {
                served = Some(begin(rest));
            } else if let Ok(status) = word.parse::<u16>() {
                let target = BOARDS
                    .iter()
                    .fold(rest.to_owned(), |target, (name, board)| target.replace(name, board));
                let (target, header) = target.split_once(" | ").unwrap_or((&target, ""));
                let header =
                    if header.is_empty() { String::new() } else { format!("{header}\r\n") };
                let answered = served.as_ref().unwrap().ask("GET", target, &header);
                assert_eq!(answered.status, status, "{line}: {answered:?}");
                if target.starts_with("/cdb.php") {
                    check(&answered, "header", "cache-control no-cache");
                }
                answer = Some(answered);
            } else {
                check(answer.as_ref().unwrap(), word, rest);
            }
        }
    });
}

fn begin(what: &str) -> Served {
    match what.split_once(' ') {
        Some(("books", factor)) => Served::new(factor.parse().unwrap()),
        Some(("games", columns)) => filters::serving(columns),
        _ if what == "shelf" => Served::with_shelf(),
        _ if what == "engine" => engine::served(),
        _ => panic!("{what}"),
    }
}

/// Makes sure of what a line says of an answer.
fn check(answer: &Answer, word: &str, said: &str) {
    match word {
        "header" => {
            let (name, value) = said.split_once(' ').unwrap();
            let expected = (value != "absent").then_some(value);
            assert_eq!(answer.header(name), expected, "{answer:?}");
        }
        "body" => assert_eq!(answer.body, said.replace("\\0", "\0")),
        "says" => assert!(answer.body.contains(said), "{said}: {answer:?}"),
        _ => {
            let found = found(&answer.json(), word);
            if let Some(part) = said.strip_prefix("~ ") {
                let text = found.as_ref().and_then(Value::as_str).unwrap_or_default();
                return assert!(text.contains(part), "{word}: {answer:?}");
            }
            match said.strip_prefix('#') {
                Some(count) => {
                    let len = found.as_ref().and_then(Value::as_array).map(Vec::len);
                    let got = len.map(|len| len.to_string());
                    assert_eq!(got.as_deref(), Some(count), "{word}: {answer:?}");
                }
                None if said == "absent" => assert_eq!(found, None, "{word}"),
                None if said == "text" => {
                    assert!(found.is_some_and(|found| found.is_string()), "{word}")
                }
                None => assert_eq!(found, serde_json::from_str(said).ok(), "{word}"),
            }
        }
    }
}

/// What is at a pointer; with `/*` in it that of each element, `null` where there is nothing.
fn found(value: &Value, pointer: &str) -> Option<Value> {
    let Some((list, of_each)) = pointer.split_once("/*") else {
        return value.pointer(pointer).cloned();
    };
    let elements = value.pointer(list)?.as_array()?.iter();
    Some(elements.map(|one| found(one, of_each).unwrap_or_default()).collect())
}

/// lichess's format has no place for games of unknown results but draws: the answer says so.
#[test]
fn a_book_without_results_says_so_and_has_no_performance() {
    let served = Served::with(1, |_, folder| {
        let (known, unknown) = (folder.join("masters.tabia"), folder.join("unknown.tabia"));
        let options = MergeOptions { results: Some(Results::Unknown), ..MergeOptions::default() };
        merge(&Env::default(), &unknown, &[Book::open(&known).unwrap()], options).unwrap();
        Sources::new(vec![source("masters", &unknown)]).unwrap()
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

#[test]
fn a_page_s_files_are_asked_for_once() {
    let served = Served::new(1);
    let page = served.get("/");
    assert_eq!((page.status, page.header("cache-control")), (200, Some("no-cache")));
    let address = page.body.split('"').find(|part| part.ends_with("/main.js")).unwrap().to_owned();
    let module = served.get(&format!("/{address}"));
    let found = (module.status, module.header("content-type"));
    assert_eq!(found, (200, Some("text/javascript; charset=utf-8")));
    assert!(module.header("cache-control").unwrap().contains("immutable"));
    // A page of an earlier version still finds them, but doesn't keep them.
    let earlier = served.get("/page/earlier/main.js");
    assert_eq!((earlier.status, earlier.header("cache-control")), (200, Some("no-cache")));
    assert_eq!(served.get("/page/earlier/nothing.js").status, 404);
    let again = format!("If-None-Match: {}\r\n", page.header("etag").unwrap());
    assert_eq!(served.ask("GET", "/", &again).status, 304);
}
