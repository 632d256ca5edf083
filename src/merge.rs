//! Merging: many streams of rows into one, and many books into one.

use crate::book::Book;
use crate::bytes::Pread;
use crate::create::NewBook;
use crate::env::Env;
use crate::error::{Error, Result};
use crate::format::{Header, Load, Source, Tag};
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::stream::{CHUNK, Cursor, RowSet, Rows};
use crate::writer::Writer;
use std::path::Path;

/// How books are merged.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeOptions {
    /// How full the new book's tables are to be; the fullest of the inputs' if not said.
    pub load: Option<Load>,
    /// Whether the new book is to have a filter of its positions; it has one anyway if one of the inputs has.
    pub filter: bool,
    /// Whether archives may count twice, that are in more than one of the books.
    pub allow_duplicate_sources: bool,
    /// Whether a file that has the output's name is replaced.
    pub replace: bool,
}

/// Merges books into a new one. Order and grouping of merges never show in the result.
///
/// # Errors
/// [`Error::Incompatible`] if the books are not of one kind; [`Error::DuplicateSource`]; those of [`NewBook::write`] and of reading the books.
pub fn merge(env: &Env<'_>, output: &Path, books: &[Book<Pread>], options: MergeOptions) -> Result<Header> {
    let Some((first, others)) = books.split_first() else {
        return Err(Error::Limit { path: output.to_owned(), what: "there is no book to merge: name at least one" });
    };
    others.iter().try_for_each(|other| check_compatible(first, other))?;
    let sources = unite_sources(books, options.allow_duplicate_sources)?;
    let load = options.load.or_else(|| books.iter().map(|book| book.header().load).max()).unwrap_or_default();
    let filter = options.filter || books.iter().any(|book| book.header().section(Tag::FILTER).is_some());
    let all = AllRows(books);
    let mut new = NewBook::like(first.header()).load(load).filter(filter).sources(sources);
    if first.has(TableKind::Positions) {
        new = new.positions(&all);
    }
    if first.has(TableKind::Moves) {
        new = new.moves(&all);
    }
    new.write(env, output, options.replace)
}

/// Merges books into one that is there, by its journal, as one batch; its sequence is returned.
///
/// # Errors
/// As [`merge()`], and those of [`Writer::append_rows`].
pub fn merge_into(env: &Env<'_>, target: &Path, books: &[Book<Pread>], allow_duplicate_sources: bool) -> Result<u64> {
    let mut writer = Writer::open(*env, target)?;
    let mine = Book::open(target)?;
    books.iter().try_for_each(|other| check_compatible(&mine, other))?;
    let mut known = mine.sources()?;
    let mut brought = Vec::new();
    for book in books {
        let sources = book.sources()?;
        check_sources(&known, &sources, book.path(), allow_duplicate_sources)?;
        known.extend_from_slice(&sources);
        brought.extend(sources);
    }
    let all = AllRows(books);
    let mut positions = mine.has(TableKind::Positions).then(|| RowSet::<PositionRow>::rows(&all)).transpose()?;
    let mut moves = mine.has(TableKind::Moves).then(|| RowSet::<MoveRow>::rows(&all)).transpose()?;
    writer.append_rows(positions.as_mut().map(|rows| rows as _), moves.as_mut().map(|rows| rows as _), &brought)
}

/// Whether two books can be merged or compared: same game, keys and tables.
///
/// # Errors
/// [`Error::Incompatible`].
pub(crate) fn check_compatible(first: &Book<Pread>, second: &Book<Pread>) -> Result<()> {
    let (a, b) = (first.header(), second.header());
    let what = if a.game != b.game {
        format!("one is of {}, the other of {}", a.game, b.game)
    } else if a.keys != b.keys {
        format!("one has {} keys, the other {}", a.keys, b.keys)
    } else if a.keyed != b.keyed {
        format!("one is keyed by {}, the other by {}", a.keyed, b.keyed)
    } else if let Some(kind) = [TableKind::Positions, TableKind::Moves].into_iter().find(|&kind| first.has(kind) != second.has(kind)) {
        format!("only one of them has a {kind} table")
    } else {
        return Ok(());
    };
    Err(Error::Incompatible { first: first.path().to_owned(), second: second.path().to_owned(), what })
}

/// The sources of all books.
fn unite_sources(books: &[Book<Pread>], allow_duplicates: bool) -> Result<Vec<Source>> {
    let mut all = Vec::new();
    for book in books {
        let sources = book.sources()?;
        check_sources(&all, &sources, book.path(), allow_duplicates)?;
        all.extend(sources);
    }
    Ok(all)
}

/// Whether none of these sources, which `path` brings, is known already.
///
/// # Errors
/// [`Error::DuplicateSource`].
pub fn check_sources(known: &[Source], brought: &[Source], path: &Path, allow_duplicates: bool) -> Result<()> {
    let known: std::collections::HashSet<_> = known.iter().map(|source| source.digest).collect();
    match brought.iter().find(|source| known.contains(&source.digest)) {
        Some(twice) if !allow_duplicates => {
            Err(Error::DuplicateSource { path: path.to_owned(), name: twice.name.clone(), games: twice.games })
        }
        _ => Ok(()),
    }
}

/// The rows of all books as one set.
struct AllRows<'a>(&'a [Book<Pread>]);

impl<R: Row> RowSet<R> for AllRows<'_>
where
    Book<Pread>: RowSet<R>,
{
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        let streams = self.0.iter().map(RowSet::rows).collect::<Result<Vec<_>>>()?;
        Ok(Box::new(Merged::new(streams)?))
    }

    fn at_most(&self) -> u64 {
        self.0.iter().map(RowSet::at_most).sum()
    }

    fn exactly(&self) -> Option<u64> {
        if let [only] = self.0 { only.exactly() } else { None }
    }
}

