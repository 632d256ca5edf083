//! Probes of a book that is neither mapped nor in memory: whole blocks are read, and each is
//! verified. Where the table has tags they are asked first, so that of an absent position no block
//! of the table is read.

use super::Book;
use crate::bytes::Bytes;
use crate::error::Result;
use crate::format::{BLOCK, ROW, Tag};
use crate::key::{Hash, Key};
use crate::row::{PositionRow, Row, TableKind};
use crate::table::{Scale, Strip, Wanted, are_of_use, candidates, rows_of, window};
use std::borrow::Cow;
use std::ops::Range;
use zerocopy::FromBytes;
use zerocopy::little_endian::U16;

/// Bytes read at once where there are no tags: whole rows in whole blocks; most probes end in the
/// first piece.
const PIECE: u64 = 3 * BLOCK;

/// Where the rows of a hash are looked for.
struct Search<'a> {
    h: u64,
    wanted: Wanted,
    /// The slots that may hold them.
    window: Range<u64>,
    table: Strip<'a>,
    /// The tags of these slots, if they are of use.
    tags: Option<Strip<'a>>,
}

impl Search<'_> {
    /// The bytes of the table that are read first where there are no tags.
    fn first_piece(&self) -> Range<u64> {
        let start = self.window.start * ROW;
        start..(self.window.end * ROW).min(start + PIECE)
    }

    /// The bytes of the tags of all slots.
    fn of_tags(&self, tags: Strip<'_>) -> Range<u64> {
        self.window.start * tags.section.cell..self.window.end * tags.section.cell
    }
}

