//! Rows of a book, or of several books as if they were one.

use std::borrow::Cow;
use std::collections::BTreeSet;
use tabia::bytes::Bytes;
use tabia::{
    BestGame, Book, BookSet, Column, Key, MoveRow, PositionRow, Ratings, ReadBook, Result, Results,
    Row, TableKind, WithCells,
};

/// What is asked for rows.
///
/// # Errors
/// Those of reading the books, from all that may fail.
pub trait RowLookup: Send + Sync {
    /// What is known of a position.
    fn position(&self, key: Key) -> Result<Option<PositionRow>>;

    /// What is known of many positions, in their order: on a disk far faster than one by one.
    fn positions(&self, keys: &[Key]) -> Result<Vec<Option<PositionRow>>> {
        keys.iter().map(|&key| self.position(key)).collect()
    }

    /// All moves known at a position, in ascending order of their codes.
    fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>>;

    /// Whether there is such a table.
    fn has(&self, kind: TableKind) -> bool;

    /// Whether it is known how games ended. If not, each counts as a draw.
    fn results(&self) -> Results;

    /// The same moves with their cells; without any where moves have none.
    fn moves_with_cells(&self, key: Key) -> Result<Vec<WithCells<MoveRow>>> {
        Ok(self.moves(key)?.iter().map(|&row| row.into()).collect())
    }

    /// The ratings of those who played the moves of a position, by code: of rated games only.
    fn ratings(&self, key: Key) -> Result<Vec<(u16, Ratings)>> {
        let rows = self.moves_with_cells(key)?.into_iter();
        let rated = rows.filter_map(|with| Some((with.row.code(), with.cells.get::<Ratings>()?)));
        Ok(rated.filter(|(_, ratings)| ratings.games > 0).collect())
    }

    /// The moves of a position that name their best game, each with it.
    fn best_games(&self, key: Key) -> Result<Vec<(MoveRow, BestGame)>> {
        let rows = self.moves_with_cells(key)?.into_iter();
        let named = rows.filter_map(|with| Some((with.row, with.cells.get::<BestGame>()?)));
        Ok(named.filter(|(_, game)| !game.is_none()).collect())
    }

    /// Whether moves have ratings.
    fn has_ratings(&self) -> bool {
        false
    }
}

macro_rules! lookup {
    ([$($bound:tt)*] $target:ty, $self:ident => $book:expr) => {
        impl<$($bound)*> RowLookup for $target {
            fn position(&$self, key: Key) -> Result<Option<PositionRow>> {
                ReadBook::position($book, key)
            }

            fn positions(&$self, keys: &[Key]) -> Result<Vec<Option<PositionRow>>> {
                let mut found = vec![None; keys.len()];
                ReadBook::positions($book, keys, &mut found)?;
                Ok(found)
            }

            fn moves(&$self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
                ReadBook::moves($book, key)
            }

            fn moves_with_cells(&$self, key: Key) -> Result<Vec<WithCells<MoveRow>>> {
                ReadBook::moves_with_cells($book, key)
            }

            fn has(&$self, kind: TableKind) -> bool {
                ReadBook::has($book, kind)
            }

            fn results(&$self) -> Results {
                ReadBook::header($book).results
            }

            fn has_ratings(&$self) -> bool {
                ReadBook::header($book).columns(TableKind::Moves).has(Column::RATINGS)
            }
        }
    };
}

lookup!([S: Bytes] Book<S>, self => self);
lookup!([S: Bytes] BookSet<S>, self => self);
lookup!([] &dyn ReadBook, self => *self);

/// Several books of one game as one: a small one with corrections over a large one.
///
/// A row is that of the first book that has it with something to say: games, or for a position an
/// eval or flags. A move's marks are those of all books. So a row of a patch takes the place of the
/// same row below it, and all other rows show through.
pub struct Books(Vec<Box<dyn RowLookup>>);

impl Books {
    /// These books, the one that comes first above the others.
    pub fn new(books: Vec<Box<dyn RowLookup>>) -> Self {
        Self(books)
    }
}

impl RowLookup for Books {
    fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        let mut found = None;
        for book in &self.0 {
            match book.position(key)? {
                Some(row) if says_something(&row) => return Ok(Some(row)),
                row => found = found.or(row),
            }
        }
        Ok(found)
    }

    /// Each book is asked for all those of which no book above it says anything.
    fn positions(&self, keys: &[Key]) -> Result<Vec<Option<PositionRow>>> {
        let mut found = vec![None; keys.len()];
        let mut open: Vec<usize> = (0..keys.len()).collect();
        for book in &self.0 {
            let asked: Vec<Key> = open.iter().map(|&place| keys[place]).collect();
            let rows = book.positions(&asked)?;
            for (&place, row) in open.iter().zip(rows) {
                let speaks = row.filter(says_something);
                found[place] = speaks.or(found[place]).or(row);
            }
            open.retain(|&place| !found[place].as_ref().is_some_and(says_something));
        }
        Ok(found)
    }

    fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
        let mut moves = Cow::Borrowed(&[][..]);
        for book in &self.0 {
            let below = book.moves(key)?;
            moves = if moves.is_empty() { below } else { Cow::Owned(laid_over(&moves, &below)) };
        }
        Ok(moves)
    }

    fn has(&self, kind: TableKind) -> bool {
        self.0.iter().any(|book| book.has(kind))
    }

    fn results(&self) -> Results {
        let all_known = self.0.iter().all(|book| book.results() == Results::Known);
        if all_known { Results::Known } else { Results::Unknown }
    }

    /// Those of the book whose row speaks for the move.
    fn ratings(&self, key: Key) -> Result<Vec<(u16, Ratings)>> {
        let (mut spoken, mut found) = (BTreeSet::new(), Vec::new());
        for book in &self.0 {
            let rated = book.ratings(key)?;
            for row in book.moves(key)?.iter().filter(|row| row.counts().games() > 0) {
                if spoken.insert(row.code()) {
                    found.extend(rated.iter().find(|(code, _)| *code == row.code()));
                }
            }
        }
        Ok(found)
    }

    fn has_ratings(&self) -> bool {
        self.0.iter().any(|book| book.has_ratings())
    }
}

