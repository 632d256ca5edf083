//! A book that leaves out copies knows the games it has when more are added: by the fingerprints
//! beside it.

use crate::shared::{build, rows_of};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tabia::{Beside, Book, Env, Existing, Writer};
use tabia_build::dedup::{Dedup, KnownGames, SameBy};
use tabia_build::{Added, ArchiveList, BuildError, BuildPlan};
use tabia_games::{Chess, Known};

pub fn plan(dedup: Dedup) -> BuildPlan {
    let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
    plan.dedup = Some((dedup, SameBy::Moves));
    plan
}

/// Games of these numbers, all different, under tags that an archive has for itself.
pub fn games(numbers: std::ops::Range<u32>, tag: &str) -> String {
    const FIRST: [&str; 10] = ["a3", "a4", "b3", "b4", "c3", "c4", "d3", "d4", "e3", "e4"];
    const SECOND: [&str; 10] = ["a6", "a5", "b6", "b5", "c6", "c5", "d6", "d5", "e6", "e5"];
    const THIRD: [&str; 4] = ["h3", "h4", "Nh3", "g3"];
    let mut text = String::new();
    for number in numbers {
        let [first, second] =
            [(FIRST, number % 10), (SECOND, number / 10 % 10)].map(|(all, at)| all[at as usize]);
        let third = THIRD[(number / 100 % 4) as usize];
        let result = ["1-0", "0-1", "1/2-1/2"][(number % 3) as usize];
        write!(text, "[Event \"{tag}\"]\n[Result \"{result}\"]\n\n1. {first} {second} 2. {third} {result}\n\n")
            .expect("a text");
    }
    text
}

pub fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path
}

pub fn add(plan: &BuildPlan, archive: &Path, book: &Path) -> Result<Added, BuildError> {
    let list = ArchiveList::of(&[archive.to_owned()])?;
    let env = Env::default();
    let mut writer = Writer::open(env, book)?;
    plan.add(&env, &list, book, &mut writer, &mut ())
}

fn fingerprints(book: &Path) -> PathBuf {
    PathBuf::from(format!("{}-fingerprints", book.display()))
}

/// Of the games of an archive how many went in, and how many were left out as copies.
pub fn counted(added: &Added) -> (u64, u64) {
    let copies = added.copies.as_ref().map_or(0, |copies| copies.copies.iter().sum());
    (added.games.games.games_in, copies)
}

#[test]
fn weekly_archives_with_old_games_under_other_bytes_make_the_book_of_all_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    for (dedup, memory) in [(Dedup::Exact, 1 << 30), (Dedup::Exact, 1), (Dedup::Prefix, 1 << 30)] {
        let mut plan = plan(dedup);
        (plan.memory, plan.existing, plan.threads) = (memory, Existing::Replace, 2);
        let week = |week: u32| {
            // A fifth of each week was there in the week before.
            let text = games(week * 80..week * 80 + 100, &format!("week {week}"));
            written(folder.path(), &format!("week{week}.pgn"), &text)
        };
        let weeks: Vec<PathBuf> = (0..4).map(week).collect();
        let (weekly, whole) = (folder.path().join("weekly.tabia"), folder.path().join("all.tabia"));
        build(&plan, &weeks[..1], &weekly);
        for (week, archive) in weeks.iter().enumerate().skip(1) {
            let added = add(&plan, archive, &weekly).expect("games");
            assert_eq!((counted(&added), added.untold), ((80, 20), vec![]), "week {week}");
        }
        assert_eq!(build(&plan, &weeks, &whole).games.games.games_in, 340);
        let mut writer = Writer::open(Env::default(), &weekly).expect("a book");
        assert!(writer.compact().expect("a book"));
        drop(writer);
        assert!(rows_of(&weekly) == rows_of(&whole));
        // Head and tail of each of the batches, an archive each, and 16 bytes a game.
        let bytes = fs::metadata(fingerprints(&weekly)).expect("fingerprints").len();
        assert_eq!(bytes, 8 + 4 * (16 + 16 + 8) + 340 * 16);
        let again = written(folder.path(), "again.pgn", &games(0..340, "again"));
        assert_eq!(counted(&add(&plan, &again, &weekly).expect("nothing new")), (0, 340));
        fs::remove_file(fingerprints(&weekly)).expect("fingerprints");
    }
}

#[test]
fn what_was_written_for_a_batch_that_did_not_get_into_the_book_is_ignored() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = [(0..50, "a.pgn"), (50..90, "b.pgn")]
        .map(|(range, name)| written(folder.path(), name, &games(range, name)));
    let (plan, book) = (plan(Dedup::Exact), folder.path().join("book.tabia"));
    build(&plan, &[first], &book);
    let (old, journal) =
        (fs::read(&book).expect("a book"), folder.path().join("book.tabia-journal"));
    add(&plan, &second, &book).expect("games");
    // As after a crash between both files, or with an old copy of the book.
    fs::remove_file(journal).expect("a journal");
    assert_eq!(fs::read(&book).expect("a book"), old);
    assert_eq!(counted(&add(&plan, &second, &book).expect("games")), (40, 0));
    let third = written(folder.path(), "c.pgn", &games(0..91, "c"));
    assert_eq!(counted(&add(&plan, &third, &book).expect("games")), (1, 90));
}

