//! Journals that an input describes: whole ones, whose effect is known, and spoilt ones. Offsets
//! are those of the specification.

use crate::{CellValues, Input, Model, MoveCells, PositionCells, columns_of_bits};
use std::collections::{BTreeMap, BTreeSet};
use tabia::{Column, Columns, Hash, Header, Results, TableKind, mix};
use tabia_testing::forge::{FRAME_HEADER, Forged, HEADER, part, reseal_header};

/// A frame that begins with this byte, or a greater one, has many rows.
const MANY: u8 = 252;
/// Journals that are at least so long don't go on: more than two of the steps in which journals are
/// read.
const LONGEST: usize = 1 << 18;

/// A journal, and what a book shows with it, if that is known.
pub struct Journal {
    forged: Forged,
    /// The book's rows after the journal's frames. None if something was spoilt: then anything may
    /// be said of it, but nothing half done.
    pub expected: Option<Model>,
}

/// A frame's change of a row.
#[derive(Clone, Copy)]
enum Change<T> {
    Add(T),
    Put(T),
    Delete,
}

impl<T> Change<T> {
    fn operation(&self) -> u8 {
        match self {
            Self::Add(_) => 1,
            Self::Put(_) => 2,
            Self::Delete => 3,
        }
    }
}

/// A frame: each row is changed once at most.
#[derive(Default)]
struct Frame {
    positions: BTreeMap<u64, (u64, Change<PositionCells>)>,
    moves: BTreeMap<(u64, u16), (u64, Change<MoveCells>)>,
    sources: Vec<(u64, Vec<u8>)>,
    facts: Vec<(u64, Vec<u8>)>,
    /// The columns of the book's moves.
    columns: Columns,
}

