//! What a request is answered from: one book, or the sum of a shelf's books that have the games asked
//! for.

use crate::source::Snapshot;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use tabia::{
    Column, Fact, Header, Key, MoveRow, PositionRow, Result, Results, Row, TableKind, WithCells,
};
use tabia_build::shelf::Facets;
use tabia_play::choice::RowLookup;
use tabia_play::explore::Explorable;

/// Books as one that has the games of all: a single one, several, or none, which knows no game.
#[derive(Clone, Debug)]
pub struct Selection {
    /// There may be none.
    pub books: Vec<Arc<Snapshot>>,
    /// What the games of each have in common.
    facets: Vec<Facets>,
    /// What it says of itself, all of these say: the first of them, if there are any.
    pub first: Arc<Snapshot>,
}

impl Selection {
    /// These books, each with what its games have in common, or none that are like another one.
    pub fn new(
        books: impl IntoIterator<Item = (Arc<Snapshot>, Facets)>,
        like: impl FnOnce() -> Arc<Snapshot>,
    ) -> Self {
        let (books, facets): (Vec<_>, _) = books.into_iter().unzip();
        let first = books.first().map_or_else(like, Arc::clone);
        Self { books, facets, first }
    }

    pub fn with_facets(&self) -> impl Iterator<Item = (&Facets, &Arc<Snapshot>)> {
        self.facets.iter().zip(&self.books)
    }

    /// Whether one of them isn't the book on the disk any more.
    pub fn is_stale(&self) -> bool {
        self.books.iter().any(|book| book.is_stale())
    }

    /// What changes whenever one of them says something else, or others are chosen.
    pub fn version(&self) -> String {
        match &self.books[..] {
            [] => format!("none-{}", self.first.version),
            [one] => one.version.clone(),
            books => {
                let all = books.iter().map(|book| book.version.as_str()).collect::<Vec<_>>();
                format!("{:016x}", xxhash_rust::xxh3::xxh3_64(all.join("+").as_bytes()))
            }
        }
    }
}

impl Explorable for Selection {
    fn header(&self) -> &Header {
        self.first.book.header()
    }

    fn rows(&self) -> &dyn RowLookup {
        match &self.books[..] {
            [only] => only.book.rows(),
            _ => self,
        }
    }

    fn facts(&self) -> Result<Vec<Fact>> {
        let facts = self.books.iter().map(|snapshot| snapshot.book.facts());
        let all = facts.collect::<Result<Vec<_>>>()?.into_iter().flatten();
        Ok(all.collect::<BTreeSet<_>>().into_iter().collect())
    }
}

/// The rows of all books, merged: what merging the books would make, without a file.
impl RowLookup for Selection {
    fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        Ok(self.positions(&[key])?[0])
    }

    fn positions(&self, keys: &[Key]) -> Result<Vec<Option<PositionRow>>> {
        let mut sums: Vec<Option<PositionRow>> = vec![None; keys.len()];
        for snapshot in &self.books {
            for (sum, row) in sums.iter_mut().zip(snapshot.book.rows().positions(keys)?) {
                match (sum.as_mut(), row) {
                    (Some(sum), Some(row)) => sum.merge(&row),
                    (None, row) => *sum = row,
                    (Some(_), None) => {}
                }
            }
        }
        Ok(sums)
    }

    fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
        Ok(self.moves_with_cells(key)?.into_iter().map(|with| with.row).collect())
    }

    fn moves_with_cells(&self, key: Key) -> Result<Vec<WithCells<MoveRow>>> {
        let mut sum: Vec<WithCells<MoveRow>> = Vec::new();
        for snapshot in &self.books {
            for row in snapshot.book.rows().moves_with_cells(key)? {
                match sum.binary_search_by_key(&row.row.code(), |known| known.row.code()) {
                    Ok(at) => {
                        let known = &mut sum[at];
                        known.row.merge(&row.row);
                        known.cells = known.cells.merged(&row.cells);
                    }
                    Err(at) => sum.insert(at, row),
                }
            }
        }
        Ok(sum)
    }

    fn has(&self, kind: TableKind) -> bool {
        self.first.book.rows().has(kind)
    }

    fn results(&self) -> Results {
        self.header().results
    }

    fn has_ratings(&self) -> bool {
        self.header().columns(TableKind::Moves).has(Column::RATINGS)
    }
}
