//! Making a book: tables, their sums, sources and header, in one pass over the output.

use crate::book::Book;
use crate::bytes::Bytes;
use crate::env::{Env, Stage};
use crate::error::{Error, Result};
use crate::format::{
    Digest, HAS_FILTER, Header, Keyed, Load, Name, PAGE, RATED_MOVES, Results, Section, Source, TableShape, Tag, WITHOUT_RESULTS,
    encode_sources,
};
use crate::journal::last_sequence;
use crate::publish::{AtomicFile, check_replaceable_journal, check_target, open_settled, retire_journal, spare_journal};
use crate::row::{MoveRow, PositionRow, RatedMoveRow, Row, TableKind};
use crate::shares::{count_rows, stream_by_shares};
use crate::storage::{StorageFile, resolve};
use crate::stream::RowSet;
use crate::table::{FilterWriter, write_table};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

/// The rows of a moves table.
#[derive(Clone, Copy)]
enum Moves<'a> {
    Plain(&'a dyn RowSet<MoveRow>),
    Rated(&'a dyn RowSet<RatedMoveRow>),
}

/// A book to be written.
#[derive(Clone)]
pub struct NewBook<'a> {
    game: Name,
    keys: Name,
    keyed: Keyed,
    results: Results,
    load: Load,
    filter: bool,
    sources: Vec<Source>,
    positions: Option<&'a dyn RowSet<PositionRow>>,
    moves: Option<Moves<'a>>,
    /// The parent, and the sequence of the last journal frame that is held.
    lineage: (Digest, u64),
}

impl<'a> NewBook<'a> {
    /// A book of this game, keyed in this way, with nothing in it yet.
    #[must_use]
    pub fn new(game: Name, keys: Name) -> Self {
        let (keyed, results, load) = (Keyed::default(), Results::default(), Load::default());
        let (positions, moves, lineage) = (None, None, (Digest::NONE, 0));
        Self { game, keys, keyed, results, load, filter: false, sources: Vec::new(), positions, moves, lineage }
    }

    /// A book of the same kind as one with this header: game, keys, load, whether its counts know results, and whether there is a filter.
    #[must_use]
    pub fn like(header: &Header) -> Self {
        let filter = header.section(Tag::FILTER).is_some();
        Self { keyed: header.keyed, results: header.results(), load: header.load, filter, ..Self::new(header.game, header.keys) }
    }

    /// What its keys stand for.
    #[must_use]
    pub fn keyed(mut self, keyed: Keyed) -> Self {
        self.keyed = keyed;
        self
    }

    /// Whether its counts know how games ended. Where they don't, every game has to be counted as a draw.
    #[must_use]
    pub fn results(mut self, results: Results) -> Self {
        self.results = results;
        self
    }

    /// How full its tables' homes are to be.
    #[must_use]
    pub fn load(mut self, load: Load) -> Self {
        self.load = load;
        self
    }

    /// Whether its positions are to have a filter, which tells of most absent ones that they are absent: ten bits a position.
    #[must_use]
    pub fn filter(mut self, filter: bool) -> Self {
        self.filter = filter;
        self
    }

    /// The archives it is made of, in any order.
    #[must_use]
    pub fn sources(mut self, mut sources: Vec<Source>) -> Self {
        sources.sort();
        self.sources = sources;
        self
    }

    /// The rows of its positions table.
    #[must_use]
    pub fn positions(mut self, rows: &'a dyn RowSet<PositionRow>) -> Self {
        self.positions = Some(rows);
        self
    }

    /// The rows of its moves table.
    #[must_use]
    pub fn moves(mut self, rows: &'a dyn RowSet<MoveRow>) -> Self {
        self.moves = Some(Moves::Plain(rows));
        self
    }

    /// The rows of its moves table, with ratings.
    #[must_use]
    pub fn rated_moves(mut self, rows: &'a dyn RowSet<RatedMoveRow>) -> Self {
        self.moves = Some(Moves::Rated(rows));
        self
    }

    /// The tables of another book, its journal laid over them.
    #[must_use]
    pub fn tables_of<S: Bytes>(mut self, book: &'a Book<S>) -> Self {
        self.positions = book.has(TableKind::Positions).then_some(book as &dyn RowSet<PositionRow>);
        let moves = if book.header().is_rated() { Moves::Rated(book) } else { Moves::Plain(book) };
        self.moves = book.has(TableKind::Moves).then_some(moves);
        self
    }

    /// The book this one is a compaction of, and the sequence of the last frame of its journal.
    #[must_use]
    pub(crate) fn lineage(mut self, parent: Digest, sequence: u64) -> Self {
        self.lineage = (parent, sequence);
        self
    }

    /// Writes the book; its header is returned. A book that it `replace`s loses its journal too.
    ///
    /// # Errors
    /// [`Error::Exists`], if the path, or that of its journal, is taken and must not be replaced; [`Error::Locked`], if somebody writes to it;
    /// [`Error::Changed`], if the rows are not the same when they are streamed again; [`Error::Results`], if one has wins or losses and the book is
    /// to have no results; [`Error::Interrupted`]; the system's. The path is then as
    /// it was, except after a failure to sync the folder or to remove the journal: then it may be the new book.
    pub fn write(mut self, env: &Env<'_>, path: &Path, replace: bool) -> Result<Header> {
        let path = &resolve(path);
        check_target(path)?;
        let there = path.try_exists().unwrap_or(true);
        if there && !replace {
            return Err(Error::Exists { path: path.to_owned() });
        }
        let _lock = if there { Some(open_settled(env.storage, path)?) } else { None };
        if replace {
            check_replaceable_journal(path)?;
        } else {
            spare_journal(env.storage, path)?;
        }
        // A journal that is left behind by a crash before its removal below has to be known as stale.
        if let Some((base, sequence)) = last_sequence(path) {
            self.lineage = (base, sequence);
        }
        let (header, _lock) = self.write_unlocked(env, path, replace)?;
        if replace {
            retire_journal(env.storage, path)?;
        }
        Ok(header)
    }

