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
    /// From the lowest.
    paths: Vec<PathBuf>,
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

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let keyed = if self.keyed == Keyed::Line { "lines" } else { "positions" };
        write!(f, "{} {keyed} with {} keys", self.game, self.keys)
    }
}

impl BookStack {
    /// Opens the books of these files.
    ///
    /// # Errors
    /// If one can't be opened, or they don't go together.
    pub fn of(files: &BookFiles) -> Result<Self, Error> {
        let laid_over = files.overlay.iter().cloned();
        Self::open(std::iter::once(files.book.clone()).chain(laid_over).collect())?
            .asking_first(&files.first)
    }

    /// Opens books, each laid over those before it; a folder is a book of shares.
    ///
    /// # Errors
    /// If one can't be opened, or they don't go together.
    pub fn open(paths: Vec<PathBuf>) -> Result<Self, Error> {
        let (mut kind, mut seen, mut rows) = (None, Vec::new(), Vec::<Box<dyn RowLookup>>::new());
        let mut corners = None;
        for path in &paths {
            let book = OpenBook::at(path)?;
            let header = book.header();
            let got = Kind { game: header.game, keys: header.keys, keyed: header.keyed };
            check(path, got, *kind.get_or_insert(got))?;
            let all = book.books().iter();
            seen.extend(all.map(|book| (book.digest(), book.journal().clone())));
            corners = corners.max(corners_of(book.first())?);
            let of_book: Box<dyn RowLookup> = match book {
                OpenBook::One(book) => book,
                OpenBook::Set(set) => Box::new(set),
            };
            rows.insert(0, of_book);
        }
        let none = || tabia::Error::Io {
            action: "open",
            path: PathBuf::new(),
            source: std::io::ErrorKind::NotFound.into(),
        };
        Ok(Self {
            kind: kind.ok_or_else(none)?,
            paths,
            seen,
            rows: Books::new(rows),
            first: Vec::new(),
            opponent: None,
            corners,
        })
    }

    /// These books, with others that are asked before them: the first that has a position answers
    /// there alone.
    ///
    /// # Errors
    /// If one can't be opened, or doesn't go with them.
    pub fn asking_first(mut self, books: &[PathBuf]) -> Result<Self, Error> {
        for path in books {
            let book = Self::open(vec![path.clone()])?;
            check(path, book.kind, self.kind)?;
            self.first.push(book);
        }
        Ok(self)
    }

    /// These books, to be played from against an opponent who plays from another book.
    ///
    /// # Errors
    /// If it can't be opened, or doesn't go with them.
    pub fn against(self, opponent: &Path) -> Result<Self, Error> {
        let theirs = Self::open(vec![opponent.to_owned()])?;
        check(opponent, theirs.kind, self.kind)?;
        Ok(Self { opponent: Some(Box::new(theirs)), ..self })
    }

    /// A player by a rule, for games from this position.
    ///
    /// # Errors
    /// As [`RuleSpec::prepare`].
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
        &self.paths[0]
    }

    /// The books that are asked before the others.
    fn paths_asked_first(&self) -> Vec<PathBuf> {
        self.first.iter().flat_map(|book| book.paths.clone()).collect()
    }

    /// Whether the books are keyed by position or by line.
    pub fn keyed(&self) -> Keyed {
        self.kind.keyed
    }

    /// Other books in place of these, against the same opponent. They may be keyed otherwise.
    ///
    /// # Errors
    /// As [`BookStack::of`], and if they are of another game.
    pub fn with(&self, files: &BookFiles) -> Result<Self, Error> {
        let next = Self::of(files)?;
        check(&files.book, next.kind, Kind { keyed: next.kind.keyed, ..self.kind })?;
        match &self.opponent {
            Some(theirs) => next.against(theirs.lowest()),
            None => Ok(next),
        }
    }

    /// The books as they are now, if they were replaced or their journals changed.
    ///
    /// # Errors
    /// As [`BookStack::open`], and if they are of something else now.
    pub fn refreshed(&self) -> Result<Option<Self>, Error> {
        let mut now = Self::open(self.paths.clone())?;
        check(self.lowest(), now.kind, self.kind)?;
        now = now.asking_first(&self.paths_asked_first())?;
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
