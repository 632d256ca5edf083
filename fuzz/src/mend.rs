//! A book's bytes, changed at will and then made consistent again as far as asked for, so that a
//! mutation reaches the code behind the checksums. Offsets are those of the specification, written
//! down here once more and not taken from the engine.

use crate::Input;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

const PAGE: usize = 4096;
const SLOT: usize = 24;
const ENTRIES: usize = 256;
const ENTRY: usize = 96;
/// Where an entry names the table that a section is beside.
const BESIDE: usize = 80;
/// More bytes than a book grows to here.
const LARGEST: usize = 1 << 17;

/// What is made consistent, in this order. All bits of the byte: nothing.
#[derive(Clone, Copy, Debug)]
pub struct Mend(pub u8);

impl Mend {
    const LENGTH: u8 = 1;
    const HOMES: u8 = 1 << 1;
    const TOTALS: u8 = 1 << 2;
    const BLOCKS: u8 = 1 << 3;
    const SECTIONS: u8 = 1 << 4;
    const DIGEST: u8 = 1 << 5;
    const CRC: u8 = 1 << 6;
    const COPY: u8 = 1 << 7;

    fn does(self, what: u8) -> bool {
        self.0 & what == 0
    }
}

/// The bytes of a book, or of what was one.
#[derive(Clone, Debug)]
pub struct Book {
    pub bytes: Vec<u8>,
    /// The header speaks of more than there is, as if the file had been cut off: its length isn't
    /// mended.
    is_cut: bool,
}

/// The slots behind the last home of a table of so many rows with this max displacement (B-23).
fn slack(rows: u64, reach: u64) -> u64 {
    if rows <= 1024 {
        return rows;
    }
    (0..28).map(|k| 1024 << (2 * k)).find(|&slack: &u64| slack >= reach).unwrap_or(u64::MAX)
}

/// Where a section is, if it is in the file.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Of its entry in the header page.
    entry: usize,
    tag: [u8; 4],
    start: usize,
    end: usize,
}

impl Place {
    fn is_table(&self) -> bool {
        &self.tag == b"POSN" || &self.tag == b"MOVE"
    }
}

