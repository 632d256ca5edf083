//! What a book has to hold: a few bases, and batches laid over them, each of which leaves a trace
//! of how often it was applied.

use crate::books::{chess_book, every_column, open, open_writer, salvaged, source, streamed};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use tabia::bytes::Bytes;
use tabia::format::{Digest, Source, Tag};
use tabia::stream::Chunk;
use tabia::{
    Batch, BestGame, Book, Cells, Columns, Counts, Env, Existing, Header, Marks, MoveRow, NewBook,
    PositionRow, Ratings, Row, TableKind, View, WithCells, Years, check,
};
use tabia_testing::crash::disk::Mark;
use tabia_testing::crash::fixture::{Files, Fixture, stage};
use tabia_testing::model::Model;

/// The position to which batch `i` adds `4^i` wins: its digits say how often each batch was
/// applied.
const TALLY: u64 = 0x7a11;
/// The batches that a book has when a scenario starts, if it has a journal: the first two.
pub const BEFORE: u16 = 0b11;
const NOWHERE: u64 = 0xdead_beef;
/// The batch that holds the rows of the base [`BROUGHT`] and its source: merging that book with
/// another is the same as appending it.
pub const BRINGING: u8 = 5;

/// The bases, by their place in the library.
pub const OLD: usize = 0;
pub const NEW: usize = 1;
/// The book that others are merged with.
pub const BROUGHT: usize = 2;
/// More rows than a sorter with little memory holds.
pub const LARGE: usize = 3;
/// A book of some blocks, to be damaged.
pub const WHOLE: usize = 4;
/// What salvaging the damaged book gives.
pub const SALVAGED: usize = 5;
/// A book whose moves have cells of all columns.
pub const RATED: usize = 6;
const BASES: usize = 7;
/// Added to the place of a base: the same one, packed. A book of the other layout is another book:
/// its digest is another one.
pub const PACKED: usize = 8;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    pub model: Model,
    /// Those of its moves.
    pub columns: Columns,
    pub sources: Vec<Source>,
    pub filter: bool,
    pub packed: bool,
}

impl Content {
    fn tally(&self) -> u32 {
        self.model.positions.get(&TALLY).map_or(0, |cells| cells.counts[0])
    }

    pub fn apply(&mut self, change: &Change) {
        let Model { positions, moves } = &mut self.model;
        match change {
            Change::AddPosition(row) => self.model.add_position(row.key(), row.into()),
            Change::PutPosition(row) => drop(positions.insert(row.key(), row.into())),
            Change::DeletePosition(key) => drop(positions.remove(key)),
            Change::AddMove(played) => self.model.add_played(played),
            Change::PutMove(played) => {
                moves.insert((played.row.key(), played.row.code()), played.into());
            }
            Change::DeleteMove(key, code) => drop(moves.remove(&(*key, *code))),
            Change::Source(source) => {
                self.sources.push(source.clone());
                self.sources.sort();
            }
        }
    }

    /// Writes it as a book, on the real disk.
    pub fn write(&self, path: &Path) -> Digest {
        let rows = self.rows();
        rows.new_book(&self.sources).write(&Env::default(), path, Existing::Refuse).unwrap().digest
    }

    pub fn rows(&self) -> ContentRows {
        let (positions, moves) = self.model.rows(self.columns);
        ContentRows { positions, moves, filter: self.filter, packed: self.packed }
    }
}

/// A content's rows, in order, whether the positions have a filter, and whether the book is packed.
#[derive(Debug)]
pub struct ContentRows {
    pub positions: Vec<PositionRow>,
    pub moves: Chunk<MoveRow>,
    pub filter: bool,
    pub packed: bool,
}

impl ContentRows {
    pub fn new_book(&self, sources: &[Source]) -> NewBook<'_> {
        let new = empty_book(self.filter, self.packed).sources(sources.to_vec());
        new.positions(&self.positions).moves(&self.moves)
    }
}

pub fn empty_book<'a>(filter: bool, packed: bool) -> NewBook<'a> {
    chess_book().filter(filter).packed(packed)
}

