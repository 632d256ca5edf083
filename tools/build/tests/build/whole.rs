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

    /// A book of the games of these numbers.
    fn book(&self, name: &str, numbers: std::ops::Range<u32>) -> PathBuf {
        let archive = written(self.folder.path(), &format!("{name}.pgn"), &games(numbers, name));
        build(&self.plan, &[archive], &self.path(name));
        self.path(name)
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
    let saved = whole::salvage(&env, &b, &new, Existing::Replace, |_| Ok::<_, BuildError>(()));
    let saved = saved.expect("a book");
    assert!(saved.rows.bad.is_empty() && saved.fingerprints.is_none());
    shelf.is_whole(&new, 60..100);
    let mut writer = Writer::open(env, &a).expect("a book");
    whole::merge_into(&env, &mut writer, &open(&[&b]), Duplicates::Refuse).expect("books");
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
    let found = whole::merge(&env, &shelf.path("said"), &both, MergeOptions::default());
    assert_eq!(found.expect("a book").without_games, [b]);
}

#[test]
fn all_files_of_a_book_have_its_mode() {
    let shelf = Shelf::new();
    let (a, b) = (shelf.book("a", 0..20), shelf.book("b", 20..30));
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    fs::set_permissions(&a, fs::Permissions::from_mode(0o600)).expect("ours");
    let env = Env::default();
    let mut writer = Writer::open(env, &a).expect("a book");
    whole::merge_into(&env, &mut writer, &open(&[&b]), Duplicates::Refuse).expect("books");
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
    let books = open(&[&copied]);
    let refused = whole::merge_into(&Env::default(), &mut writer, &books, Duplicates::Refuse);
    assert!(matches!(refused, Err(BuildError::Engine(Error::DuplicateSource { .. }))));
    assert!(fs::read(path_beside(&a)).expect("games") == before);
    assert_eq!(GameFile::beside(&a).expect("games").map(|file| file.header().games), Some(20));
}
