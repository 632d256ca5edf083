//! Books for the other tests: content as plain maps, written by the engine.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use tabia::bytes::Bytes;
use tabia::format::{Digest, Fact, Header, Section, Source};
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{
    Batch, BestGame, Book, Cells, CheckReport, Column, Columns, Companions, Counts, Duplicates,
    Env, Existing, Flags, Hash, Marks, MergeOptions, MoveRow, NewBook, PositionRow, Progress,
    Ratings, Row, Rule, SalvageReport, Share, Stage, TableKind, WithCells, Writer, Years, check,
    journal_path, merge, mix, salvage,
};
use tabia_testing::model::Model;
pub use tabia_testing::model::columns_of_bits;
pub use tabia_testing::{WON, chess_book, settle};

#[derive(Clone, Debug, Default)]
pub struct Content {
    pub positions: Vec<PositionRow>,
    pub moves: Chunk<MoveRow>,
    pub sources: Vec<Source>,
    pub facts: Vec<Fact>,
    pub filter: bool,
    pub packed: bool,
}

impl Content {
    /// The contents of both, as building from all their games would give them: of all columns that
    /// one of them has.
    pub fn with(&self, other: &Self) -> Self {
        let columns = self.moves.columns().union(other.moves.columns());
        let moves = if columns.is_empty() {
            Chunk::of_rows([self.moves.rows(), other.moves.rows()].concat())
        } else {
            let mut all = self.model_of_moves();
            all.add(&other.model_of_moves());
            all.rows(columns).1
        };
        let all = Self {
            positions: [&self.positions[..], &other.positions].concat(),
            moves,
            sources: [&self.sources[..], &other.sources].concat(),
            facts: [&self.facts[..], &other.facts].concat(),
            filter: self.filter | other.filter,
            packed: self.packed & other.packed,
        };
        all.settled()
    }

    pub fn settled(mut self) -> Self {
        settle(&mut self.positions);
        self.moves.sort_and_merge();
        self.sources.sort();
        self.facts.sort();
        self.facts.dedup();
        self
    }

    /// Adds a move without cells, out of order.
    pub fn push_move(&mut self, row: MoveRow) {
        self.moves.push(row, &Cells::NONE);
    }

    pub fn with_cells(self, columns: Columns, seed: u64) -> Self {
        let content = self.settled();
        let mut moves = Chunk::new(columns);
        let rows = content.moves.rows().iter();
        rows.for_each(|row| moves.push(*row, &cells_of(columns, row, seed)));
        Self { moves, ..content }
    }

    /// The same without columns.
    pub fn plain(self) -> Self {
        Self { moves: Chunk::of_rows(self.moves.into_rows()), ..self }
    }

    /// Its rows, without cells.
    pub fn rows(&self) -> (Vec<PositionRow>, Vec<MoveRow>) {
        (self.positions.clone(), self.moves.rows().to_vec())
    }

    /// Its moves, as the specification has them.
    pub fn model_of_moves(&self) -> Model {
        Model::of(&[], &self.moves)
    }

    pub fn new_book(&self) -> NewBook<'_> {
        chess_book()
            .filter(self.filter)
            .packed(self.packed)
            .sources(self.sources.clone())
            .facts(self.facts.clone())
            .positions(&self.positions)
            .moves(&self.moves)
    }

    pub fn write(&self, path: impl AsRef<Path>) -> Header {
        write(self.clone().settled().new_book(), path)
    }

    pub fn book(&self, path: &Path) -> Book {
        self.write(path);
        open(path)
    }
}

/// A book of so many positions with one to three moves each, the same for the same seed.
pub fn sample(seed: u64, positions: u64) -> Content {
    let mut content = Content::default();
    for i in 0..positions {
        let key = tabia::mix(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i);
        let counts = Counts::new((i % 7) as u32, (i % 3) as u32, 1);
        let row = PositionRow::new(key, counts);
        content.positions.push(if i % 5 == 0 {
            row.with_eval((i % 400) as i16 - 200, (i % 30) as u8)
        } else {
            row
        });
        for code in 0..=(i % 3) as u16 {
            content.push_move(
                MoveRow::new(key, code * 77, counts)
                    .with_marks(Marks::from_bits_retain((i % 4) as u8)),
            );
        }
    }
    content.sources.push(source(seed));
    content.filter = seed % 2 == 1;
    content.settled()
}