#[derive(Clone, Debug)]
pub enum Change {
    AddPosition(PositionRow),
    PutPosition(PositionRow),
    DeletePosition(u64),
    AddMove(WithCells<MoveRow>),
    PutMove(WithCells<MoveRow>),
    DeleteMove(u64, u16),
    Source(Source),
}

fn counts(wins: u32) -> Counts {
    Counts::new(wins, 1, wins / 2)
}

/// What a batch changes: even ones little; odd ones much, in parts of all kinds, over several
/// sectors and pages.
fn changes(batch: u8) -> Vec<Change> {
    let id = u64::from(batch);
    let tally = PositionRow::new(TALLY, Counts::new(4u32.pow(batch.into()), 0, 0));
    let mut all = vec![Change::AddPosition(tally)];
    if batch == BRINGING {
        let brought = base(BROUGHT);
        let ContentRows { positions, moves, .. } = brought.rows();
        all.extend(positions.into_iter().map(Change::AddPosition));
        all.extend(moves.iter().map(Change::AddMove));
        all.extend(brought.sources.into_iter().map(Change::Source));
        // The book that is brought has its own tally.
        all.remove(0);
        return all;
    }
    let position = PositionRow::new(6 + id % 3, counts(1)).with_eval(batch.into(), batch);
    let played = MoveRow::new(6, 77, counts(2)).with_marks(Marks::from_bits_retain(batch % 8));
    all.extend([Change::AddPosition(position), Change::AddMove(played.into())]);
    if batch.is_multiple_of(2) {
        return all;
    }
    let position = |i: u64| PositionRow::new(1000 * id + i, counts(i as u32));
    let played = |i: u64| MoveRow::new(1000 * id + i, i as u16, counts(i as u32));
    all.extend((0..70).map(|i| Change::AddPosition(position(i))));
    all.extend((0..30).map(|i| Change::AddMove(played(i).into())));
    all.push(Change::PutPosition(PositionRow::new(9, counts(batch.into())).with_eval(-3, 1)));
    all.push(Change::DeletePosition(1 + id % 5));
    all.push(Change::PutMove(MoveRow::new(10, 0, counts(batch.into())).into()));
    all.push(Change::DeleteMove(1 + id % 5, 0));
    all.push(Change::Source(source(100 + id)));
    all
}

/// The same for a book whose moves have cells, with some of those.
fn changes_with_cells(batch: u8) -> Vec<Change> {
    let mut all = changes(batch);
    if batch == BRINGING {
        return all;
    }
    all.push(Change::AddMove(rated(500, 5, batch)));
    // As above: only odd batches put, and those are appended in their order.
    if !batch.is_multiple_of(2) {
        all.extend((1..90).map(|i| Change::AddMove(rated(500 + i, 5, batch))));
        all.push(Change::PutMove(rated(400, 9, batch)));
    }
    all
}

/// A move with the ratings of a few games, the best of them, and their years.
fn rated(key: u64, code: u16, seed: u8) -> WithCells<MoveRow> {
    let ratings = Ratings {
        mover_sum: 4000 + u64::from(seed),
        opponent_sum: 4100 + key,
        games: 2,
        score: u64::from(seed) % 5,
    };
    let game = BestGame { rank: 2000 + u16::from(seed), digest: key };
    let years = Years { first: Some(1990 + u16::from(seed)), last: Some(2000 + u16::from(seed)) };
    let cells = Cells::NONE.with(ratings).with(game).with(years);
    WithCells { row: MoveRow::new(key, code, counts(seed.into())), cells }
}

pub fn columns_of(header: &Header) -> Columns {
    header.columns(TableKind::Moves)
}

/// A batch for the engine, to a book whose moves have cells or to one whose moves have none.
pub fn batch(number: u8, cells: bool) -> Batch {
    batch_of(&if cells { changes_with_cells(number) } else { changes(number) })
}

pub fn batch_of(changes: &[Change]) -> Batch {
    let mut batch = Batch::new();
    for change in changes {
        match change {
            Change::AddPosition(row) => batch.add_position(*row),
            Change::PutPosition(row) => batch.put_position(*row),
            Change::DeletePosition(key) => batch.delete_position(*key),
            Change::AddMove(WithCells { row, cells }) => batch.add_move_with(*row, *cells),
            Change::PutMove(WithCells { row, cells }) => batch.put_move_with(*row, *cells),
            Change::DeleteMove(key, code) => batch.delete_move(*key, *code),
            Change::Source(source) => batch.source(source.clone()),
        };
    }
    batch
}

