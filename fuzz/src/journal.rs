//! Journals that an input describes: whole ones, whose effect is known, and spoilt ones. Offsets
//! are those of the specification.

use crate::{CellValues, Input, Model, MoveCells, PositionCells, columns_of_bits};
use std::collections::{BTreeMap, BTreeSet};
use tabia::format::{Header, Results};
use tabia::{Column, Columns, Hash, TableKind, mix};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the journal's header.
const HEADER: usize = 64;
/// A frame that begins with this byte, or a greater one, has many rows.
const MANY: u8 = 252;
/// Journals that are at least so long don't go on: more than two of the steps in which journals are
/// read.
const LONGEST: usize = 1 << 18;
/// Bytes of a frame's header.
const FRAME: usize = 40;

/// The bytes of a journal, and what a book shows with it, if that is known.
pub struct Journal {
    pub bytes: Vec<u8>,
    /// The book's rows after the journal's frames. None if something was spoilt: then anything may
    /// be said of it, but nothing half done.
    pub expected: Option<Model>,
    chain: Chain,
}

/// What ties frames to their journal and to each other.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    /// In the checksums of frame headers.
    salt: u64,
    /// What the next frame repeats: the header crc of the frame before, or the crc of the journal's
    /// header.
    previous: u32,
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
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), expected: None, chain: Chain::default() }
    }

    /// The journal that the input describes, for the book with this header and these rows.
    #[must_use]
    pub fn described(input: &mut Input<'_>, header: &Header, rows: &Model) -> Self {
        let spoil = input.byte();
        let back = u64::from(input.byte() % 4).min(header.sequence);
        let first = header.sequence + 1 - back;
        let bytes = header_bytes(header.digest.0, first);
        let mut journal = Self { chain: Chain::of(&bytes), bytes, expected: Some(rows.clone()) };
        let (mut sequence, mut last_whole) = (first, journal.bytes.len());
        let mut model = rows.clone();
        let mut torn = false;
        while !input.is_empty() && journal.bytes.len() < LONGEST {
            match input.byte() {
                kind @ 0..=199 if !torn => {
                    let frame = Frame::read(input, header);
                    let bytes = frame.bytes(journal.chain, sequence, kind % 3);
                    journal.chain.follow(&bytes);
                    journal.bytes.extend_from_slice(&bytes);
                    if sequence > header.sequence {
                        frame.apply(&mut model);
                    }
                    (sequence, last_whole) = (sequence + 1, journal.bytes.len());
                }
                0..=219 => {
                    // What a crash leaves of the next frame.
                    let mut bytes = Frame::read(input, header).bytes(journal.chain, sequence, 0);
                    bytes.truncate(input.below(bytes.len()));
                    if !torn {
                        torn = !bytes.is_empty();
                        journal.bytes.extend_from_slice(&bytes);
                    }
                }
                220..=229 if !torn => {
                    torn = true;
                    let zeros = input.below(5000) + 1;
                    journal.bytes.resize(last_whole + zeros, 0);
                }
                _ => {
                    journal.expected = None;
                    journal.spoil(input, sequence);
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
    fn spoil(&mut self, input: &mut Input<'_>, sequence: u64) {
        let length = self.bytes.len();
        match input.byte() % 8 {
            0 | 1 | 3 | 7 if length == 0 => {}
            0 => {
                let at = input.below(length);
                self.bytes[at] ^= 1 << input.below(8);
            }
            1 => {
                let at = input.below(length);
                self.bytes.truncate(at);
            }
            2 => {
                let count = input.below(256);
                self.bytes.extend_from_slice(input.bytes(count));
            }
            3 => {
                let (from, count) = (input.below(length), input.below(512));
                let piece = self.bytes[from..length.min(from + count)].to_vec();
                self.bytes.extend_from_slice(&piece);
            }
            4 => {
                // Any parts, with right checksums.
                let count = input.below(256);
                let mut body = input.bytes(count).to_vec();
                body.resize(body.len().next_multiple_of(8), 0);
                let (delta, parts) = (input.take::<i8>(), input.byte().into());
                self.push(&frame(self.chain, &body, sequence.wrapping_add(delta as u64), parts));
            }
            5 => {
                // A header of a frame with right checksum and any length.
                let header =
                    frame_header(self.chain, input.take(), sequence, input.take(), input.take());
                self.push(&header);
            }
            6 => {
                // Rows of any bytes.
                let (operation, table, count) = (input.byte() % 6, input.byte(), input.byte() % 6);
                let size = if table < 192 { 24 } else { 24 + columns_of_bits(table).stride() };
                let mut rows = input.bytes(usize::from(count) * size).to_vec();
                rows.resize(usize::from(count) * size, input.byte());
                let body = part(operation, table % 3, size as u16, count.into(), &rows);
                self.push(&frame(self.chain, &body, sequence, 1));
            }
            _ => {
                // A bit of a row in the last frame, with right checksums.
                let places = (HEADER..length.saturating_sub(FRAME)).step_by(8).rev();
                let Some(start) = { places }.find(|&at| self.bytes[at..].starts_with(b"FRAM"))
                else {
                    return;
                };
                let at = start + FRAME + input.below(length - start - FRAME);
                self.bytes[at] ^= 1 << input.below(8);
                let crc = crc32fast::hash(&self.bytes[start + FRAME..]);
                self.bytes[start + 24..start + 28].copy_from_slice(&crc.to_le_bytes());
                let crc = self.chain.header_crc(&self.bytes[start + 8..start + FRAME]);
                self.bytes[start + 4..start + 8].copy_from_slice(&crc.to_le_bytes());
                self.chain.previous = crc;
            }
        }
    }

    /// Appends a frame, or what looks like one; frames that come later may repeat its header's
    /// checksum.
    fn push(&mut self, frame: &[u8]) {
        self.bytes.extend_from_slice(frame);
        self.chain.follow(frame);
    }

    /// A field of the journal's header, with a right checksum.
    fn spoil_header(&mut self, input: &mut Input<'_>, header: &Header, how: u8) {
        if self.bytes.len() < HEADER {
            return;
        }
        let value: u64 = input.take();
        match how % 8 {
            0 => self.bytes[32..48].copy_from_slice(&header.parent.0),
            1 => self.bytes[32..40].copy_from_slice(&value.to_le_bytes()),
            2 => self.bytes[48..56].copy_from_slice(&value.to_le_bytes()),
            3 => self.bytes[48..56].copy_from_slice(&(value % 4).to_le_bytes()),
            4 => self.bytes[16..24].copy_from_slice(&value.to_le_bytes()),
            5 => self.bytes[24..32].copy_from_slice(&value.to_le_bytes()),
            6 => {
                self.bytes[48..56].copy_from_slice(&u64::MAX.wrapping_sub(value % 4).to_le_bytes())
            }
            _ => self.bytes[56..64].copy_from_slice(&value.to_le_bytes()),
        }
        let crc = crc32fast::hash(&self.bytes[16..64]);
        self.bytes[12..16].copy_from_slice(&crc.to_le_bytes());
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

    /// The frame with its checksums. Rows of one operation and table are one part, or each its own.
    fn bytes(&self, chain: Chain, sequence: u64, style: u8) -> Vec<u8> {
        let (mut body, mut parts) = (Vec::new(), 0);
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
                body.extend_from_slice(&part(
                    operation,
                    table,
                    (24 + columns.stride()) as u16,
                    rows.len() as u32,
                    &content,
                ));
                parts += 1;
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
            body.extend_from_slice(&part(4, 0, 0, self.sources.len() as u32, &entries));
            parts += 1;
        }
        if !self.facts.is_empty() {
            let entries: Vec<u8> = self
                .facts
                .iter()
                .flat_map(|(subject, value)| fact_bytes(*subject, value))
                .collect();
            body.extend_from_slice(&part(5, 0, 0, self.facts.len() as u32, &entries));
            parts += 1;
        }
        frame(chain, &body, sequence, parts)
    }
}

fn change<T>(kind: u8, cells: T) -> Change<T> {
    match kind / 8 % 4 {
        0 | 1 => Change::Add(cells),
        2 => Change::Put(cells),
        _ => Change::Delete,
    }
}

fn header_bytes(base: [u8; 16], first: u64) -> Vec<u8> {
    let mut bytes = b"\x89TABJL\r\n\x01\0\0\0\0\0\0\0".to_vec();
    bytes.resize(32, 0);
    bytes.extend_from_slice(&base);
    bytes.extend_from_slice(&first.to_le_bytes());
    let salt = xxh3_64(&bytes[32..56]);
    bytes.extend_from_slice(&salt.to_le_bytes());
    let crc = crc32fast::hash(&bytes[16..]);
    bytes[12..16].copy_from_slice(&crc.to_le_bytes());
    bytes
}

impl Chain {
    /// That of a journal with this header and no frames.
    fn of(header: &[u8]) -> Self {
        let [mut salt, mut previous] = [[0; 8], [0; 8]];
        salt.copy_from_slice(&header[56..HEADER]);
        previous[..4].copy_from_slice(&header[12..16]);
        Self { salt: u64::from_le_bytes(salt), previous: u64::from_le_bytes(previous) as u32 }
    }

    /// The checksum of a frame's header, of which these are the bytes behind it.
    fn header_crc(self, rest: &[u8]) -> u32 {
        crc32fast::hash(&[&self.salt.to_le_bytes(), rest].concat())
    }

    /// Goes on behind a frame.
    fn follow(&mut self, frame: &[u8]) {
        if let Some(crc) = frame.get(4..8) {
            self.previous = crc.iter().rev().fold(0, |crc, &byte| crc << 8 | u32::from(byte));
        }
    }
}

fn frame(chain: Chain, body: &[u8], sequence: u64, parts: u32) -> Vec<u8> {
    let mut bytes = frame_header(chain, body.len() as u64, sequence, crc32fast::hash(body), parts);
    bytes.extend_from_slice(body);
    bytes
}

fn frame_header(chain: Chain, length: u64, sequence: u64, body_crc: u32, parts: u32) -> Vec<u8> {
    let fixed = [
        &length.to_le_bytes()[..],
        &sequence.to_le_bytes(),
        &body_crc.to_le_bytes(),
        &parts.to_le_bytes(),
    ]
    .concat();
    let rest = [&fixed[..], &chain.previous.to_le_bytes(), &[0; 4]].concat();
    [b"FRAM".as_slice(), &chain.header_crc(&rest).to_le_bytes(), &rest].concat()
}

fn part(operation: u8, table: u8, row_size: u16, count: u32, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u64).to_le_bytes();
    let padding = vec![0; content.len().next_multiple_of(8) - content.len()];
    [
        &[operation, table][..],
        &row_size.to_le_bytes(),
        &count.to_le_bytes(),
        &length,
        content,
        &padding,
    ]
    .concat()
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

/// A cell of a column.
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

/// The keys that occur in a model, each once.
#[must_use]
pub fn keys_of(model: &Model) -> BTreeSet<u64> {
    model.positions.keys().copied().chain(model.moves.keys().map(|&(key, _)| key)).collect()
}