/// A position and a move of each of these hashes.
pub fn of_hashes(hashes: impl IntoIterator<Item = u64>) -> Content {
    let mut content = Content::default();
    for (i, h) in hashes.into_iter().enumerate() {
        let counts = Counts::new(i as u32 % 5, 1, i as u32 % 3);
        content.positions.push(PositionRow::of_hash(Hash::from_bits(h), counts));
        content.push_move(MoveRow::of_hash(Hash::from_bits(h), i as u16 % 7, counts));
    }
    content.settled()
}

pub fn any_columns() -> impl Strategy<Value = Columns> {
    (0..1u8 << Column::ALL.len()).prop_map(columns_of_bits)
}

pub fn every_column() -> Columns {
    Column::ALL.iter().copied().collect()
}

/// Cells of these columns for a row, the same for the same seed: often those of a few games,
/// sometimes none, or sums that overflow.
pub fn cells_of(columns: Columns, row: &MoveRow, seed: u64) -> Cells {
    let random = mix(row.hash().get() ^ mix(seed ^ u64::from(row.code())));
    let games = (random % 5) as u32;
    let ratings = Ratings {
        mover_sum: u64::from(games) * (1000 + (random >> 8) % 1900),
        opponent_sum: u64::from(games) * (1000 + (random >> 24) % 1900),
        games,
        score: (random >> 40) % (2 * u64::from(games) + 1),
    };
    let most = Ratings {
        mover_sum: Ratings::MOST - 1,
        opponent_sum: u64::MAX,
        games: u32::MAX - 2,
        score: u64::MAX - 7,
    };
    // Equal ranks are frequent.
    let game = BestGame { rank: (random >> 16) as u16 % 3, digest: random >> 8 & BestGame::MOST };
    let year = |shift: u32| Some((random >> shift) as u16 % 2100).filter(|&year| year > 99);
    let years = Years { first: year(3), last: year(33) };
    let cells = Cells::NONE.with(if random >> 61 == 0 { most } else { ratings });
    let cells = cells.with(if random >> 59 & 7 == 1 { BestGame::default() } else { game });
    cells
        .with(if random >> 57 & 7 == 2 { Years { first: None, last: None } } else { years })
        .to(columns)
}

pub fn any_book() -> impl Strategy<Value = Content> {
    (any_content(), any_columns(), any::<u64>())
        .prop_map(|(content, columns, seed)| content.with_cells(columns, seed))
}

/// Facts, some of them of the whole book; the same for the same seed.
pub fn fact(seed: u64) -> Fact {
    let names = ["evals", "plan.max-ply", "plan.min-rating", "plan.dedup"];
    let subject =
        if seed.is_multiple_of(3) { Digest::NONE } else { Digest::of(&seed.to_le_bytes()) };
    Fact::new(subject, names[seed as usize % names.len()], format!("{}", seed / 7)).unwrap()
}

pub fn source(seed: u64) -> Source {
    Source {
        digest: Digest::of(&seed.to_le_bytes()),
        games: seed % 1000,
        name: format!("{seed}.pgn"),
    }
}

