//! What a plan asks for is in the book, and a plan that can't be followed is refused with nothing
//! made.

use crate::shared::{build, file, rows_of};
use std::path::Path;
use tabia::format::{Keyed, Results};
use tabia::row::Marks;
use tabia::{
    Book, Column, Counts, Duplicates, Env, Error, Existing, MergeOptions, Row, TableKind, Writer,
    merge,
};
use tabia_archives::{IngestProgress, UnknownResults};
use tabia_build::dedup::{Dedup, SameBy};
use tabia_build::{ArchiveList, BuildError, BuildPlan, Tables};
use tabia_games::go::Symmetry;
use tabia_games::{Chess, Game, Go, Known, Othello, Side};

const GAMES: &str =
    "1. e4! e5? 2. Nf3!! 1-0\n\n1. e4 c5 0-1\n\n1. e4 e5 2. Nc3 1/2-1/2\n\n1. d4 *\n";

fn chess() -> BuildPlan {
    BuildPlan::new(Known::Chess(Chess::start()))
}

/// The book that a change of the plan makes of a text.
fn book(text: &str, change: impl FnOnce(&mut BuildPlan)) -> (tempfile::TempDir, Book) {
    let (folder, path) = file("games.pgn", text.as_bytes());
    let mut plan = chess();
    change(&mut plan);
    let place = folder.path().join("book.tabia");
    build(&plan, &[path], &place);
    let book = Book::open(place).expect("a book");
    (folder, book)
}

/// How many rows there are in the tables, and how many games at most at a position.
fn sizes(book: &Book) -> (usize, usize, u64) {
    let (positions, moves) = rows_of(book.path());
    let most = positions.rows().iter().map(|row| row.counts().games()).max();
    (positions.len(), moves.len(), most.unwrap_or(0))
}

#[test]
fn a_plan_chooses_tables_plies_and_a_floor_of_games() {
    assert_eq!(sizes(&book(GAMES, |_| ()).1), (6, 5, 3));
    assert_eq!(sizes(&book(GAMES, |plan| plan.max_ply = Some(1)).1), (2, 1, 3));
    assert_eq!(sizes(&book(GAMES, |plan| plan.min_games = 2).1), (3, 2, 3));
    let (_folder, only) =
        book(GAMES, |plan| plan.tables = Tables { positions: true, moves: false });
    let start = only.position(Chess::start().key()).expect("a table").expect("a row");
    assert_eq!(start.counts(), Counts::new(1, 1, 1));
    assert!(!only.has(TableKind::Moves));
}

#[test]
fn a_book_of_one_color_has_its_positions_moves_and_marks() {
    let text = "1. e4! e5? 2. Nf3!! 1-0\n";
    let of = |side| rows_of(book(text, |plan| plan.side = side).1.path());
    let (white, black, both) = (of(Some(Side::First)), of(Some(Side::Second)), of(None));
    assert_eq!((white.0.len(), white.1.len(), black.0.len(), black.1.len()), (2, 2, 2, 1));
    assert_eq!((both.0.len(), both.1.len()), (4, 3));
    assert!(white.0.rows().iter().all(|row| row.counts().wins == 1));
    assert!(black.0.rows().iter().all(|row| row.counts().losses == 1));
    let marks_of = |rows: &crate::shared::Rows| {
        rows.1.rows().iter().fold(Marks::empty(), |marks, row| marks | row.marks())
    };
    assert_eq!((marks_of(&white), marks_of(&black)), (Marks::GOOD | Marks::BRILLIANT, Marks::BAD));
}

#[test]
fn a_book_knows_how_it_is_keyed_whether_it_knows_results_and_its_plan() {
    let (_folder, lines) = book(GAMES, |plan| {
        plan.read.wanted.keyed = Keyed::Line;
        plan.read.wanted.unknown_results = UnknownResults::Count;
        (plan.max_ply, plan.filter) = (Some(2), true);
    });
    assert_eq!((lines.header().keyed, lines.header().results), (Keyed::Line, Results::Unknown));
    let facts = lines.facts().expect("facts");
    let facts = facts.iter().map(|fact| format!("{}={}", fact.name(), fact.value()));
    assert!(facts.eq(["plan.keyed=line", "plan.max-ply=2", "plan.results=unknown"]));
    let sources = lines.sources().expect("sources");
    assert_eq!((sources.len(), sources[0].name.as_str(), sources[0].games), (1, "games.pgn", 4));
}

