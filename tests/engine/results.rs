//! Books of counts without results: every game a draw, kept apart from books that know results.

use crate::books::{
    Content, WON, append_moves, append_positions, checked, collect, every_column, folder,
    merge_new, open, open_writer, sample,
};
use std::fs;
use std::path::Path;
use tabia::format::Results;
use tabia::stream::Chunk;
use tabia::{
    Batch, Book, Counts, Duplicates, Env, Error, Existing, MoveRow, NewBook, PositionRow, Row,
    diff, journal_path, merge_into,
};

/// The same rows, every game a draw.
fn counted(content: &Content) -> Content {
    let draws = |counts: Counts| Counts::new(0, counts.games() as u32, 0);
    let (positions, moves) = (content.positions.iter(), content.moves.rows().iter());
    let positions = positions.map(|row| PositionRow::of_hash(row.hash(), draws(row.counts())));
    let moves = moves.map(|row| MoveRow::of_hash(row.hash(), row.code(), draws(row.counts())));
    let moves = Chunk::of_rows(moves.collect());
    Content { positions: positions.collect(), moves, ..content.clone() }
}

fn without_results(content: &Content) -> NewBook<'_> {
    content.new_book().results(Results::Unknown)
}

fn write(content: &Content, path: &Path) -> Book {
    without_results(content).write(&Env::default(), path, Existing::Refuse).unwrap();
    open(path)
}

#[test]
fn counts_without_results_merge_with_their_like_and_stay_so() {
    let (folder, path) = folder();
    let (a, b) = (counted(&sample(1, 50)), counted(&sample(3, 50)));
    let books = [write(&a, &folder.path().join("a")), write(&b, &folder.path().join("b"))];
    let header = books[0].header();
    assert_eq!((header.results, header.incompatible()), (Results::Unknown, 2));
    let header = merge_new(&path, &books).unwrap();
    assert_eq!(header.results, Results::Unknown);
    write(&a.with(&b), &folder.path().join("all"));
    assert!(fs::read(&path).unwrap() == fs::read(folder.path().join("all")).unwrap());
    let draw = PositionRow::new(5, Counts::new(0, 1, 0));
    let mut writer = open_writer(&path);
    writer.append(Batch::new().add_position(draw)).unwrap();
    writer.compact().unwrap();
    let book = open(&path);
    assert_eq!(book.header().results, Results::Unknown);
    assert_eq!(book.position(5).unwrap().unwrap().counts().draws, 1);
    assert!(checked(&path).ok());
}

#[test]
fn b22_rows_with_results_make_no_book_of_counts_alone() {
    let (folder, path) = folder();
    let content = counted(&sample(1, 50));
    for counts in [Counts::new(1, 1, 0), Counts::new(0, 1, 1)] {
        let won = Content { positions: vec![PositionRow::new(7, counts)], ..Content::default() };
        let moves = Chunk::of_rows(vec![MoveRow::new(7, 1, counts)]);
        let lost = Content { moves, ..Content::default() };
        for wrong in [won, lost].map(|wrong| content.clone().with(&wrong)) {
            for wrong in [&wrong, &wrong.clone().with_cells(every_column(), 1)] {
                let new = without_results(wrong);
                let error = new.write(&Env::default(), &path, Existing::Refuse).unwrap_err();
                assert!(matches!(error, Error::Results { .. }), "{error}");
            }
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn counts_with_and_without_results_are_kept_apart() {
    let (folder, path) = folder();
    let content = counted(&sample(1, 20));
    let counts = write(&content, &path);
    let with_results = folder.path().join("results.tabia");
    Content { sources: Vec::new(), ..content }.write(&with_results);
    let results = open(&with_results);
    let output = folder.path().join("merged.tabia");
    let books = [counts, results];
    let swapped = || [open(&with_results), open(&path)];
    for error in [
        merge_new(&output, &books).unwrap_err(),
        merge_new(&output, &swapped()).unwrap_err(),
        merge_into(&Env::default(), &path, &books[1..], Duplicates::Refuse).unwrap_err(),
        merge_into(&Env::default(), &with_results, &books[..1], Duplicates::Refuse).unwrap_err(),
        diff(&Env::default(), &books[0], &books[1], |_| unreachable!()).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Incompatible { .. }), "{error}");
        assert!(error.to_string().contains("without results"), "{error}");
    }
    assert!(!output.exists() && !journal_path(&path).exists());
    assert!(!journal_path(&with_results).exists());
}

#[test]
fn j9_results_are_not_appended_to_counts_alone() {
    let (_folder, path) = folder();
    let content = counted(&sample(1, 20));
    write(&content, &path);
    let won = WON;
    let lost = Counts::new(0, 0, 1);
    let mut batches = [Batch::new(), Batch::new(), Batch::new()];
    batches[0].add_position(PositionRow::new(1, lost));
    batches[1].put_move(MoveRow::new(1, 2, won));
    let nothing = PositionRow::new(1, Counts::default());
    batches[2].add_move(MoveRow::new(1, 2, lost)).add_position(nothing);
    let mut writer = open_writer(&path);
    for batch in &batches {
        assert!(matches!(writer.append(batch), Err(Error::Results { .. })));
    }
    assert!(!journal_path(&path).exists());
    // A stream is seen only as it is written: the batch is taken back, and the writer does nothing
    // more.
    let (positions, moves) = (vec![PositionRow::new(1, won)], vec![MoveRow::new(1, 2, lost)]);
    let error = append_positions(&mut writer, &positions).unwrap_err();
    assert!(matches!(error, Error::Results { .. }), "{error}");
    assert!(matches!(writer.append(&Batch::new()), Err(Error::Poisoned { .. })));
    drop(writer);
    let mut writer = open_writer(&path);
    assert!(matches!(append_moves(&mut writer, &moves), Err(Error::Results { .. })));
    drop(writer);
    assert_eq!(collect::<PositionRow>(&open(&path)), content.positions);
    assert!(checked(&path).ok());
    assert_eq!(open_writer(&path).append(&Batch::new()).unwrap(), 1);
}
