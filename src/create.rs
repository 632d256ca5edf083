//! Making a book: tables, their sums, sources and header, in one pass over the output.

use crate::book::Book;
use crate::bytes::Bytes;
use crate::companions::{Companions, state_of};
use crate::env::{Env, Stage};
use crate::error::{Error, Result};
use crate::files::{Beside, BookFile, BookFiles};
use crate::format::{
    Digest, Fact, Header, Keyed, Load, Name, PAGE, Results, Section, Share, Source, Tag,
    encode_facts, encode_sources,
};
use crate::journal::last_sequence;
use crate::packed::{Content, write_packed};
use crate::publish::{
    AtomicFile, Existing, check_replaceable_journal, check_target, open_settled, remove_journal,
    spare_journal,
};
use crate::read_book::ReadBook;
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::storage::{StorageFile, resolve};
use crate::stream::RowSet;
use crate::table::{TableOptions, write_table};
use std::path::{Path, PathBuf};

/// A book to be written.
///
/// ```
/// use tabia::{Counts, Env, Existing, Load, MoveRow, NewBook, PositionRow};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("tiny.tabia");
/// let won = Counts { wins: 1, draws: 0, losses: 0 };
/// let header = NewBook::new("chess".parse()?, "polyglot".parse()?)
///     .positions(&vec![PositionRow::new(42, won)])
///     .moves(&vec![MoveRow::new(42, 796, won)])
///     .load("0.9".parse::<Load>()?)
///     .filter(true)
///     .write(&Env::default(), &path, Existing::Refuse)?;
/// assert_eq!(header.keys.to_string(), "polyglot");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct NewBook<'a> {
    game: Name,
    keys: Name,
    keyed: Keyed,
    results: Results,
    share: Share,
    load: Load,
    filter: bool,
    packed: bool,
    sources: Vec<Source>,
    facts: Vec<Fact>,
    positions: Option<&'a dyn RowSet<PositionRow>>,
    moves: Option<&'a dyn RowSet<MoveRow>>,
    /// A column of the book that this one is like, which this code doesn't know and would lose.
    unknown: Option<Tag>,
    /// The files of the book that this one is a copy of, none of which may be left behind.
    copied: Option<BookFiles>,
    /// Where the books are that it is made of, and in which state they were when they were opened.
    inputs: Vec<(PathBuf, (Digest, u64))>,
    /// The parent, and the sequence of the last journal frame that is held.
    lineage: (Digest, u64),
}

impl<'a> NewBook<'a> {
    /// A book of this game, keyed in this way, with nothing in it yet.
    #[must_use]
    pub fn new(game: Name, keys: Name) -> Self {
        Self {
            game,
            keys,
            keyed: Keyed::default(),
            results: Results::default(),
            share: Share::WHOLE,
            load: Load::default(),
            filter: false,
            packed: false,
            sources: Vec::new(),
            facts: Vec::new(),
            positions: None,
            moves: None,
            unknown: None,
            copied: None,
            inputs: Vec::new(),
            lineage: (Digest::NONE, 0),
        }
    }

    /// A book of the same kind as one with this header: game, keys, share, load, whether results
    /// are known, and whether there is a filter. If that one has a column that this code doesn't
    /// know, the new book can't be written, as it would lose it (B-28). If that one is packed, so is
    /// this one.
    #[must_use]
    pub fn like(header: &Header) -> Self {
        let (keyed, results, share, load) =
            (header.keyed, header.results, header.share, header.load);
        let filter = header.section(Tag::TAGS).is_some();
        let unknown = header.unknown_columns().next().map(|section| section.tag);
        let new = Self::new(header.game, header.keys);
        Self { keyed, results, share, load, filter, unknown, packed: header.packed, ..new }
    }

