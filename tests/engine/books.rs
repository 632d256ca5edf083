//! Books for the other tests: content as plain maps, written by the engine.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use tabia::format::{Digest, Fact, Header, Load, Source};
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{
    Batch, BestGame, Book, Cells, Column, Columns, Counts, Env, Existing, Flags, Hash, Marks,
    MoveRow, NewBook, PositionRow, Ratings, Row, WithCells, Writer, Years, journal_path, mix,
    sort_and_merge,
};
pub use tabia_testing::model::columns_of_bits;
use tabia_testing::model::merge_moves;

/// What a book holds.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pub positions: Vec<PositionRow>,
    pub moves: Vec<MoveRow>,
    pub sources: Vec<Source>,
    pub facts: Vec<Fact>,
    pub filter: bool,
    pub packed: bool,
}

impl Content {
    /// The contents of both, as building from all their games would give them.
    pub fn with(mut self, other: &Self) -> Self {
        self.positions.extend(&other.positions);
        self.moves.extend(&other.moves);
        self.sources.extend(other.sources.iter().cloned());
        self.facts.extend(other.facts.iter().cloned());
        self.filter |= other.filter;
        self.packed &= other.packed;
        self.settled()
    }

    pub fn settled(mut self) -> Self {
        settle(&mut self.positions);
        settle(&mut self.moves);
        self.sources.sort();
        self.facts.sort();
        self.facts.dedup();
        self
    }

    /// Writes it as a book.
    pub fn write(&self, path: &Path, load: Load) -> Header {
        let content = self.clone().settled();
        new_book(&content, load).write(&Env::default(), path, Existing::Refuse).unwrap()
    }
}

fn settle<R: Row>(rows: &mut Vec<R>) {
    let kept = sort_and_merge(rows);
    rows.truncate(kept);
}

pub fn new_book(content: &Content, load: Load) -> NewBook<'_> {
    NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap())
        .load(load)
        .filter(content.filter)
        .packed(content.packed)
        .sources(content.sources.clone())
        .facts(content.facts.clone())
        .positions(&content.positions)
        .moves(&content.moves)
}

/// A book of so many positions with one to three moves each, the same for the same seed.
pub fn sample(seed: u64, positions: u64) -> Content {
    let mut content = Content::default();
    for i in 0..positions {
        let key = tabia::mix(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i);
        let counts = Counts { wins: (i % 7) as u32, draws: (i % 3) as u32, losses: 1 };
        let row = PositionRow::new(key, counts);
        content.positions.push(if i % 5 == 0 {
            row.with_eval((i % 400) as i16 - 200, (i % 30) as u8)
        } else {
            row
        });
        for code in 0..=(i % 3) as u16 {
            content.moves.push(
                MoveRow::new(key, code * 77, counts)
                    .with_marks(Marks::from_bits_retain((i % 4) as u8)),
            );
        }
    }
    content.sources.push(source(seed));
    content.filter = seed % 2 == 1;
    content.settled()
}

/// Every set of columns.
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

/// What a book with columns holds.
#[derive(Clone, Debug)]
pub struct WithColumns {
    /// All but the moves.
    pub rest: Content,
    pub moves: Chunk<MoveRow>,
}

impl WithColumns {
    /// The content with cells of these columns.
    pub fn new(content: Content, columns: Columns, seed: u64) -> Self {
        let content = content.settled();
        let mut moves = Chunk::new(columns);
        content.moves.iter().for_each(|row| moves.push(*row, &cells_of(columns, row, seed)));
        Self { rest: Content { moves: Vec::new(), ..content }, moves }
    }

    /// The contents of both, as building from all their games would give them: of all columns that
    /// one of them has.
    pub fn with(&self, other: &Self) -> Self {
        let mut all = self.cells_by_rank();
        other.moves.iter().for_each(|row| add_cells(&mut all, row));
        let moves = chunk_of(self.moves.columns().union(other.moves.columns()), &all);
        Self { rest: self.rest.clone().with(&other.rest), moves }
    }