/// A base by its place in the library, packed or not. Some have a filter, and keep it whatever is
/// laid over them or merged with them.
pub fn base(number: usize) -> Content {
    static ALL: [OnceLock<Content>; 2 * PACKED] = [const { OnceLock::new() }; 2 * PACKED];
    ALL[number].get_or_init(|| make_base(number)).clone()
}

pub fn rows_of_base(number: usize) -> &'static (ContentRows, Vec<Source>) {
    static ALL: [OnceLock<(ContentRows, Vec<Source>)>; 2 * PACKED] =
        [const { OnceLock::new() }; 2 * PACKED];
    ALL[number].get_or_init(|| {
        let base = base(number);
        (base.rows(), base.sources)
    })
}

fn make_base(number: usize) -> Content {
    let (number, packed) = (number & !PACKED, number & PACKED != 0);
    let (keys, games) = match number {
        OLD => (1..=20, 3),
        NEW => (11..=30, 5),
        BROUGHT => (15..=40, 7),
        LARGE => (1..=3000, 1),
        WHOLE => (1..=600, 2),
        RATED => (1..=25, 4),
        _ => return make_salvaged(layout(packed)),
    };
    let columns = if number == RATED { every_column() } else { Columns::NONE };
    let filter = [OLD, LARGE].contains(&number);
    let mut content = Content { filter, columns, packed, ..Content::default() };
    for key in keys {
        let row = PositionRow::new(key, counts(games + key as u32 % 3));
        let row = if key % 4 == 0 { row.with_eval(key as i16, 3) } else { row };
        content.apply(&Change::AddPosition(row));
        for code in 0..if number == LARGE { 0 } else { key as u16 % 3 } {
            content.apply(&Change::AddMove(MoveRow::new(key, code, counts(games)).into()));
        }
    }
    if number == RATED {
        (0..90).for_each(|key| content.apply(&Change::AddMove(rated(key, 1, 7))));
    }
    if number == BROUGHT {
        let tally = Counts::new(4u32.pow(BRINGING.into()), 0, 0);
        content.apply(&Change::AddPosition(PositionRow::new(TALLY, tally)));
    }
    content.apply(&Change::Source(source(number as u64)));
    content
}

/// A base with some batches laid over it, in their order.
pub fn content(number: usize, batches: u16) -> Content {
    let mut content = base(number);
    for batch in (0..16).filter(|batch| batches & 1 << batch != 0) {
        let changes =
            if content.columns.is_empty() { changes(batch) } else { changes_with_cells(batch) };
        changes.iter().for_each(|change| content.apply(change));
    }
    content
}

/// Something a book may hold, and the digest of a book that was built to hold it.
struct Known {
    content: Content,
    digest: Digest,
}

fn known(number: usize, batches: u16) -> Arc<Known> {
    static ALL: Mutex<BTreeMap<(usize, u16), Arc<Known>>> = Mutex::new(BTreeMap::new());
    if let Some(known) = ALL.lock().unwrap().get(&(number, batches)) {
        return known.clone();
    }
    let content = content(number, batches);
    let fixture = Fixture::new();
    let digest = content.write(&fixture.book());
    let known = Arc::new(Known { content, digest });
    ALL.lock().unwrap().insert((number, batches), known.clone());
    known
}

fn tallies(packed: bool) -> &'static [u32; BASES] {
    static TALLIES: [OnceLock<[u32; BASES]>; 2] = [const { OnceLock::new() }; 2];
    TALLIES[usize::from(packed)]
        .get_or_init(|| std::array::from_fn(|number| base(number | layout(packed)).tally()))
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    Absent,
    /// It holds a base and these batches, some of them in its own file, and is sound through and
    /// through.
    Holds {
        base: usize,
        batches: u16,
        compacted: u16,
    },
    /// It is none of that.
    Wrong {
        twice: bool,
        what: String,
    },
}