#[test]
fn a_packed_book_is_that_of_the_plain_one() {
    let make = |packed, dedup| {
        let (_folder, book) = book(GAMES, |plan| {
            (plan.packed, plan.filter, plan.dedup) = (packed, true, dedup);
        });
        let content = (rows_of(book.path()), book.sources().expect("sources"));
        (book.header().packed, book.header().file_length, content)
    };
    for dedup in [None, Some((Dedup::Exact, SameBy::Moves))] {
        let (plain, packed) = (make(false, dedup), make(true, dedup));
        assert!(!plain.0 && packed.0 && packed.1 < plain.1);
        assert!(plain.2 == packed.2);
    }
}

#[test]
fn added_games_are_those_of_a_book_built_at_once() {
    let (folder, first) = file("first.pgn", GAMES.as_bytes());
    let second = folder.path().join("second.pgn");
    let rated = "[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n";
    std::fs::write(&second, rated).expect("a file");
    let mut plan = chess();
    plan.read.wanted.columns = [Column::RATINGS, Column::GAME].into_iter().collect();
    let place = |name: &str| folder.path().join(name);
    build(&plan, &[first.clone(), second.clone()], &place("whole.tabia"));
    build(&plan, std::slice::from_ref(&first), &place("book.tabia"));

    let mut writer = Writer::open(Env::default(), place("book.tabia")).expect("a book");
    let mut fitted = chess();
    fitted.fit(writer.header());
    assert_eq!(fitted.read.wanted.columns, plan.read.wanted.columns);
    let list = ArchiveList::of(std::slice::from_ref(&second)).expect("an archive");
    let add = |writer: &mut Writer<'_>| {
        fitted.add(&Env::default(), &list, &place("book.tabia"), writer, &mut ())
    };
    let added = add(&mut writer).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((added.sequence, added.games.games.games_in), (Some(1), 1));
    assert!(rows_of(&place("book.tabia")) == rows_of(&place("whole.tabia")));
    // Once more, while the same writer is open or another: its games are there already.
    drop(writer);
    let mut writer = Writer::open(Env::default(), place("book.tabia")).expect("a book");
    assert!(matches!(add(&mut writer), Err(BuildError::Engine(Error::DuplicateSource { .. }))));
    assert_eq!(writer.journal().frames, 1);
}

#[test]
fn merged_books_are_the_book_built_at_once() {
    const RATED: &str = "[WhiteElo \"2400\"]\n[BlackElo \"2300\"]\n[Date \"1990.05.17\"]\n[Result \"0-1\"]\n\n1. e4 {[%eval 0.3,12]} c5 {[%eval 0.2,9]} 2. Nf3 0-1\n\n[WhiteElo \"2000\"]\n[BlackElo \"2100\"]\n[Date \"1991\"]\n\n1. d4 {[%eval 0.1,9]} d5 1-0\n";
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let [first, second] = ["first.pgn", "second.pgn"].map(place);
    std::fs::write(&first, format!("{RATED}\n{GAMES}")).expect("a file");
    std::fs::write(&second, RATED.replace("Nf3", "Nc3").replace("199", "198")).expect("a file");
    let all = |names: &[&str]| names.iter().filter_map(|name| Column::of_name(name)).collect();
    let cases: [&dyn Fn(&mut BuildPlan); 5] = [
        &|plan| plan.max_ply = Some(3),
        &|plan| plan.read.wanted.evals = true,
        &|plan| {
            plan.read.wanted.evals = true;
            plan.read.wanted.filter.ratings.min = Some(2050);
        },
        &|plan| (plan.side, plan.read.wanted.columns) = (Some(Side::Second), all(&["years"])),
        &|plan| {
            plan.read.wanted.evals = true;
            plan.read.wanted.columns = all(&["ratings", "game", "years"]);
        },
    ];
    for (number, change) in cases.iter().enumerate() {
        let mut plan = chess();
        plan.existing = Existing::Replace;
        change(&mut plan);
        let archives = [first.clone(), second.clone()];
        build(&plan, &archives, &place("whole.tabia"));
        (plan.threads, plan.memory) = (3, 1 << 20);
        build(&plan, &[second.clone(), first.clone()], &place("again.tabia"));
        build(&plan, &archives[..1], &place("a.tabia"));
        build(&plan, &archives[1..], &place("b.tabia"));
        let books = ["b.tabia", "a.tabia"].map(|name| Book::open(place(name)).expect("a book"));
        let options = MergeOptions { existing: Existing::Replace, ..MergeOptions::default() };
        merge(&Env::default(), &place("merged.tabia"), &books, options).expect("a merge");
        let bytes = |name: &str| std::fs::read(place(name)).expect("a file");
        assert!(bytes("merged.tabia") == bytes("whole.tabia"), "plan {number}");
        assert!(bytes("again.tabia") == bytes("whole.tabia"), "plan {number}");
    }
}