impl Book {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, is_cut: false }
    }

    fn u32(&self, at: usize) -> u32 {
        self.bytes
            .get(at..at + 4)
            .map_or(0, |bytes| u32::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    fn u64(&self, at: usize) -> u64 {
        self.bytes
            .get(at..at + 8)
            .map_or(0, |bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    /// Writes bytes over those that are there, as far as there are any.
    fn put(&mut self, at: usize, new: &[u8]) {
        let end = self.bytes.len().min(at.saturating_add(new.len()));
        if at < end {
            self.bytes[at..end].copy_from_slice(&new[..end - at]);
        }
    }

    /// Whether a section is a table or beside one, so that its sums are behind it.
    fn has_sums(&self, place: &Place) -> bool {
        place.is_table() || self.u32(place.entry + BESIDE) != 0
    }

    /// Bytes of a cell of a section: of a table's row, or what its entry says.
    fn cell_size(&self, place: &Place) -> usize {
        if place.is_table() { SLOT } else { (self.u32(place.entry + 4) as usize).clamp(1, 1 << 10) }
    }

    fn sections(&self) -> Vec<Place> {
        let count = self.u32(76).min(39) as usize;
        (0..count).filter_map(|index| self.place(ENTRIES + index * ENTRY)).collect()
    }

    fn place(&self, entry: usize) -> Option<Place> {
        let tag = self.bytes.get(entry..entry + 4)?.try_into().ok()?;
        let start = usize::try_from(self.u64(entry + 8)).ok()?;
        let end = start.checked_add(usize::try_from(self.u64(entry + 16)).ok()?)?;
        (start >= PAGE && end <= self.bytes.len()).then_some(Place { entry, tag, start, end })
    }

    /// Changes something that the input names.
    pub fn edit(&mut self, input: &mut Input<'_>) {
        match input.byte() % 15 {
            0 => {
                let at = input.below(PAGE);
                let count = input.below(8) + 1;
                let value: u64 = input.take();
                self.put(at, &value.to_le_bytes()[..count]);
            }
            1 => {
                let at = ENTRIES
                    + input.below(8) * ENTRY
                    + [0, 4, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88][input.below(13)];
                let value = self.u64(at).wrapping_add(input.take::<i16>() as u64);
                self.put(at, &value.to_le_bytes());
            }
            2 => {
                let at =
                    ENTRIES + input.below(8) * ENTRY + [8, 16, 24, 32, 40, 48, 56][input.below(7)];
                let value: u64 = input.take();
                self.put(at, &value.to_le_bytes());
            }
            3 => {
                // Well-known fields of the header: the counts, the lengths, the sequence, the load.
                let (at, count) = [
                    (8, 4),
                    (12, 4),
                    (16, 8),
                    (24, 8),
                    (64, 1),
                    (65, 1),
                    (68, 4),
                    (72, 4),
                    (76, 4),
                    (80, 8),
                    (104, 8),
                    (120, 8),
                    (128, 4),
                ][input.below(13)];
                let value = match input.byte() {
                    0 => u64::MAX,
                    1 => u64::MAX - 1,
                    2 => self.bytes.len() as u64,
                    3 => input.take(),
                    small => self.u64(at).wrapping_add(small as i8 as u64),
                };
                self.put(at, &value.to_le_bytes()[..count]);
            }
            4 => {
                let (key, (at, _)) = (input.key(), self.slot(input));
                self.put(at, &tabia::mix(key).to_le_bytes());
            }
            5 => {
                let (at, size) = self.slot(input);
                let inside = input.below(size);
                let count = input.below(size) + 1;
                let new = input.bytes(count).to_vec();
                self.put(at + inside, &new);
            }
            6 => {
                let ((one, size), (other, _)) = (self.slot(input), self.slot(input));
                let row = self.bytes.get(one..one + size).map(<[u8]>::to_vec).unwrap_or_default();
                self.put(other, &row);
            }
            7 => {
                let (at, size) = self.slot(input);
                self.put(at, &vec![if size == SLOT { 0xff } else { 0 }; size]);
            }
            8 => {
                let at = input.below(self.bytes.len());
                let count = usize::from(input.byte());
                let new = if count < 128 {
                    input.bytes(count).to_vec()
                } else {
                    vec![input.byte(); count * 16]
                };
                self.put(at, &new);
            }
            9 => {
                let at = input.below(self.bytes.len());
                self.bytes.truncate(at);
            }
            10 => {
                let count = usize::from(input.take::<u16>() % 8193);
                let length = (self.bytes.len() + count).min(LARGEST);
                self.bytes.resize(length, input.byte());
            }
            11 => self.resize_section(input),
            12 => self.insert_section(input),
            13 => self.stretch_section(input),
            _ => {
                // In a section that is no table and beside none: sums, sources, facts.
                let plain: Vec<_> = self
                    .sections()
                    .into_iter()
                    .filter(|place| !self.has_sums(place) && place.start < place.end)
                    .collect();
                let Some(place) = plain.get(input.below(plain.len().max(1))).copied() else {
                    return;
                };
                let at = place.start + input.below(place.end - place.start);
                let count = input.below(64) + 1;
                let new = input.bytes(count).to_vec();
                self.put(at, &new);
            }
        }
    }

    /// Where some slot of some table starts, or the cell of one, and its size.
    fn slot(&self, input: &mut Input<'_>) -> (usize, usize) {
        let tables: Vec<_> =
            self.sections().into_iter().filter(|place| self.has_sums(place)).collect();
        let Some(place) = tables.get(input.below(tables.len().max(1))) else { return (0, SLOT) };
        let size = self.cell_size(place);
        (place.start + input.below(((place.end - place.start) / size).max(1)) * size, size)
    }

    /// Makes a section longer or shorter; what is behind it moves.
    fn resize_section(&mut self, input: &mut Input<'_>) {
        let sections = self.sections();
        let Some(place) = sections.get(input.below(sections.len().max(1))).copied() else { return };
        let length = (place.end - place.start)
            .saturating_add_signed(isize::from(input.take::<i16>()))
            .min(LARGEST / 4);
        let fill = input.byte();
        let next = place.end.next_multiple_of(PAGE).min(self.bytes.len());
        let mut content = self.bytes[place.start..place.end].to_vec();
        content.resize(length, fill);
        content.resize(length.next_multiple_of(PAGE), 0);
        if self.bytes.len() + content.len() > LARGEST {
            return;
        }
        let shift = content.len().wrapping_sub(next - place.start) as u64;
        self.bytes.splice(place.start..next, content);
        self.put(place.entry + 16, &(length as u64).to_le_bytes());
        self.shift_behind(&sections, place.start + 1, shift);
    }

    /// Puts a section of an unknown (or known) name somewhere.
    fn insert_section(&mut self, input: &mut Input<'_>) {
        let sections = self.sections();
        let count = self.u32(76) as usize;
        if sections.len() != count || count >= 39 || self.bytes.len() > LARGEST / 2 {
            return;
        }
        let index = input.below(count + 1);
        let start =
            sections.get(index).map_or(self.bytes.len().saturating_sub(PAGE), |place| place.start);
        let tag = [*b"ABCD", *b"ZZZZ", *b"FILT", *b"SRCS", *b"POSN", *b"NOTE", *b"TAGS", *b"YEAR"]
            [input.below(8)];
        let length = usize::from(input.take::<u16>() % 5000);
        let mut content = vec![input.byte(); length];
        content.resize(length.next_multiple_of(PAGE), 0);
        let (entry, table_end) = (ENTRIES + index * ENTRY, ENTRIES + count * ENTRY);
        if self.bytes.len() < 2 * PAGE {
            return;
        }
        let shift = content.len() as u64;
        self.shift_behind(&sections, start, shift);
        self.bytes.splice(start..start, content);
        self.bytes.copy_within(entry..table_end, entry + ENTRY);
        let mut new = [0; ENTRY];
        new[..4].copy_from_slice(&tag);
        new[8..16].copy_from_slice(&(start as u64).to_le_bytes());
        new[16..24].copy_from_slice(&(length as u64).to_le_bytes());
        self.put(entry, &new);
        self.put(76, &(count as u32 + 1).to_le_bytes());
    }

    /// Makes a section longer in the header only: what a file of any size looks like when all but
    /// its start is lost.
    fn stretch_section(&mut self, input: &mut Input<'_>) {
        let sections = self.sections();
        let index = input.below(sections.len().max(1));
        let Some(place) = sections.get(index).copied() else { return };
        let more = (u64::from(input.take::<u16>()) + 1) << (input.byte() % 48);
        let length = |place: &Place| (place.end - place.start) as u64;
        let grown = |place: &Place, new: u64| {
            new.next_multiple_of(PAGE as u64) - length(place).next_multiple_of(PAGE as u64)
        };
        if let Some(sums) = sections.get(index + 1).filter(|_| self.has_sums(&place)) {
            let load = u64::from(self.u32(68).clamp(500, 980));
            let rows = self.u64(place.entry + 32).saturating_add(more).min(u64::MAX / 1000);
            let homes = (rows * 1000).div_ceil(load);
            let slots = homes.saturating_add(slack(rows, self.u64(place.entry + 48)));
            let new = slots.saturating_mul(self.cell_size(&place) as u64).min(1 << 60);
            if place.is_table() {
                self.put(place.entry + 32, &rows.to_le_bytes());
                self.put(place.entry + 40, &homes.to_le_bytes());
            }
            self.put(place.entry + 16, &new.to_le_bytes());
            self.shift_behind(&sections, place.start + 1, grown(&place, new.max(length(&place))));
            let sums_length = 8 * new.div_ceil(PAGE as u64);
            self.put(sums.entry + 16, &sums_length.to_le_bytes());
            let shift = grown(sums, sums_length.max(length(sums)));
            let behind: Vec<_> =
                sections.iter().filter(|other| other.start > sums.start).copied().collect();
            for other in behind {
                let offset = self.u64(other.entry + 8).wrapping_add(shift);
                self.put(other.entry + 8, &offset.to_le_bytes());
            }
            let file = self.u64(80).wrapping_add(shift);
            self.put(80, &file.to_le_bytes());
        } else {
            let new = length(&place).saturating_add(more);
            self.put(place.entry + 16, &new.to_le_bytes());
            self.shift_behind(&sections, place.start + 1, grown(&place, new));
        }
        self.is_cut = true;
    }

    /// Adds to the offsets of the sections that start at this byte or behind it, and to the file's
    /// length.
    fn shift_behind(&mut self, sections: &[Place], start: usize, shift: u64) {
        for place in sections.iter().filter(|place| place.start >= start) {
            self.put(place.entry + 8, &(place.start as u64).wrapping_add(shift).to_le_bytes());
        }
        let length = self.u64(80).wrapping_add(shift);
        self.put(80, &length.to_le_bytes());
    }

    /// Makes things consistent.
    pub fn mend(&mut self, mend: Mend) {
        if self.bytes.len() < PAGE {
            return;
        }
        if mend.does(Mend::LENGTH) && !self.is_cut {
            self.put(80, &(self.bytes.len() as u64).to_le_bytes());
        }
        let sections = self.sections();
        for place in
            sections.iter().filter(|place| self.has_sums(place)).copied().collect::<Vec<_>>().iter()
        {
            if place.is_table() {
                self.mend_table(place, mend);
            }
            let sums = sections
                .iter()
                .find(|sums| sums.entry == place.entry + ENTRY)
                .filter(|_| mend.does(Mend::BLOCKS));
            if let Some(sums) = sums {
                let blocks: Vec<u8> = self.bytes[place.start..place.end]
                    .chunks(PAGE)
                    .flat_map(|block| xxh3_64(block).to_le_bytes())
                    .collect();
                let length = blocks.len().min(sums.end - sums.start);
                self.put(sums.start, &blocks[..length]);
            }
        }
        if mend.does(Mend::SECTIONS) {
            for place in
                sections.iter().filter(|place| !self.has_sums(place)).copied().collect::<Vec<_>>()
            {
                let checksum = if self.bytes[place.entry..].starts_with(b"PAGE") {
                    self.seal_pages(&place)
                } else {
                    xxh3_64(&self.bytes[place.start..place.end])
                };
                self.put(place.entry + 24, &checksum.to_le_bytes());
            }
        }
        if mend.does(Mend::DIGEST) {
            let mut page = self.bytes[..PAGE].to_vec();
            page[88..128].fill(0);
            page[4092..].fill(0);
            self.put(88, &xxh3_128(&page).to_be_bytes());
        }
        if mend.does(Mend::CRC) {
            let crc = crc32fast::hash(&self.bytes[..4092]);
            self.put(4092, &crc.to_le_bytes());
        }
        if mend.does(Mend::COPY) && self.bytes.len() >= 2 * PAGE {
            let last = self.bytes.len() - PAGE;
            self.bytes.copy_within(..PAGE, last);
        }
    }

    /// Puts in each page of a packed book which one it is, and its checksum; that of all checksums
    /// is returned.
    fn seal_pages(&mut self, place: &Place) -> u64 {
        let mut checksums = Vec::new();
        // PACK is the section in front of it, whose checksum was mended before.
        let salt = if place.entry >= 256 + ENTRY { self.u64(place.entry - ENTRY + 24) } else { 0 };
        let pages = self.bytes[place.start..place.end].chunks_exact_mut(PAGE);
        for (page, said) in pages.zip((0..=u32::MAX).map(|page| page.wrapping_add(salt as u32))) {
            page[4..8].copy_from_slice(&said.to_le_bytes());
            let (content, checksum) = page.split_at_mut(PAGE - 8);
            checksum.copy_from_slice(&xxh3_64(content).to_le_bytes());
            checksums.extend_from_slice(checksum);
        }
        xxh3_64(&checksums)
    }

    /// Rows, homes, max displacement and totals of a table, from its slots. A packed book's table
    /// says what is in its pages, too.
    fn mend_table(&mut self, place: &Place, mend: Mend) {
        if self.bytes[16] & 1 << 4 != 0 {
            return;
        }
        let slots = self.bytes[place.start..place.end].chunks_exact(SLOT);
        let count = slots.len() as u64;
        let mut totals = [0u64; 4];
        for slot in slots.filter(|slot| slot[SLOT - 1] != 0xff) {
            totals[0] += 1;
            for (total, cell) in totals[1..].iter_mut().zip(slot[8..20].chunks_exact(4)) {
                *total = total
                    .wrapping_add(u32::from_le_bytes(cell.try_into().unwrap_or_default()).into());
            }
        }
        if mend.does(Mend::TOTALS) {
            self.put(place.entry + 32, &totals[0].to_le_bytes());
            for (index, total) in totals[1..].iter().enumerate() {
                self.put(place.entry + 56 + 8 * index, &total.to_le_bytes());
            }
        }
        if mend.does(Mend::HOMES) {
            let load = u64::from(self.u32(68).max(1));
            let rows = self.u64(place.entry + 32);
            let homes = rows.saturating_mul(1000).div_ceil(load).max(1);
            self.put(place.entry + 40, &homes.to_le_bytes());
            // As far as there is slack that no other displacement asks for.
            let behind = count.saturating_sub(homes);
            let reach = if slack(rows, 0) == behind {
                self.u64(place.entry + 48).min(behind)
            } else {
                behind
            };
            self.put(place.entry + 48, &reach.to_le_bytes());
        }
    }
}