/// Opens a book, reads it whole, probes it and checks it.
pub fn look(path: &Path) -> Seen {
    if !path.exists() {
        return Seen::Absent;
    }
    look_at(path).unwrap_or_else(|(twice, what)| Seen::Wrong { twice, what })
}

type Strange = (bool, String);

fn look_at(path: &Path) -> Result<Seen, Strange> {
    let strange = |error: tabia::Error| (false, format!("it can't be read: {error}"));
    let book = Book::open(path).map_err(strange)?;
    let (base, batches) = recognise(&book)?;
    let bare = Book::open_view(path, View::Bare).map_err(strange)?;
    let (base_alone, compacted) = recognise(&bare)?;
    if (base_alone, compacted & batches) != (base, compacted) {
        let alone = format!("alone {base_alone} and {compacted:b}");
        return Err((false, format!("with its journal it holds {base} and {batches:b}, {alone}")));
    }
    let (expected, digest) = (known(base, compacted).digest, book.digest());
    if digest != expected {
        let what = format!("its digest is {digest}, that of a book of this content {expected}");
        return Err((false, what));
    }
    let report = check(&Env::default(), path).map_err(strange)?;
    match report.bad.first() {
        Some(finding) => Err((false, format!("check finds: {finding}"))),
        None => Ok(Seen::Holds { base, batches, compacted }),
    }
}

/// Which base and batches a book holds.
fn recognise(book: &Book) -> Result<(usize, u16), Strange> {
    let strange = |error: tabia::Error| (false, format!("it can't be read: {error}"));
    let content = read_all(book).map_err(strange)?;
    let (tally, packed) = (content.tally(), content.packed);
    let mut twice = false;
    for (base, own) in tallies(packed).iter().enumerate() {
        let Some(added) = tally.checked_sub(*own) else { continue };
        let digits = (0..16u32).map(|batch| added >> (2 * batch) & 3);
        if digits.clone().any(|digit| digit > 1) {
            twice |= base == OLD;
            continue;
        }
        let batches =
            digits.zip(0..).fold(0u16, |all, (digit, batch)| all | (digit as u16) << batch);
        let base = base | layout(packed);
        if known(base, batches).content == content {
            probe(book, &content.rows())?;
            return Ok((base, batches));
        }
    }
    let what = "no base and batches are like this";
    let Content { model: Model { positions, moves }, filter, .. } = &content;
    let rows = format!("{} positions, {} moves, tally {tally:x}", positions.len(), moves.len());
    Err((twice, format!("{what}: {rows}, filter {filter}, packed {packed}")))
}

/// Probes for a few keys.
fn probe(book: &Book, rows: &ContentRows) -> Result<(), Strange> {
    let missed = |key: u64| (false, format!("a probe for {key:016x} goes wrong"));
    let (first, last) = (rows.positions.first(), rows.positions.last());
    for row in first.into_iter().chain(last) {
        if book.position(row.key()).ok().flatten() != Some(*row) {
            return Err(missed(row.key()));
        }
    }
    if !matches!(book.position(NOWHERE), Ok(None)) {
        return Err(missed(NOWHERE));
    }
    if let Some(row) = rows.moves.rows().last()
        && !book.moves(row.key()).is_ok_and(|moves| moves.contains(row))
    {
        return Err(missed(row.key()));
    }
    Ok(())
}

pub fn read(path: &Path) -> tabia::Result<Content> {
    read_all(&Book::open(path)?)
}

pub fn read_all<S: Bytes>(book: &Book<S>) -> tabia::Result<Content> {
    let (filter, columns) = (book.header().section(Tag::TAGS).is_some(), columns_of(book.header()));
    let (sources, packed) = (book.sources()?, book.header().packed);
    let model = Model::of(streamed(book)?.rows(), &streamed(book)?);
    Ok(Content { model, sources, filter, columns, packed })
}

/// A way the world may be: no book, or one with this base, batches that it must hold, and batches
/// that it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct World {
    pub base: Option<usize>,
    pub must: u16,
    pub may: u16,
}

impl World {
    pub const NO_BOOK: Self = Self { base: None, must: 0, may: 0 };

