//! What several of these tests use.

use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Book, Counts, Env, Existing, Key, Keyed, MoveRow, NewBook, PositionRow, Results, Row};
use tabia_games::{Chess, Game};
use tabia_interop::{AnyRow, LossReason, Losses};
use tabia_testing::settle;

/// Somebody who never stops the work.
pub fn quiet(_: u64) -> tabia::Result<()> {
    Ok(())
}

/// The bytes of a file of the shared data; none, and skipped, if it isn't there.
#[track_caller]
pub fn data(path: &str) -> Option<Vec<u8>> {
    tabia_testing::data(path).map(|path| std::fs::read(path).unwrap())
}

/// The rows of a book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    pub positions: Vec<PositionRow>,
    pub moves: Vec<MoveRow>,
}

impl Content {
    pub fn push(&mut self, row: AnyRow) {
        match row {
            AnyRow::Position(row) => self.positions.push(row),
            AnyRow::Move(played) => self.moves.push(played.row),
        }
    }

    pub fn settled(mut self) -> Self {
        settle(&mut self.positions);
        settle(&mut self.moves);
        self
    }

    pub fn position(&self, key: Key) -> Option<PositionRow> {
        self.positions.iter().find(|row| row.key() == key).copied()
    }

    pub fn played(&self, key: Key, code: u16) -> Option<MoveRow> {
        self.moves.iter().find(|row| row.key() == key && row.code() == code).copied()
    }

    /// What a reader hands on, and what it returns.
    pub fn read<R, E>(
        read: impl FnOnce(&mut dyn FnMut(AnyRow) -> Result<(), E>) -> Result<R, E>,
    ) -> Result<(Self, R), E> {
        let mut content = Self::default();
        let read = read(&mut |row| {
            content.push(row);
            Ok(())
        })?;
        Ok((content.settled(), read))
    }

    /// The row of the position behind some moves of chess.
    pub fn behind(&self, moves: &str) -> Option<PositionRow> {
        self.position(after(moves).key())
    }

    /// The row of a move of chess behind some others.
    pub fn move_behind(&self, before: &str, played: &str) -> Option<MoveRow> {
        self.played(after(before).key(), code(before, played))
    }

    pub fn book(&self, keyed: Keyed, results: Results) -> (tempfile::TempDir, Book) {
        self.book_of(&Chess::start(), keyed, results)
    }

    pub fn book_of<G: Game>(
        &self,
        start: &G,
        keyed: Keyed,
        results: Results,
    ) -> (tempfile::TempDir, Book) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        let new = NewBook::new(start.name().parse().unwrap(), start.keys().parse().unwrap());
        let new = new.keyed(keyed).results(results).positions(&self.positions).moves(&self.moves);
        new.write(&Env::default(), &path, Existing::Refuse).unwrap();
        let book = Book::open(path).unwrap();
        (folder, book)
    }

    pub fn of(book: &Book) -> Self {
        let positions: Chunk<PositionRow> = RowSet::rows(book).and_then(Rows::collect).unwrap();
        let moves: Chunk<MoveRow> = RowSet::rows(book).and_then(Rows::collect).unwrap();
        Self { positions: positions.rows().to_vec(), moves: moves.rows().to_vec() }
    }
}

pub fn counts(wins: u32, draws: u32, losses: u32) -> Counts {
    Counts::new(wins, draws, losses)
}

/// An account of these reasons, in which nothing is lost but this.
pub fn losses(reasons: &'static [LossReason], counts: &[(LossReason, u64)]) -> Losses {
    let mut losses = Losses::new(reasons);
    counts.iter().for_each(|&(reason, count)| losses.add(reason, count));
    losses
}

/// The position after some moves, as UCI writes them.
pub fn after(moves: &str) -> Chess {
    let mut position = Chess::start();
    for text in moves.split_whitespace() {
        let played = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        position.play(&played);
    }
    position
}

/// The code of a move behind some others.
pub fn code(before: &str, played: &str) -> u16 {
    let position = after(before);
    position.code(&position.parse_move(played).unwrap())
}
