//! Verifying a book and its journal: every checksum, every row, every total. Rules B-1 to B-22 and J-1 to J-9.

mod filter;

use crate::book::{read_header, read_sources};
use crate::bytes::{Bytes, Pread};
use crate::env::{Env, Stage};
use crate::error::{Context, Error, Result};
use crate::format::{BLOCK, Header, PAGE, PAGE_LEN, Refusal, Results, Rule, Section, TableShape, Tag, blocks_of};
use crate::journal::{Overlay, Unsound, check_tables, frames, journal_path, read_journal, survey};
use crate::key::home;
use crate::row::{MoveRow, PositionRow, RatedMoveRow, Row, TableKind};
use crate::storage::resolve;
use crate::table::{Piece, read_ahead};
use filter::{FilterCheck, FilterPart};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3Default;

/// How many findings are listed; the rest is counted.
const LISTED: usize = 1000;
/// How often a journal is looked at again when it is cut meanwhile.
const CHECK_TRIES: usize = 100;

/// Something wrong with a book or its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The book or the journal.
    pub file: PathBuf,
    /// The section, or `header`, `footer`, `journal`.
    pub section: String,
    /// The block of a table.
    pub block: Option<u64>,
    /// Where in the file.
    pub offset: u64,
    /// The broken rule of the specification.
    pub rule: Rule,
    /// What was found.
    pub what: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.section)?;
        if let Some(block) = self.block {
            write!(f, " block {block}")?;
        }
        write!(f, " at byte {}: {} ({})", self.offset, self.what, self.rule)
    }
}

/// What [`check()`] found.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// Blocks of tables that were verified.
    pub blocks: u64,
    /// Rows that were verified.
    pub rows: u64,
    /// Frames of the journal that were verified.
    pub frames: u64,
    /// Bytes of a torn tail of the journal: not damage, they were never acknowledged (J-6).
    pub torn: u64,
    /// What is wrong, the first thousand findings.
    pub bad: Vec<Finding>,
    /// Findings beyond those.
    pub unlisted: u64,
}

impl CheckReport {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.bad.is_empty()
    }

    pub(crate) fn add(&mut self, finding: Finding) {
        if self.bad.len() < LISTED {
            self.bad.push(finding);
        } else {
            self.unlisted += 1;
        }
    }
}

/// Verifies everything about a book and its journal. Damage is reported, not an error.
///
/// # Errors
/// [`Error::Refused`] for what is no book or of another version; [`Error::Interrupted`]; the system's.
pub fn check(env: &Env<'_>, path: &Path) -> Result<CheckReport> {
    let path = &resolve(path);
    let bytes = File::open(path).and_then(Pread::new).at("open", path)?;
    let mut report = CheckReport::default();
    let header = match read_header(&bytes, path) {
        Ok(header) => header,
        Err(error) if error.is_damage() || find_copy(&bytes).is_some() => {
            report.add(finding_of(error, path, "header"));
            return Ok(report);
        }
        Err(error) => return Err(error),
    };
    let mut check = Check { env, bytes: &bytes, path, header: &header, done: 0, report };
    check.table::<PositionRow>()?;
    check.table::<MoveRow>()?;
    check.table::<RatedMoveRow>()?;
    for section in header.sections.iter().filter(|section| section.tag.kind().is_none()) {
        check.section(section)?;
    }
    if let Err(error) = read_sources(&bytes, path, &header) {
        check.found_error(error, "SRCS")?;
    }
    check.paddings()?;
    check.footer()?;
    check.journal()?;
    Ok(check.report)
}

/// The copy of a header page at the end of a file, if there is a sound one: what tells a book whose first page is lost from other files.
pub(crate) fn find_copy(bytes: &Pread) -> Option<Header> {
    let mut page = [0; PAGE_LEN];
    bytes.read_exact_at(&mut page, bytes.len().checked_sub(PAGE)?).ok()?;
    Header::parse_alone(&page).ok()
}