    /// Writes the book, whose old file the caller has locked, and returns the new one, locked too.
    pub(crate) fn write_unlocked(self, env: &Env<'_>, path: &Path, replace: bool) -> Result<(Header, Box<dyn StorageFile>)> {
        let new = AtomicFile::create(env.storage, path)?;
        let mut body =
            Body { env, file: &new, at: PAGE, load: self.load, results: self.results, filter: self.filter, sections: Vec::new() };
        new.synced_meanwhile(self.at_most_bytes(), || {
            if let Some(rows) = self.positions {
                body.table(rows)?;
            }
            match self.moves {
                None => {}
                Some(Moves::Plain(rows)) => body.table(rows)?,
                Some(Moves::Rated(rows)) => body.table(rows)?,
            }
            body.section(Tag::SOURCES, &encode_sources(&self.sources))
        })?;
        let mut header = Header {
            game: self.game,
            keys: self.keys,
            keyed: self.keyed,
            load: self.load,
            incompatible: self.incompatible(),
            compatible: if body.sections.iter().any(|section| section.tag == Tag::FILTER) { HAS_FILTER } else { 0 },
            digest: Digest::NONE,
            parent: self.lineage.0,
            sequence: self.lineage.1,
            file_length: body.at + PAGE,
            sections: body.sections,
        };
        let (page, digest) = header.seal();
        header.digest = digest;
        new.write(&page, header.file_length - PAGE)?;
        new.write(&page, 0)?;
        env.step(Stage::Syncing, 0, 1)?;
        Ok((header, new.publish(replace)?))
    }

    /// The features that a reader has to know.
    fn incompatible(&self) -> u64 {
        let rated = if matches!(self.moves, Some(Moves::Rated(_))) { RATED_MOVES } else { 0 };
        rated | if self.results == Results::Unknown { WITHOUT_RESULTS } else { 0 }
    }

    /// Bytes of its rows, at most.
    fn at_most_bytes(&self) -> u64 {
        let positions = self.positions.map_or(0, |rows| rows.at_most().saturating_mul(PositionRow::SIZE));
        positions.saturating_add(match self.moves {
            None => 0,
            Some(Moves::Plain(rows)) => rows.at_most().saturating_mul(MoveRow::SIZE),
            Some(Moves::Rated(rows)) => rows.at_most().saturating_mul(RatedMoveRow::SIZE),
        })
    }
}

/// The sections of a book in the making.
struct Body<'a> {
    env: &'a Env<'a>,
    file: &'a AtomicFile<'a>,
    /// Where the next section starts.
    at: u64,
    load: Load,
    results: Results,
    filter: bool,
    sections: Vec<Section>,
}

impl Body<'_> {
    /// Writes a table and its sums, and before it its filter.
    fn table<R: Row>(&mut self, rows: &dyn RowSet<R>) -> Result<()> {
        let count = match rows.exactly() {
            Some(count) => count,
            None => count_rows(self.env, rows)?,
        };
        if count > 1 << 56 {
            return Err(Error::Limit { path: self.file.target().to_owned(), what: "a table can't have more than 2^56 rows" });
        }
        let homes = self.load.homes(count);
        let filtered = self.filter && R::TABLE == TableKind::Positions;
        let mut filter = filtered.then(|| FilterWriter::new(self.file, self.at, count));
        let at = filter.as_ref().map_or(self.at, |filter| filter.section().end());
        let (shape, sums) = stream_by_shares(rows, |rows| write_table(self.env, self.file, at, homes, count, rows, filter.as_mut()))?;
        // Sums over less than 2^32 rows don't wrap; of more, not all have the most wins there can be.
        if self.results == Results::Unknown && (shape.wins, shape.losses) != (0, 0) {
            return Err(Error::Results { path: self.file.target().to_owned() });
        }
        if let Some(filter) = filter {
            self.add(filter.finish()?)?;
        }
        self.add(Section { tag: Tag::table(R::TABLE), offset: self.at, length: shape.slots() * R::SIZE, checksum: 0, shape })?;
        self.section(Tag::sums(R::TABLE), sums.as_bytes())
    }

    /// Writes a section that is not a table.
    fn section(&mut self, tag: Tag, content: &[u8]) -> Result<()> {
        self.file.write(content, self.at)?;
        let shape = TableShape::default();
        self.add(Section { tag, offset: self.at, length: content.len() as u64, checksum: xxh3_64(content), shape })
    }

    /// Enters a section that has been written, and pads it to the next page.
    fn add(&mut self, section: Section) -> Result<()> {
        let (end, page) = (section.offset + section.length, section.end());
        self.file.write(&[0; PAGE as usize][..(page - end) as usize], end)?;
        self.at = page;
        self.sections.push(section);
        Ok(())
    }
}
