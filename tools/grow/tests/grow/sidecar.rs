//! The file beside a book that keeps what is being expanded: foreign ones stay as they are, those of
//! other books and plans don't count, and a planted one can't bring a book anything false.

use crate::laws::{self, Drawn};
use crate::shelf::{Nobody, Shelf, batches, bytes, grow_by, plan, rest, sound};
use crate::toy::Place;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::path::Path;
use tabia::Book;
use tabia_games::{Outcome, Side};
use tabia_grow::{Error, Plan, Progress, Watch, Worker};

/// A tree with enough to do for two at once.
fn drawn() -> Drawn {
    let place = |at: usize| {
        let moves: Vec<usize> = (3 * at + 1..=3 * at + 3).filter(|&to| to < 40).collect();
        let outcome = moves.is_empty().then_some(Outcome::Draw);
        let side = if at.is_multiple_of(2) { Side::First } else { Side::Second };
        Place { side, moves, outcome }
    };
    let evals = (0..40).map(|at| (at * 37 % 101) as i16 - 50).collect();
    Drawn { places: (0..40).map(place).collect(), evals, is_sure: false }
}

fn two() -> Plan {
    Plan { in_flight: 2, ..plan(12) }
}

fn workers(drawn: &Drawn) -> Vec<Box<dyn Worker>> {
    laws::workers(drawn, 2, &[])
}

/// Stops after so many expansions, and remembers what it was told.
struct After {
    expansions: u64,
    is_over: Cell<bool>,
    notes: RefCell<Vec<String>>,
}

impl After {
    fn new(expansions: u64) -> Self {
        Self { expansions, is_over: Cell::default(), notes: RefCell::default() }
    }
}

impl Watch for After {
    fn step(&self, progress: &Progress<'_>) -> bool {
        self.is_over.set(progress.grown.expansions >= self.expansions);
        !self.is_over.get()
    }

    fn note(&self, line: &str) {
        self.notes.borrow_mut().push(line.to_owned());
    }
}

/// A book that was interrupted with an expansion in flight, and the file beside it.
fn interrupted(shelf: &Shelf, name: &str, drawn: &Drawn) -> (std::path::PathBuf, Value) {
    let path = shelf.book(name, &[], &[]);
    let grown = grow_by(&path, &drawn.toy(), &two(), workers(drawn), &After::new(2)).unwrap();
    assert_eq!((grown.0.expansions, grown.1), (2, tabia_grow::Stop::Asked));
    let saved = std::fs::read(beside(&path)).unwrap();
    (path, serde_json::from_slice(&saved).unwrap())
}

fn beside(book: &Path) -> std::path::PathBuf {
    let mut name = book.as_os_str().to_owned();
    name.push("-growing");
    name.into()
}

/// The bytes that a book has if nothing interferes.
fn expected(shelf: &Shelf, drawn: &Drawn) -> Vec<u8> {
    let path = shelf.book("expected.tabia", &[], &[]);
    grow_by(&path, &drawn.toy(), &two(), workers(drawn), &Nobody).unwrap();
    bytes(&path)
}

/// Makes sure that growing refuses to begin, and leaves all as it is.
fn refuses(path: &Path, drawn: &Drawn) {
    let before = (batches(path), std::fs::read(path).unwrap());
    let error = grow_by(path, &drawn.toy(), &two(), workers(drawn), &Nobody).unwrap_err();
    assert!(matches!(error, Error::InTheWay(_)), "{error}");
    assert_eq!((batches(path), std::fs::read(path).unwrap()), before);
}

#[test]
fn what_was_interrupted_goes_on() {
    let (shelf, drawn) = (Shelf::new(), drawn());
    let (path, saved) = interrupted(&shelf, "grows.tabia", &drawn);
    assert_eq!(saved["in_flight"].as_array().unwrap().len(), 2, "{saved}");
    let watch = After::new(100);
    let plan = rest(&two(), &path);
    grow_by(&path, &drawn.toy(), &plan, workers(&drawn), &watch).unwrap();
    assert_eq!(*watch.notes.borrow(), Vec::<String>::new());
    assert_eq!(bytes(&path), expected(&shelf, &drawn));
    assert!(!beside(&path).exists());
}