/// Damage that was met as an error, as a finding.
pub(crate) fn finding_of(error: Error, path: &Path, section: &str) -> Finding {
    let (file, offset, rule, what) = match error {
        Error::Damaged { path, rule, offset, what } => (path, offset, rule, what),
        Error::Refused { path, refusal: Refusal::Damaged { rule, what } } => (path, 0, rule, what),
        Error::Refused { path, refusal: Refusal::NotABook } => (path, 0, "B-1", "the first page is lost".to_owned()),
        Error::Refused { path, refusal } => {
            let rule = match refusal {
                Refusal::Version { .. } => "B-3",
                Refusal::Features { .. } => "B-4",
                _ => "B-5",
            };
            (path, 0, rule, refusal.to_string())
        }
        Error::ForeignJournal { path, .. } => (path, 32, "J-2", "the journal belongs to another book".to_owned()),
        Error::NoTable { table, .. } => {
            (journal_path(path), 0, "J-8", format!("the journal changes the {table} table, which the book doesn't have"))
        }
        other => (path.to_owned(), 0, "B-1", other.to_string()),
    };
    Finding { file, section: section.to_owned(), block: None, offset, rule, what }
}

struct Check<'a> {
    env: &'a Env<'a>,
    bytes: &'a Pread,
    path: &'a Path,
    header: &'a Header,
    /// Bytes that have been looked at.
    done: u64,
    report: CheckReport,
}