    pub fn of(base: usize, batches: u16) -> Self {
        Self { base: Some(base), must: batches, may: batches }
    }

    fn allows(&self, seen: &Seen) -> bool {
        match *seen {
            Seen::Absent => self.base.is_none(),
            Seen::Holds { base, batches, .. } => {
                let holds_all = batches & self.must == self.must && batches & !self.may == 0;
                self.base == Some(base) && holds_all
            }
            Seen::Wrong { .. } => false,
        }
    }
}

/// What may be seen, after all that users were told.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expected(pub Vec<World>);

impl Expected {
    pub fn take(&mut self, mark: Mark) {
        match mark {
            Mark::Begun(batch) => {
                let books = self.0.iter_mut().filter(|world| world.base.is_some());
                books.for_each(|world| world.may |= 1 << batch);
            }
            Mark::Acknowledged(batch) => {
                self.0.retain(|world| world.base.is_some());
                self.0.iter_mut().for_each(|world| world.must |= 1 << batch);
            }
            Mark::BookBegun(base, batches) => self.0.push(World::of(base, batches)),
            Mark::BookAcknowledged(base, batches) => {
                let is_it = |world: &World| world.base == Some(base) && world.must == batches;
                let newest = self.0.iter().rposition(is_it);
                self.0 = newest.map(|index| self.0[index]).into_iter().collect();
            }
        }
    }

    /// What is wrong with what is seen, if anything.
    pub fn judge(&self, seen: &Seen) -> Result<(), Wrong> {
        if self.0.iter().any(|world| world.allows(seen)) {
            return Ok(());
        }
        let kind = match seen {
            Seen::Wrong { twice: true, .. } => Kind::Double,
            Seen::Absent => Kind::Lost,
            Seen::Holds { base, batches, .. }
                if self.0.iter().any(|world| {
                    world.base == Some(*base) && batches & world.must != world.must
                }) =>
            {
                Kind::Lost
            }
            _ => Kind::Wrong,
        };
        Err(Wrong { kind, what: format!("seen: {seen:?}; allowed: {:?}", self.0) })
    }
}

/// A promise that was broken.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub kind: Kind,
    pub what: String,
}

/// What kind of promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Lost,
    Double,
    /// Anything else that must not be seen: a refusal, a mixture, an unexpected error, litter.
    Wrong,
    Panic,
}

pub fn append_to(path: &Path, batches: std::ops::Range<u8>) {
    let mut writer = open_writer(path);
    let cells = !columns_of(writer.header()).is_empty();
    batches.for_each(|number| _ = writer.append(&batch(number, cells)).unwrap());
}

/// A book with a damaged block or page, and a journal.
pub fn damaged(layout: usize) -> Files {
    let mut at = 0;
    let files = stage(|fixture| {
        let path = fixture.folder().join("damaged.tabia");
        base(WHOLE | layout).write(&path);
        append_to(&path, 0..2);
        let header = open(&path).header().clone();
        // The second block; of few pages the last one, which is not full.
        at = header.section(Tag::PAGE).map_or(2 * 4096, |pages| pages.offset + pages.length - 4096);
    });
    let mut bytes = files.bytes("damaged.tabia").unwrap().to_vec();
    bytes[at as usize + 100] ^= 1;
    files.with("damaged.tabia", bytes)
}

/// What salvaging the damaged book gives in peace; other tests show that this is right, here it has
/// to come out whole.
fn make_salvaged(layout: usize) -> Content {
    let fixture = Fixture::new();
    fixture.fill(&damaged(layout));
    salvaged(&fixture.folder().join("damaged.tabia"), &fixture.book());
    let kept = read(&fixture.book()).unwrap();
    let whole = content(WHOLE | layout, BEFORE);
    let (all, positions) = (&whole.model.positions, &kept.model.positions);
    assert!((all.len() / 2 + 1..all.len()).contains(&positions.len()));
    assert!(positions.keys().all(|key| all.contains_key(key)));
    assert_eq!(kept.packed, whole.packed);
    kept
}

/// What is added to the place of a base that is packed.
pub fn layout(packed: bool) -> usize {
    if packed { PACKED } else { 0 }
}
