//! Work over whole files: building, merging, compacting, checking, against copying or hashing the
//! same bytes.

use crate::args::{Args, Build};
use crate::measure::{alternate, seconds};
use crate::ours::file_length;
use crate::raw;
use crate::report::{Compared, Report, Rival, Times, with_speed};
use crate::workload::{key, move_rows, position_row};
use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tabia::sort::{Sorted, Sorter};
use tabia::storage::System;
use tabia::{Batch, Book, Env, MergeOptions, NewBook, TableKind, Writer};
use xxhash_rust::xxh3::Xxh3Default;

/// Bytes that are copied or hashed at once.
const AT_ONCE: usize = 1 << 20;
/// Bytes that [`tabia::check`] reads at once; hashing alone reads likewise.
const CHECKED_AT_ONCE: usize = 3 * 22 * 4096;

/// Runs both in turn, as [`alternate`], each with memory at hand for what it writes; their seconds,
/// and what ours gave.
fn alternate_writing<T>(
    round: usize,
    ours: impl FnOnce() -> Result<T>,
    theirs: impl FnOnce() -> Result<()>,
) -> Result<(f64, f64, T)> {
    let (ours, theirs) = alternate(
        round,
        || raw::reclaim().and_then(|()| seconds(ours)).map(|(time, done)| (time, Some(done))),
        || raw::reclaim().and_then(|()| seconds(theirs)).map(|(time, ())| (time, None)),
    );
    let ((ours, done), (theirs, _)) = (ours?, theirs?);
    Ok((ours, theirs, done.context("ours ran")?))
}

/// Enters a line of work over so many bytes, of which each round says ours and the rival's seconds.
fn enter(
    report: &mut Report,
    args: &Args,
    what: &str,
    rival: &str,
    bytes: u64,
    round: impl FnMut(usize) -> Result<(f64, f64)>,
) -> Result<()> {
    let mut times = Times::default();
    for seconds in (0..args.rounds).map(round) {
        let (ours, theirs) = seconds?;
        times.push(ours, theirs);
    }
    let rival = Rival::new(rival, Compared::Speed(Some(0.7)));
    report.add_with(what, rival, times, with_speed(bytes));
    Ok(())
}

/// Builds a book of the positions with these numbers.
pub fn build_positions(building: Build<'_>, path: &Path, numbers: Range<u64>) -> Result<()> {
    let mut sorter = Sorter::new(&System, building.folder, building.memory);
    for i in numbers {
        sorter.push(position_row(key(i)))?;
    }
    let rows = Sorted::join(&Env::default(), vec![sorter.finish()])?;
    new_book()?.filter(building.filter).positions(&rows).write(
        &Env::default(),
        path,
        tabia::Existing::Refuse,
    )?;
    Ok(())
}

/// Makes a book of moves with as many rows; how many positions they were played at is returned.
pub fn build_moves(args: &Args, path: &Path) -> Result<u64> {
    let mut sorter = Sorter::new(&System, &args.folder, args.memory);
    let (mut rows, mut positions) = (0, 0);
    while rows < args.rows {
        for row in move_rows(key(positions)) {
            sorter.push(row)?;
            rows += 1;
        }
        positions += 1;
    }
    let rows = Sorted::join(&Env::default(), vec![sorter.finish()])?;
    new_book()?.moves(&rows).write(&Env::default(), path, tabia::Existing::Replace)?;
    Ok(positions)
}

fn new_book() -> Result<NewBook<'static>> {
    Ok(NewBook::new("chess".parse()?, "polyglot".parse()?))
}