impl Journal {
    /// Any bytes, of which nothing is known.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let forged = Forged { bytes: bytes.to_vec(), salt: 0, sequence: 0, previous: 0 };
        Self { forged, expected: None }
    }

    /// The journal's bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.forged.bytes
    }

    /// The journal that the input describes, for the book with this header and these rows.
    pub fn described(input: &mut Input<'_>, header: &Header, rows: &Model) -> Self {
        let spoil = input.byte();
        let back = u64::from(input.byte() % 4).min(header.sequence);
        let forged = Forged::new(header.digest, header.sequence + 1 - back);
        let mut journal = Self { forged, expected: Some(rows.clone()) };
        let mut last_whole = journal.forged.bytes.len();
        let mut model = rows.clone();
        let mut torn = false;
        while !input.is_empty() && journal.forged.bytes.len() < LONGEST {
            match input.byte() {
                kind @ 0..=199 if !torn => {
                    let frame = Frame::read(input, header);
                    if journal.forged.sequence > header.sequence {
                        frame.apply(&mut model);
                    }
                    journal.forged.frame(&frame.parts(kind % 3));
                    last_whole = journal.forged.bytes.len();
                }
                0..=219 => {
                    // What a crash leaves of the next frame.
                    let mut next = journal.forged.continued();
                    next.frame(&Frame::read(input, header).parts(0));
                    next.bytes.truncate(input.below(next.bytes.len()));
                    if !torn {
                        torn = !next.bytes.is_empty();
                        journal.forged.bytes.extend_from_slice(&next.bytes);
                    }
                }
                220..=229 if !torn => {
                    torn = true;
                    let zeros = input.below(5000) + 1;
                    journal.forged.bytes.resize(last_whole + zeros, 0);
                }
                _ => {
                    journal.expected = None;
                    journal.spoil(input);
                }
            }
        }
        // A journal whose frames are all held by the book (J-3) says nothing, and neither does one
        // that is spoilt.
        journal.expected = journal.expected.map(|_| model);
        if spoil >= 192 {
            journal.expected = None;
            journal.spoil_header(input, header, spoil);
        }
        journal
    }

    /// Damage, or a frame that is whole and wrong.
    fn spoil(&mut self, input: &mut Input<'_>) {
        let (length, sequence) = (self.forged.bytes.len(), self.forged.sequence);
        match input.byte() % 8 {
            0 | 1 | 3 | 7 if length == 0 => {}
            0 => {
                let at = input.below(length);
                self.forged.bytes[at] ^= 1 << input.below(8);
            }
            1 => {
                let at = input.below(length);
                self.forged.bytes.truncate(at);
            }
            2 => {
                let count = input.below(256);
                self.forged.bytes.extend_from_slice(input.bytes(count));
            }
            3 => {
                let (from, count) = (input.below(length), input.below(512));
                let piece = self.forged.bytes[from..length.min(from + count)].to_vec();
                self.forged.bytes.extend_from_slice(&piece);
            }
            4 => {
                // Any parts, with right checksums.
                let count = input.below(256);
                let mut body = input.bytes(count).to_vec();
                body.resize(body.len().next_multiple_of(8), 0);
                let (delta, parts) = (input.take::<i8>(), input.byte().into());
                let crc = crc32fast::hash(&body);
                self.push(
                    body.len() as u64,
                    sequence.wrapping_add(delta as u64),
                    crc,
                    parts,
                    &body,
                );
            }
            5 => {
                // A header of a frame with right checksum and any length.
                self.push(input.take(), sequence, input.take(), input.take(), &[]);
            }
            6 => {
                // Rows of any bytes.
                let (operation, table, count) = (input.byte() % 6, input.byte(), input.byte() % 6);
                let size = if table < 192 { 24 } else { 24 + columns_of_bits(table).stride() };
                let mut rows = input.bytes(usize::from(count) * size).to_vec();
                rows.resize(usize::from(count) * size, input.byte());
                let body = part(operation, table % 3, size as u16, count.into(), &rows);
                self.push(body.len() as u64, sequence, crc32fast::hash(&body), 1, &body);
            }
            _ => {
                // A bit of a row in the last frame, with right checksums.
                let places = (HEADER..length.saturating_sub(FRAME_HEADER)).step_by(8).rev();
                let Some(start) =
                    { places }.find(|&at| self.forged.bytes[at..].starts_with(b"FRAM"))
                else {
                    return;
                };
                let at = start + FRAME_HEADER + input.below(length - start - FRAME_HEADER);
                self.forged.bytes[at] ^= 1 << input.below(8);
                let crc = crc32fast::hash(&self.forged.bytes[start + FRAME_HEADER..]);
                self.forged.bytes[start + 24..start + 28].copy_from_slice(&crc.to_le_bytes());
                let rest = &self.forged.bytes[start + 8..start + FRAME_HEADER];
                let crc = crc32fast::hash(&[&self.forged.salt.to_le_bytes(), rest].concat());
                self.forged.bytes[start + 4..start + 8].copy_from_slice(&crc.to_le_bytes());
                self.forged.previous = crc;
            }
        }
    }

    /// Appends a frame, or what looks like one; frames that come later may repeat its header's
    /// checksum.
    fn push(&mut self, length: u64, sequence: u64, crc: u32, parts: u32, body: &[u8]) {
        let (header, crc) = self.forged.header(length, sequence, crc, parts, self.forged.previous);
        self.forged.bytes.extend([&header[..], body].concat());
        self.forged.previous = crc;
    }

    /// A field of the journal's header, with a right checksum.
    fn spoil_header(&mut self, input: &mut Input<'_>, header: &Header, how: u8) {
        if self.forged.bytes.len() < HEADER {
            return;
        }
        let value: u64 = input.take();
        match how % 8 {
            0 => self.forged.bytes[32..48].copy_from_slice(&header.parent.0),
            1 => self.forged.bytes[32..40].copy_from_slice(&value.to_le_bytes()),
            2 => self.forged.bytes[48..56].copy_from_slice(&value.to_le_bytes()),
            3 => self.forged.bytes[48..56].copy_from_slice(&(value % 4).to_le_bytes()),
            4 => self.forged.bytes[16..24].copy_from_slice(&value.to_le_bytes()),
            5 => self.forged.bytes[24..32].copy_from_slice(&value.to_le_bytes()),
            6 => self.forged.bytes[48..56]
                .copy_from_slice(&u64::MAX.wrapping_sub(value % 4).to_le_bytes()),
            _ => self.forged.bytes[56..64].copy_from_slice(&value.to_le_bytes()),
        }
        reseal_header(&mut self.forged.bytes);
    }
}

