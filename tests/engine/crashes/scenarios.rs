//! The works that are put through all failures: whatever writes. The command's export gets its
//! place here when there is one.

use super::model::{
    BEFORE, BRINGING, BROUGHT, Expected, LARGE, NEW, OLD, PACKED, RATED, SALVAGED, Seen, World,
    append_to, base, batch, columns_of, damaged, empty_book, look, rows_of_base,
};
use crate::books::open_writer;
use std::path::Path;
use std::sync::OnceLock;
use tabia::sort::{Sorted, Sorter};
use tabia::{
    Book, Duplicates, Env, Error, Existing, MergeOptions, MoveRow, PositionRow, Result, Writer,
    merge, merge_into, salvage,
};
use tabia_testing::crash::disk::{Disk, Mark};
use tabia_testing::crash::fixture::{Files, Fixture, JOURNAL, UNFINISHED, stage};

/// A work, what stands in the folder before, and what may be seen then.
#[derive(Clone)]
pub struct Scenario {
    pub name: &'static str,
    /// That of the books which the work makes: 0 or [`PACKED`].
    pub layout: usize,
    /// Whether what stands there is of another layout.
    pub between: bool,
    pub start: Files,
    pub expected: Expected,
    pub work: fn(&Run<'_>) -> Result<()>,
}

/// One run of a scenario's work.
pub struct Run<'a> {
    pub disk: &'a Disk,
    pub fixture: &'a Fixture,
    /// The scenario's layout.
    pub layout: usize,
    /// The first batch it may append. The work takes three at most.
    pub first: u8,
}

/// Who appends which batches, so that none is appended twice by right: the start has two of them
/// ([`BEFORE`]), a
/// work takes three at most, and so it does when it is done again; then come what a recovery
/// appends, and what comes last of all.
/// The old book with its first batches, merged with the one that is brought.
const MERGED: u16 = BEFORE | 1 << BRINGING;
pub const FIRST: u8 = 2;
pub const AGAIN: u8 = 6;
pub const RECOVERY: u8 = 9;
pub const LAST: u8 = 10;
/// What was begun and torn off before the start.
const TORN: u8 = 11;
/// What is appended after the second power cut.
pub const TWICE: u8 = 12;
/// The work is done once more.
pub const FURTHER: u8 = 13;

impl<'a> Run<'a> {
    pub fn env(&self) -> Env<'a> {
        self.disk.env()
    }

    pub fn open(&self) -> Result<Writer<'a>> {
        Writer::open(self.env(), self.fixture.book())
    }

    /// Appends a batch, telling the disk's trace when it begins and when it is acknowledged.
    pub fn append(&self, writer: &mut Writer<'_>, number: u8) -> Result<()> {
        self.disk.mark(Mark::Begun(number));
        let cells = !columns_of(writer.header()).is_empty();
        writer.append(&batch(number, cells))?;
        self.disk.mark(Mark::Acknowledged(number));
        Ok(())
    }

    /// Makes a book, with the same.
    fn make<T>(
        &self,
        base: usize,
        batches: u16,
        make: impl FnOnce(&Path) -> Result<T>,
    ) -> Result<()> {
        self.disk.mark(Mark::BookBegun(base, batches));
        make(&self.fixture.book())?;
        self.disk.mark(Mark::BookAcknowledged(base, batches));
        Ok(())
    }
}

pub fn build(run: &Run<'_>) -> Result<()> {
    build_base(run, NEW, Existing::Refuse)
}

pub fn replace(run: &Run<'_>) -> Result<()> {
    build_base(run, NEW, Existing::Replace)
}

/// Replaces a book by one of the same content, as far as that is in its own file: so that the
/// digest doesn't tell them apart.
fn replace_by_itself(run: &Run<'_>) -> Result<()> {
    build_base(run, OLD, Existing::Replace)
}

fn build_base(run: &Run<'_>, base: usize, existing: Existing) -> Result<()> {
    let base = base | run.layout;
    let (rows, sources) = rows_of_base(base);
    run.make(base, 0, |path| rows.new_book(sources).write(&run.env(), path, existing))
}

/// Two sorters that spill, and what is left in memory.
fn build_spilling(run: &Run<'_>) -> Result<()> {
    let large = LARGE | run.layout;
    let (rows, sources) = rows_of_base(large);
    run.make(large, 0, |path| {
        let folder = run.fixture.folder();
        let mut sorters: Vec<Sorter<'_, PositionRow>> =
            (0..2).map(|_| Sorter::new(run.disk, folder, 0)).collect();
        for (index, row) in rows.positions.iter().rev().enumerate() {
            sorters[usize::from(index % 100 == 0)].push(*row)?;
        }
        let sorted = Sorted::join(&run.env(), sorters.into_iter().map(Sorter::finish).collect())?;
        let moves: Vec<MoveRow> = Vec::new();
        let new = empty_book(rows.filter, rows.packed).sources(sources.clone());
        new.positions(&sorted).moves(&moves).write(&run.env(), path, Existing::Refuse)
    })
}

