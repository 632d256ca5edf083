//! `mark`: the book maker's word goes to the journal, outlives compaction and merging, and is
//! obeyed.

use crate::decide::pgn;
use crate::stage::Stage;

/// A book in which 1. e4! won 3 games and 1. d4 one of two.
fn stage() -> Stage {
    let stage = Stage::new();
    let games = [
        ("1-0", "1. e4! e5"),
        ("1-0", "1. e4 e5"),
        ("1-0", "1. e4 c5"),
        ("1-0", "1. d4 d5"),
        ("0-1", "1. d4 d5"),
    ];
    stage.write("games.pgn", pgn(&games));
    stage.good("build -q -o book.tabia games.pgn");
    stage
}

fn marks(stage: &Stage, book: &str, san: &str) -> Vec<String> {
    let explored = stage.json(&format!("explore {book}"));
    let found = explored["moves"].as_array().unwrap().iter().find(|played| played["san"] == san);
    found.map_or_else(Vec::new, |played| {
        played["marks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mark| mark.as_str().unwrap().to_owned())
            .collect()
    })
}

#[test]
fn a_word_is_said_taken_back_and_obeyed() {
    let stage = stage();
    let before = stage.read("book.tabia");
    assert_eq!(stage.good("play book.tabia --rule q"), "e4\n");
    let marked = stage.json("mark book.tabia --move e4 never");
    assert_eq!((marked["changed"].as_u64(), marked["sequence"].as_u64()), (Some(1), Some(1)));
    assert_eq!(marked["moves"][0]["marks"], serde_json::json!(["!", "never"]));
    assert_eq!(stage.read("book.tabia"), before, "it goes to the journal");
    assert_eq!(
        (marks(&stage, "book.tabia", "e4"), stage.good("play book.tabia --rule q")),
        (vec!["!".to_owned(), "never".to_owned()], "d4\n".to_owned())
    );
    assert_eq!(stage.json("explore book.tabia")["moves"][0]["games"], 3, "counts stay");
    // One word takes another's place, and the same word again writes nothing.
    assert_eq!(stage.good("mark book.tabia --move e4 always").lines().count(), 2);
    assert_eq!(marks(&stage, "book.tabia", "e4"), ["!", "always"]);
    assert!(stage.good("mark book.tabia --move e4 always").contains("nothing to do"));
    assert_eq!(stage.json("info book.tabia")["journal"]["frames"], 2);
    assert_eq!(stage.good("play book.tabia --rule random,min-games=99"), "e4\n");
    stage.good("mark book.tabia --move e4 clear");
    assert_eq!(marks(&stage, "book.tabia", "e4"), ["!"]);
    assert_eq!(stage.good("play book.tabia --rule games"), "e4\n");
}

#[test]
fn a_move_that_the_book_lacks_can_be_marked() {
    let stage = stage();
    stage.good("mark book.tabia --move a4 --move h4 always");
    assert_eq!(stage.json("explore book.tabia")["moves"].as_array().unwrap().len(), 4);
    for rule in ["default", "lcb", "nr", "games", "random", "reg2"] {
        assert_eq!(stage.good(&format!("play book.tabia --rule {rule}")), "a4\n", "{rule}");
    }
    stage.good("mark book.tabia --move a4 --move h4 --move b4 clear");
    assert_eq!(
        stage.json("explore book.tabia")["moves"].as_array().unwrap().len(),
        2,
        "rows without games and marks go"
    );
    stage.good("mark book.tabia --moves h4 --move h5 never");
    stage.good("mark book.tabia --moves h4 --move a5 clear");
    stage.good("check book.tabia");
}

#[test]
fn words_outlive_compaction_and_unite_in_merging() {
    let stage = stage();
    stage.good("mark book.tabia --move e4 never");
    stage.good("compact book.tabia");
    assert_eq!(marks(&stage, "book.tabia", "e4"), ["!", "never"]);
    stage.write("more.pgn", pgn(&[("1-0", "1. e4 e6"), ("1-0", "1. c4 e5")]));
    stage.good("build -q -o more.tabia more.pgn");
    stage.good("mark more.tabia --move e4 --move c4 always");
    stage.good("merge -o one.tabia book.tabia more.tabia");
    stage.good("merge -o other.tabia more.tabia book.tabia");
    assert_eq!(stage.read("one.tabia"), stage.read("other.tabia"));
    assert_eq!(
        (marks(&stage, "one.tabia", "e4"), marks(&stage, "one.tabia", "c4")),
        (vec!["!".into(), "never".into(), "always".into()], vec!["always".into()])
    );
    assert_eq!(stage.good("play one.tabia --rule games"), "c4\n", "never is stronger");
    stage.good("add -q one.tabia club.pgn");
    assert_eq!(stage.good("play one.tabia --rule games"), "c4\n");
    stage.good("mark one.tabia --move e4 --move c4 clear");
    stage.good("compact one.tabia");
    assert_eq!(
        (marks(&stage, "one.tabia", "e4"), marks(&stage, "one.tabia", "c4")),
        (vec!["!".to_owned()], vec![])
    );
}

#[test]
fn marks_are_shown_where_no_word_is_given() {
    let stage = stage();
    assert!(stage.good("mark book.tabia").starts_with("e4       !            3 games\n"));
    assert_eq!(stage.good("mark book.tabia --moves d4"), "no move is marked here\n");
    let shown = stage.json("mark book.tabia --move d4");
    assert_eq!(
        (
            shown["moves"][0]["san"].as_str(),
            shown["sequence"].as_u64(),
            shown["moves"].as_array().unwrap().len()
        ),
        (Some("d4"), None, 1)
    );
    assert!(!stage.path("book.tabia-journal").exists(), "showing writes nothing");
}

#[test]
fn ratings_stay_with_their_move() {
    let stage = Stage::new();
    let tags = "[Event \"x\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2600\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
    stage.write("rated.pgn", tags);
    stage.good("build -q --ratings -o book.tabia rated.pgn");
    let rating = || stage.json("explore book.tabia")["moves"][0]["average_rating"].clone();
    let before = rating();
    assert_eq!(before, 2700.0);
    for word in ["never", "always", "clear"] {
        stage.good(&format!("mark book.tabia --move e4 {word}"));
        assert_eq!(rating(), before, "{word}");
    }
    stage.good("mark book.tabia --move d4 never");
    stage.good("compact book.tabia");
    assert_eq!((rating(), marks(&stage, "book.tabia", "d4")), (before, vec!["never".to_owned()]));
}

#[test]
fn keys_and_codes_do_where_rules_are_unknown() {
    let stage = stage();
    // 463b96181691fc9c is chess's start, 796 the code of e2e4 (12 from, 28 to).
    let marked = stage.json("mark book.tabia --key 463b96181691fc9c --code 796 never");
    assert_eq!((marked["changed"].as_u64(), marked["moves"][0]["san"].as_str()), (Some(1), None));
    assert_eq!(marks(&stage, "book.tabia", "e4"), ["!", "never"]);
    stage.bad("mark book.tabia --key 463b --code 1 never", &["16 hexadecimal digits"]);
    stage.bad("mark book.tabia --key 463b96181691fc9c --move e4 never", &["--key"]);
    stage.bad("mark book.tabia --code 3 never", &["--key"]);
}

#[test]
fn lines_are_marked_in_books_of_lines() {
    let stage = stage();
    stage.good("build -q -o lines.tabia --keyed line games.pgn");
    stage.good("mark lines.tabia --moves e4 --move c5 always");
    assert_eq!(stage.good("play lines.tabia --rule rote --moves e4"), "c5\n");
}

#[test]
fn what_cannot_be_done_is_told() {
    let stage = stage();
    stage.bad("mark book.tabia never", &["--move"]);
    stage.bad("mark book.tabia --move e5 never", &["--move", "e5"]);
    stage.bad("mark book.tabia --move e4 sometimes", &["sometimes", "never, always, clear"]);
    stage.bad("mark missing.tabia --move e4 never", &["missing.tabia"]);
    stage.good("build -q -o positions.tabia --tables positions games.pgn");
    stage.bad("mark positions.tabia --move e4 never", &["no moves table"]);
    stage.bad("mark positions.tabia", &["no moves table"]);
}