impl Check<'_> {
    fn found(&mut self, section: &str, block: Option<u64>, offset: u64, rule: Rule, what: impl Into<String>) {
        let (file, section, what) = (self.path.to_owned(), section.to_owned(), what.into());
        self.report.add(Finding { file, section, block, offset, rule, what });
    }

    /// Takes damage that was met as an error for a finding; other errors stay errors.
    fn found_error(&mut self, error: Error, section: &str) -> Result<()> {
        match error {
            Error::ForeignJournal { .. } | Error::NoTable { .. } => {}
            ref damage if damage.is_damage() => {}
            other => return Err(other),
        }
        self.report.add(finding_of(error, self.path, section));
        Ok(())
    }

    fn advance(&mut self, bytes: u64) -> Result<()> {
        self.done += bytes;
        self.env.step(Stage::Checking, self.done, self.header.file_length)
    }

    /// B-13, B-16 to B-18, B-21 and B-22: a table's blocks, rows and totals, and its filter; nothing if the book has no table of such rows.
    fn table<R: Row>(&mut self) -> Result<()> {
        let Some(table) = self.header.table_of::<R>() else { return Ok(()) };
        let results = self.header.results();
        let mut layout = Layout::new(table.shape, results);
        let mut damaged = false;
        let (bytes, header, path) = (self.bytes, self.header, self.path);
        let section = header.section(Tag::FILTER).filter(|_| R::TABLE == TableKind::Positions);
        let mut filter = section.map(|section| FilterCheck::new(bytes, path, section));
        let blocks = filter.as_ref().map(FilterCheck::blocks);
        let look = |piece: &Piece<R>| {
            let run = Run::of(piece, table.shape.homes, results)?;
            let part = blocks.map(|blocks| FilterPart::of(run.rows_of(piece), blocks));
            Some((run, part))
        };
        read_ahead(bytes, path, header, look, |piece, seen| {
            let (run, part) = seen.unzip();
            for block in piece.damaged() {
                damaged = true;
                self.found(&table.tag.to_string(), Some(block), table.offset + block * BLOCK, "B-13", "the block's checksum is wrong");
            }
            if !self.slots(&mut layout, table, piece, run) {
                filter = None;
            }
            if let Some((filter, part)) = filter.as_mut().zip(part.flatten()) {
                filter.take(&part)?;
            }
            self.advance(piece.len())
        })?;
        if let Some((offset, blocks)) = filter.map(FilterCheck::finish).transpose()?.flatten() {
            let what = format!("the filter is not that of the positions, in {blocks} blocks of 64 bytes, of which this is the first");
            self.found("FILT", None, offset, "B-21", what);
        }
        self.report.blocks += blocks_of(table.length);
        self.report.rows += layout.totals.rows;
        if !damaged && layout.totals != table.shape {
            let what = format!("the header says {:?}, the rows say {:?}", table.shape, layout.totals);
            self.found(&table.tag.to_string(), None, table.offset, "B-17", what);
        }
        Ok(())
    }

    /// B-16, B-18 and B-22 for the slots of a piece of a table; whether nothing is wrong.
    fn slots<R: Row>(&mut self, layout: &mut Layout, table: &Section, piece: &Piece<R>, run: Option<Run>) -> bool {
        let whole = piece.damaged().next().is_none();
        if whole && run.is_some_and(|run| layout.take_run(&run)) {
            return true;
        }
        for (slot, row) in piece.slots() {
            if !whole && !piece.is_sound(slot) {
                layout.behind_unknown = true;
            } else if let Some((rule, what)) = layout.take(slot, row) {
                let (offset, block) = (table.offset + slot * R::SIZE, slot * R::SIZE / BLOCK);
                self.found(&table.tag.to_string(), Some(block), offset, rule, what);
            }
        }
        false
    }

    /// B-14: a section that is not a table.
    fn section(&mut self, section: &Section) -> Result<()> {
        let mut hash = Xxh3Default::new();
        let mut buffer = vec![0; 1 << 18];
        let mut at = 0;
        while at < section.length {
            let piece = &mut buffer[..(section.length - at).min(1 << 18) as usize];
            self.bytes.read_exact_at(piece, section.offset + at).at("read", self.path)?;
            hash.update(piece);
            at += piece.len() as u64;
            self.advance(piece.len() as u64)?;
        }
        if hash.digest() != section.checksum && section.tag != Tag::SOURCES {
            self.found(&section.tag.to_string(), None, section.offset, "B-14", "the section's checksum is wrong");
        }
        Ok(())
    }

    /// B-15: the bytes between a section's end and the next page.
    fn paddings(&mut self) -> Result<()> {
        for section in &self.header.sections {
            let end = section.offset + section.length;
            let mut padding = vec![0; (section.end() - end) as usize];
            self.bytes.read_exact_at(&mut padding, end).at("read", self.path)?;
            if let Some(index) = padding.iter().position(|&byte| byte != 0) {
                self.found(&section.tag.to_string(), None, end + index as u64, "B-15", "the padding behind the section is not zero");
            }
        }
        Ok(())
    }

    /// B-12: the last page repeats the first.
    fn footer(&mut self) -> Result<()> {
        let mut pages = [[0; PAGE_LEN]; 2];
        let at = self.header.file_length - PAGE;
        for (page, offset) in pages.iter_mut().zip([0, at]) {
            self.bytes.read_exact_at(page, offset).at("read", self.path)?;
        }
        if let Some(index) = (0..PAGE_LEN).find(|&index| pages[0][index] != pages[1][index]) {
            self.found("footer", None, at + index as u64, "B-12", "the last page is not the first page's copy");
        }
        Ok(())
    }

    /// J-1 to J-9.
    fn journal(&mut self) -> Result<()> {
        for _ in 0..CHECK_TRIES {
            let before = (self.report.bad.len(), self.report.unlisted);
            match self.journal_as_it_is() {
                // A writer has cut off a torn tail while it was read.
                Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::UnexpectedEof => {
                    self.report.bad.truncate(before.0);
                    self.report.unlisted = before.1;
                }
                done => return done,
            }
        }
        Err(Error::Changed { path: journal_path(self.path) })
    }

    fn journal_as_it_is(&mut self) -> Result<()> {
        let path = journal_path(self.path);
        let (bytes, start) = match read_journal(self.path) {
            Ok(Some(journal)) => journal,
            Ok(None) => return Ok(()),
            Err(error) => return self.found_error(error, "journal"),
        };
        // Else it is stale, or refused below: its rows may be of another size.
        let lives = start.base == self.header.digest;
        let mut overlay = Overlay::of(self.header);
        (self.report.frames, self.report.torn) = (0, 0);
        frames(&bytes, &path, &start, |offset, frame| {
            let looked = match frame {
                Ok(frame) => {
                    self.report.frames += 1;
                    if lives { overlay.push_frame(frame.parts()) } else { Ok(()) }
                }
                Err(fault) if fault.torn => {
                    self.report.torn = bytes.len() - offset;
                    Ok(())
                }
                Err(fault) => Err(Unsound::Fault((fault.rule, fault.what))),
            };
            match looked {
                Ok(()) => check_tables(&overlay, self.header, self.path).or_else(|error| self.found_error(error, "journal"))?,
                Err(Unsound::Fault((rule, what))) => {
                    let (file, section, what) = (path.clone(), "journal".to_owned(), what.to_owned());
                    self.report.add(Finding { file, section, block: None, offset, rule, what });
                }
                Err(Unsound::Io(source)) => return Err(source).at("read", &path),
            }
            overlay.forget_rows();
            Ok(())
        })?;
        let listed = self.report.bad.iter().any(|finding| finding.file == path);
        match survey(self.path, self.header) {
            Err(error) if !listed => self.found_error(error, "journal"),
            _ => Ok(()),
        }
    }
}