/// Any small content; keys repeat, so that rows meet.
pub fn any_content() -> impl Strategy<Value = Content> {
    let key = || prop_oneof![0u64..12, Just(u64::MAX), Just(tabia::unmix(u64::MAX)), any::<u64>()];
    let count = || prop_oneof![0u32..4, Just(u32::MAX)];
    let counts = move || {
        (count(), count(), count())
            .prop_map(|(wins, draws, losses)| Counts::new(wins, draws, losses))
    };
    let position = (key(), counts(), any::<i16>(), 0u8..3, 0u8..32).prop_map(
        |(key, counts, eval, depth, flags)| {
            PositionRow::new(key, counts)
                .with_eval(eval, depth)
                .with_flags(Flags::from_bits_retain(flags))
        },
    );
    let played = (key(), 0u16..4, counts(), any::<u8>()).prop_map(|(key, code, counts, marks)| {
        MoveRow::new(key, code, counts).with_marks(Marks::from_bits_retain(marks))
    });
    let sources = prop::collection::btree_set(0u64..1 << 40, 0..3)
        .prop_map(|seeds| seeds.into_iter().map(source).collect());
    let facts = prop::collection::vec((0u64..40).prop_map(fact), 0..4);
    (
        prop::collection::vec(position, 0..40),
        prop::collection::vec(played, 0..60),
        sources,
        facts,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(positions, moves, sources, facts, filter, packed)| {
            let moves = Chunk::of_rows(moves);
            Content { positions, moves, sources, facts, filter, packed }.settled()
        })
}

pub fn open(path: impl AsRef<Path>) -> Book {
    Book::open(path).unwrap()
}

pub fn open_all<P: AsRef<Path>>(paths: &[P]) -> Vec<Book> {
    paths.iter().map(open).collect()
}

pub fn open_writer(path: impl AsRef<Path>) -> Writer<'static> {
    Writer::open(Env::default(), path).unwrap()
}

/// A batch that adds a won game to a position.
pub fn won(key: u64) -> Batch {
    let mut batch = Batch::new();
    batch.add_position(PositionRow::new(key, WON));
    batch
}

/// What a book says of a key: its position, and its moves with their cells.
pub type Answer = (Option<PositionRow>, Vec<WithCells<MoveRow>>);

pub fn answer<S: Bytes>(book: &Book<S>, key: u64) -> tabia::Result<Answer> {
    Ok((book.position(key)?, book.moves_with_cells(key)?))
}

/// Appends positions as a batch of their own.
pub fn append_positions(
    writer: &mut Writer<'_>,
    rows: &dyn RowSet<PositionRow>,
) -> tabia::Result<u64> {
    writer.append_rows(Some(&mut *rows.rows()?), None, &[], &[], Companions::default())
}

/// Appends moves as a batch of their own.
pub fn append_moves(writer: &mut Writer<'_>, rows: &dyn RowSet<MoveRow>) -> tabia::Result<u64> {
    writer.append_rows(None, Some(&mut *rows.rows()?), &[], &[], Companions::default())
}

pub fn checked(path: &Path) -> CheckReport {
    check(&Env::default(), path).unwrap()
}

/// Whether nothing is wrong with a book, unless proofs contradict each other: those may have met.
pub fn assert_sound(path: &Path) {
    let report = checked(path);
    assert!(report.bad.iter().all(|finding| finding.rule == Rule::M3), "{:?}", report.bad);
}

/// What is left of a book, as another book.
pub fn salvaged(path: &Path, output: &Path) -> SalvageReport {
    salvage(&Env::default(), path, output, Existing::Replace).unwrap()
}

/// Merges books as it is done if nothing is asked for.
pub fn merge_new(output: &Path, books: &[Book]) -> tabia::Result<Header> {
    merge(&Env::default(), output, books, MergeOptions::default())
}

/// Merges books into one, though they may be of the same archives; its bytes.
pub fn merged<P: AsRef<Path>>(inputs: &[P], share: Option<Share>, output: &Path) -> Vec<u8> {
    let options = MergeOptions {
        share,
        duplicates: Duplicates::Allow,
        existing: Existing::Replace,
        ..MergeOptions::default()
    };
    merge(&Env::default(), output, &open_all(inputs), options).unwrap();
    fs::read(output).unwrap()
}

/// All rows of a table, or why they can't be had.
pub fn streamed<R: Row>(set: &impl RowSet<R>) -> tabia::Result<Chunk<R>> {
    set.rows()?.collect()
}

/// Whether all rows of a table can be had.
pub fn stream<S: Bytes>(book: &Book<S>, kind: TableKind) -> tabia::Result<()> {
    match kind {
        TableKind::Positions => streamed::<PositionRow>(book).map(drop),
        TableKind::Moves => streamed::<MoveRow>(book).map(drop),
    }
}