#[test]
fn what_is_not_ours_stays() {
    let (shelf, drawn) = (Shelf::new(), drawn());
    let (path, saved) = interrupted(&shelf, "grows.tabia", &drawn);
    let whole = saved.to_string();
    let mut newer = saved.clone();
    newer["tabia-growing"] = json!(2);
    let mut older = saved;
    older.as_object_mut().unwrap().remove("tabia-growing");
    let half = &whole[..whole.len() / 2];
    let texts = ["", "my notes", "{}", "null", "[]", half, &newer.to_string(), &older.to_string()];
    for text in texts {
        std::fs::write(beside(&path), text).unwrap();
        refuses(&path, &drawn);
        assert_eq!(std::fs::read_to_string(beside(&path)).unwrap(), text);
    }
    std::fs::write(beside(&path), [0xff; 100]).unwrap();
    refuses(&path, &drawn);
    std::fs::remove_file(beside(&path)).unwrap();
    std::fs::create_dir(beside(&path)).unwrap();
    refuses(&path, &drawn);
    std::fs::remove_dir(beside(&path)).unwrap();
    let elsewhere = shelf.path("elsewhere");
    std::fs::write(&elsewhere, &whole).unwrap();
    std::os::unix::fs::symlink(&elsewhere, beside(&path)).unwrap();
    refuses(&path, &drawn);
    assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), whole);
    std::fs::remove_file(beside(&path)).unwrap();
    // A pipe that nobody writes to isn't waited for.
    assert!(std::process::Command::new("mkfifo").arg(beside(&path)).status().unwrap().success());
    refuses(&path, &drawn);
}

#[test]
fn another_plan_or_another_book_chooses_anew() {
    let (shelf, drawn) = (Shelf::new(), drawn());
    let (path, saved) = interrupted(&shelf, "grows.tabia", &drawn);
    let (other, _) = interrupted(&shelf, "other.tabia", &drawn);
    for (what, value) in [
        ("book", json!("0".repeat(64))),
        ("plan", json!("another")),
        ("sequence", json!(u64::MAX)),
        ("sequence", json!(0)),
    ] {
        let mut foreign = saved.clone();
        foreign[what] = value;
        // It would be noticed if it counted.
        foreign["in_flight"][0]["leaf"] = json!(12345);
        let copy = shelf.path("copy.tabia");
        std::fs::copy(&other, &copy).unwrap();
        std::fs::copy(shelf.path("other.tabia-journal"), shelf.path("copy.tabia-journal")).unwrap();
        std::fs::write(beside(&copy), foreign.to_string()).unwrap();
        let (plan, watch) = (rest(&two(), &copy), After::new(100));
        grow_by(&copy, &drawn.toy(), &plan, workers(&drawn), &watch).unwrap();
        assert_eq!(*watch.notes.borrow(), Vec::<String>::new(), "{what}");
        sound(&copy);
        assert!(!beside(&copy).exists());
    }
    // Growing in another way first, and then in the first way.
    let one =
        Plan { budget: tabia_grow::Budget { expansions: Some(1), ..plan(1).budget }, ..plan(1) };
    grow_by(&path, &drawn.toy(), &one, workers(&drawn), &Nobody).unwrap();
    grow_by(&path, &drawn.toy(), &rest(&two(), &path), workers(&drawn), &Nobody).unwrap();
    sound(&path);
    assert_eq!(drawn.lacking(&Book::open(&path).unwrap()), Vec::<usize>::new());
}