/// Where the rows of a table have to stand, given those before them (B-16), and what they add up to.
struct Layout {
    shape: TableShape,
    results: Results,
    totals: TableShape,
    /// The rank of the last row.
    last: Option<(u64, u16)>,
    /// The slot after it, where the next row stands if it is not at home.
    next: u64,
    /// Whether the slot before is in a damaged block: then a row may stand away from home without reason to be seen.
    behind_unknown: bool,
}

impl Layout {
    fn new(shape: TableShape, results: Results) -> Self {
        let totals = TableShape { homes: shape.homes, ..TableShape::default() };
        Self { shape, results, totals, last: None, next: 0, behind_unknown: false }
    }

    /// Takes the rows of a whole piece, if they follow on those before; else nothing is taken, and `false` returned.
    fn take_run(&mut self, run: &Run) -> bool {
        let Some(rows) = &run.rows else { return !self.behind_unknown };
        let good =
            !self.behind_unknown && rows.first_slot == rows.first_home.max(self.next) && self.last.is_none_or(|last| last < rows.first);
        if good {
            let (sum, more) = (&mut self.totals, &run.totals);
            sum.rows += more.rows;
            sum.reach = sum.reach.max(more.reach);
            sum.wins = sum.wins.wrapping_add(more.wins);
            sum.draws = sum.draws.wrapping_add(more.draws);
            sum.losses = sum.losses.wrapping_add(more.losses);
            (self.last, self.next) = (Some(rows.last), rows.next);
        }
        good
    }

    /// Takes a slot; what is wrong with it, if anything.
    fn take<R: Row>(&mut self, slot: u64, row: &R) -> Option<(Rule, String)> {
        let complaint = self.complaint(slot, row);
        if !row.is_empty() {
            let (home, counts) = (home(row.hash(), self.shape.homes), row.counts());
            (self.last, self.next) = (Some(row.rank()), slot + 1);
            self.totals.rows += 1;
            self.totals.reach = self.totals.reach.max(slot.saturating_sub(home));
            self.totals.wins = self.totals.wins.wrapping_add(counts.wins.into());
            self.totals.draws = self.totals.draws.wrapping_add(counts.draws.into());
            self.totals.losses = self.totals.losses.wrapping_add(counts.losses.into());
        }
        self.behind_unknown = false;
        complaint.map(|(rule, what)| (rule, format!("slot {slot}, key {:016x}: {what}", row.key())))
    }

