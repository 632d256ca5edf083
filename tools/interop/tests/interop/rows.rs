//! Rows written and read in all formats: they lead back to the same book, byte for byte, and bad ones
//! are refused.

use std::path::{Path, PathBuf};
use tabia::format::{Digest, Fact, Keyed, Results, Share, Source};
use tabia::stream::Chunk;
use tabia::{
    BestGame, Book, Cells, Column, Columns, Counts, Env, Existing, Flags, Header, Marks, MoveRow,
    NO_EVAL, NewBook, PositionRow, Ratings, Row, TableKind, WithCells, Years, sort_and_merge,
};
use tabia_interop::rows::{self, Given, LoadError, Loader, RowFormat};

/// A folder for books and rows, gone when the test is over.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    fn make(&self, name: &str, book: NewBook<'_>) {
        book.write(&Env::default(), &self.path(name), Existing::Refuse).unwrap();
    }

    /// Makes a book of these files of rows, and how many rows there were.
    fn load(&self, name: &str, files: &[PathBuf]) -> Result<(Header, u64), LoadError> {
        let mut loader = Loader::new(Env::default(), self.0.path(), 1 << 24, Given::default());
        for path in files {
            let read = |error: rows::ReadError| LoadError::Read {
                path: path.clone(),
                error: Box::new(error),
            };
            loader.read(path, rows::open(path).map_err(read)?, |_| Ok(()))?;
        }
        let rows = loader.rows();
        Ok((loader.write(&self.path(name), Existing::Replace)?, rows))
    }

    /// Writes a book's rows in a format and makes the book again of them.
    fn round_trip(&self, book: &str, format: RowFormat) {
        let opened = Book::open(self.path(book)).unwrap();
        let tables = rows::tables(&opened);
        // A Parquet file holds one table.
        let each = if format == RowFormat::Parquet { 1 } else { tables.len() };
        let (mut files, mut written) = (Vec::new(), 0);
        for tables in tables.chunks(each) {
            let made = rows::write(&opened, tables, format, Vec::new(), &()).unwrap();
            let path = self.path(&format!("rows-{}", files.len()));
            std::fs::write(&path, made.out).unwrap();
            files.push(path);
            written += made.rows;
        }
        let (header, read) = self.load("again.tabia", &files).unwrap();
        assert_eq!((read, header.digest), (written, opened.header().digest), "{book} {format:?}");
        assert!(self.read("again.tabia") == self.read(book), "{book} as {format:?}");
    }
}

const FORMATS: [RowFormat; 3] = [RowFormat::Tsv, RowFormat::Jsonl, RowFormat::Parquet];

fn new_book<'a>(game: &str, keys: &str) -> NewBook<'a> {
    NewBook::new(game.parse().unwrap(), keys.parse().unwrap())
}

/// A book with all that all books can hold: counts, evals and flags at their limits, marks,
/// sources, facts, its own load and way of keying, a filter.
fn full_book(folder: &Folder, name: &str, filter: bool) {
    let count = |number: u64| [0, 1, 77, u32::MAX][number as usize % 4];
    let counts = |number: u64| Counts {
        wins: count(number),
        draws: count(number / 4),
        losses: count(number / 16),
    };
    let eval = |number: u64| [NO_EVAL, NO_EVAL + 1, -1, 0, 250, i16::MAX][number as usize % 6];
    let position = |number: u64| {
        let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        PositionRow::new(key, counts(number))
            .with_eval(eval(number), (number % 256) as u8)
            .with_flags(Flags::from_bits_truncate((number % 32) as u8))
    };
    let played = |number: u64| {
        MoveRow::new(number / 3, (number * 21_845) as u16, counts(number))
            .with_marks(Marks::from_bits_retain((number % 256) as u8))
    };
    let mut positions: Vec<_> =
        (0..10_000).map(position).chain([PositionRow::new(u64::MAX, counts(1))]).collect();
    let mut moves: Vec<_> = (0..10_000).map(played).collect();
    assert_eq!((sort_and_merge(&mut positions), sort_and_merge(&mut moves)), (10_001, 10_000));
    let source = |number: u8, name: &str| Source {
        digest: Digest([number; 16]),
        games: u64::from(number) << 33,
        name: name.to_owned(),
    };
    let sources = vec![
        source(1, "a\t\"b\"\\ \n\u{fc}\u{0}.pgn"),
        source(200, ""),
        source(1, "the same again"),
    ];
    let fact = |subject: u8, name: &str, value: &str| {
        Fact::new(Digest([subject; 16]), name, value).unwrap()
    };
    let long = "\\\t\n\u{0}\"".repeat(13_107);
    let facts = vec![
        fact(0, "counts", "learned"),
        fact(0, "evals", "engine=x; unit=cp"),
        fact(1, "plan.x", ""),
        fact(9, "a", &long),
    ];
    let book = new_book("go", "z-1").keyed(Keyed::Line).load("0.611".parse().unwrap());
    let book = book.filter(filter).sources(sources).facts(facts);
    folder.make(name, book.positions(&positions).moves(&moves));
}