impl Frame {
    fn read(input: &mut Input<'_>, header: &Header) -> Self {
        let mut frame = Self { columns: header.columns(TableKind::Moves), ..Self::default() };
        let has = |kind| header.table(kind).is_some();
        let count = input.byte();
        if count >= MANY {
            frame.add_many(input, header);
            return frame;
        }
        for _ in 0..count % 12 {
            let (kind, key) = (input.byte(), input.key());
            let mut counts = [input.count(), input.count(), input.count()];
            if header.results == Results::Unknown {
                (counts[0], counts[2]) = (0, 0);
            }
            let is_mine = header.share.holds(Hash::of(key));
            match kind % 8 {
                0..=6 if !is_mine => {}
                0..=2 if has(TableKind::Positions) => {
                    let eval = i16::from(input.byte() as i8);
                    let cells = PositionCells {
                        counts,
                        eval,
                        depth: input.byte() % 4,
                        flags: input.byte() & 31,
                    };
                    frame.positions.entry(mix(key)).or_insert((key, change(kind, cells)));
                }
                3..=6 if has(TableKind::Moves) => {
                    let (code, marks) = (u16::from(input.byte()), input.byte());
                    let cells = MoveCells { counts, marks, values: input.values(frame.columns) };
                    frame.moves.entry((mix(key), code)).or_insert((key, change(kind, cells)));
                }
                _ => {
                    let length = input.below(20);
                    let name =
                        String::from_utf8_lossy(input.bytes(length)).into_owned().into_bytes();
                    let list = if kind < 128 { &mut frame.sources } else { &mut frame.facts };
                    list.push((key, name));
                }
            }
        }
        frame
    }

    /// Rows in thousands from a few bytes, so that a frame is longer than what is read at once.
    fn add_many(&mut self, input: &mut Input<'_>, header: &Header) {
        let (count, first, step) =
            (input.take::<u16>() % 8192, input.take::<u64>(), input.take::<u64>() | 1);
        for i in 0..u64::from(count) {
            let key = first.wrapping_add(i.wrapping_mul(step));
            if !header.share.holds(Hash::of(key)) {
                continue;
            }
            let counts = [0, (i % 5) as u32, 0];
            if header.table(TableKind::Positions).is_some() {
                let cells = PositionCells { counts, eval: 0, depth: 0, flags: 0 };
                self.positions.insert(mix(key), (key, Change::Add(cells)));
            } else if header.table(TableKind::Moves).is_some() {
                let cells = MoveCells { counts, marks: 0, values: CellValues::default() };
                self.moves.insert((mix(key), i as u16), (key, Change::Add(cells)));
            }
        }
    }

    fn apply(&self, model: &mut Model) {
        for &(key, change) in self.positions.values() {
            match change {
                Change::Add(cells) => model.add_position(key, cells),
                Change::Put(cells) => drop(model.positions.insert(key, cells)),
                Change::Delete => drop(model.positions.remove(&key)),
            }
        }
        for (&(_, code), &(key, change)) in &self.moves {
            match change {
                Change::Add(cells) => model.add_move(key, code, cells),
                Change::Put(cells) => drop(model.moves.insert((key, code), cells)),
                Change::Delete => drop(model.moves.remove(&(key, code))),
            }
        }
    }

