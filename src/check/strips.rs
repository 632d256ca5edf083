//! What is beside a table: tags that are those of the slots (B-21), and cells of empty slots that
//! are zero (B-26).

use super::layout::Expected;
use crate::column::Column;
use crate::format::{Rule, Tag, tag_of_empty, tag_of_row};
use crate::row::Row;
use crate::table::{Extent, Strips};

/// Wrong cells of one section, in an extent of it or in all of it.
#[derive(Clone, Copy, Default)]
struct Wrong {
    /// The slot of the first one.
    first: Option<u64>,
    cells: u64,
}

impl Wrong {
    fn add(&mut self, slot: u64) {
        self.first.get_or_insert(slot);
        self.cells += 1;
    }
}

/// What is wrong with an extent of the sections beside a table, for each of them.
pub(super) struct StripFaults(Vec<Wrong>);

impl StripFaults {
    /// Looks at all cells beside an extent of a table; not at those of which a block is damaged.
    pub fn of<R: Row>(extent: &Extent<R>, strips: &Strips<'_>, expected: Expected) -> Self {
        let bad: Vec<_> = extent.bad_blocks(strips).map(|bad| bad.tag).collect();
        let sections = strips.all().skip(1).map(|strip| strip.section).enumerate();
        let of = |(index, section): (usize, &crate::format::Section)| {
            let (cells, size) = (extent.cells(index), section.cell as usize);
            if bad.contains(&section.tag) || bad.contains(&strips.table().tag) {
                Wrong::default()
            } else if section.tag == Tag::TAGS {
                wrong_tags(extent, cells, expected)
            } else if Column::of_tag(section.tag).is_some() {
                stray_cells(extent, cells, size)
            } else {
                Wrong::default()
            }
        };
        Self(sections.map(of).collect())
    }
}

fn wrong_tags<R: Row>(extent: &Extent<R>, cells: &[u8], expected: Expected) -> Wrong {
    let mut wrong = Wrong::default();
    let bits = expected.share.bits();
    for ((slot, row), cell) in extent.slots().zip(cells.as_chunks::<2>().0) {
        let tag = if row.is_empty() {
            tag_of_empty(slot)
        } else {
            tag_of_row(row.h() << bits, expected.shape.homes)
        };
        if tag != u16::from_le_bytes(*cell) {
            wrong.add(slot);
        }
    }
    wrong
}

fn stray_cells<R: Row>(extent: &Extent<R>, cells: &[u8], size: usize) -> Wrong {
    let mut wrong = Wrong::default();
    for ((slot, row), cell) in extent.slots().zip(cells.chunks_exact(size)) {
        if row.is_empty() && cell.iter().any(|&byte| byte != 0) {
            wrong.add(slot);
        }
    }
    wrong
}

/// What is wrong with the sections beside a table.
#[derive(Default)]
pub(super) struct StripFindings(Vec<Wrong>);

impl StripFindings {
    /// Takes what is wrong with the next extent.
    pub fn take(&mut self, faults: &StripFaults) {
        self.0.resize(faults.0.len(), Wrong::default());
        for (all, more) in self.0.iter_mut().zip(&faults.0) {
            all.first = all.first.or(more.first);
            all.cells += more.cells;
        }
    }

    /// The sections with which something is wrong: where in the file, which rule, what.
    pub fn findings(&self, strips: &Strips<'_>) -> Vec<(Tag, u64, Rule, String)> {
        let sections = strips.all().skip(1).map(|strip| strip.section);
        let found = sections.zip(&self.0).filter_map(|(section, wrong)| {
            let offset = section.offset + wrong.first? * section.cell;
            let cells = wrong.cells;
            Some(if section.tag == Tag::TAGS {
                (
                    section.tag,
                    offset,
                    Rule::B21,
                    format!("{cells} tags, of which this is the first, are not those of the slots"),
                )
            } else {
                (
                    section.tag,
                    offset,
                    Rule::B26,
                    format!(
                        "{cells} cells of empty slots, of which this is the first, are not zero"
                    ),
                )
            })
        });
        found.collect()
    }
}