fn add(run: &Run<'_>) -> Result<()> {
    let mut writer = run.open()?;
    run.append(&mut writer, run.first)?;
    run.append(&mut writer, run.first + 1)?;
    run.append(&mut writer, run.first + 2)
}

fn add_one(run: &Run<'_>) -> Result<()> {
    run.append(&mut run.open()?, run.first + 1)
}

pub fn compact(run: &Run<'_>) -> Result<()> {
    run.open()?.compact().map(drop)
}

pub fn add_and_compact(run: &Run<'_>) -> Result<()> {
    let mut writer = run.open()?;
    run.append(&mut writer, run.first)?;
    writer.compact().map(drop)
}

/// Takes the last batch back, which has the greatest number.
fn undo(run: &Run<'_>) -> Result<()> {
    let mut writer = run.open()?;
    match look(&run.fixture.book()) {
        Seen::Holds { base, batches, .. } if writer.journal().frames > 0 => {
            run.make(base, batches & !(1 << batches.ilog2()), |_| writer.undo())
        }
        _ => Ok(()),
    }
}

fn compact_otherwise(run: &Run<'_>) -> Result<()> {
    let mut writer = run.open()?;
    change_layout(run, &mut writer, run.layout)
}

fn add_and_compact_otherwise(run: &Run<'_>) -> Result<()> {
    let mut writer = run.open()?;
    run.append(&mut writer, run.first)?;
    change_layout(run, &mut writer, run.layout)
}

/// Compacts the book into the layout that it hasn't.
pub fn turn_over(run: &Run<'_>) -> Result<()> {
    let mut writer = run.open()?;
    let layout = if writer.header().packed { 0 } else { PACKED };
    change_layout(run, &mut writer, layout)
}

/// A life in which the layout changes and changes back.
fn live_in_both_layouts(run: &Run<'_>) -> Result<()> {
    let mut writer = run.open()?;
    run.append(&mut writer, run.first)?;
    change_layout(run, &mut writer, run.layout)?;
    run.append(&mut writer, run.first + 1)?;
    change_layout(run, &mut writer, PACKED - run.layout)?;
    drop(writer);
    let mut writer = run.open()?;
    change_layout(run, &mut writer, run.layout)?;
    run.append(&mut writer, run.first + 2)
}

/// Compacts into this layout: what comes of it has another base.
fn change_layout(run: &Run<'_>, writer: &mut Writer<'_>, layout: usize) -> Result<()> {
    match look(&run.fixture.book()) {
        Seen::Holds { base, batches, .. } => {
            let new = base & !PACKED | layout;
            run.make(new, batches, |_| writer.compact_as(layout == PACKED).map(drop))
        }
        _ => Ok(()),
    }
}

/// A book's life: two sessions that add and compact.
fn live(run: &Run<'_>) -> Result<()> {
    let mut writer = run.open()?;
    run.append(&mut writer, run.first)?;
    writer.compact()?;
    run.append(&mut writer, run.first + 1)?;
    drop(writer);
    let mut writer = run.open()?;
    run.append(&mut writer, run.first + 2)?;
    writer.compact().map(drop)
}

fn merge_new(run: &Run<'_>) -> Result<()> {
    merge_both(run, MergeOptions::default())
}

fn merge_over(run: &Run<'_>) -> Result<()> {
    merge_both(run, MergeOptions { existing: Existing::Replace, ..MergeOptions::default() })
}

/// Makes a book of the scenario's layout of two that may be of another.
fn merge_to_layout(run: &Run<'_>) -> Result<()> {
    let packed = Some(run.layout == PACKED);
    merge_both(run, MergeOptions { packed, ..MergeOptions::default() })
}

fn merge_both(run: &Run<'_>, options: MergeOptions) -> Result<()> {
    let books = ["a.tabia", "b.tabia"].map(|name| Book::open(run.fixture.folder().join(name)));
    let books = books.into_iter().collect::<Result<Vec<_>>>()?;
    run.make(OLD | run.layout, MERGED, |path| merge(&run.env(), path, &books, options))
}

fn bring(run: &Run<'_>) -> Result<()> {
    let books = [Book::open(run.fixture.folder().join("b.tabia"))?];
    run.disk.mark(Mark::Begun(BRINGING));
    merge_into(&run.env(), &run.fixture.book(), &books, Duplicates::Refuse)?;
    run.disk.mark(Mark::Acknowledged(BRINGING));
    Ok(())
}