    /// The frame's parts. Rows of one operation and table are one part, or each its own.
    fn parts(&self, style: u8) -> Vec<Vec<u8>> {
        let mut parts = Vec::new();
        // Rows come first, then the cells of each column.
        let mut push = |operation, table, columns: Columns, rows: &[Vec<u8>]| {
            let size = if style == 0 { rows.len().max(1) } else { usize::from(style) };
            for rows in rows.chunks(size) {
                let strips = std::iter::once((0, 24))
                    .chain(columns.places().map(|(at, column)| (24 + at, 24 + at + column.size())));
                let content: Vec<u8> = strips
                    .flat_map(|(start, end)| {
                        rows.iter().flat_map(move |row| row[start..end].to_vec())
                    })
                    .collect();
                parts.push(part(
                    operation,
                    table,
                    (24 + columns.stride()) as u16,
                    rows.len() as u32,
                    &content,
                ));
            }
        };
        for operation in 1..=3 {
            let of =
                self.positions.iter().filter(|(_, (_, change))| change.operation() == operation);
            push(
                operation,
                1,
                Columns::NONE,
                &of.map(|(&h, (_, change))| position_bytes(h, change)).collect::<Vec<_>>(),
            );
            let of = self.moves.iter().filter(|(_, (_, change))| change.operation() == operation);
            let rows: Vec<_> = of
                .map(|(&(h, code), (_, change))| move_bytes(h, code, change, self.columns))
                .collect();
            push(operation, 2, self.columns, &rows);
        }
        if !self.sources.is_empty() {
            let entries: Vec<u8> = self
                .sources
                .iter()
                .flat_map(|(digest, name)| source_bytes(*digest, name))
                .collect();
            parts.push(part(4, 0, 0, self.sources.len() as u32, &entries));
        }
        if !self.facts.is_empty() {
            let entries: Vec<u8> = self
                .facts
                .iter()
                .flat_map(|(subject, value)| fact_bytes(*subject, value))
                .collect();
            parts.push(part(5, 0, 0, self.facts.len() as u32, &entries));
        }
        parts
    }
}

fn change<T>(kind: u8, cells: T) -> Change<T> {
    match kind / 8 % 4 {
        0 | 1 => Change::Add(cells),
        2 => Change::Put(cells),
        _ => Change::Delete,
    }
}

fn position_bytes(h: u64, change: &Change<PositionCells>) -> Vec<u8> {
    let mut row = vec![0; 24];
    row[..8].copy_from_slice(&h.to_le_bytes());
    if let Change::Add(cells) | Change::Put(cells) = change {
        put_counts(&mut row, cells.counts);
        row[20..22].copy_from_slice(&cells.eval.to_le_bytes());
        (row[22], row[23]) = (cells.depth, cells.flags);
    }
    row
}

/// A row with its cells behind it.
fn move_bytes(h: u64, code: u16, change: &Change<MoveCells>, columns: Columns) -> Vec<u8> {
    let mut row = vec![0; 24];
    row[..8].copy_from_slice(&h.to_le_bytes());
    row[20..22].copy_from_slice(&code.to_le_bytes());
    if let Change::Add(cells) | Change::Put(cells) = change {
        put_counts(&mut row, cells.counts);
        row[22] = cells.marks;
        columns.iter().for_each(|column| row.extend_from_slice(&cell_bytes(column, cells.values)));
    }
    row.resize(24 + columns.stride(), 0);
    row
}

fn cell_bytes(column: &Column, values: CellValues) -> Vec<u8> {
    match column.name {
        "ratings" => {
            let [movers, opponents, games, score] = values.ratings.map(u64::to_le_bytes);
            [&movers[..6], &opponents[..6], &games[..4], &score].concat()
        }
        "game" => values.game.to_le_bytes().to_vec(),
        "years" => values.years.map(u16::to_le_bytes).concat(),
        name => panic!("the model doesn't know the column {name}"),
    }
}

fn put_counts(row: &mut [u8], counts: [u32; 3]) {
    for (cell, count) in row[8..20].chunks_exact_mut(4).zip(counts) {
        cell.copy_from_slice(&count.to_le_bytes());
    }
}

fn source_bytes(digest: u64, name: &[u8]) -> Vec<u8> {
    let mut bytes = [
        &digest.to_le_bytes()[..],
        &[7; 8],
        &3u64.to_le_bytes(),
        &(name.len() as u32).to_le_bytes(),
        &[0; 4],
        name,
    ]
    .concat();
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// A fact of an archive, or with 0 of the book, with this value.
fn fact_bytes(subject: u64, value: &[u8]) -> Vec<u8> {
    let name = b"note.1";
    let lengths = [name.len() as u32, value.len() as u32].map(u32::to_le_bytes).concat();
    let mut bytes = [&subject.to_le_bytes()[..], &[0; 8], &lengths, name, value].concat();
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

pub fn keys_of(model: &Model) -> BTreeSet<u64> {
    model.positions.keys().copied().chain(model.moves.keys().map(|&(key, _)| key)).collect()
}