#[test]
fn what_cannot_be_followed_is_refused_and_nothing_is_made() {
    let (folder, path) = file("games.pgn", GAMES.as_bytes());
    let place = folder.path().join("book.tabia");
    let of = |archives: &[&Path], change: &dyn Fn(&mut BuildPlan)| {
        let mut plan = chess();
        change(&mut plan);
        let archives: Vec<_> = archives.iter().map(|path| path.to_path_buf()).collect();
        let list = ArchiveList::of(&archives)?;
        plan.build(&Env::default(), &list, &place, &mut ()).map(drop)
    };
    let cases: [&dyn Fn(&mut BuildPlan); 6] = [
        &|plan| plan.tables = Tables { positions: false, moves: false },
        &|plan| {
            plan.tables.moves = false;
            plan.read.wanted.columns = [Column::YEARS].into_iter().collect();
        },
        &|plan| plan.read.wanted.corners = Some(9),
        &|plan| plan.read.wanted.set_up = true,
        &|plan| plan.threads = 0,
        &|plan| {
            (plan.read.game, plan.read.wanted.komi) =
                (Known::Othello(Othello::start()), "7.5".parse().ok())
        },
    ];
    for change in cases {
        assert!(matches!(of(&[&path], change), Err(BuildError::Plan(_))));
    }
    let twice = of(&[&path, &path], &|_| ());
    assert!(matches!(twice, Err(BuildError::Engine(Error::DuplicateSource { .. }))), "{twice:?}");
    assert!(matches!(of(&[&folder.path().join("none")], &|_| ()), Err(BuildError::Archive(_))));
    let none = of(&[&folder.path().join("*.none")], &|_| ());
    assert!(matches!(none, Err(BuildError::NoArchive { .. })));
    // I5: a text in another notation is no archive, whatever is legal in it by accident.
    let other = folder.path().join("other.lines");
    let text = "7g7f 3c3d 2g2f 1-0\n".repeat(20) + &"e2e4 1-0\n".repeat(3);
    std::fs::write(&other, text).expect("a file");
    assert!(matches!(of(&[&other], &|_| ()), Err(BuildError::Archive(_))));
    let files = || std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(files(), 2, "something was left behind");

    of(&[&path, &path], &|plan| plan.duplicates = Duplicates::Allow).expect("twice, as asked");
    let before = std::fs::read(&place).expect("a book");
    assert!(matches!(of(&[&path], &|_| ()), Err(BuildError::Engine(Error::Exists { .. }))));
    assert!(std::fs::read(&place).expect("a book") == before);
    of(&[&path], &|plan| plan.existing = Existing::Replace).expect("replaced, as asked");
    assert_eq!(files(), 3, "something was left behind");
}

/// Two trees of one file are two games, as a game that a PGN has twice is; of these and of copies
/// in other files counting copies once takes one.
#[test]
fn i7_a_game_in_two_trees_of_a_file_counts_twice_unless_copies_count_once() {
    let tree = |comment: &str| format!("(;GM[1]SZ[9]RE[B+1]C[{comment}];B[ee];W[cc])\n");
    let text = tree("plain") + &tree("with comments") + "(;GM[1]SZ[9]RE[B+1];B[ee];W[gg])\n";
    let games = |dedup| {
        let (folder, path) = file("games.sgf", text.as_bytes());
        let start = Go::start(9, Symmetry::None).expect("a size");
        let mut plan = BuildPlan::new(Known::Go(start));
        plan.dedup = dedup;
        let place = folder.path().join("book.tabia");
        build(&plan, &[path], &place);
        sizes(&Book::open(place).expect("a book")).2
    };
    assert_eq!(games(None), 3);
    assert_eq!(games(Some((Dedup::Exact, SameBy::Moves))), 2);
}

#[test]
fn the_size_of_a_book_is_bounded_by_the_plies() {
    let mut plan = chess();
    let (games, plies) = (20_000, 1_000_000);
    let read = IngestProgress { bytes: 5, games, plies, ..IngestProgress::default() };
    assert_eq!(plan.most_bytes(&read, 100), (20_000_000 * 60, 0));
    plan.packed = true;
    assert_eq!(plan.most_bytes(&read, 100), (20_000_000 * 13, 0));
    plan.packed = false;
    plan.max_ply = Some(10);
    assert_eq!(plan.most_bytes(&read, 100), (20 * 20_000 * 10 * 60, 0));
    plan.memory = 63_999_999;
    let scratch = plan.most_bytes(&read, 100).1;
    assert_eq!(scratch, 2 * 16 * 20 * 20_000 * 10, "of runs that are merged");
}
