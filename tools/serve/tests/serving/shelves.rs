//! Shelves, asked for some of their games.

use crate::served::{SLICES, Served, shelf, source, write};
use serde_json::Value;
use tabia_serve::{BadShelf, Shelf, Slice, Sources};

/// Choices, each with the sum of the factors of the slices that it wants.
const CHOICES: [(&str, u32); 8] = [
    ("", 15),
    ("speeds=blitz", 3),
    ("speeds=blitz,RAPID&ratings=", 15),
    ("ratings=1799", 5),
    ("since=2024-02", 10),
    ("until=2024-02&speeds=rapid", 4),
    ("ratings=1600,1800,2500&since=2023-12&until=2024-03", 15),
    ("speeds=blitz&ratings=1800&since=2024-03&until=2024-03", 2),
];

/// What is answered, but for the name of the book.
fn nameless(served: &Served, target: &str) -> Value {
    let answer = served.get(target);
    assert_eq!(answer.status, 200, "{target}: {answer:?}");
    let mut value = answer.json();
    for name in ["book", "by", "books"] {
        value.as_object_mut().unwrap().remove(name);
    }
    value
}

#[test]
fn a_choice_is_answered_as_a_book_of_these_games_answers() {
    let served = Served::with_shelf();
    for (choice, factor) in CHOICES {
        write(&served.path(), factor);
        for what in [
            "explore?play=",
            "explore?play=e4",
            "explore?play=e4,c5",
            "explore?play=e4,a6",
            "explore?fen=r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1",
            "play?rule=games",
            "play?rule=performance&play=e4",
            "play?rule=eval",
        ] {
            let of_shelf = nameless(&served, &format!("/v1/chess/{what}&book=lichess&{choice}"));
            let of_book = nameless(&served, &format!("/v1/chess/{what}&book=masters"));
            assert_eq!(of_shelf, of_book, "{what} {choice}");
        }
        // /lichess chooses in the same way.
        let sum = served.get(&format!("/lichess?{choice}")).json();
        assert_eq!(sum["white"], 9 * factor, "{choice}");
        let choices = ["first_", "by_"].map(|prefix| {
            let words = choice.split('&').filter(|word| !word.is_empty());
            words.map(|word| format!("&{prefix}{word}")).collect::<String>()
        });
        let of_shelf = format!("/v1/chess/diff?first=lichess&second=other{}", choices[0]);
        let of_book = "/v1/chess/diff?first=masters&second=other";
        assert_eq!(nameless(&served, &of_shelf), nameless(&served, of_book), "{choice}");
        let of_shelf =
            format!("/v1/chess/coverage?book=lichess&{choice}&by=lichess{}&plies=3", choices[1]);
        let of_book = "/v1/chess/coverage?book=masters&by=masters&plies=3";
        assert_eq!(nameless(&served, &of_shelf), nameless(&served, of_book), "{choice}");
    }
}

#[test]
fn an_answer_s_tag_is_of_the_slices_that_it_comes_from() {
    let served = Served::with_shelf();
    let tag = |choice: &str| {
        let answer = served.get(&format!("/v1/chess/explore?book=lichess&{choice}"));
        answer.header("etag").unwrap().to_owned()
    };
    let choices = ["", "speeds=blitz", "speeds=rapid", "ratings=1600", "speeds=bullet"];
    let before = choices.map(tag);
    for (place, one) in before.iter().enumerate() {
        assert!(!before[..place].contains(one), "{}", choices[place]);
        let again = format!("If-None-Match: {one}\r\n");
        for (other, choice) in choices.iter().enumerate() {
            let target = format!("/v1/chess/explore?book=lichess&{choice}");
            let status = if other == place { 304 } else { 200 };
            assert_eq!(served.ask("GET", &target, &again).status, status, "{one} {choice}");
        }
    }
    // Another book of a rapid slice.
    let (.., factor) = SLICES[3];
    write(&served.folder.path().join(format!("slice-{factor}.tabia")), 16);
    let after = choices.map(tag);
    let same = [false, true, false, true, true];
    for (place, is_same) in same.into_iter().enumerate() {
        assert_eq!(before[place] == after[place], is_same, "{}", choices[place]);
    }
    let at = served.get("/v1/chess/explore?book=lichess&speeds=rapid").json();
    assert_eq!(at["whole"], 18 * 20);
}

#[test]
fn books_of_a_shelf_go_together_and_names_are_one_s() {
    let served = Served::with_shelf();
    let slice = |rating| Slice {
        facets: tabia_build::shelf::Facets { rating, ..Default::default() },
        source: source("slice", &served.path()).into(),
    };
    let shelf = |name: &str| Shelf::new(name.to_owned(), vec![slice(Some(1600))]).unwrap();
    assert_eq!(Shelf::new(String::new(), Vec::new()).err(), Some(BadShelf::Empty));
    let unlike = Shelf::new(String::new(), vec![slice(Some(1600)), slice(None)]);
    assert_eq!(unlike.err(), Some(BadShelf::Unlike));
    let books = || Sources::new(vec![source("masters", &served.path())]).unwrap();
    assert!(books().with_shelves(vec![shelf("lichess"), shelf("other")]).is_ok());
    assert!(books().with_shelves(vec![shelf("lichess"), shelf("lichess")]).is_err());
    assert!(books().with_shelves(vec![shelf("masters")]).is_err());
}

#[test]
fn a_book_called_lichess_comes_before_a_shelf_of_another_name() {
    let served = Served::with(1, |_, folder| {
        let path = folder.join("lichess.tabia");
        write(&path, 7);
        let books = Sources::new(vec![source("lichess", &path)]).unwrap();
        books.with_shelves(vec![shelf("games", folder)]).unwrap()
    });
    assert_eq!(served.get("/lichess").json()["white"], 63);
    assert_eq!(served.get("/lichess?ratings=1600").status, 400);
}