    /// All of a book, its journal laid over it, to be written once more: as tables or packed. A book
    /// without a journal has the same parent and sequence then too, so that a copy in the same
    /// layout has the same bytes.
    ///
    /// ```
    /// use tabia::{Book, Counts, Env, Existing, NewBook, PositionRow};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [tables, packed, again] = ["tables", "packed", "again"].map(|name| folder.path().join(name));
    /// # let rows = vec![PositionRow::new(42, Counts { wins: 1, draws: 0, losses: 0 })];
    /// # NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&rows).write(&Env::default(), &tables, Existing::Refuse)?;
    /// let env = Env::default();
    /// NewBook::copy_of(&Book::open(&tables)?)?.packed(true).write(&env, &packed, Existing::Refuse)?;
    /// NewBook::copy_of(&Book::open(&packed)?)?.packed(false).write(&env, &again, Existing::Refuse)?;
    /// assert!(std::fs::read(tables)? == std::fs::read(again)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// What else belongs to the book isn't copied, and [`NewBook::beside`] says whether that may be.
    ///
    /// # Errors
    /// Those of [`Book::sources`].
    pub fn copy_of<S: Bytes>(book: &'a Book<S>) -> Result<Self> {
        let header = book.header();
        let new = Self::like(header).tables_of(book).made_of(book);
        let mut new = new.sources(book.sources()?).facts(book.facts()?);
        new.copied = Some(BookFiles::of(book.path()));
        let bare = book.journal().frames == 0;
        Ok(if bare { new.lineage(header.parent, header.sequence) } else { new })
    }

    /// What becomes of games and fingerprints beside the book that this one is a copy of, if it gets
    /// another name; without this call nothing is written then.
    #[must_use]
    pub fn beside(mut self, beside: Beside) -> Self {
        self.copied = self.copied.filter(|_| beside == Beside::Refuse);
        self
    }

    /// Leaves out what this code doesn't know of the book that this one is like.
    #[must_use]
    pub(crate) fn without_unknown_columns(mut self) -> Self {
        self.unknown = None;
        self
    }

    /// What its keys identify.
    #[must_use]
    pub fn keyed(mut self, keyed: Keyed) -> Self {
        self.keyed = keyed;
        self
    }

    /// Whether the results of its games are known. If not, every game has to be counted as a draw.
    #[must_use]
    pub fn results(mut self, results: Results) -> Self {
        self.results = results;
        self
    }

    /// Which hashes the book holds; all by default.
    #[must_use]
    pub fn share(mut self, share: Share) -> Self {
        self.share = share;
        self
    }

    /// How full the homes of the book's tables are.
    #[must_use]
    pub fn load(mut self, load: Load) -> Self {
        self.load = load;
        self
    }

    /// Whether its positions are to have a filter: tags, which identify nearly all absent ones as
    /// absent; 2.5 bytes a position.
    #[must_use]
    pub fn filter(mut self, filter: bool) -> Self {
        self.filter = filter;
        self
    }

    /// Whether its rows are to be packed into pages: an eighth of the bytes, or a tenth where
    /// moves have columns and games are among them, and as fast for a position with its moves
    /// (`format-spec/packed.md`). Load and filter are then those of the book that unpacking makes of
    /// it.
    #[must_use]
    pub fn packed(mut self, packed: bool) -> Self {
        self.packed = packed;
        self
    }

    /// The archives it is made of, in any order.
    #[must_use]
    pub fn sources(mut self, mut sources: Vec<Source>) -> Self {
        sources.sort();
        self.sources = sources;
        self
    }

    /// How the book was made: its facts, in any order.
    #[must_use]
    pub fn facts(mut self, mut facts: Vec<Fact>) -> Self {
        facts.sort();
        facts.dedup();
        self.facts = facts;
        self
    }

    /// The rows of its positions table.
    #[must_use]
    pub fn positions(mut self, rows: &'a dyn RowSet<PositionRow>) -> Self {
        self.positions = Some(rows);
        self
    }

