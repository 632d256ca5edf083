//! The sound rows of a damaged packed book: those of the pages that have their checksum.

use super::{Damaged, Kept, SalvageReport, Sound};
use crate::column::Columns;
use crate::env::Stage;
use crate::error::{Error, Result};
use crate::format::{BLOCK, PAGE, Rule, Section, Tag};
use crate::journal::{Layered, Overlaid};
use crate::key::Hash;
use crate::packed::{Damage, Dictionary, Packed, PackedRows, strip_of};
use crate::row::TableKind;
use crate::stream::{RowSet, Rows};
use crate::table::Strip;
use std::marker::PhantomData;

/// The rows of a table that can be trusted, with the journal laid over them.
pub(super) struct SoundPages<'a, R> {
    of: Damaged<'a>,
    table: &'a Section,
    packed: &'a Packed,
    rows: PhantomData<fn() -> R>,
}

impl<'a, R: Layered> SoundPages<'a, R> {
    /// Finds the damaged pages, and reports them, if that wasn't done for another table; none if
    /// the book has no such table.
    pub fn find(
        of: Damaged<'a>,
        packed: &'a Packed,
        report: &mut SalvageReport,
    ) -> Result<Option<Self>> {
        let header = of.header;
        let Some((table, pages)) = header.table(R::TABLE).zip(header.section(Tag::PAGE)) else {
            return Ok(None);
        };
        let mine = Self { of, table, packed, rows: PhantomData };
        let (mut rows, mut read) = (mine.stream()?, 0);
        (&mut rows).each_chunk(|chunk| {
            read += chunk.len() as u64;
            of.env.step(Stage::Checking, read, table.shape.rows)
        })?;
        mine.report_games(report)?;
        for &page in rows.lost() {
            let offset = pages.offset + page * PAGE;
            let is_there = |finding: &crate::check::Finding| {
                finding.offset == offset && finding.block == Some(page)
            };
            if !report.bad.iter().any(is_there) {
                let what = "the page is damaged: its positions and moves are gone";
                report.found(of.path, pages, Some(page), offset, Rule::B31, what);
            }
        }
        Ok(Some(mine))
    }

    /// Reports the damaged blocks of the dictionary of games, whose cells say nothing then.
    fn report_games(&self, report: &mut SalvageReport) -> Result<()> {
        let Damaged { bytes, path, header, .. } = self.of;
        let strip = strip_of(header).filter(|_| R::TABLE == TableKind::Moves);
        let Some(Strip { section, .. }) = strip else { return Ok(()) };
        if bytes.there_of(section) < section.length {
            let what = "the section is cut off: the cells that name games behind are gone";
            report.found(path, section, None, bytes.there(), Rule::B5, what);
            return Ok(());
        }
        let games = Dictionary::read(bytes, path, header, Damage::IsSkipped)?;
        for &block in games.bad_blocks() {
            let what = "the block is damaged: the cells that name its games are gone";
            let offset = section.offset + BLOCK * block;
            report.found(path, section, Some(block), offset, Rule::B13, what);
        }
        Ok(())
    }

    fn stream(&self) -> Result<PackedRows<'a, R>> {
        let Damaged { bytes, path, header, .. } = self.of;
        let missing = || Error::NoTable { path: path.to_owned(), table: R::TABLE };
        let rows = PackedRows::new(bytes, path, header, self.packed, Hash::MIN);
        Ok(rows.ok_or_else(missing)?.with_damage(Damage::IsSkipped))
    }
}

impl<R: Layered> Sound<R> for SoundPages<'_, R> {
    fn kept(&self, lost_cells: &mut u64) -> Result<Kept> {
        let mut rows = self.stream()?;
        let kept = (&mut rows).count()?;
        *lost_cells += rows.lost_cells();
        Ok(Kept { expected: self.table.shape.rows, kept })
    }
}

impl<R: Layered> RowSet<R> for SoundPages<'_, R> {
    fn columns(&self) -> Columns {
        self.of.header.columns(R::TABLE)
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        let deltas = R::deltas(self.of.overlay).all();
        Ok(Box::new(Overlaid::new(Box::new(self.stream()?), deltas)))
    }

    fn at_most(&self) -> u64 {
        self.table.shape.rows + R::deltas(self.of.overlay).len() as u64
    }
}