fn salvage_new(run: &Run<'_>) -> Result<()> {
    salvage_damaged(run, Existing::Refuse)
}

fn salvage_over(run: &Run<'_>) -> Result<()> {
    salvage_damaged(run, Existing::Replace)
}

fn salvage_damaged(run: &Run<'_>, existing: Existing) -> Result<()> {
    let damaged = run.fixture.folder().join("damaged.tabia");
    run.make(SALVAGED | run.layout, 0, |path| salvage(&run.env(), &damaged, path, existing))
}

/// Whether an error is what doing a scenario again has to give, since it was done already.
pub fn is_done_already(error: &Error) -> bool {
    matches!(error, Error::Exists { .. } | Error::DuplicateSource { .. })
}

/// All of them, in both layouts.
pub fn scenarios() -> &'static [Scenario] {
    static ALL: OnceLock<Vec<Scenario>> = OnceLock::new();
    ALL.get_or_init(|| [of_layout(0), of_layout(PACKED), between_layouts()].concat())
}

/// Each of those that are the same in both layouts in one of them, the one or the other by turns,
/// and all that are between layouts: for what takes long.
pub fn every_other_scenario(layout_of_the_first: usize) -> Vec<&'static Scenario> {
    let plain = scenarios().iter().filter(|scenario| scenario.layout == 0 && !scenario.between);
    let number = |name| plain.clone().position(|scenario| scenario.name == name).unwrap();
    let is_taken = |scenario: &&Scenario| {
        let packed = (scenario.layout == PACKED) != (layout_of_the_first == PACKED);
        scenario.between || (number(scenario.name) % 2 == 1) == packed
    };
    scenarios().iter().filter(is_taken).collect()
}

pub fn scenario(name: &str, layout: usize) -> &'static Scenario {
    let is = |scenario: &&Scenario| scenario.name == name && scenario.layout == layout;
    scenarios().iter().find(is).unwrap()
}

fn between_layouts() -> Vec<Scenario> {
    let scenario = |name, layout, start: Files, expected, work| Scenario {
        name,
        layout,
        between: true,
        start,
        expected: Expected(vec![expected]),
        work,
    };
    let bare = |layout| stage(|fixture| _ = base(OLD | layout).write(&fixture.book()));
    let before = |layout| World::of(OLD | layout, BEFORE);
    let mixed = brought_alone(&inputs(0));
    let mixed = Files(inputs(PACKED).0.into_iter().chain(mixed.0).collect());
    vec![
        scenario("pack in place", PACKED, grown(0), before(0), compact_otherwise),
        scenario("unpack in place", 0, grown(PACKED), before(PACKED), compact_otherwise),
        scenario(
            "pack in place without a journal",
            PACKED,
            bare(0),
            World::of(OLD, 0),
            compact_otherwise,
        ),
        scenario(
            "pack in place over a stale journal",
            PACKED,
            stale(0),
            before(0),
            compact_otherwise,
        ),
        scenario("add and pack in place", PACKED, torn(0), before(0), add_and_compact_otherwise),
        scenario("live in both layouts", PACKED, grown(0), before(0), live_in_both_layouts),
        scenario("build packed over a plain book", PACKED, grown(0), before(0), replace),
        scenario("merge to a packed book", PACKED, mixed.clone(), World::NO_BOOK, merge_to_layout),
        scenario("merge to a plain book", 0, mixed, World::NO_BOOK, merge_to_layout),
        scenario(
            "merge a plain book into a packed one",
            PACKED,
            grown(PACKED).joined(&brought_alone(&inputs(0))),
            before(PACKED),
            bring,
        ),
    ]
}