/// Whoever watches some work, and stops it at a stage for which this holds.
pub struct StopIf<F>(pub F);

impl<F: Fn(Stage) -> bool + Sync> Progress for StopIf<F> {
    fn step(&self, stage: Stage, _: u64, _: u64) -> bool {
        !(self.0)(stage)
    }
}

pub fn write(new: NewBook<'_>, path: impl AsRef<Path>) -> Header {
    new.write(&Env::default(), path.as_ref(), Existing::Refuse).unwrap()
}

/// A folder for a test, and the [`sample`] in it as a book.
pub fn sample_book(seed: u64, positions: u64) -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = folder();
    sample(seed, positions).write(&path);
    (folder, path)
}

pub fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.tabia");
    (folder, path)
}

/// A folder in memory where the system has one, for tests that write a great deal.
pub fn folder_in_memory() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let path = folder.path().join("book.tabia");
    (folder, path)
}

/// A book with three frames in its journal; the offsets of the frames and the end.
pub fn journaled(path: &Path, packed: bool) -> (Vec<u8>, Vec<u64>) {
    Content { packed, ..sample(1, 20) }.write(path);
    let mut writer = open_writer(path);
    let mut ends = vec![64];
    for key in 0..3 {
        writer.append(&won(key)).unwrap();
        ends.push(writer.journal().bytes);
    }
    (fs::read(journal_path(path)).unwrap(), ends)
}

/// A plain book and a packed one, each in a folder of its own.
pub fn small_books() -> impl Iterator<Item = (tempfile::TempDir, PathBuf)> {
    [false, true].into_iter().map(|packed| {
        let (folder, path) = folder();
        Content { packed, ..sample(1, 20) }.write(&path);
        (folder, path)
    })
}

/// The same as [`journaled`].
pub fn journaled_books() -> impl Iterator<Item = (tempfile::TempDir, PathBuf, Vec<u8>, Vec<u64>)> {
    [false, true].into_iter().map(|packed| {
        let (folder, path) = folder();
        let (journal, ends) = journaled(&path, packed);
        (folder, path, journal, ends)
    })
}

/// All rows of a book, its journal laid over them.
pub fn rows_of(path: &Path) -> (Vec<PositionRow>, Vec<MoveRow>) {
    let book = open(path);
    (collect(&book), collect(&book))
}

pub fn collect<R: Row>(set: &impl RowSet<R>) -> Vec<R> {
    chunk(set).rows().to_vec()
}

pub fn chunk<R: Row>(set: &impl RowSet<R>) -> Chunk<R> {
    streamed(set).unwrap()
}

pub fn moves_of(path: &Path) -> Chunk<MoveRow> {
    chunk(&open(path))
}

/// The keys of all rows.
pub fn keys_of<S: Bytes>(book: &Book<S>) -> Vec<u64> {
    let mut keys = Vec::new();
    if book.has(TableKind::Positions) {
        keys.extend(collect::<PositionRow>(book).iter().map(Row::key));
    }
    if book.has(TableKind::Moves) {
        keys.extend(collect::<MoveRow>(book).iter().map(Row::key));
    }
    keys
}

/// What `check` calls the part of a book that this byte is in.
pub fn name_at(header: &Header, at: u64) -> String {
    let of = |section: &&Section| (section.offset..section.end()).contains(&at);
    match header.sections.iter().find(of) {
        Some(section) => section.tag.to_string(),
        None if at < 4096 => "header".to_owned(),
        None => "footer".to_owned(),
    }
}

pub fn of_bits(bits: RangeInclusive<u64>) -> RangeInclusive<Hash> {
    Hash::from_bits(*bits.start())..=Hash::from_bits(*bits.end())
}

/// The rows by what tells them apart.
pub fn by_rank<R: Row>(rows: &[R]) -> BTreeMap<(Hash, u16), R> {
    rows.iter().map(|row| (row.rank(), *row)).collect()
}
