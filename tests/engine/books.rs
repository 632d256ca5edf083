//! Books for the other tests: content as plain maps, written by the engine.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tabia::format::{Digest, Header, Load, Source};
use tabia::stream::{RowSet, Rows};
use tabia::{
    Batch, Book, Counts, Env, MoveRow, NewBook, PositionRow, RatedMoveRow, Ratings, Row, Writer, journal_path, mix, sort_and_merge,
};

/// What a book holds.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pub positions: Vec<PositionRow>,
    pub moves: Vec<MoveRow>,
    pub sources: Vec<Source>,
    pub filter: bool,
}

impl Content {
    /// The contents of both, as building from all their games would give them.
    pub fn with(mut self, other: &Self) -> Self {
        self.positions.extend(&other.positions);
        self.moves.extend(&other.moves);
        self.sources.extend(other.sources.iter().cloned());
        self.filter |= other.filter;
        self.settled()
    }

    pub fn settled(mut self) -> Self {
        settle(&mut self.positions);
        settle(&mut self.moves);
        self.sources.sort();
        self
    }

    /// Writes it as a book.
    pub fn write(&self, path: &Path, load: Load) -> Header {
        let content = self.clone().settled();
        new_book(&content, load).write(&Env::default(), path, false).unwrap()
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
        .sources(content.sources.clone())
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
        content.positions.push(if i % 5 == 0 { row.with_eval((i % 400) as i16 - 200, (i % 30) as u8) } else { row });
        for code in 0..=(i % 3) as u16 {
            content.moves.push(MoveRow::new(key, code * 77, counts).with_marks((i % 4) as u8));
        }
    }
    content.sources.push(source(seed));
    content.filter = seed % 2 == 1;
    content.settled()
}

/// The row with ratings, the same for the same seed: often those of a few games, sometimes none, or sums that overflow.
pub fn rate(row: MoveRow, seed: u64) -> RatedMoveRow {
    let dice = mix(row.hash() ^ mix(seed ^ u64::from(row.code())));
    let games = (dice % 5) as u32;
    let ratings = Ratings {
        mover_sum: u64::from(games) * (1000 + (dice >> 8) % 1900),
        opponent_sum: u64::from(games) * (1000 + (dice >> 24) % 1900),
        games,
        score: (dice >> 40) % (2 * u64::from(games) + 1),
    };
    let most = Ratings { mover_sum: Ratings::MOST - 1, opponent_sum: u64::MAX, games: u32::MAX - 2, score: u64::MAX - 7 };
    RatedMoveRow::from(row).with_ratings(if dice >> 61 == 0 { most } else { ratings })
}

pub fn source(seed: u64) -> Source {
    Source { digest: Digest::of(&seed.to_le_bytes()), games: seed % 1000, name: format!("{seed}.pgn") }
}

/// Any small content; keys repeat, so that rows meet.
pub fn any_content() -> impl Strategy<Value = Content> {
    let key = || prop_oneof![0u64..12, Just(u64::MAX), Just(tabia::unmix(u64::MAX)), any::<u64>()];
    let count = || prop_oneof![0u32..4, Just(u32::MAX)];
    let counts = move || (count(), count(), count()).prop_map(|(wins, draws, losses)| Counts { wins, draws, losses });
    let position = (key(), counts(), any::<i16>(), 0u8..3, 0u8..32)
        .prop_map(|(key, counts, eval, depth, flags)| PositionRow::new(key, counts).with_eval(eval, depth).with_flags(flags));
    let played =
        (key(), 0u16..4, counts(), any::<u8>()).prop_map(|(key, code, counts, marks)| MoveRow::new(key, code, counts).with_marks(marks));
    let sources = prop::collection::btree_set(0u64..1 << 40, 0..3).prop_map(|seeds| seeds.into_iter().map(source).collect());
    (prop::collection::vec(position, 0..40), prop::collection::vec(played, 0..60), sources, any::<bool>())
        .prop_map(|(positions, moves, sources, filter)| Content { positions, moves, sources, filter }.settled())
}

/// A folder for a test, and a path in it.
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
pub fn journaled(path: &Path) -> (Vec<u8>, Vec<u64>) {
    sample(1, 20).write(path, Load::default());
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
    set.rows().unwrap().collect().unwrap()
}

/// The rows by what tells them apart.
pub fn by_rank<R: Row>(rows: &[R]) -> BTreeMap<(u64, u16), R> {
    rows.iter().map(|row| (row.rank(), *row)).collect()
}