fn of_layout(layout: usize) -> Vec<Scenario> {
    let rated = grown_by(RATED | layout, 2);
    let bare = stage(|fixture| _ = base(OLD | layout).write(&fixture.book()));
    let (grown, stale, torn) = (grown(layout), stale(layout), torn(layout));
    let two = inputs(layout);
    let damaged = damaged(layout);
    let header_of_a_journal = grown.bytes(JOURNAL).unwrap()[..64].to_vec();
    let journal = |bytes: &[u8]| bare.clone().with(JOURNAL, bytes.to_vec());
    let none = || Expected(vec![World::NO_BOOK]);
    let old = |batches| Expected(vec![World::of(OLD | layout, batches)]);
    let rated_before = || Expected(vec![World::of(RATED | layout, BEFORE)]);
    let scenario = |name, start: &Files, expected, work| Scenario {
        name,
        layout,
        between: false,
        start: start.clone(),
        expected,
        work,
    };
    vec![
        scenario("build", &Files::default(), none(), build),
        scenario(
            "build over what a crash left",
            &Files::default().with(UNFINISHED, vec![7; 50_000]),
            none(),
            build,
        ),
        scenario(
            "build where a lost book's journal holds nothing",
            &Files::default().with(JOURNAL, header_of_a_journal),
            none(),
            build,
        ),
        scenario("build with spills", &Files::default(), none(), build_spilling),
        scenario("build over a book", &bare, old(0), replace),
        scenario("build over a book with a journal", &grown, old(BEFORE), replace),
        scenario("build over a book with a torn journal", &torn, old(BEFORE), replace),
        scenario("build over a book with a stale journal", &stale, old(BEFORE), replace),
        scenario("build over a book of the same digest", &grown, old(BEFORE), replace_by_itself),
        scenario("add the first batches", &bare, old(0), add),
        scenario("add a large batch", &grown, old(BEFORE), add_one),
        scenario("add more batches", &grown, old(BEFORE), add),
        scenario("add after a torn tail", &torn, old(BEFORE), add),
        scenario("add over a stale journal", &stale, old(BEFORE), add),
        scenario(
            "add over a journal cut off in its header",
            &journal(b"\x89TABJL\r\n\x01\0\0"),
            old(0),
            add_one,
        ),
        scenario("add over a journal of zeros", &journal(&[0; 64]), old(0), add_one),
        scenario("merge", &two, none(), merge_new),
        scenario("merge over a book with a journal", &two.joined(&grown), old(BEFORE), merge_over),
        scenario("merge into", &grown.joined(&brought_alone(&two)), old(BEFORE), bring),
        scenario(
            "merge into a book without a journal",
            &bare.joined(&brought_alone(&two)),
            old(0),
            bring,
        ),
        scenario("compact", &grown, old(BEFORE), compact),
        scenario(
            "compact over what a crash left",
            &grown.clone().with(UNFINISHED, vec![7; 50_000]),
            old(BEFORE),
            compact,
        ),
        scenario("compact after a torn tail", &torn, old(BEFORE), compact),
        scenario("add over a stale journal and compact", &stale, old(BEFORE), add_and_compact),
        scenario("undo", &grown, old(BEFORE), undo),
        scenario("undo after a torn tail", &torn, old(BEFORE), undo),
        scenario("undo the only batch", &grown_by(OLD | layout, 1), old(1), undo),
        scenario("live", &bare, old(0), live),
        scenario("live in a book with columns", &rated, rated_before(), live),
        scenario(
            "merge into a book with columns",
            &rated.joined(&brought_alone(&two)),
            rated_before(),
            bring,
        ),
        scenario("salvage", &damaged, none(), salvage_new),
        scenario(
            "salvage over a book with a journal",
            &damaged.joined(&grown),
            old(BEFORE),
            salvage_over,
        ),
    ]
}

/// The old book with a journal of two batches.
fn grown(layout: usize) -> Files {
    grown_by(OLD | layout, 2)
}

/// A base with a journal of the first so many batches.
fn grown_by(number: usize, batches: u8) -> Files {
    stage(|fixture| {
        base(number).write(&fixture.book());
        append_to(&fixture.book(), 0..batches);
    })
}

/// The same after a compaction that a crash kept from removing the journal.
fn stale(layout: usize) -> Files {
    let journal = grown(layout).bytes(JOURNAL).unwrap().to_vec();
    let compacted = stage(|fixture| {
        base(OLD | layout).write(&fixture.book());
        append_to(&fixture.book(), 0..2);
        assert!(open_writer(fixture.book()).compact().unwrap());
    });
    compacted.with(JOURNAL, journal)
}

/// The same with most of a third batch behind it, which was never acknowledged.
fn torn(layout: usize) -> Files {
    let all = stage(|fixture| {
        base(OLD | layout).write(&fixture.book());
        append_to(&fixture.book(), 0..2);
        append_to(&fixture.book(), TORN..TORN + 1);
    });
    let journal = all.bytes(JOURNAL).unwrap();
    let torn = journal[..journal.len() - 600].to_vec();
    all.with(JOURNAL, torn)
}

/// Two books to be merged, one with a journal.
fn inputs(layout: usize) -> Files {
    stage(|fixture| {
        let path = |name| fixture.folder().join(name);
        base(OLD | layout).write(&path("a.tabia"));
        append_to(&path("a.tabia"), 0..2);
        base(BROUGHT | layout).write(&path("b.tabia"));
    })
}

fn brought_alone(two: &Files) -> Files {
    Files(two.0.clone().into_iter().filter(|(name, _)| name == "b.tabia").collect())
}
