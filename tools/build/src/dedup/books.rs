//! The fingerprints of several books: whether any are missing, which games the books have in common,
//! and all of them together.

use super::SameBy;
use super::fingerprints::{Batch, Fingerprints, KnownLines, NewLines, by_code, without_copies};
use super::identity::Line;
use crate::error::Result;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use tabia::format::{Digest, Source};
use tabia::storage::{Storage, folder_of};
use tabia::{AtomicFile, Book, BookFile, Fact};

/// Bytes of memory for the lines that are compared at a time.
const MEMORY: u64 = 64 << 20;

/// The fingerprints of a book's games, read and verified once, and what the book says of its archives.
pub(crate) struct BookFingerprints<'a> {
    /// The fingerprints, of games that are the same by their moves.
    pub found: Fingerprints<'a>,
    /// The archives that were read without copies.
    without_copies: HashSet<Digest>,
    /// What the book says of itself and its archives.
    pub facts: Vec<Fact>,
}

impl<'a> BookFingerprints<'a> {
    /// Those in this file, of a book with these archives and facts.
    ///
    /// # Errors
    /// [`crate::BuildError::Fingerprints`] if the file is damaged or none of ours, and has any that
    /// count; the system's.
    pub fn open(
        storage: &'a dyn Storage,
        path: PathBuf,
        sources: &[Source],
        facts: Vec<Fact>,
    ) -> Result<Self> {
        let without_copies = without_copies(sources, &facts);
        // No batch counts of a book all of whose archives were read with copies.
        let found = if without_copies.is_empty() {
            Fingerprints::none(storage, path, SameBy::Moves)
        } else {
            Fingerprints::open(storage, path, SameBy::Moves, sources, &facts)?
        };
        Ok(Self { found, without_copies, facts })
    }

    pub fn of(storage: &'a dyn Storage, book: &Book) -> Result<Self> {
        Self::open(storage, book.file(BookFile::Fingerprints)?, &book.sources()?, book.facts()?)
    }

    /// Whether those of some archive are missing that was read without copies.
    pub fn are_missing(&self) -> bool {
        let there: HashSet<_> =
            self.found.batches.iter().flat_map(|batch| &batch.sources).collect();
        !self.without_copies.iter().all(|digest| there.contains(digest))
    }

    /// What tells a batch from others: its archives, and which slices of them the book holds.
    fn key<'b>(&'b self, batch: &'b Batch) -> (&'b [Digest], Vec<&'b str>) {
        let of_it =
            |fact: &&Fact| fact.name() == Fact::SLICE && batch.sources.contains(&fact.subject());
        let slices = self.facts.iter().filter(of_it).map(Fact::value).collect();
        (&batch.sources, slices)
    }

    /// The fingerprints, to tell copies of games by what makes these the same, and to be replaced.
    ///
    /// # Errors
    /// [`crate::BuildError::Fingerprints`] if the file is none of ours; the system's.
    pub fn by(self, by: SameBy) -> Result<Fingerprints<'a>> {
        self.found.check_place()?;
        Ok(self.found.by(by))
    }
}

/// Games that were added together, to some of several books.
struct Added<'f> {
    /// The numbers of these books.
    books: &'f [usize],
    /// What makes two lines the same: others say nothing of each other.
    by: u8,
    lines: KnownLines<'f>,
}