    /// The rows of its moves table. The book has the columns of which they have cells.
    #[must_use]
    pub fn moves(mut self, rows: &'a dyn RowSet<MoveRow>) -> Self {
        self.moves = Some(rows);
        self
    }

    /// The tables of another book, its journal laid over them.
    #[must_use]
    pub fn tables_of<S: Bytes>(mut self, book: &'a Book<S>) -> Self {
        self.positions = book.has(TableKind::Positions).then_some(book as &dyn RowSet<PositionRow>);
        self.moves = book.has(TableKind::Moves).then_some(book as &dyn RowSet<MoveRow>);
        self
    }

    /// Says that it is made of this book, as that was when it was opened: if it is to take the place of
    /// that very book, which has changed since, it isn't written ([`Error::Changed`]).
    #[must_use]
    pub fn made_of<B: ReadBook + ?Sized>(mut self, book: &B) -> Self {
        let state =
            |(path, digest, sequence): (PathBuf, _, _)| (resolve(&path), (digest, sequence));
        self.inputs.extend(book.state().into_iter().map(state));
        self
    }

    /// The book this one is a compaction of, and the sequence of the last frame of its journal.
    #[must_use]
    pub(crate) fn lineage(mut self, parent: Digest, sequence: u64) -> Self {
        self.lineage = (parent, sequence);
        self
    }

    /// Writes the book; its header is returned. A book that it replaces loses its journal too.
    ///
    /// # Errors
    /// [`Error::Exists`], if the path, or that of its journal, is taken and must not be replaced;
    /// [`Error::Locked`], if another writer has it open; [`Error::Changed`], if the rows are not
    /// the same when they are streamed again, or it is made of the book that it is to replace, and
    /// that was changed meanwhile; [`Error::LeftBehind`], if it is a copy of a book with
    /// games or fingerprints beside it; [`Error::Results`], if one has wins or losses and the
    /// book is to have no results; [`Error::Interrupted`]; the system's. The path is then as it
    /// was, but for [`Error::Unsynced`].
    pub fn write(self, env: &Env<'_>, path: &Path, existing: Existing) -> Result<Header> {
        self.write_with(env, path, existing, Companions::default())
    }

    /// As [`NewBook::write`], and the games and fingerprints that belong to the book count as soon as
    /// it has its name, and not before.
    ///
    /// # Errors
    /// As [`NewBook::write`].
    pub fn write_with(
        mut self,
        env: &Env<'_>,
        path: &Path,
        existing: Existing,
        companions: Companions<'_>,
    ) -> Result<Header> {
        let path = &resolve(path);
        check_target(path)?;
        if let Some(files) = self.copied.take().filter(|files| files.path(BookFile::Book) != *path)
        {
            files.are_rows_only()?;
        }
        let there = path.try_exists().unwrap_or(true);
        if there && existing == Existing::Refuse {
            return Err(Error::Exists { path: path.to_owned() });
        }
        let _lock = if there { Some(open_settled(env.storage, path)?) } else { None };
        // What was added to a book meanwhile must not get lost with it.
        let mut read = self.inputs.iter().filter(|(input, _)| input == path);
        if let Some((path, state)) = read.next()
            && state_of(path).is_ok_and(|now| now != *state)
        {
            return Err(Error::Changed { path: path.clone() });
        }
        if existing == Existing::Replace {
            check_replaceable_journal(path)?;
        } else {
            spare_journal(env.storage, path)?;
        }
        // A journal that is left behind by a crash before its removal below has to be known as
        // stale.
        if let Some((base, sequence)) = last_sequence(path) {
            self.lineage = (base, sequence);
        }
        let (header, _lock) = self.write_unlocked(env, path, existing, companions)?;
        if existing == Existing::Replace {
            // It is stale, and the next writer removes it if this one can't.
            let _ = remove_journal(env.storage, path);
        }
        Ok(header)
    }