fn says_something(row: &PositionRow) -> bool {
    row.counts().games() > 0 || row.eval().is_some() || !row.flags().is_empty()
}

/// The moves of two books of one position, those of `above` before those of `below`.
fn laid_over(above: &[MoveRow], below: &[MoveRow]) -> Vec<MoveRow> {
    let mut moves: Vec<MoveRow> = above.to_vec();
    for row in below {
        match moves.binary_search_by_key(&row.code(), MoveRow::code) {
            Err(place) => moves.insert(place, *row),
            Ok(place) => {
                let upper = moves[place];
                let speaks = if upper.counts().games() > 0 { upper } else { *row };
                moves[place] = speaks.with_marks(upper.marks() | row.marks());
            }
        }
    }
    moves
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use tabia::{Counts, Env, Existing, Flags, Marks};

    fn counts(wins: u32, losses: u32) -> Counts {
        Counts::new(wins, 0, losses)
    }

    /// A book that stays readable when its folder is gone.
    pub(crate) fn book(mut positions: Vec<PositionRow>, mut moves: Vec<MoveRow>) -> Book {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.tabia");
        tabia::sort_and_merge(&mut positions);
        tabia::sort_and_merge(&mut moves);
        let new = tabia_testing::chess_book().positions(&positions).moves(&moves);
        new.write(&Env::default(), &path, Existing::Refuse).unwrap();
        Book::open(&path).unwrap()
    }

    /// These books, the first above the second.
    fn books(both: [Book; 2]) -> Books {
        Books::new(both.map(|book| Box::new(book) as Box<dyn RowLookup>).into())
    }

    #[test]
    fn a_patch_takes_the_place_of_rows_and_others_show_through() {
        let position = |key, wins, losses| PositionRow::new(key, counts(wins, losses));
        let played = |key, code, wins, losses| MoveRow::new(key, code, counts(wins, losses));
        let never = played(1, 6, 0, 0).with_marks(Marks::NEVER);
        let patch =
            book(vec![position(1, 1, 0), position(2, 0, 0)], vec![played(1, 5, 9, 0), never]);
        let good = played(1, 5, 3, 3).with_marks(Marks::GOOD);
        let moves = vec![played(1, 4, 2, 2), good, played(1, 6, 4, 4), played(8, 1, 1, 1)];
        let large = book(vec![position(1, 7, 7), position(2, 3, 4), position(3, 5, 5)], moves);
        let books = books([patch, large]);
        let of = |key| books.position(key).unwrap().map(|row| row.counts());
        let expected = [Some(counts(1, 0)), Some(counts(3, 4)), Some(counts(5, 5)), None];
        assert_eq!([1, 2, 3, 4].map(of), expected);
        let one_by_one: Vec<_> = (0..9).map(|key| books.position(key).unwrap()).collect();
        assert_eq!(books.positions(&(0..9).collect::<Vec<_>>()).unwrap(), one_by_one);
        let moves = books.moves(1).unwrap();
        let told = |row: &MoveRow| (row.code(), row.counts(), row.marks());
        let (none, good, never) = (Marks::empty(), Marks::GOOD, Marks::NEVER);
        let expected = [(4, counts(2, 2), none), (5, counts(9, 0), good), (6, counts(4, 4), never)];
        assert_eq!(moves.iter().map(told).collect::<Vec<_>>(), expected);
        assert_eq!((books.moves(8).unwrap().len(), books.moves(9).unwrap().len()), (1, 0));
    }

    #[test]
    fn evals_and_flags_say_something() {
        let rows = [
            PositionRow::new(1, counts(0, 0)).with_flags(Flags::EXPANDED),
            PositionRow::new(2, counts(0, 0)).with_eval(-7, 3),
        ];
        let below = [1, 2].map(|key| PositionRow::new(key, counts(1, 1)));
        let books = books([rows, below].map(|positions| book(positions.into(), vec![])));
        assert_eq!([1, 2].map(|key| books.position(key).unwrap()), rows.map(Some));
        assert!(books.has(TableKind::Positions) && books.results() == Results::Known);
    }
}