    fn complaint<R: Row>(&self, slot: u64, row: &R) -> Option<(Rule, &'static str)> {
        let home = home(row.hash(), self.shape.homes);
        if row.is_empty() {
            (!row.is_blank()).then_some(("B-18", "it ends like an empty slot, but is not all ones"))
        } else if self.last.is_some_and(|last| last >= row.rank()) {
            Some(("B-16", "it is out of order, or there twice"))
        } else if slot < home || slot - home > self.shape.reach {
            Some(("B-16", "it stands out of reach of its home"))
        } else if slot != home && self.next != slot && !self.behind_unknown {
            Some(("B-16", "it stands behind an empty slot, so that no probe finds it"))
        } else if let Some(fault) = row.fault() {
            Some(("B-18", fault))
        } else if !self.results.allow(row.counts()) {
            Some(("B-22", "it has wins or losses, and the book counts games without results"))
        } else {
            row.conflict().then_some(("M-3", "its proofs contradict each other"))
        }
    }
}

/// The rows of a piece with which nothing is wrong, as far as the piece alone can tell.
struct Run {
    rows: Option<Ends>,
    totals: TableShape,
    /// The slots of the piece that hold rows.
    occupied: Vec<u32>,
}

/// Where the rows of a piece begin and end.
struct Ends {
    first: (u64, u16),
    first_home: u64,
    first_slot: u64,
    last: (u64, u16),
    /// The slot after the last row.
    next: u64,
}

impl Run {
    /// Looks at all slots; nothing if something is wrong with one.
    ///
    /// Which slots are empty can't be foreseen, so nothing here branches on it: the occupied ones are found first, and each is then compared
    /// with the one before it.
    fn of<R: Row>(piece: &Piece<R>, homes: u64, results: Results) -> Option<Self> {
        let (start, slots) = piece.start_and_slots();
        let mut totals = TableShape { homes, ..TableShape::default() };
        let occupied = find_occupied(slots)?;
        let Some((&first, &last)) = occupied.first().zip(occupied.last()) else { return Some(Self { rows: None, totals, occupied }) };
        let (first, last) = (&slots[first as usize], &slots[last as usize]);
        let (first_slot, first_home) = (start + u64::from(occupied[0]), home(first.hash(), homes));
        let (mut good, mut next, mut before) = (true, first_slot, (0, -1));
        for &index in &occupied {
            let row = &slots[index as usize];
            let (h, sub) = (row.hash(), i32::from(row.sub()));
            let (slot, home) = (start + u64::from(index), home(h, homes));
            good &= (slot == home.max(next)) & ((h > before.0) | ((h == before.0) & (sub > before.1)));
            good &= row.is_valid() & !row.conflict();
            (next, before) = (slot + 1, (h, sub));
            totals.reach = totals.reach.max(slot.wrapping_sub(home));
            let counts = row.counts();
            totals.wins = totals.wins.wrapping_add(counts.wins.into());
            totals.draws = totals.draws.wrapping_add(counts.draws.into());
            totals.losses = totals.losses.wrapping_add(counts.losses.into());
        }
        // The sums of a piece don't wrap.
        good &= results == Results::Known || (totals.wins, totals.losses) == (0, 0);
        totals.rows = occupied.len() as u64;
        let rows = Ends { first: first.rank(), first_home, first_slot, last: last.rank(), next };
        good.then_some(Self { rows: Some(rows), totals, occupied })
    }

    /// The rows of the piece this was made of.
    fn rows_of<'a, R: Row>(&'a self, piece: &'a Piece<R>) -> impl Iterator<Item = &'a R> {
        let (_, slots) = piece.start_and_slots();
        self.occupied.iter().map(|&index| &slots[index as usize])
    }
}

/// The slots that hold rows; nothing if another one is not all ones.
fn find_occupied<R: Row>(slots: &[R]) -> Option<Vec<u32>> {
    let mut occupied = vec![0; slots.len()];
    let (mut rows, mut blank) = (0, true);
    for (index, row) in (0u32..).zip(slots) {
        occupied[rows] = index;
        rows += usize::from(!row.is_empty());
        blank &= !row.is_empty() | row.is_blank();
    }
    occupied.truncate(rows);
    blank.then_some(occupied)
}
