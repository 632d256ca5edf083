//! Writing what is in a book once more, in the other layout: as another book, or in its own place.

use crate::books;
use crate::console::Console;
use crate::crowded;
use crate::disk::Disk;
use crate::failure::{Done, Verdict};
use crate::layout::{self, Layout};
use crate::made::Made;
use crate::numbers::{grouped, seconds};
use crate::output::Output;
use crate::place;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tabia::format::Header;
use tabia::stream::{RowSet, Rows};
use tabia::{
    Book, Columns, Env, Error, Existing, Hash, NewBook, Row, TableKind, View, journal_path,
};
use tabia_build::dedup::united_fingerprints;

/// What to write, and where.
#[derive(clap::Args)]
pub struct Repacking {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    /// Replace a book of that name
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was written, beside what it was made of.
#[derive(Serialize)]
struct Repacked {
    layout_before: &'static str,
    bytes_before: u64,
    /// Frames of the journal that went into it.
    frames: u64,
    #[serde(flatten)]
    made: Made,
    /// Tables of keys that collide, which are slow to look up.
    crowded: Vec<String>,
    seconds: f64,
    /// Both sizes, in words.
    #[serde(skip)]
    sizes: [String; 2],
    #[serde(skip)]
    journal: PathBuf,
}

/// Writes the book as another one in this layout, and reports it.
pub fn run(args: &Repacking, layout: Layout, console: &Console) -> Done {
    let repacked = repack(args, layout, console)?;
    let mut out = Output::of_summary(console);
    if args.json {
        out.json(&repacked)?;
    } else {
        repacked.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

fn repack(args: &Repacking, layout: Layout, console: &Console) -> Done<Repacked> {
    let start = Instant::now();
    place::check_book(&args.output, args.force)?;
    place::check_distinct(&args.output, [args.book.as_path()])?;
    let book = books::open(&args.book, View::Whole, console)?;
    let before = book.header();
    if Layout::of(before) == layout {
        let what = if layout == Layout::Packed { "is packed already" } else { "is not packed" };
        console.note(&format!("{} {what}: this makes a copy", args.book.display()));
    }
    let fingerprints = united_fingerprints(&Disk, &[&book], &args.output)?;
    let meter = console.meter_of_merge(layout.passes(before));
    let new = like(&book, layout)?.tables_of(&book);
    let now = new.write(&meter.env(), &args.output, args.force.into())?;
    drop(meter);
    fingerprints.map(|file| file.publish(Existing::Replace)).transpose()?;
    let crowded = crowded::tables(&now);
    crowded::warn(console, &args.output, &crowded);
    Ok(Repacked {
        layout_before: Layout::of(before).name(),
        bytes_before: before.file_length,
        frames: book.journal().frames,
        made: Made::new(&now),
        crowded: crowded::names(&crowded),
        seconds: seconds(start.elapsed()),
        sizes: [layout::size(before), layout::size(&now)],
        journal: journal_path(&args.book),
    })
}

/// A book of the same kind, sources and facts in this layout, without rows yet.
fn like(book: &Book, layout: Layout) -> Done<NewBook<'_>> {
    let new = NewBook::like(book.header()).packed(layout == Layout::Packed);
    Ok(new.sources(book.sources()?).facts(book.facts()?))
}

/// Writes a book in this layout in its own place, its journal laid over it; the new header.
pub fn in_place(env: &Env<'_>, book: &Book, layout: Layout) -> Done<Header> {
    let rows = Unchanged { book, is_sure: AtomicBool::new(false) };
    let mut new = like(book, layout)?;
    if book.has(TableKind::Positions) {
        new = new.positions(&rows);
    }
    if book.has(TableKind::Moves) {
        new = new.moves(&rows);
    }
    Ok(new.write(env, book.path(), Existing::Replace)?)
}

/// The rows of a book that is being replaced. It is locked when they are asked for, so that what
/// others added after it was opened, which would be lost, is noticed for sure.
struct Unchanged<'a> {
    book: &'a Book,
    /// Whether it was looked.
    is_sure: AtomicBool,
}

impl Unchanged<'_> {
    fn check(&self) -> tabia::Result<()> {
        let path = self.book.path();
        let now = Book::open(path)?;
        let state = |book: &Book| (book.digest(), book.journal().clone());
        if state(&now) != state(self.book) {
            return Err(Error::Changed { path: path.to_owned() });
        }
        self.is_sure.store(true, Ordering::Release);
        Ok(())
    }
}