/// A book whose moves have these columns, with values at their limits too, and whose counts have no
/// results.
fn book_with(folder: &Folder, name: &str, columns: Columns) {
    let sum = |number: u64| [0, 2000, Ratings::MOST][number as usize % 3];
    let ratings = |number: u64| Ratings {
        mover_sum: sum(number),
        opponent_sum: sum(number / 3),
        games: [0, 1, u32::MAX][number as usize / 9 % 3],
        score: [0, 1 << 40, u64::MAX][number as usize / 27 % 3],
    };
    let game = |number: u64| BestGame {
        rank: [0, 5500, u16::MAX][number as usize / 3 % 3],
        digest: [0, number, BestGame::MOST][number as usize / 5 % 3],
    };
    let year = |number: u64| [None, Some(1), Some(1999), Some(u16::MAX)][number as usize % 4];
    let years = |number: u64| Years { first: year(number / 7), last: year(number) };
    let counts = |number: u64| Counts { wins: 0, draws: number as u32 % 7, losses: 0 };
    let cells = |number: u64| {
        Cells::NONE.with(ratings(number)).with(game(number)).with(years(number)).to(columns)
    };
    let row = |number: u64| {
        MoveRow::new(number / 3, number as u16, counts(number))
            .with_marks(Marks::from_bits_retain(number as u8))
    };
    let mut moves: Chunk<MoveRow> =
        (0..5_000).map(|number| WithCells { row: row(number), cells: cells(number) }).collect();
    moves.sort_and_merge();
    assert_eq!((moves.len(), moves.columns()), (5_000, columns));
    folder.make(name, new_book("chess", "polyglot").results(Results::Unknown).moves(&moves));
}

/// A book that holds the third of four shares of the hashes.
fn share_book(folder: &Folder, name: &str) {
    let share: Share = "3/4".parse().unwrap();
    let position =
        |number: u64| PositionRow::new(number, Counts { wins: number as u32, draws: 0, losses: 1 });
    let mut positions: Vec<_> =
        (0..4_000).map(position).filter(|row| share.holds(row.hash())).collect();
    let kept = sort_and_merge(&mut positions);
    assert!(kept > 900);
    folder.make(name, new_book("go", "z").share(share).positions(&positions));
}

#[test]
fn all_formats_give_back_the_same_bytes() {
    let folder = Folder::new();
    full_book(&folder, "full.tabia", false);
    full_book(&folder, "filtered.tabia", true);
    share_book(&folder, "share.tabia");
    let (positions, moves) = (Vec::<PositionRow>::new(), Chunk::<MoveRow>::default());
    let none = new_book("chess", "polyglot").filter(true).positions(&positions).moves(&moves);
    folder.make("none.tabia", none);
    for book in ["full", "filtered", "share", "none"] {
        FORMATS.iter().for_each(|format| folder.round_trip(&format!("{book}.tabia"), *format));
    }
}

#[test]
fn books_with_columns_come_back_in_all_formats() {
    let folder = Folder::new();
    for set in 0..1 << Column::ALL.len() {
        let columns = Column::ALL.iter().copied().enumerate();
        let columns = columns.filter(|(index, _)| set >> index & 1 == 1);
        let book = format!("{set}.tabia");
        book_with(&folder, &book, columns.map(|(_, column)| column).collect());
        FORMATS.iter().for_each(|format| folder.round_trip(&book, *format));
    }
}

#[test]
fn a_cut_or_flipped_parquet_file_is_refused_or_read_as_it_was() {
    let folder = Folder::new();
    let row = |number: u64| {
        PositionRow::new(number, Counts { wins: number as u32 % 3, draws: 1, losses: 0 })
    };
    let mut positions: Vec<_> = (0..60).map(row).collect();
    assert_eq!(sort_and_merge(&mut positions), 60);
    folder.make("small.tabia", new_book("go", "z").positions(&positions));
    let book = Book::open(folder.path("small.tabia")).unwrap();
    let tables = [TableKind::Positions];
    let good = rows::write(&book, &tables, RowFormat::Parquet, Vec::new(), &()).unwrap().out;
    let bad = folder.path("bad.parquet");
    let load = |bytes: &[u8]| {
        std::fs::write(&bad, bytes).unwrap();
        folder.load("bad.tabia", std::slice::from_ref(&bad))
    };
    let is_named = |error: LoadError, path: &Path| {
        assert!(error.to_string().starts_with(&format!("{}: ", path.display())), "{error}");
    };
    for length in (4..good.len()).step_by(61).chain([good.len() - 1]) {
        is_named(load(&good[..length]).unwrap_err(), &bad);
    }
    let (mut refused, mut same) = (0, 0);
    for at in (4..good.len()).step_by(7) {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        if let Err(error) = load(&bytes) {
            is_named(error, &bad);
            refused += 1;
        } else {
            assert!(folder.read("bad.tabia") == folder.read("small.tabia"), "the flip at {at}");
            same += 1;
        }
    }
    println!("{refused} flips were refused, {same} were where nothing is read");
    assert!(refused > 0 && same > 0);
}