    pub fn cells_by_rank(&self) -> BTreeMap<(Hash, u16), WithCells<MoveRow>> {
        self.moves.iter().map(|row| (row.row.rank(), row)).collect()
    }

    pub fn new_book(&self, load: Load) -> NewBook<'_> {
        new_book(&self.rest, load).moves(&self.moves)
    }

    pub fn write(&self, path: &Path, load: Load) -> Header {
        self.new_book(load).write(&Env::default(), path, Existing::Refuse).unwrap()
    }

    pub fn book(&self, path: &Path, load: Load) -> Book {
        self.write(path, load);
        Book::open(path).unwrap()
    }
}

/// The rows in order, with cells of these columns.
pub fn chunk_of(
    columns: Columns,
    rows: &BTreeMap<(Hash, u16), WithCells<MoveRow>>,
) -> Chunk<MoveRow> {
    let mut chunk = Chunk::new(columns);
    rows.values().for_each(|row| chunk.push(row.row, &row.cells));
    chunk
}

/// Merges a row and its cells into those of the same move, as the specification has it.
pub fn add_cells(rows: &mut BTreeMap<(Hash, u16), WithCells<MoveRow>>, row: WithCells<MoveRow>) {
    let merge = |before: &mut WithCells<MoveRow>| {
        let columns = before.cells.columns().union(row.cells.columns());
        let merged = merge_moves((&*before).into(), (&row).into());
        *before = merged.row(row.row.key(), row.row.code(), columns);
    };
    rows.entry(row.row.rank()).and_modify(merge).or_insert(row);
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
        (count(), count(), count()).prop_map(|(wins, draws, losses)| Counts { wins, draws, losses })
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
            Content { positions, moves, sources, facts, filter, packed }.settled()
        })
}

pub fn write(new: NewBook<'_>, path: impl AsRef<Path>) -> Header {
    new.write(&Env::default(), path.as_ref(), Existing::Refuse).unwrap()
}

/// A folder for a test, and the [`sample`] in it as a book.
pub fn sample_book(seed: u64, positions: u64) -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = folder();
    sample(seed, positions).write(&path, Load::default());
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
    Content { packed, ..sample(1, 20) }.write(path, Load::default());
    let mut writer = Writer::open(Env::default(), path).unwrap();
    let mut ends = vec![64];
    for key in 0..3 {
        let mut batch = Batch::new();
        batch.add_position(PositionRow::new(key, Counts { wins: 1, draws: 0, losses: 0 }));
        writer.append(&batch).unwrap();
        ends.push(writer.journal().bytes);
    }
    (fs::read(journal_path(path)).unwrap(), ends)
}

/// All rows of a book, its journal laid over them.
pub fn rows_of(path: &Path) -> (Vec<PositionRow>, Vec<MoveRow>) {
    let book = Book::open(path).unwrap();
    (collect(&book), collect(&book))
}

pub fn collect<R: Row>(set: &impl RowSet<R>) -> Vec<R> {
    chunk(set).rows().to_vec()
}

/// All rows with their cells.
pub fn chunk<R: Row>(set: &impl RowSet<R>) -> Chunk<R> {
    set.rows().unwrap().collect().unwrap()
}

/// All moves of a book with their cells.
pub fn moves_of(path: &Path) -> Chunk<MoveRow> {
    chunk(&Book::open(path).unwrap())
}

pub fn of_bits(bits: RangeInclusive<u64>) -> RangeInclusive<Hash> {
    Hash::from_bits(*bits.start())..=Hash::from_bits(*bits.end())
}

/// The rows by what tells them apart.
pub fn by_rank<R: Row>(rows: &[R]) -> BTreeMap<(Hash, u16), R> {
    rows.iter().map(|row| (row.rank(), *row)).collect()
}
