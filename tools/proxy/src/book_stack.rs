//! The books that are played from, opened: one, or several.
//!
//! There are two ways to have several. A book *laid over* others corrects them: its rows replace
//! the same rows below it, and all others show through. A book *asked first* answers alone wherever
//! it has the position, and not at all elsewhere: a repertoire before an archive. To add counts,
//! merge the books.

use crate::error::Error;
use std::path::{Path, PathBuf};
use tabia::{Book, Digest, JournalInfo, Keyed, Name};
use tabia_games::{Game, Known, Node};
use tabia_play::choice::{Books, Player, RowLookup, RuleSpec, Seed};
use tabia_play::explore::{Explorable, OpenBook};

/// The files of a stack of books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookFiles {
    /// The lowest book.
    pub book: PathBuf,
    /// Books laid over it, each over those before it.
    pub overlay: Vec<PathBuf>,
    /// Books that are asked before these, in order.
    pub first: Vec<PathBuf>,
}

/// The fact that says that sequences of corners were read from an archive, and how large they are
/// (`build --corners`).
const CORNERS: &str = "plan.corners";

/// Books of one game, with keys of one kind.
pub struct BookStack {
    files: BookFiles,
    kind: Kind,
    /// What shows whether the books have changed.
    seen: Vec<(Digest, JournalInfo)>,
    rows: Books,
    /// Books that are asked before these, in order.
    first: Vec<BookStack>,
    /// What the opponent plays from, if it is known.
    opponent: Option<Box<BookStack>>,
    /// The rows and columns of a corner, if they are books of corners.
    corners: Option<u8>,
}

/// What books have to agree in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    game: Name,
    keys: Name,
    keyed: Keyed,
}

impl Kind {
    fn of(book: &OpenBook) -> Self {
        let header = book.header();
        Self { game: header.game, keys: header.keys, keyed: header.keyed }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let keyed = if self.keyed == Keyed::Line { "lines" } else { "positions" };
        write!(f, "{} {keyed} with {} keys", self.game, self.keys)
    }
}

impl BookStack {
    /// Opens the books of these files; a folder is a book of shares.
    ///
    /// # Errors
    /// If one can't be opened, or they don't go together.
    pub fn of(files: &BookFiles) -> Result<Self, Error> {
        Self::open(files, None)
    }

    /// The same of this kind, if one is given.
    fn open(files: &BookFiles, expected: Option<Kind>) -> Result<Self, Error> {
        let lowest = OpenBook::at(&files.book)?;
        let kind = Kind::of(&lowest);
        check(&files.book, kind, expected.unwrap_or(kind))?;
        let (mut seen, mut rows, mut corners) =
            (Vec::new(), Vec::<Box<dyn RowLookup>>::new(), None);
        let laid_over = files.overlay.iter().map(|path| {
            let book = OpenBook::at(path)?;
            check(path, Kind::of(&book), kind).map(|()| book)
        });
        for book in std::iter::once(Ok(lowest)).chain(laid_over) {
            let book = book?;
            let all = book.books().iter();
            seen.extend(all.map(|book| (book.digest(), book.journal().clone())));
            corners = corners.max(corners_of(book.first())?);
            let of_book: Box<dyn RowLookup> = match book {
                OpenBook::One(book) => book,
                OpenBook::Set(set) => Box::new(set),
            };
            rows.insert(0, of_book);
        }
        let first = files.first.iter().map(|path| Self::another(path, kind));
        let first = first.collect::<Result<_, _>>()?;
        let (files, rows) = (files.clone(), Books::new(rows));
        Ok(Self { files, kind, seen, rows, first, opponent: None, corners })
    }

    /// A book that goes with those of this kind.
    fn another(path: &Path, kind: Kind) -> Result<Self, Error> {
        Self::open(&BookFiles { book: path.to_owned(), ..BookFiles::default() }, Some(kind))
    }

    /// These books, to be played from against an opponent who plays from another book.
    ///
    /// # Errors
    /// If it can't be opened, or doesn't go with them.
    pub fn against(self, opponent: &Path) -> Result<Self, Error> {
        let theirs = Self::another(opponent, self.kind)?;
        Ok(Self { opponent: Some(Box::new(theirs)), ..self })
    }

    /// A player by a rule, for games from this position.
    pub fn player<G: Game>(
        &self,
        rule: &RuleSpec,
        start: &Node<G>,
        seed: Seed,
    ) -> Result<Player<'_, G>, tabia_play::Error> {
        let theirs = self.opponent.as_ref().map(|theirs| &theirs.rows as &dyn RowLookup);
        let ready = rule.prepare(&self.rows, theirs, start)?;
        let mut player = Player::new(&self.rows, ready, seed);
        for book in self.first.iter().rev() {
            player = player.asking_first(&book.rows, rule.prepare(&book.rows, theirs, start)?);
        }
        let corners = self.first.iter().map(|book| book.corners).fold(self.corners, Option::max);
        if let Some(region) = corners {
            player = player.in_corners(region.into());
        }
        Ok(player)
    }

    /// The game they are of, if its rules are known.
    pub fn known(&self) -> Option<Known> {
        Known::of(self.kind.game.as_str(), self.kind.keys.as_str())
    }

    /// The name of the game they are of.
    pub fn game(&self) -> &str {
        self.kind.game.as_str()
    }

    /// The lowest book.
    pub fn lowest(&self) -> &Path {
        &self.files.book
    }

    /// Whether the books are keyed by position or by line.
    pub fn keyed(&self) -> Keyed {
        self.kind.keyed
    }

    /// Other books in place of these, against the same opponent. They may be keyed otherwise; an
    /// error if they are of another game.
    pub(crate) fn with(&self, files: &BookFiles) -> Result<Self, Error> {
        let next = Self::of(files)?;
        check(&files.book, next.kind, Kind { keyed: next.kind.keyed, ..self.kind })?;
        match &self.opponent {
            Some(theirs) => next.against(theirs.lowest()),
            None => Ok(next),
        }
    }

    /// The books as they are now, if they were replaced or their journals changed; an error if they
    /// are of something else now.
    pub(crate) fn refreshed(&self) -> Result<Option<Self>, Error> {
        let mut now = Self::open(&self.files, Some(self.kind))?;
        let seen =
            |stack: &Self| stack.first.iter().map(|book| book.seen.clone()).collect::<Vec<_>>();
        let mut has_changed = now.seen != self.seen || seen(&now) != seen(self);
        if let Some(theirs) = &self.opponent {
            now = now.against(theirs.lowest())?;
            has_changed |= now.opponent.as_ref().is_none_or(|now| now.seen != theirs.seen);
        }
        Ok(has_changed.then_some(now))
    }
}

/// The rows and columns of the corners that a book was built of, if it was built of corners.
fn corners_of(book: &Book) -> Result<Option<u8>, Error> {
    let facts = book.facts()?;
    let regions = facts.iter().filter(|fact| fact.name() == CORNERS);
    Ok(regions.filter_map(|fact| fact.value().parse().ok()).max())
}

fn check(path: &Path, got: Kind, expected: Kind) -> Result<(), Error> {
    if got == expected {
        return Ok(());
    }
    Err(Error::OtherBook {
        path: path.to_owned(),
        got: got.to_string(),
        expected: expected.to_string(),
    })
}
