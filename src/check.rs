//! Verifying a book and its journal: every checksum, every row, every total, every cell. Rules B
//! and J of the specification.

mod layout;
mod packed;
mod strips;

use crate::book::{hash_of, read_facts, read_header, read_sources};
use crate::bytes::{Bytes, Pread};
use crate::env::{Env, Stage};
use crate::error::{Context, Error, Result};
use crate::format::{BLOCK, Header, PAGE, PAGE_LEN, Refusal, Rule, Section, Tag, blocks_of};
use crate::journal::{
    Layouts, Overlay, Unsound, check_tables, frames, journal_path, read_journal, survey,
};
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::storage::resolve;
use crate::table::{Extent, Strips, read_ahead};
use layout::{Expected, Layout, Run};
use std::io;
use std::path::{Path, PathBuf};
use strips::{StripFaults, StripFindings};

/// How many findings are listed; the rest is counted.
const LISTED: usize = 1000;
/// How often a journal is looked at again when it is cut meanwhile.
const CHECK_TRIES: usize = 100;

/// Something wrong with a book or its journal.
///
/// ```
/// # use tabia::{check, Env};
/// # let (_folder, path) = tabia_testing::tiny_book();
/// use tabia::storage::{Missing, Storage, System};
/// System.open(&path, Missing::Fail)?.write_all_at(&[7], 4100)?;
/// for finding in check(&Env::default(), &path)?.bad {
///     println!("{}: {}", finding.rule, finding.what);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

/// The result of [`check()`]: its findings and how much was checked.
///
/// ```
/// # use tabia::{check, Env};
/// # let (_folder, path) = tabia_testing::tiny_book();
/// let report = check(&Env::default(), &path)?;
/// assert!(report.ok() && report.rows == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckReport {
    /// Blocks of tables that were verified.
    pub blocks: u64,
    /// Rows that were verified.
    pub rows: u64,
    /// Positions of the book, without its journal, that are flagged [`crate::Flags::EXPANDED`].
    pub expanded: u64,
    /// Frames of the journal that were verified.
    pub frames: u64,
    /// Tables whose rows are further from their homes than random keys ever make them: probes are
    /// slow there. Not damage.
    pub crowded: Vec<TableKind>,
    /// Columns that this code doesn't know; their blocks were verified.
    pub unknown_columns: Vec<Tag>,
    /// Bytes of a torn tail of the journal: not damage, they were never acknowledged (J-6).
    pub torn: u64,
    /// The first thousand findings.
    pub bad: Vec<Finding>,
    /// Findings beyond those.
    pub unlisted: u64,
}