#[test]
fn a_book_without_its_fingerprints_says_of_which_archives_copies_are_not_told() {
    // That is refused otherwise (`whole.rs`, W4).
    let mut plan = plan(Dedup::Exact);
    plan.beside = Beside::Leave;
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second, third] = [(0..50, "a.pgn"), (40..60, "b.pgn"), (30..70, "c.pgn")]
        .map(|(range, name)| written(folder.path(), name, &games(range, name)));
    let book = folder.path().join("book.tabia");
    build(&plan, &[first], &book);
    fs::remove_file(fingerprints(&book)).expect("fingerprints");
    let untold = |added: &Added| -> Vec<String> {
        added.untold.iter().map(|source| source.name.clone()).collect()
    };
    let added = add(&plan, &second, &book).expect("games");
    assert_eq!((counted(&added), untold(&added)), ((20, 0), vec!["a.pgn".to_owned()]));
    let added = add(&plan, &third, &book).expect("games");
    assert_eq!((counted(&added), untold(&added)), ((20, 20), vec!["a.pgn".to_owned()]));
    // Games that are compared by players, too, are others.
    let mut players = plan.clone();
    players.dedup = Some((Dedup::Exact, SameBy::MovesAndPlayers));
    let fourth = written(folder.path(), "d.pgn", &games(60..71, "d"));
    assert_eq!(untold(&add(&players, &fourth, &book).expect("games")).len(), 3);
}

#[test]
fn a_file_that_is_no_fingerprints_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = [(0..50, "a.pgn"), (50..90, "b.pgn")]
        .map(|(range, name)| written(folder.path(), name, &games(range, name)));
    let (mut plan, book) = (plan(Dedup::Exact), folder.path().join("book.tabia"));
    let place = fingerprints(&book);
    fs::write(&place, "my notes").expect("a file");
    let build = |plan: &BuildPlan| {
        let list = ArchiveList::of(std::slice::from_ref(&first)).expect("archives");
        plan.build(&Env::default(), &list, &book, &mut ())
    };
    assert!(matches!(build(&plan), Err(BuildError::Fingerprints { .. })) && !book.exists());
    assert_eq!(fs::read(&place).expect("a file"), b"my notes");
    fs::remove_file(&place).expect("a file");
    build(&plan).expect("a book");
    plan.existing = Existing::Replace;
    let sound = fs::read(&place).expect("fingerprints");
    let mut bad: Vec<Vec<u8>> =
        [1, 9, 30, 60, sound.len() - 1].map(|len| sound[..len].to_vec()).into();
    bad.extend((0..sound.len() * 8).step_by(7).map(|bit| {
        let mut flipped = sound.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    }));
    for bad in bad {
        fs::write(&place, &bad).expect("a file");
        let refused = add(&plan, &second, &book);
        assert!(matches!(refused, Err(BuildError::Fingerprints { .. })), "{refused:?}");
        assert_eq!(fs::read(&place).expect("a file"), bad);
    }
    fs::write(&place, &sound).expect("a file");
    assert_eq!(counted(&add(&plan, &second, &book).expect("games")), (40, 0));
    // Beside a book that has no use for any it is refused as well.
    let mut without = plan.clone();
    without.dedup = None;
    build(&without).expect("a book");
    fs::write(&place, "my notes").expect("a file");
    let refused = add(&plan, &second, &book);
    assert!(matches!(refused, Err(BuildError::Fingerprints { .. })), "{refused:?}");
    assert_eq!(fs::read(&place).expect("a file"), b"my notes");
}

#[test]
fn fingerprints_of_a_book_that_was_built_again_in_another_way_are_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = [(0..50, "a.pgn"), (40..60, "b.pgn")]
        .map(|(range, name)| written(folder.path(), name, &games(range, name)));
    let (with, book) = (plan(Dedup::Exact), folder.path().join("book.tabia"));
    build(&with, std::slice::from_ref(&first), &book);
    let known = |book: &Path| {
        let book = Book::open(book).expect("a book");
        let (sources, facts) = (book.sources().expect("sources"), book.facts().expect("facts"));
        KnownGames::of(fingerprints(book.path()), &sources, &facts).expect("fingerprints")
    };
    assert_eq!(known(&book).map(|known| (known.games, known.untold.len())), Some((50, 0)));
    // None of its games pass now.
    let mut without = plan(Dedup::Exact);
    (without.dedup, without.existing, without.allow_empty) = (None, Existing::Replace, true);
    without.read.wanted.filter.min_plies = 100;
    build(&without, &[first], &book);
    assert!(known(&book).is_none());
    let added = add(&with, &second, &book).expect("games");
    assert_eq!((counted(&added), added.untold.len()), ((20, 0), 1));
}

#[test]
fn a_pipe_in_the_place_of_fingerprints_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = written(folder.path(), "a.pgn", &games(0..50, "a"));
    let (plan, book) = (plan(Dedup::Exact), folder.path().join("book.tabia"));
    build(&plan, &[first], &book);
    let place = fingerprints(&book);
    fs::remove_file(&place).expect("fingerprints");
    let pipe = std::process::Command::new("mkfifo").arg(&place).status().expect("a pipe");
    assert!(pipe.success() && KnownGames::of(place, &[], &[]).is_err());
}