impl<S: Bytes> Book<S> {
    /// Where the rows of a hash of the book's share are; none if there is no such table.
    fn search<R: Row>(&self, h: Hash) -> Option<Search<'_>> {
        let table = self.header.table(R::TABLE)?;
        let shifted = h.get() << self.header.share.bits();
        let has_tags = R::TABLE == TableKind::Positions && are_of_use(table.shape.max_displacement);
        let tags = self.header.section(Tag::TAGS).filter(|_| has_tags);
        Some(Search {
            h: h.get(),
            wanted: Wanted::of(shifted, Scale::of(table.shape.homes)),
            window: window(shifted, table.shape.homes, table.shape.max_displacement),
            table: Strip::of(&self.header, table)?,
            tags: tags.and_then(|tags| Strip::of(&self.header, tags)),
        })
    }

    /// The rows of many positions. What probes begin with is asked of the disk for all of them
    /// before the first is waited for, and so are the rows that tags point to.
    pub(super) fn read_positions(
        &self,
        keys: &[Key],
        out: &mut [Option<PositionRow>],
    ) -> Result<()> {
        let search = |&key: &Key| {
            let h = Hash::of(key);
            self.search::<PositionRow>(h).filter(|_| self.header.share.holds(h))
        };
        let searches: Vec<Option<Search<'_>>> = keys.iter().map(search).collect();
        for search in searches.iter().flatten() {
            match search.tags {
                Some(tags) => self.ask_for(tags, search.of_tags(tags)),
                None => self.ask_for(search.table, search.first_piece()),
            }
        }
        let mut pointed = Vec::with_capacity(keys.len());
        for search in &searches {
            let slots = search.as_ref().map_or(Ok(None), |search| self.pointed(search))?;
            for (search, slot) in search.iter().zip(slots.iter().flatten()) {
                let row = slot * PositionRow::SIZE..(slot + 1) * PositionRow::SIZE;
                self.ask_for(search.table, row);
            }
            pointed.push(slots);
        }
        for (((search, slots), &key), out) in searches.iter().zip(pointed).zip(keys).zip(out) {
            let found = match search {
                Some(search) => self.read_found(search, slots.as_deref())?.1,
                None => Vec::new(),
            };
            let rows: Cow<'_, [PositionRow]> = self.overlay.over(Hash::of(key), found.into());
            *out = rows.first().copied();
        }
        Ok(())
    }

    /// The rows of a hash of the book's share, read from the file, and the slot of the first one;
    /// every block touched is verified.
    pub(super) fn read_rows<R: Row>(&self, h: Hash) -> Result<(u64, Vec<R>)> {
        match self.search::<R>(h) {
            Some(search) => self.read_found(&search, self.pointed(&search)?.as_deref()),
            None => Ok((0, Vec::new())),
        }
    }

    /// The rows of a hash: in one of the slots that tags point to, or, without tags, in any.
    fn read_found<R: Row>(
        &self,
        search: &Search<'_>,
        slots: Option<&[u64]>,
    ) -> Result<(u64, Vec<R>)> {
        match slots {
            Some(slots) => self.read_slots(search, slots),
            None => self.scan_window(search),
        }
    }

    /// The slots whose tag is that of the hash: most often none if its position is absent, else
    /// one. None at all without tags.
    fn pointed(&self, search: &Search<'_>) -> Result<Option<Vec<u64>>> {
        let Some(tags) = search.tags else { return Ok(None) };
        let Range { start, end } = search.of_tags(tags);
        let bytes = tags.read(&self.bytes, &self.path, start, end - start)?;
        let tags = <[U16]>::ref_from_bytes(&bytes).unwrap_or_default();
        let lanes = candidates(tags, search.wanted);
        Ok(Some(lanes.map(|lane| search.window.start + lane as u64).collect()))
    }

    /// The rows of a hash in all slots that may hold them.
    fn scan_window<R: Row>(&self, search: &Search<'_>) -> Result<(u64, Vec<R>)> {
        let Search { h, ref window, table, .. } = *search;
        let (mut at, end) = (window.start * R::SIZE, window.end * R::SIZE);
        let (mut first, mut found) = (window.start, Vec::new());
        while at < end {
            let bytes = table.read(&self.bytes, &self.path, at, (end - at).min(PIECE))?;
            let rows = <[R]>::ref_from_bytes(&bytes).unwrap_or_default();
            let here = rows_of(rows, h);
            if found.is_empty() {
                let before = rows.iter().take_while(|row| row.h() < h).count();
                first = at / R::SIZE + before as u64;
            }
            found.extend_from_slice(here);
            let last = rows.last().map_or(u64::MAX, |row| row.h());
            if last > h || (last == h && here.is_empty()) {
                break;
            }
            at += bytes.len() as u64;
        }
        Ok((first, found))
    }

    /// The row of a hash in one of these slots, and its slot.
    fn read_slots<R: Row>(&self, search: &Search<'_>, slots: &[u64]) -> Result<(u64, Vec<R>)> {
        for &slot in slots {
            let bytes = search.table.read(&self.bytes, &self.path, slot * R::SIZE, R::SIZE)?;
            let row = R::read_from_bytes(&bytes).ok();
            if let Some(row) = row.filter(|row| row.h() == search.h && !row.is_empty()) {
                return Ok((slot, vec![row]));
            }
        }
        Ok((search.window.start, Vec::new()))
    }

    /// Starts reading what [`Strip::read`] will ask for.
    fn ask_for(&self, strip: Strip<'_>, bytes: Range<u64>) {
        let Strip { section, sums } = strip;
        let blocks = bytes.start / BLOCK..bytes.end.div_ceil(BLOCK);
        let ask = |offset: u64, part: Range<u64>| {
            self.bytes.will_need((offset + part.start) as usize..(offset + part.end) as usize);
        };
        ask(section.offset, blocks.start * BLOCK..(blocks.end * BLOCK).min(section.length));
        ask(sums.offset, 8 * blocks.start..8 * blocks.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, Counts, Env, Existing, NewBook, Writer};
    use std::fs::File;
    use std::io;
    use std::sync::Mutex;

    /// A file that notes where it is read, and where it is asked ahead.
    #[derive(Debug)]
    struct Watched {
        file: crate::bytes::Pread,
        read: Mutex<Vec<u64>>,
        asked: Mutex<Vec<Range<usize>>>,
    }

    impl Bytes for Watched {
        fn len(&self) -> u64 {
            self.file.len()
        }

        fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
            self.read.lock().unwrap().push(offset);
            self.file.read_exact_at(bytes, offset)
        }

        fn will_need(&self, part: Range<usize>) {
            assert!(part.end as u64 <= self.len(), "{part:?} is beyond the file");
            self.asked.lock().unwrap().push(part);
        }
    }

    /// A book of the even keys below 2,000, with or without a filter.
    fn book(has_filter: bool) -> (tempfile::TempDir, Book<Watched>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.tabia");
        let counts = Counts::new(1, 0, 0);
        let mut rows: Vec<_> = (0..1000).map(|key| PositionRow::new(2 * key, counts)).collect();
        rows.sort_by_key(Row::rank);
        let new = NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap());
        let new = new.positions(&rows).filter(has_filter);
        new.write(&Env::default(), &path, Existing::Refuse).unwrap();
        let mut batch = Batch::new();
        batch.delete_position(4).put_position(PositionRow::new(7, counts));
        Writer::open(Env::default(), &path).unwrap().append(&batch).unwrap();
        let watched = Watched {
            file: crate::bytes::Pread::new(File::open(&path).unwrap()).unwrap(),
            read: Mutex::default(),
            asked: Mutex::default(),
        };
        (folder, Book::new(watched, &path, super::super::View::Whole).unwrap())
    }

    /// How many reads there were since the last call in the table and in its tags.
    fn reads(book: &Book<Watched>) -> (usize, usize) {
        let read = std::mem::take(&mut *book.bytes.read.lock().unwrap());
        let within = |section: Option<&crate::format::Section>| {
            let section = section.copied();
            let is_in = |&&at: &&u64| {
                section.is_some_and(|of| (of.offset..of.offset + of.length).contains(&at))
            };
            read.iter().filter(is_in).count()
        };
        let header = book.header();
        (within(header.table(TableKind::Positions)), within(header.section(Tag::TAGS)))
    }

    #[test]
    fn the_filter_is_asked_before_the_table_alone_and_in_batches() {
        let absent: Vec<Key> = (0..200).map(|key| 2 * key + 1001).collect();
        let (_folder, filtered) = book(true);
        reads(&filtered);
        assert!(absent.iter().all(|&key| filtered.position(key).unwrap().is_none()));
        let (of_table, of_tags) = reads(&filtered);
        // A tag is wrong about one absent position in six hundred.
        assert!(of_table <= 3 && of_tags == 200, "{of_table} {of_tags}");
        let mut out = vec![None; absent.len()];
        filtered.positions(&absent, &mut out).unwrap();
        let in_batch = reads(&filtered);
        assert_eq!((in_batch, out), ((of_table, 200), vec![None; absent.len()]));
        // Of those that are there, the one block that has the row.
        assert!((0..100).all(|key| filtered.position(2 * key + 10).unwrap().is_some()));
        let (of_table, of_tags) = reads(&filtered);
        assert!((100..=102).contains(&of_table) && of_tags == 100, "{of_table} {of_tags}");
        let (_folder, plain) = book(false);
        reads(&plain);
        assert!(absent.iter().all(|&key| plain.position(key).unwrap().is_none()));
        assert_eq!(reads(&plain), (200, 0));
    }

    #[test]
    fn a_batch_asks_ahead_for_all_that_it_reads() {
        for has_filter in [false, true] {
            let (_folder, book) = book(has_filter);
            let keys: Vec<Key> = (0..40).chain([u64::MAX]).collect();
            let mut out = vec![None; keys.len()];
            book.bytes.read.lock().unwrap().clear();
            book.positions(&keys, &mut out).unwrap();
            let asked = std::mem::take(&mut *book.bytes.asked.lock().unwrap());
            let read = std::mem::take(&mut *book.bytes.read.lock().unwrap());
            for at in read {
                assert!(asked.iter().any(|part| part.contains(&(at as usize))), "{at}: {asked:?}");
            }
            // As one by one, with the journal over the table.
            for (&key, &row) in keys.iter().zip(&out) {
                assert_eq!(row, book.position(key).unwrap(), "{key}");
            }
            let there = keys.iter().zip(&out).filter(|(_, row)| row.is_some());
            let there: Vec<Key> = there.map(|(&key, _)| key).collect();
            let expected: Vec<Key> =
                (0..40).filter(|&key| key == 7 || key % 2 == 0 && key != 4).collect();
            assert_eq!(there, expected);
        }
    }
}