/// How many games are in several of these books, and not already together in one of them; and one of
/// the books that have such games. What was added together, with the same archives, is in both of
/// two shares of a book, and counts once.
pub(crate) fn games_in_several(all: &[BookFingerprints<'_>]) -> Result<(u64, usize)> {
    // In which books a batch is: it is told by its archives, and their slices.
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for (number, one) in all.iter().enumerate() {
        for batch in &one.found.batches {
            places.entry(one.key(batch)).or_default().push(number);
        }
    }
    let (mut batches, mut count) = (Vec::new(), 0);
    for (number, one) in all.iter().enumerate() {
        for batch in &one.found.batches {
            let books = &places[&one.key(batch)][..];
            if books[0] == number {
                let lines = one.found.lines_of([batch]);
                batches.push(Added { books, by: batch.by, lines });
                count += batch.len();
            }
        }
    }
    let shares = (count * size_of::<(Line, usize)>() as u64).div_ceil(MEMORY).max(1);
    let (mut games, mut book) = (0, 0);
    for share in 0..shares {
        let is_ours = |line: Line| line.share(shares) == share;
        let mut found: Vec<(Line, usize)> = Vec::new();
        for (number, batch) in batches.iter_mut().enumerate() {
            found.extend(batch.lines.while_ours(is_ours)?.into_iter().map(|line| (line, number)));
        }
        found.sort_unstable();
        for same in found.chunk_by(|one, other| one.0 == other.0) {
            let apart = |first: &Added<'_>, second: &Added<'_>| {
                first.by == second.by && first.books.iter().all(|book| !second.books.contains(book))
            };
            let apart = same.iter().enumerate().find_map(|(at, one)| {
                let mut others = same[at + 1..].iter();
                others.find(|other| apart(&batches[one.1], &batches[other.1]))
            });
            if let Some(&(_, other)) = apart {
                (games, book) = (games + 1, batches[other].books[0]);
            }
        }
    }
    Ok((games, book))
}

/// The fingerprints of all these books together, as those of games that were added at once; none if
/// they aren't all of one kind, or several have the same game. Then a book made of them has the file of one
/// that was built of all archives, in whatever order they are.
pub(crate) fn fingerprints_as_one<'a>(
    storage: &'a dyn Storage,
    all: &[BookFingerprints<'_>],
    output: &Path,
) -> Result<Option<AtomicFile<'a>>> {
    let found: Vec<_> = all.iter().map(|one| &one.found).collect();
    let batches = Fingerprints::distinct(&found)?;
    let [(_, first), _, ..] = batches[..] else { return Ok(None) };
    let by =
        [SameBy::Moves, SameBy::MovesAndPlayers].into_iter().find(|by| by_code(*by) == first.by);
    let Some(by) = by.filter(|_| batches.iter().all(|(_, batch)| batch.by == first.by)) else {
        return Ok(None);
    };
    let count: u64 = batches.iter().map(|(_, batch)| batch.len()).sum();
    let shares = (count * size_of::<Line>() as u64).div_ceil(MEMORY).max(1);
    let mut lines: Vec<_> = batches.iter().map(|(one, batch)| one.lines_of([*batch])).collect();
    let mut new = NewLines::new(storage, folder_of(output))?;
    for share in 0..shares {
        let mut ours = Vec::new();
        for of_batch in &mut lines {
            ours.extend(of_batch.while_ours(|line| line.share(shares) == share)?);
        }
        ours.sort_unstable();
        if ours.array_windows().any(|[one, other]| one == other) {
            return Ok(None);
        }
        ours.into_iter().try_for_each(|line| new.add(line))?;
    }
    new.finish()?;
    let sources = batches.iter().flat_map(|(_, batch)| batch.sources.iter().copied());
    Ok(Some(Fingerprints::new(storage, output, by)?.with_new(&new, sources)?))
}

/// The fingerprints of all these books together, as a file still to be published beside a book made
/// of them; none if none of them has any. What several of them have is written once.
///
/// # Errors
/// [`crate::BuildError::Fingerprints`] if what is at the new place is none of ours; the system's.
pub(crate) fn united_fingerprints<'a>(
    storage: &'a dyn Storage,
    all: &[BookFingerprints<'_>],
    output: &Path,
) -> Result<Option<AtomicFile<'a>>> {
    let all: Vec<_> = all.iter().map(|one| &one.found).collect();
    Ok(Fingerprints::new(storage, output, SameBy::Moves)?.united(&all)?)
}
