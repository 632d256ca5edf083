//! Verifying a packed book: its parameters, its pages, the rows of large groups (B-13, B-17, B-29
//! to B-32).

use super::Check;
use crate::error::{Context, Result};
use crate::format::{BLOCK, PAGE, Rule, TableShape, Tag, blocks_of};
use crate::packed::{Damage, Dictionary, Observer, Packed, PageFault, strip_of, verify_pages};
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::table::{Extent, Strip, Strips};

/// Hears of the pages of a book that is checked.
struct Pages<'a, 'b> {
    check: &'a mut Check<'b>,
    packed: &'a Packed,
    /// Whether all of them could be taken apart.
    is_whole: bool,
}

impl Observer for Pages<'_, '_> {
    fn found(&mut self, PageFault { page, rule, what }: PageFault) {
        self.is_whole &= rule == Rule::M3;
        self.check.found("PAGE", Some(page), self.packed.offset(page), rule, what);
    }

    fn step(&mut self, bytes: u64) -> Result<()> {
        self.check.advance(bytes)
    }
}

impl Check<'_> {
    /// B-13, B-17, B-22 and B-29 to B-32.
    pub(super) fn packed(&mut self) -> Result<()> {
        self.large_rows::<PositionRow>()?;
        self.large_rows::<MoveRow>()?;
        let (bytes, path, header) = (self.bytes, self.path, self.header);
        let packed = match Packed::open(bytes, path, header) {
            Ok(Some(packed)) => packed,
            Ok(None) => return Ok(()),
            Err(error) => return self.found_error(error, "PACK"),
        };
        let games = self.games()?;
        let pages = header.section(Tag::PAGE).map_or(0, |section| section.length / PAGE);
        let mut pages_of = Pages { check: self, packed: &packed, is_whole: true };
        let verified = verify_pages(bytes, path, header, &packed, &games, &mut pages_of)?;
        let is_whole = pages_of.is_whole && games.is_sound();
        self.report.blocks += pages;
        self.report.rows += verified.positions.rows + verified.moves.rows;
        self.report.expanded += verified.expanded;
        let tables =
            [(TableKind::Positions, verified.positions), (TableKind::Moves, verified.moves)];
        for (table, got) in tables {
            let Some(section) = header.table(table).filter(|_| is_whole) else { continue };
            if got != section.shape {
                let what = format!("the header says {:?}, the rows say {got:?}", section.shape);
                self.found(&section.tag.to_string(), None, section.offset, Rule::B17, what);
            }
        }
        let said = header.section(Tag::PAGE).map_or(TableShape::default(), |pages| pages.shape);
        if is_whole && said.rows != verified.entries {
            let what =
                format!("the header says {} entries, there are {}", said.rows, verified.entries);
            self.found("PAGE", None, packed.offset(0), Rule::B17, what);
        }
        Ok(())
    }

    /// B-13 for the dictionary of games, and that they ascend.
    fn games(&mut self) -> Result<Dictionary> {
        let games = Dictionary::read(self.bytes, self.path, self.header, Damage::IsSkipped)?;
        let Some(Strip { section, .. }) = strip_of(self.header) else { return Ok(games) };
        for &block in games.bad_blocks() {
            let (offset, what) = (section.offset + BLOCK * block, "the block's checksum is wrong");
            self.found("DICT", Some(block), offset, Rule::B13, what);
        }
        if games.bad_blocks().is_empty() && !games.is_sound() {
            self.found("DICT", None, section.offset, Rule::B32, "games are out of order");
        }
        self.report.blocks += blocks_of(section.length);
        self.advance(section.length)?;
        Ok(games)
    }

    /// B-13 for the rows of large groups, and for their cells.
    fn large_rows<R: Row>(&mut self) -> Result<()> {
        let (bytes, path) = (self.bytes, self.path);
        // There are no tags, though their section says that the plain book has some.
        let Some(strips) = Strips::with_columns(self.header, R::TABLE) else { return Ok(()) };
        let mut extent: Extent<R> = Extent::default();
        for number in 0..strips.extents() {
            extent.read(bytes, &strips, number).at("read", path)?;
            for bad in extent.bad_blocks(&strips) {
                let tag = bad.tag.to_string();
                let what = "the block's checksum is wrong";
                self.found(&tag, Some(bad.block), bad.offset, Rule::B13, what);
            }
            self.advance(extent.bytes())?;
        }
        self.report.blocks +=
            strips.all().map(|strip| blocks_of(strip.section.length)).sum::<u64>();
        Ok(())
    }
}
