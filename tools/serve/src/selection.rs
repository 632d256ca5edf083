//! What a request is answered from: one book, or the sum of a shelf's books that have the games asked
//! for.

use crate::reply::Refusal;
use crate::shelf::{Choice, Shelf};
use crate::source::{Snapshot, Source};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use tabia::{
    Column, Fact, Header, Key, MoveRow, PositionRow, Result, Results, Row, TableKind, WithCells,
};
use tabia_build::shelf::Facets;
use tabia_games::Known;
use tabia_interop::opening_names::OpeningNames;
use tabia_play::choice::RowLookup;
use tabia_play::explore::Explorable;

/// What is served under a name.
#[derive(Clone, Copy, Debug)]
pub enum BookOrShelf<'a> {
    /// A book.
    Book(&'a Source),
    /// A shelf.
    Shelf(&'a Shelf),
}

impl<'a> BookOrShelf<'a> {
    /// What it is called by.
    pub fn name(self) -> &'a str {
        match self {
            Self::Book(source) => source.name(),
            Self::Shelf(shelf) => shelf.name(),
        }
    }

    /// Its game.
    pub fn game(self) -> &'a Known {
        match self {
            Self::Book(source) => source.game(),
            Self::Shelf(shelf) => shelf.game(),
        }
    }

    /// Names of its openings.
    pub fn names(self) -> &'a OpeningNames {
        match self {
            Self::Book(source) => source.names(),
            Self::Shelf(shelf) => shelf.names(),
        }
    }

    /// What it has of the games of a choice, as it is now; `prefix` is what goes before the names of
    /// the choice's parameters.
    ///
    /// # Errors
    /// [`Refusal::Bad`] if it isn't sliced by something that the choice is made by.
    pub fn select(self, choice: &Choice, prefix: &str) -> std::result::Result<Selection, Refusal> {
        if let Some(parameter) = choice.beyond(&self.facets()).first() {
            return Err(Refusal::Bad(format!(
                "{prefix}{parameter}: {} isn't sliced by this: it knows its games together only",
                self.name().escape_debug()
            )));
        }
        Ok(self.chosen(choice))
    }

    /// What its games are sliced by.
    pub fn facets(self) -> Facets {
        match self {
            Self::Book(_) => Facets::default(),
            Self::Shelf(shelf) => shelf.facets().clone(),
        }
    }

    /// What it has of the games of a choice, as far as it is sliced by what that is made by.
    pub fn chosen(self, choice: &Choice) -> Selection {
        match self {
            Self::Book(source) => Selection::one(source.now(), Facets::default()),
            Self::Shelf(shelf) => {
                let chosen = shelf.chosen(choice).into_iter();
                let (facets, books) = chosen.map(|(facets, book)| (facets.clone(), book)).unzip();
                Selection { books, facets, like: shelf.first() }
            }
        }
    }
}

/// Books as one that has the games of all: a single one, several, or none, which knows no game.
#[derive(Clone, Debug)]
pub struct Selection {
    books: Vec<Arc<Snapshot>>,
    /// What the games of each have in common.
    facets: Vec<Facets>,
    /// A book like these: what it says of itself, they say.
    like: Arc<Snapshot>,
}

impl Selection {
    /// One book, and what its games have in common.
    pub fn one(book: Arc<Snapshot>, facets: Facets) -> Self {
        Self { books: vec![Arc::clone(&book)], facets: vec![facets], like: book }
    }

    /// The books that were chosen; there may be none.
    pub fn books(&self) -> &[Arc<Snapshot>] {
        &self.books
    }

    /// The books that were chosen, each with what its games have in common.
    pub fn with_facets(&self) -> impl Iterator<Item = (&Facets, &Arc<Snapshot>)> {
        self.facets.iter().zip(&self.books)
    }

    /// A book that says of itself what all of these say: of several the first.
    pub fn first(&self) -> &Arc<Snapshot> {
        self.books.first().unwrap_or(&self.like)
    }

    /// Whether one of them isn't the book on the disk any more.
    pub fn is_stale(&self) -> bool {
        self.books.iter().any(|book| book.is_stale())
    }

    /// What changes whenever one of them says something else, or others are chosen.
    pub fn version(&self) -> String {
        match &self.books[..] {
            [] => format!("none-{}", self.like.version),
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
        self.first().book.header()
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
        self.first().book.rows().has(kind)
    }

    fn results(&self) -> Results {
        self.header().results
    }

    fn has_ratings(&self) -> bool {
        self.header().columns(TableKind::Moves).has(Column::RATINGS)
    }
}