/// What is false, and how an expansion becomes so.
type Plant = (&'static str, fn(&mut Value));

/// Changes that make what was saved false, each of which would harm the book.
const PLANTS: [Plant; 16] = [
    ("a target elsewhere", |one| one["asked"][0]["targets"][0]["key"] = json!(1)),
    ("another code", |one| one["asked"][0]["targets"][0]["code"] = json!(77)),
    ("the same side again", |one| {
        let turns = one["asked"][0]["targets"][0]["turns"].as_bool().unwrap();
        one["asked"][0]["targets"][0]["turns"] = json!(!turns);
    }),
    ("a won game", |one| one["asked"][0]["targets"][0]["ended"] = json!(1)),
    ("a position elsewhere", |one| one["asked"][0]["from"] = json!(30)),
    ("the other side", |one| {
        let second = one["asked"][0]["second"].as_bool().unwrap();
        one["asked"][0]["second"] = json!(!second);
    }),
    ("an illegal line", |one| one["asked"][0]["question"]["line"] = json!(["m9", "xx"])),
    ("an illegal move", |one| one["asked"][0]["question"]["among"][0] = json!("m9")),
    ("no moves", |one| {
        one["asked"][0]["question"]["among"] = json!([]);
        one["asked"][0]["targets"] = json!([]);
    }),
    ("none wanted", |one| one["asked"][0]["question"]["count"] = json!(0)),
    ("too many wanted", |one| one["asked"][0]["question"]["count"] = json!(u64::MAX)),
    ("nothing asked", |one| one["asked"] = json!([])),
    ("nothing new", |one| one["asked"][0]["is_new"] = json!(false)),
    ("a leaf that isn't there", |one| one["leaf"] = json!(12345)),
    ("an end that is none", |one| {
        let target = one["asked"][0]["targets"][0].clone();
        one["ends"] = json!([{ "from": one["leaf"], "target": target }]);
    }),
    ("an end nowhere", |one| {
        let mut target = one["asked"][0]["targets"][0].clone();
        target["ended"] = json!(1);
        one["ends"] = json!([{ "from": 999, "target": target }]);
    }),
];

#[test]
fn what_is_planted_is_noticed() {
    let (shelf, drawn) = (Shelf::new(), drawn());
    let (path, saved) = interrupted(&shelf, "grows.tabia", &drawn);
    let journal = std::fs::read(shelf.path("grows.tabia-journal")).unwrap();
    let book = std::fs::read(&path).unwrap();
    let last = saved["in_flight"].as_array().unwrap().len() - 1;
    for (what, change) in PLANTS {
        std::fs::write(&path, &book).unwrap();
        std::fs::write(shelf.path("grows.tabia-journal"), &journal).unwrap();
        let mut planted = saved.clone();
        change(&mut planted["in_flight"][last]);
        assert_ne!(planted, saved, "{what}");
        std::fs::write(beside(&path), planted.to_string()).unwrap();
        let watch = After::new(100);
        grow_by(&path, &drawn.toy(), &rest(&two(), &path), workers(&drawn), &watch).unwrap();
        let notes = watch.notes.borrow();
        assert_eq!(
            *notes,
            ["what was being expanded doesn't fit the book: it is chosen anew"],
            "{what}"
        );
        sound(&path);
        assert_eq!(drawn.lacking(&Book::open(&path).unwrap()), Vec::<usize>::new(), "{what}");
        assert!(!beside(&path).exists());
    }
}

/// What a command has left of its budget is known of it alone, and a planted number only ends it early.
#[test]
fn a_budget_is_that_of_the_command_that_was_interrupted() {
    let (shelf, drawn) = (Shelf::new(), drawn());
    let told = |path: &Path, plan: &Plan| {
        let watch = After::new(100);
        let grown = grow_by(path, &drawn.toy(), plan, workers(&drawn), &watch).unwrap().0;
        (grown.expansions, watch.notes.into_inner())
    };
    let six = Plan { budget: plan(6).budget, ..two() };
    let [path, whole] = ["same.tabia", "whole.tabia"].map(|name| shelf.book(name, &[], &[]));
    grow_by(&path, &drawn.toy(), &six, workers(&drawn), &After::new(2)).unwrap();
    let said = "goes on where it was interrupted: 4 expansions left".to_owned();
    assert_eq!((told(&path, &six), told(&whole, &six).0), ((4, vec![said]), 6));
    assert_eq!((bytes(&path), beside(&path).exists()), (bytes(&whole), false));
    let (path, saved) = interrupted(&shelf, "other.tabia", &drawn);
    assert_eq!(told(&path, &Plan { budget: plan(3).budget, ..two() }), (3, vec![]));
    for sequence in [0, 2, 3, u64::MAX] {
        let (path, _) = interrupted(&shelf, &format!("{sequence}.tabia"), &drawn);
        let mut planted = saved.clone();
        planted["book"] = serde_json::from_slice::<Value>(&std::fs::read(beside(&path)).unwrap())
            .unwrap()["book"]
            .clone();
        planted["command"]["sequence"] = json!(sequence);
        planted["command"]["millis"] = json!(u64::MAX);
        std::fs::write(beside(&path), planted.to_string()).unwrap();
        assert!(told(&path, &two()).0 <= 12, "{sequence}");
        sound(&path);
    }
}