/// One stream out of many; rows of the same hash and move are merged (M-4).
pub struct Merged<'a, R> {
    inputs: Vec<Cursor<'a, R>>,
    tournament: Tournament,
}

impl<'a, R: Row> Merged<'a, R> {
    /// Merges these streams.
    ///
    /// # Errors
    /// A stream's, from reading its first rows.
    pub fn new(streams: Vec<Box<dyn Rows<R> + 'a>>) -> Result<Self> {
        let inputs = streams.into_iter().map(Cursor::new).collect::<Result<Vec<_>>>()?;
        let tournament = Tournament::new(inputs.iter().map(rank).collect());
        Ok(Self { inputs, tournament })
    }
}

impl<R: Row> Rows<R> for Merged<'_, R> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        chunk.clear();
        if self.inputs.is_empty() {
            return Ok(());
        }
        let mut last = END;
        loop {
            let first = self.tournament.first();
            let rank_of_first = self.tournament.rank_of_first();
            if rank_of_first == END || (chunk.len() >= CHUNK && rank_of_first != last) {
                return Ok(());
            }
            let input = &mut self.inputs[first];
            let Some(row) = input.row() else { return Ok(()) };
            match chunk.last_mut() {
                Some(kept) if rank_of_first == last => kept.absorb(row),
                _ => chunk.push(*row),
            }
            last = rank_of_first;
            input.advance()?;
            self.tournament.replace_first(rank(&self.inputs[first]));
        }
    }
}

/// A row's rank, and one above all ranks for the end of a stream.
type Place = (u64, u32);
const END: Place = (u64::MAX, u32::MAX);

#[inline(always)]
fn rank<R: Row>(input: &Cursor<'_, R>) -> Place {
    input.row().map_or(END, |row| (row.hash(), u32::from(row.sub())))
}

/// A tree of losers: which of k streams comes first is known after about log2 k comparisons (Knuth, The Art of Computer Programming, vol. 3, 5.4.1).
struct Tournament {
    /// The rank of each stream's next row; padded with [`END`] to a power of two.
    ranks: Vec<Place>,
    /// Who lost at each inner node; node 0 holds the winner.
    losers: Vec<u32>,
}

impl Tournament {
    fn new(mut ranks: Vec<Place>) -> Self {
        let leaves = ranks.len().next_power_of_two().max(1);
        ranks.resize(leaves, END);
        let mut winners: Vec<u32> = (0..2 * leaves as u32).map(|node| node.saturating_sub(leaves as u32)).collect();
        let mut losers = vec![0; leaves];
        for node in (1..leaves).rev() {
            let (left, right) = (winners[2 * node], winners[2 * node + 1]);
            let left_wins = ranks[left as usize] <= ranks[right as usize];
            (winners[node], losers[node]) = if left_wins { (left, right) } else { (right, left) };
        }
        losers[0] = if leaves > 1 { winners[1] } else { 0 };
        Self { ranks, losers }
    }

    /// The stream whose row comes first.
    #[inline(always)]
    fn first(&self) -> usize {
        self.losers[0] as usize
    }

    #[inline(always)]
    fn rank_of_first(&self) -> Place {
        self.ranks[self.first()]
    }

    /// Gives the first stream a new rank and finds who comes first now.
    #[inline(always)]
    fn replace_first(&mut self, rank: Place) {
        let mut winner = self.first();
        self.ranks[winner] = rank;
        let mut node = (winner + self.ranks.len()) / 2;
        while node > 0 {
            let other = self.losers[node] as usize;
            if self.ranks[other] < self.ranks[winner] {
                self.losers[node] = winner as u32;
                winner = other;
            }
            node /= 2;
        }
        self.losers[0] = winner as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Counts, MoveRow, sort_and_merge};
    use crate::stream::InMemory;
    use proptest::prelude::*;

    fn collect<R: Row>(mut rows: impl Rows<R>) -> Vec<R> {
        let (mut all, mut chunk) = (Vec::new(), Vec::new());
        loop {
            rows.next_chunk(&mut chunk).unwrap();
            if chunk.is_empty() {
                return all;
            }
            all.extend_from_slice(&chunk);
        }
    }

    proptest! {
        #[test]
        fn m4_merging_streams_equals_sorting_all(inputs in prop::collection::vec(prop::collection::vec((0u64..40, 0u16..3), 0..60), 0..9)) {
            let row = |&(key, code): &(u64, u16)| MoveRow::new(key, code, Counts { wins: 1, draws: 0, losses: 0 });
            let mut streams: Vec<Vec<MoveRow>> = inputs.iter().map(|input| input.iter().map(row).collect()).collect();
            let mut all = streams.concat();
            let kept = sort_and_merge(&mut all);
            for stream in &mut streams {
                let kept = sort_and_merge(stream);
                stream.truncate(kept);
            }
            let boxed = streams.iter().map(|rows| Box::new(InMemory::new(rows)) as Box<dyn Rows<MoveRow>>).collect();
            prop_assert_eq!(collect(Merged::new(boxed).unwrap()), &all[..kept]);
        }
    }

    #[test]
    fn rows_that_meet_at_the_end_of_a_chunk_are_merged() {
        let rows = |games: u32| -> Vec<MoveRow> {
            let mut rows: Vec<_> =
                (0..CHUNK as u64 * 2 + 5).map(|key| MoveRow::new(key, 0, Counts { wins: games, draws: 0, losses: 0 })).collect();
            sort_and_merge(&mut rows);
            rows
        };
        let (one, two) = (rows(1), rows(2));
        let merged = collect(Merged::new(vec![Box::new(InMemory::new(&one)), Box::new(InMemory::new(&two))]).unwrap());
        assert_eq!(merged, rows(3));
    }
}
