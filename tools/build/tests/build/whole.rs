//! Whatever is made of whole books has their games and knows copies of them; and nobody who takes
//! the rows alone leaves the rest behind without a word.

use crate::fingerprints::{add, counted, games, plan, written};
use crate::shared::build;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tabia::{
    Beside, Book, BookFile, BookFiles, Column, Duplicates, Env, Error, Existing, MergeOptions,
    NewBook, Writer,
};
use tabia_build::dedup::Dedup;
use tabia_build::{BuildError, BuildPlan, KeptGames, whole};
use tabia_gamefile::{GameFile, path_beside};

/// Books in a folder, with games and fingerprints.
struct Shelf {
    folder: tempfile::TempDir,
    plan: BuildPlan,
}

impl Shelf {
    fn new() -> Self {
        let mut plan = plan(Dedup::Exact);
        plan.games = Some(KeptGames::All);
        plan.read.wanted.columns = [Column::GAME].into_iter().collect();
        Self { folder: tempfile::tempdir().expect("a folder"), plan }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn book(&self, name: &str, numbers: std::ops::Range<u32>) -> PathBuf {
        let archive = written(self.folder.path(), &format!("{name}.pgn"), &games(numbers, name));
        build(&self.plan, &[archive], &self.path(name));
        self.path(name)
    }

    /// Shares of a book, each whole, and the book that they make together.
    fn shared(&self, book: &Path, count: u32) -> (Vec<PathBuf>, PathBuf) {
        let (env, joined) = (Env::default(), self.path("joined"));
        let whole_options = MergeOptions { existing: Existing::Replace, ..MergeOptions::default() };
        let share = |number| {
            let path = self.path(&format!("share-{number}"));
            let share = format!("{number}/{count}").parse().ok();
            let options = MergeOptions { share, ..whole_options };
            let made = whole::merge(&env, &path, &open(&[book]), options).expect("a share");
            assert!(made.games.is_some());
            let found = whole::check(&env, &path).expect("a share");
            assert!(found.ok() && found.missing.is_empty(), "{found:?}");
            path
        };
        let shares: Vec<PathBuf> = (1..=count).map(share).collect();
        let paths: Vec<&Path> = shares.iter().map(PathBuf::as_path).collect();
        assert_eq!(whole::set_finding(open(&paths)).expect("books"), None);
        whole::merge(&env, &joined, &open(&paths), whole_options).expect("a book");
        (shares, joined)
    }

    /// Makes sure that a book has all that belongs to it, of the games of these numbers: nothing is
    /// missing or damaged, and all of these games are known for copies.
    fn is_whole(&self, book: &Path, numbers: std::ops::Range<u32>) {
        let count = u64::from(numbers.end - numbers.start);
        let found = whole::check(&Env::default(), book).expect("a book");
        assert!(found.ok(), "{found:?}");
        assert_eq!(found.games.expect("games").found.games, count);
        let again = written(self.folder.path(), "again.pgn", &games(numbers, "again"));
        assert_eq!(counted(&add(&self.plan, &again, book).expect("nothing new")), (0, count));
        let files = BookFiles::of(book);
        let files: Vec<_> = files.present().map(|(file, _)| file).collect();
        let expected = [BookFile::Book, BookFile::Journal, BookFile::Games, BookFile::Fingerprints];
        assert_eq!(files, expected);
    }
}

fn open(paths: &[&Path]) -> Vec<Book> {
    paths.iter().map(|path| Book::open(path).expect("a book")).collect()
}

/// Merges books into another one, with all that belongs to them.
fn merge_into(writer: &mut Writer<'_>, books: &[&Path]) -> Result<(), BuildError> {
    let (env, books) = (Env::default(), open(books));
    whole::merge_into(&env, writer, &books, Duplicates::Refuse, Beside::Refuse).map(drop)
}

#[test]
fn every_book_made_of_whole_books_is_whole() {
    let shelf = Shelf::new();
    let (a, b) = (shelf.book("a", 0..60), shelf.book("b", 60..100));
    let (env, new) = (Env::default(), shelf.path("new"));
    whole::merge(&env, &new, &open(&[&a, &b]), MergeOptions::default()).expect("a book");
    shelf.is_whole(&new, 0..100);
    for packed in [true, false] {
        whole::copy(&env, &open(&[&b])[0], &new, packed, Existing::Replace).expect("a book");
        assert_eq!(open(&[&new])[0].header().packed, packed);
        shelf.is_whole(&new, 60..100);
    }
    let saved = whole::salvage(&env, &b, &new, Existing::Replace, |_, _| Ok::<_, BuildError>(()));
    let saved = saved.expect("a book");
    assert!(saved.rows.bad.is_empty() && saved.fingerprints.is_none());
    shelf.is_whole(&new, 60..100);
    let mut writer = Writer::open(env, &a).expect("a book");
    merge_into(&mut writer, &[&b]).expect("books");
    assert!(writer.compact().expect("a book"));
    drop(writer);
    shelf.is_whole(&a, 0..100);
}

#[test]
fn rows_alone_are_taken_of_a_whole_book_only_where_that_is_asked_for() {
    let shelf = Shelf::new();
    let (a, b) = (shelf.book("a", 0..20), shelf.book("b", 20..30));
    let (env, new) = (Env::default(), shelf.path("new"));
    fs::remove_file(BookFile::Fingerprints.beside(&b)).expect("fingerprints");
    fs::remove_file(path_beside(&b)).expect("games");
    let refused = |done: tabia::Result<()>| {
        assert!(matches!(&done, Err(Error::LeftBehind { file, .. }) if *file == path_beside(&a)));
        assert!(!new.exists());
    };
    let both = open(&[&b, &a]);
    let merge = |beside| {
        let options = MergeOptions { beside, ..MergeOptions::default() };
        tabia::merge(&env, &new, &both, options).map(drop)
    };
    refused(merge(Beside::Refuse));
    refused(tabia::merge_into(&env, &b, &both[1..], Duplicates::Refuse).map(drop));
    let copy = || NewBook::copy_of(&both[1]).expect("a book").packed(true);
    refused(copy().write(&env, &new, Existing::Refuse).map(drop));
    copy().beside(Beside::Leave).write(&env, &new, Existing::Refuse).expect("a book");
    fs::remove_file(&new).expect("a book");
    merge(Beside::Leave).expect("a book");
    // In its own place a book loses nothing.
    copy().write(&env, &a, Existing::Replace).expect("a book");
    let saved = shelf.path("saved");
    let report = tabia::salvage(&env, &a, &saved, Existing::Refuse).expect("a book");
    assert_eq!(report.left_behind, [path_beside(&a), BookFile::Fingerprints.beside(&a)]);
    // What both are of is whole but for the games of one, which is said.
    let said = |beside| {
        let options = MergeOptions { beside, ..MergeOptions::default() };
        whole::merge(&env, &shelf.path("said"), &both, options)
    };
    let refused = said(Beside::Refuse);
    assert!(matches!(refused, Err(BuildError::Missing { file, .. }) if file == path_beside(&b)));
    assert_eq!(said(Beside::Leave).expect("a book").without_games, [b]);
}

#[test]
fn all_files_of_a_book_have_its_mode() {
    let shelf = Shelf::new();
    let (a, b) = (shelf.book("a", 0..20), shelf.book("b", 20..30));
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    fs::set_permissions(&a, fs::Permissions::from_mode(0o600)).expect("ours");
    let mut writer = Writer::open(Env::default(), &a).expect("a book");
    merge_into(&mut writer, &[&b]).expect("books");
    drop(writer);
    let files: Vec<_> = BookFiles::of(&a).present().collect();
    assert_eq!(files.len(), 4);
    assert!(files.iter().all(|(_, path)| mode(path) == 0o600), "{files:?}");
}

#[test]
fn a_refused_merge_into_a_book_changes_none_of_its_files() {
    let shelf = Shelf::new();
    let a = shelf.book("a", 0..20);
    let before = fs::read(path_beside(&a)).expect("games");
    let mut writer = Writer::open(Env::default(), &a).expect("a book");
    // The same archive under another name.
    let copied = shelf.path("copied");
    whole::copy(&Env::default(), &open(&[&a])[0], &copied, true, Existing::Refuse).expect("a book");
    // That is said before anything that its rows would need.
    fs::remove_file(path_beside(&copied)).expect("games");
    let refused = merge_into(&mut writer, &[&copied]);
    assert!(matches!(refused, Err(BuildError::Engine(Error::DuplicateSource { .. }))));
    assert!(fs::read(path_beside(&a)).expect("games") == before);
    let beside = GameFile::beside(&open(&[&a])[0]).expect("games").expect("a file");
    assert_eq!(beside.header().games, 20);
}

/// W4: a book whose games or fingerprints are gone says so, and nothing goes on as if it had none.
#[test]
fn w4_what_a_book_lacks_is_said_and_nothing_is_added_without_it() {
    let shelf = Shelf::new();
    let (a, b) = (shelf.book("a", 0..20), shelf.book("b", 20..30));
    let more = written(shelf.folder.path(), "more.pgn", &games(10..40, "more"));
    let env = Env::default();
    for file in [BookFile::Games, BookFile::Fingerprints] {
        let (path, aside) = (file.beside(&a), shelf.path("aside"));
        fs::rename(&path, &aside).expect("a file");
        let before = fs::read(&a).expect("a book");
        let found = whole::check(&env, &a).expect("a book");
        assert!(!found.ok() && found.missing == [path.clone()], "{found:?}");
        let missing = |error: BuildError| {
            assert!(matches!(&error, BuildError::Missing { file, .. } if *file == path), "{error}");
        };
        missing(add(&shelf.plan, &more, &a).expect_err("nothing is added"));
        let merge = whole::merge(&env, &shelf.path("c"), &open(&[&a, &b]), MergeOptions::default());
        missing(merge.expect_err("nothing is merged"));
        let mut writer = Writer::open(env, &b).expect("a book");
        missing(merge_into(&mut writer, &[&a]).expect_err("nothing is merged"));
        assert!(fs::read(&a).expect("a book") == before && !BookFile::Journal.beside(&a).exists());
        fs::rename(&aside, &path).expect("a file");
    }
    assert!(whole::check(&env, &a).expect("a book").missing.is_empty());
    let mut plan = shelf.plan.clone();
    plan.beside = Beside::Leave;
    fs::remove_file(BookFile::Fingerprints.beside(&a)).expect("a file");
    assert_eq!(counted(&add(&plan, &more, &a).expect("games")), (30, 0));
}

/// W3: games that are in several books without copies count once, as if all archives had been read at
/// once: whatever the order, the layout and the way of merging, whichever copy counts.
#[test]
fn w3_books_that_have_games_in_common_are_merged_as_if_read_at_once() {
    let mut shelf = Shelf::new();
    let columns = [Column::GAME, Column::RATINGS, Column::YEARS];
    shelf.plan.read.wanted.columns = columns.into_iter().collect();
    (shelf.plan.max_ply, shelf.plan.existing) = (Some(2), Existing::Replace);
    let archive = |name: &str, numbers, tags: &str| {
        let text = games(numbers, name).replace("[Result", &format!("{tags}[Result"));
        written(shelf.folder.path(), name, &text)
    };
    // Copies without ratings, with other ones, and the same under another event.
    let archives = [
        archive("a.pgn", 0..60, ""),
        archive("b.pgn", 40..100, "[WhiteElo \"2500\"]\n[BlackElo \"2600\"]\n[Date \"2001\"]\n"),
        archive("c.pgn", 50..70, "[WhiteElo \"2501\"]\n[BlackElo \"2600\"]\n[Date \"2001\"]\n"),
        archive("d.pgn", 0..10, ""),
    ];
    let books = [0, 1, 2, 3].map(|number| {
        let book = shelf.path(&format!("{number}.tabia"));
        build(&shelf.plan, &archives[number..=number], &book);
        book
    });
    let (env, options) = (Env::default(), MergeOptions::default());
    let (packed, all) = (shelf.path("packed"), shelf.path("all"));
    whole::copy(&env, &open(&[&books[1]])[0], &packed, true, Existing::Refuse).expect("a book");
    build(&shelf.plan, &archives, &all);
    let files = [BookFile::Book, BookFile::Journal, BookFile::Games, BookFile::Fingerprints];
    let bytes = |book: &Path| files.map(|file| fs::read(file.beside(book)).ok());
    let (expected, merged) = (bytes(&all), shelf.path("merged"));
    build(&shelf.plan, &[3, 2, 1, 0].map(|number| archives[number].clone()), &all);
    assert!(bytes(&all) == expected, "the order of archives shows");
    let [a, b, c, d] = [0, 1, 2, 3].map(|number| books[number].as_path());
    for order in [[a, b, c, d], [d, b, c, a], [c, &packed, a, d]] {
        let options = MergeOptions { existing: Existing::Replace, ..options };
        let made = whole::merge(&env, &merged, &open(&order), options).expect("a book");
        assert_eq!(made.copies, 50);
        assert!(bytes(&merged) == expected, "{order:?}");
        let shares = [1, 2].map(|number| {
            let path = shelf.path(&format!("{number}-of-2"));
            let share = format!("{number}/2").parse().ok();
            let options = MergeOptions { share, ..options };
            whole::merge(&env, &path, &open(&order), options).expect("a share");
            path
        });
        whole::merge(&env, &merged, &open(&[&shares[1], &shares[0]]), options).expect("a book");
        assert!(bytes(&merged) == expected, "{order:?} by shares");
    }
    // Two by two: what was left out of one book is in the other one.
    let halves = [[a, b], [c, d]].map(|pair| {
        let path = shelf.path(&format!("half-{}", pair[0].display()).replace('/', "-"));
        whole::merge(&env, &path, &open(&pair), options).expect("a half");
        path
    });
    let options = MergeOptions { existing: Existing::Replace, ..options };
    whole::merge(&env, &merged, &open(&[&halves[0], &halves[1]]), options).expect("a book");
    assert!(bytes(&merged) == expected, "by halves");
    let mut writer = Writer::open(env, b).expect("a book");
    let [one, other] = [[a, d], [d, a]].map(|order| {
        writer.undo().expect("a book");
        let (books, refuse) = (open(&order), Duplicates::Refuse);
        let into = whole::merge_into(&env, &mut writer, &books, refuse, Beside::Refuse);
        assert_eq!(into.expect("books").copies, 30);
        fs::read(BookFile::Journal.beside(b)).expect("a journal")
    });
    assert!(one == other, "the order of books shows");
    drop(writer);
    shelf.is_whole(b, 0..100);
}

/// W3: where the games can't be counted again, nothing is merged unless they are to count twice.
#[test]
fn w3_games_that_cannot_be_counted_again_are_not_counted_twice_unasked() {
    let mut shelf = Shelf::new();
    let (a, b) = (shelf.book("a", 0..60), shelf.book("b", 48..100));
    shelf.plan.max_ply = Some(2);
    let other_plies = shelf.book("plies", 40..60);
    shelf.plan.max_ply = None;
    let env = Env::default();
    let refused = |other: &Path, expected: &str| {
        for books in [[&*a, other], [other, &a]] {
            let done = whole::merge(&env, &shelf.path("c"), &open(&books), MergeOptions::default());
            let why = match done {
                Err(BuildError::Copies { games: 12 | 20, why, .. }) => why,
                done => panic!("{expected}: {done:?}"),
            };
            assert!(why.contains(expected), "{why}");
            assert!(!shelf.path("c").exists());
        }
    };
    refused(&other_plies, "other plies");
    // An archive in two books is what is said, if there is one.
    let both = shelf.path("both");
    let archives = ["a.pgn", "b.pgn"].map(|name| shelf.path(name));
    build(&shelf.plan, &archives, &both);
    let done = whole::merge(&env, &shelf.path("c"), &open(&[&a, &both]), MergeOptions::default());
    assert!(matches!(done, Err(BuildError::Engine(Error::DuplicateSource { .. }))), "{done:?}");
    // What games don't say counts too.
    let marked = shelf.path("marked");
    let with_marks = games(48..60, "m").replace(" 2. ", "! 2. ");
    let archive = written(shelf.folder.path(), "marked.pgn", &with_marks);
    build(&shelf.plan, &[archive], &marked);
    refused(&marked, "more or less counts in it");
    let mut writer = Writer::open(env, &a).expect("a book");
    let into = merge_into(&mut writer, &[&marked]);
    assert!(matches!(into, Err(BuildError::Copies { games: 12, .. })), "{into:?}");
    drop(writer);
    fs::remove_file(path_beside(&b)).expect("games");
    let options = MergeOptions { beside: Beside::Leave, ..MergeOptions::default() };
    let done = whole::merge(&env, &shelf.path("c"), &open(&[&a, &b]), options);
    assert!(matches!(done, Err(BuildError::Copies { games: 12, .. })), "{done:?}");
    let options = MergeOptions { duplicates: Duplicates::Allow, ..options };
    whole::merge(&env, &shelf.path("c"), &open(&[&a, &b]), options).expect("a book");
    // Shares of a book have all its fingerprints each, and are one book again.
    let (_, joined) = shelf.shared(&a, 2);
    shelf.is_whole(&joined, 0..60);
}

/// M7: games go with shares, each to those that need it; joined they are the games of the whole.
#[test]
fn m7_games_go_with_shares() {
    let shelf = Shelf::new();
    for kept in [KeptGames::All, KeptGames::Named] {
        let mut plan = shelf.plan.clone();
        (plan.games, plan.existing, plan.max_ply) = (Some(kept), Existing::Replace, Some(2));
        let archive = written(shelf.folder.path(), "all.pgn", &games(0..300, "all"));
        let whole_book = shelf.path("whole");
        build(&plan, &[archive], &whole_book);
        let (shares, joined) = shelf.shared(&whole_book, 4);
        let bytes = |file: BookFile, book: &Path| fs::read(file.beside(book)).expect("a file");
        assert!(bytes(BookFile::Book, &joined) == bytes(BookFile::Book, &whole_book));
        assert!(bytes(BookFile::Games, &joined) == bytes(BookFile::Games, &whole_book), "{kept:?}");
        let games = |book: &Path| GameFile::open(path_beside(book)).expect("games").header().games;
        assert!(games(&shares[0]) < games(&whole_book));
    }
}