/// Merges two halves that have a tenth in common, in rounds with copying both into one file.
pub fn merge(report: &mut Report, args: &Args) -> Result<()> {
    let [a, b, merged, copied] =
        ["a.tabia", "b.tabia", "merged.tabia", "copied"].map(|name| args.folder.join(name));
    let rows = args.rows;
    remove_all(&[&a, &b, &merged, &copied])?;
    build_positions(args.building(), &a, 0..rows / 100 * 55)?;
    build_positions(args.building(), &b, rows / 100 * 45..rows)?;
    let bytes = file_length(&a)? + file_length(&b)?;
    let what = format!("merge of two books, {} rows together, a tenth shared", millions(rows));
    enter(report, args, &what, "cat a b > c, synced", bytes, |round| {
        remove_all(&[&merged, &copied])?;
        let merge = || merge_positions(&merged, [&a, &b]);
        let copy = || copy(&[&a, &b], &copied);
        let (ours, theirs, merged_rows) = alternate_writing(round, merge, copy)?;
        ensure!(merged_rows == rows, "merging gave {merged_rows} rows");
        Ok((ours, theirs))
    })?;
    remove_all(&[&a, &b, &merged, &copied])
}

/// Merges two books; how many rows the new one has is returned.
pub fn merge_positions(merged: &Path, books: [&Path; 2]) -> Result<u64> {
    let books = [Book::open(books[0])?, Book::open(books[1])?];
    let header = tabia::merge(&Env::default(), merged, &books, MergeOptions::default())?;
    Ok(header.table(TableKind::Positions).map_or(0, |table| table.shape.rows))
}

/// Compacts a journal of ten thousand rows into a book, in rounds with copying the book.
pub fn compact(report: &mut Report, args: &Args, book: &Path) -> Result<()> {
    let [mine, copied] = ["compacted.tabia", "copied"].map(|name| args.folder.join(name));
    copy(&[book], &mine)?;
    let (bytes, mut next) = (file_length(book)?, 1 << 40);
    let what = "compact 10,000 rows of journal into the book";
    enter(report, args, what, "cp, synced", bytes, |round| {
        remove(&copied)?;
        let mut writer = Writer::open(Env::default(), &mine)?;
        let mut batch = Batch::new();
        for i in next..next + 10_000 {
            batch.add_position(position_row(key(i)));
        }
        next += 10_000;
        writer.append(&batch)?;
        let copy = || copy(&[book], &copied);
        let (ours, theirs, compacted) = alternate_writing(round, || Ok(writer.compact()?), copy)?;
        ensure!(compacted, "there was nothing to compact");
        Ok((ours, theirs))
    })?;
    remove_all(&[&mine, &copied])
}

/// Verifies a book, in rounds with hashing the file alone.
pub fn check(report: &mut Report, args: &Args, book: &Path) -> Result<()> {
    let (what, rival) = ("check, file in the page cache", "xxh3 over the same file, read likewise");
    enter(report, args, what, rival, file_length(book)?, |round| {
        let check = || seconds(|| check_rows(book));
        let (ours, theirs) = alternate(round, check, || seconds(|| hash(book)));
        let ((ours, rows), (theirs, _)) = (ours?, theirs?);
        ensure!(rows == args.rows, "check saw {rows} rows");
        Ok((ours, theirs))
    })
}

/// Verifies a book; how many rows it has is returned.
pub fn check_rows(book: &Path) -> Result<u64> {
    let found = tabia::check(&Env::default(), book)?;
    ensure!(found.ok(), "check found damage");
    Ok(found.rows)
}

fn hash(path: &Path) -> Result<u64> {
    let mut hasher = Xxh3Default::new();
    raw::each_piece(path, CHECKED_AT_ONCE, |piece| {
        hasher.update(piece);
        Ok(())
    })?;
    Ok(std::hint::black_box(hasher.digest()))
}

/// What `cat FROM... > TO && sync TO` does.
fn copy(from: &[&Path], to: &Path) -> Result<()> {
    let mut output = File::create(to)?;
    for path in from {
        raw::each_piece(path, AT_ONCE, |piece| Ok(output.write_all(piece)?))?;
    }
    Ok(output.sync_all()?)
}

fn remove_all(paths: &[&PathBuf]) -> Result<()> {
    paths.iter().try_for_each(|path| remove(path))
}

/// Removes a file or a folder, if it is there.
pub fn remove(path: &Path) -> Result<()> {
    let removed =
        if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => Ok(removed?),
    }
}

/// A number of rows as text.
pub fn millions(rows: u64) -> String {
    if rows.is_multiple_of(1_000_000) {
        format!("{} M", rows / 1_000_000)
    } else {
        rows.to_string()
    }
}