impl<R: Row> RowSet<R> for Unchanged<'_>
where
    Book: RowSet<R>,
{
    fn columns(&self) -> Columns {
        RowSet::<R>::columns(self.book)
    }

    fn rows(&self) -> tabia::Result<Box<dyn Rows<R> + '_>> {
        self.rows_between(Hash::MIN..=Hash::MAX)
    }

    fn at_most(&self) -> u64 {
        RowSet::<R>::at_most(self.book)
    }

    fn exactly(&self) -> Option<u64> {
        RowSet::<R>::exactly(self.book)
    }

    fn hashes(&self) -> RangeInclusive<Hash> {
        RowSet::<R>::hashes(self.book)
    }

    fn rows_between(&self, hashes: RangeInclusive<Hash>) -> tabia::Result<Box<dyn Rows<R> + '_>> {
        if !self.is_sure.load(Ordering::Acquire) {
            self.check()?;
        }
        RowSet::<R>::rows_between(self.book, hashes)
    }

    fn is_seekable(&self) -> bool {
        RowSet::<R>::is_seekable(self.book)
    }
}

impl Repacked {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let [before, now] = &self.sizes;
        self.made.write_rows(out)?;
        if self.frames > 0 {
            let what = if self.frames == 1 { "frame" } else { "frames" };
            let from = tabia_build::one_line(&self.journal.display().to_string());
            writeln!(out, "journal     {:>14}  {what} of {from} went in", grouped(self.frames))?;
        }
        writeln!(out, "before      {:>14}  {before}", grouped(self.bytes_before))?;
        writeln!(out, "bytes       {:>14}  {now}", grouped(self.made.bytes()))?;
        writeln!(out, "seconds     {:>14.1}", self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use tabia::{Batch, Counts, MoveRow, PositionRow, Writer};

    fn position(key: u64) -> PositionRow {
        PositionRow::new(key, Counts { wins: 1, draws: 0, losses: 0 })
    }

    /// A book of one position and its move, and a journal that adds another position.
    fn book(folder: &Path) -> PathBuf {
        let path = folder.join("book.tabia");
        let moves = vec![MoveRow::new(1, 796, Counts { wins: 1, draws: 0, losses: 0 })];
        NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap())
            .positions(&vec![position(1)])
            .moves(&moves)
            .write(&Env::default(), &path, Existing::Refuse)
            .unwrap();
        add(&path, 2);
        path
    }

    fn add(path: &Path, key: u64) {
        let mut batch = Batch::new();
        batch.add_position(position(key));
        Writer::open(Env::default(), path).unwrap().append(&batch).unwrap();
    }

    #[test]
    fn a_book_is_packed_in_its_place_with_its_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = book(folder.path());
        let header =
            in_place(&Env::default(), &Book::open(&path).unwrap(), Layout::Packed).unwrap();
        let now = Book::open(&path).unwrap();
        assert!(header.packed && now.header().packed && !journal_path(&path).exists());
        assert_eq!(now.positions_of([1, 2]), [true, true]);
        assert_eq!(now.moves(1).unwrap().len(), 1);
    }

    #[test]
    fn what_was_added_after_the_book_was_opened_is_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = book(folder.path());
        let old = Book::open(&path).unwrap();
        add(&path, 3);
        let done = in_place(&Env::default(), &old, Layout::Packed);
        assert!(matches!(done, Err(crate::failure::Failure::Engine(Error::Changed { .. }))));
        let now = Book::open(&path).unwrap();
        assert!(!now.header().packed && now.journal().frames == 2);
        assert_eq!(now.positions_of([1, 3]), [true, true]);
    }

    trait Asked {
        fn positions_of(&self, keys: [u64; 2]) -> [bool; 2];
    }

    impl Asked for Book {
        fn positions_of(&self, keys: [u64; 2]) -> [bool; 2] {
            keys.map(|key| self.position(key).unwrap().is_some())
        }
    }
}