    /// Writes the book, whose old file the caller has locked, and returns the new one, locked too.
    pub(crate) fn write_unlocked(
        self,
        env: &Env<'_>,
        path: &Path,
        existing: Existing,
        companions: Companions<'_>,
    ) -> Result<(Header, Box<dyn StorageFile>)> {
        if let Some(tag) = self.unknown {
            return Err(Error::UnknownColumn { path: path.to_owned(), tag });
        }
        let new = AtomicFile::create(env.storage, path)?;
        let options = TableOptions {
            share: self.share,
            load: self.load,
            results: self.results,
            tags: self.filter,
        };
        let mut body = Body { env, file: &new, at: PAGE, options, sections: Vec::new() };
        new.synced_meanwhile(self.at_most_bytes(), || {
            let mut pack = None;
            if self.packed {
                pack = Some(body.packed(self.positions, self.moves)?);
            } else {
                if let Some(rows) = self.positions {
                    body.table(rows)?;
                }
                if let Some(rows) = self.moves {
                    body.table(rows)?;
                }
            }
            body.section(Tag::SOURCES, &encode_sources(&self.sources))?;
            body.section(Tag::FACTS, &encode_facts(&self.facts))?;
            pack.map_or(Ok(()), |pack| body.section(Tag::COPY, &pack))
        })?;
        let mut header = Header {
            game: self.game,
            keys: self.keys,
            keyed: self.keyed,
            results: self.results,
            share: self.share,
            load: self.load,
            packed: self.packed,
            compatible: 0,
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
        let staged = companions.stage(env.storage, path, digest, header.sequence)?;
        match new.publish(existing) {
            Ok(file) => {
                staged.take_their_places();
                Ok((header, file))
            }
            Err(error) => {
                if matches!(error, Error::Unsynced { .. }) {
                    staged.leave();
                }
                Err(error)
            }
        }
    }

    /// Bytes of its rows and their cells, at most.
    fn at_most_bytes(&self) -> u64 {
        let positions =
            self.positions.map_or(0, |rows| rows.at_most().saturating_mul(PositionRow::SIZE));
        let moves = self.moves.map_or(0, |rows| {
            rows.at_most().saturating_mul(MoveRow::SIZE + rows.columns().stride() as u64)
        });
        positions.saturating_add(moves)
    }
}

impl std::fmt::Debug for NewBook<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewBook")
            .field("game", &self.game)
            .field("keys", &self.keys)
            .field("share", &self.share)
            .field("load", &self.load)
            .finish_non_exhaustive()
    }
}

/// The sections of a book while it is written.
struct Body<'a> {
    env: &'a Env<'a>,
    file: &'a AtomicFile<'a>,
    /// Where the next section starts.
    at: u64,
    options: TableOptions,
    sections: Vec<Section>,
}

impl Body<'_> {
    /// Writes a table, its sums, and what is beside it.
    fn table<R: Row>(&mut self, rows: &dyn RowSet<R>) -> Result<()> {
        let sections = write_table(self.env, self.file, self.at, self.options, rows)?;
        self.at = sections.last().map_or(self.at, Section::end);
        self.sections.extend(sections);
        Ok(())
    }

    /// Writes both tables into pages; the content of PACK is returned.
    fn packed(
        &mut self,
        positions: Option<&dyn RowSet<PositionRow>>,
        moves: Option<&dyn RowSet<MoveRow>>,
    ) -> Result<Vec<u8>> {
        let TableOptions { share, results, tags, .. } = self.options;
        let content = Content { share, results, tags, positions, moves };
        let (sections, pack) = write_packed(self.env, self.file, self.at, &content)?;
        self.at = sections.last().map_or(self.at, Section::end);
        self.sections.extend(sections);
        Ok(pack)
    }

    /// Writes a section that is not a table.
    fn section(&mut self, tag: Tag, content: &[u8]) -> Result<()> {
        let section = self.file.write_section(tag, self.at, content)?;
        self.at = section.end();
        self.sections.push(section);
        Ok(())
    }
}
