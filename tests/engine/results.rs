//! Books of counts without results: every game a draw, kept apart from books that know results.

use crate::books::{Content, WithColumns, collect, every_column, folder, new_book, sample};
use std::fs;
use std::path::Path;
use tabia::format::{Load, Results};
use tabia::stream::RowSet;
use tabia::{
    Batch, Book, Companions, Counts, Duplicates, Env, Error, Existing, MergeOptions, MoveRow,
    NewBook, PositionRow, Row, Writer, check, diff, journal_path, merge, merge_into,
};

/// The same rows, every game a draw.
fn counted(content: &Content) -> Content {
    let draws = |counts: Counts| Counts { wins: 0, draws: counts.games() as u32, losses: 0 };
    let positions = content
        .positions
        .iter()
        .map(|row| PositionRow::of_hash(row.hash(), draws(row.counts())))
        .collect();
    let moves = content
        .moves
        .iter()
        .map(|row| MoveRow::of_hash(row.hash(), row.code(), draws(row.counts())))
        .collect();
    Content { positions, moves, ..content.clone() }
}

fn without_results(content: &Content) -> NewBook<'_> {
    new_book(content, Load::default()).results(Results::Unknown)
}

fn write(content: &Content, path: &Path) -> Book {
    without_results(content).write(&Env::default(), path, Existing::Refuse).unwrap();
    Book::open(path).unwrap()
}

#[test]
fn counts_without_results_merge_with_their_like_and_stay_so() {
    let (folder, path) = folder();
    let (a, b) = (counted(&sample(1, 50)), counted(&sample(3, 50)));
    let books = [write(&a, &folder.path().join("a")), write(&b, &folder.path().join("b"))];
    assert_eq!(
        (books[0].header().results, books[0].header().incompatible()),
        (Results::Unknown, 2)
    );
    let header = merge(&Env::default(), &path, &books, MergeOptions::default()).unwrap();
    assert_eq!(header.results, Results::Unknown);
    write(&a.with(&b), &folder.path().join("all"));
    assert!(fs::read(&path).unwrap() == fs::read(folder.path().join("all")).unwrap());
    let mut batch = Batch::new();
    batch.add_position(PositionRow::new(5, Counts { wins: 0, draws: 1, losses: 0 }));
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    writer.append(&batch).unwrap();
    writer.compact().unwrap();
    let book = Book::open(&path).unwrap();
    assert_eq!(
        (book.header().results, book.position(5).unwrap().unwrap().counts().draws),
        (Results::Unknown, 1)
    );
    assert!(check(&Env::default(), &path).unwrap().ok());
}

#[test]
fn b22_rows_with_results_make_no_book_of_counts_alone() {
    let (folder, path) = folder();
    let content = counted(&sample(1, 50));
    for counts in [Counts { wins: 1, draws: 1, losses: 0 }, Counts { wins: 0, draws: 1, losses: 1 }]
    {
        let won = Content { positions: vec![PositionRow::new(7, counts)], ..Content::default() };
        let lost = Content { moves: vec![MoveRow::new(7, 1, counts)], ..Content::default() };
        for wrong in [won, lost].map(|wrong| content.clone().with(&wrong)) {
            let error = without_results(&wrong)
                .write(&Env::default(), &path, Existing::Refuse)
                .unwrap_err();
            assert!(matches!(error, Error::Results { .. }), "{error}");
            let columns = WithColumns::new(wrong, every_column(), 1);
            let new = columns.new_book(Load::default()).results(Results::Unknown);
            assert!(matches!(
                new.write(&Env::default(), &path, Existing::Refuse),
                Err(Error::Results { .. })
            ));
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
    Content { sources: Vec::new(), ..content }.write(&with_results, Load::default());
    let results = Book::open(&with_results).unwrap();
    let output = folder.path().join("merged.tabia");
    let books = [counts, results];
    let swapped = || [Book::open(&with_results).unwrap(), Book::open(&path).unwrap()];
    for error in [
        merge(&Env::default(), &output, &books, MergeOptions::default()).unwrap_err(),
        merge(&Env::default(), &output, &swapped(), MergeOptions::default()).unwrap_err(),
        merge_into(&Env::default(), &path, &books[1..], Duplicates::Refuse).unwrap_err(),
        merge_into(&Env::default(), &with_results, &books[..1], Duplicates::Refuse).unwrap_err(),
        diff(&Env::default(), &books[0], &books[1], |_| unreachable!()).unwrap_err(),
    ] {
        assert!(
            matches!(error, Error::Incompatible { .. })
                && error.to_string().contains("without results"),
            "{error}"
        );
    }
    assert!(
        !output.exists() && !journal_path(&path).exists() && !journal_path(&with_results).exists()
    );
}

#[test]
fn j9_results_are_not_appended_to_counts_alone() {
    let (_folder, path) = folder();
    let content = counted(&sample(1, 20));
    write(&content, &path);
    let won = Counts { wins: 1, draws: 0, losses: 0 };
    let lost = Counts { wins: 0, draws: 0, losses: 1 };
    let mut batches = [Batch::new(), Batch::new(), Batch::new()];
    batches[0].add_position(PositionRow::new(1, lost));
    batches[1].put_move(MoveRow::new(1, 2, won));
    batches[2]
        .add_move(MoveRow::new(1, 2, lost))
        .add_position(PositionRow::new(1, Counts::default()));
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    for batch in &batches {
        assert!(matches!(writer.append(batch), Err(Error::Results { .. })));
    }
    assert!(!journal_path(&path).exists());
    // A stream is seen only as it is written: the batch is taken back, and the writer does nothing
    // more.
    let (positions, moves) = (vec![PositionRow::new(1, won)], vec![MoveRow::new(1, 2, lost)]);
    let error = writer
        .append_rows(Some(&mut *positions.rows().unwrap()), None, &[], &[], Companions::default())
        .unwrap_err();
    assert!(matches!(error, Error::Results { .. }), "{error}");
    assert!(matches!(writer.append(&Batch::new()), Err(Error::Poisoned { .. })));
    drop(writer);
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    assert!(matches!(
        writer.append_rows(
            None,
            Some(&mut *moves.rows().unwrap()),
            &[],
            &[],
            Companions::default()
        ),
        Err(Error::Results { .. })
    ));
    drop(writer);
    assert_eq!(collect::<PositionRow>(&Book::open(&path).unwrap()), content.positions);
    assert!(check(&Env::default(), &path).unwrap().ok());
    assert_eq!(Writer::open(Env::default(), &path).unwrap().append(&Batch::new()).unwrap(), 1);
}