impl CheckReport {
    /// Whether there are no findings.
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
/// [`Error::Refused`] for what is no book or of another version; [`Error::Interrupted`]; the
/// system's.
pub fn check(env: &Env<'_>, path: &Path) -> Result<CheckReport> {
    let path = &resolve(path);
    let bytes = Pread::open(path).at("open", path)?;
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
    if header.packed {
        check.packed()?;
    } else {
        check.table::<PositionRow>()?;
        check.table::<MoveRow>()?;
    }
    let plain = |section: &&Section| !section.has_sums() && section.tag != Tag::PAGE;
    for section in header.sections.iter().filter(plain) {
        check.section(section)?;
    }
    if let Err(error) = read_sources(&bytes, path, &header) {
        check.found_error(error, "SRCS")?;
    }
    if let Err(error) = read_facts(&bytes, path, &header) {
        check.found_error(error, "FACT")?;
    }
    check.report.unknown_columns = header.unknown_columns().map(|section| section.tag).collect();
    check.paddings()?;
    check.footer()?;
    check.journal()?;
    Ok(check.report)
}

/// The copy of a header page at the end of a file, if there is a sound one. It distinguishes a book
/// whose first page is lost from other files.
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
        Error::Refused { path, refusal: Refusal::NotABook } => {
            (path, 0, Rule::B1, "the first page is lost".to_owned())
        }
        Error::Refused { path, refusal } => {
            let rule = match refusal {
                Refusal::Version { .. } => Rule::B3,
                Refusal::Features { .. } => Rule::B4,
                _ => Rule::B5,
            };
            (path, 0, rule, refusal.to_string())
        }
        Error::ForeignJournal { path, .. } => {
            (path, 32, Rule::J2, "the journal belongs to another book".to_owned())
        }
        Error::NoTable { table, .. } => (
            journal_path(path),
            0,
            Rule::J8,
            format!("the journal changes the {table} table, which the book doesn't have"),
        ),
        other => (path.to_owned(), 0, Rule::B1, other.to_string()),
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
    fn found(
        &mut self,
        section: &str,
        block: Option<u64>,
        offset: u64,
        rule: Rule,
        what: impl Into<String>,
    ) {
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

    /// B-13, B-16 to B-18, B-21, B-22, B-24 and B-26: a table's blocks, rows and totals, and what
    /// is beside it; nothing if the book has no such table.
    fn table<R: Row>(&mut self) -> Result<()> {
        let (bytes, header, path) = (self.bytes, self.header, self.path);
        let Some(strips) = Strips::of(header, R::TABLE, |_| true) else { return Ok(()) };
        let table = strips.table();
        let expected =
            Expected { shape: table.shape, results: header.results, share: header.share };
        let mut layout = Layout::new(expected);
        let mut beside = StripFindings::default();
        let mut damaged = false;
        let look = |extent: &Extent<R>| {
            (Run::of(extent, expected), StripFaults::of(extent, &strips, expected))
        };
        read_ahead(bytes, path, &strips, look, |extent, (run, faults)| {
            for bad in extent.bad_blocks(&strips) {
                damaged |= bad.tag == table.tag;
                let section = bad.tag.to_string();
                let what = "the block's checksum is wrong";
                self.found(&section, Some(bad.block), bad.offset, Rule::B13, what);
            }
            self.slots(&mut layout, table, extent, run);
            beside.take(&faults);
            self.advance(extent.bytes())
        })?;
        for (section, offset, rule, what) in beside.findings(&strips) {
            self.found(&section.to_string(), None, offset, rule, what);
        }
        self.report.blocks +=
            strips.all().map(|strip| blocks_of(strip.section.length)).sum::<u64>();
        self.report.rows += layout.totals.rows;
        self.report.expanded += layout.expanded;
        if table.shape.is_crowded(R::TABLE, header.load) {
            self.report.crowded.push(R::TABLE);
        }
        if !damaged && layout.totals != table.shape {
            let what =
                format!("the header says {:?}, the rows say {:?}", table.shape, layout.totals);
            self.found(&table.tag.to_string(), None, table.offset, Rule::B17, what);
        }
        Ok(())
    }

    /// B-16, B-18, B-22 and B-24 for the slots of an extent of a table.
    fn slots<R: Row>(
        &mut self,
        layout: &mut Layout,
        table: &Section,
        extent: &Extent<R>,
        run: Option<Run>,
    ) {
        let whole = extent.damaged().next().is_none();
        if whole && run.is_some_and(|run| layout.take_run(&run)) {
            return;
        }
        for (slot, row) in extent.slots() {
            if !whole && !extent.is_sound(slot) {
                layout.pass_unknown();
            } else if let Some((rule, what)) = layout.take(slot, row) {
                let (offset, block) = (table.offset + slot * R::SIZE, slot * R::SIZE / BLOCK);
                self.found(&table.tag.to_string(), Some(block), offset, rule, what);
            }
        }
    }

    /// B-14: a section that is not a table.
    fn section(&mut self, section: &Section) -> Result<()> {
        let (bytes, path) = (self.bytes, self.path);
        let hash = hash_of(bytes, path, section, |step| self.advance(step))?;
        let listed = [Tag::SOURCES, Tag::FACTS, Tag::PACK].contains(&section.tag);
        if hash != section.checksum && !listed {
            let what = "the section's checksum is wrong";
            self.found(&section.tag.to_string(), None, section.offset, Rule::B14, what);
        }
        Ok(())
    }

    /// B-15: the bytes between a section's end and the next page.
    fn paddings(&mut self) -> Result<()> {
        for section in &self.header.sections {
            let end = section.offset + section.length;
            let mut padding = [0; PAGE_LEN];
            let padding = &mut padding[..(section.end() - end) as usize];
            self.bytes.read_exact_at(padding, end).at("read", self.path)?;
            if let Some(index) = padding.iter().position(|&byte| byte != 0) {
                let (at, what) = (end + index as u64, "the padding behind the section is not zero");
                self.found(&section.tag.to_string(), None, at, Rule::B15, what);
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
        if pages[0] != pages[1]
            && let Some(index) = (0..PAGE_LEN).find(|&index| pages[0][index] != pages[1][index])
        {
            let what = "the last page is not the first page's copy";
            self.found("footer", None, at + index as u64, Rule::B12, what);
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
        let (mut overlay, layouts) = (Overlay::of(self.header), Layouts::of(self.header));
        (self.report.frames, self.report.torn) = (0, 0);
        frames(&bytes, &path, &start, |offset, frame| {
            let looked = match frame {
                Ok(frame) => {
                    self.report.frames += 1;
                    if lives { overlay.push_frame(frame.parts(&layouts)) } else { Ok(()) }
                }
                Err(fault) if fault.torn => {
                    self.report.torn = bytes.len() - offset;
                    Ok(())
                }
                Err(fault) => Err(Unsound::Fault((fault.rule, fault.what))),
            };
            match looked {
                Ok(()) => check_tables(&overlay, self.header, self.path)
                    .or_else(|error| self.found_error(error, "journal"))?,
                Err(Unsound::Fault((rule, what))) => {
                    let (file, section, what) =
                        (path.clone(), "journal".to_owned(), what.to_owned());
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
