//! A piece of a table: some whole blocks that are also whole rows, read and verified (B-13).

use crate::bytes::Bytes;
use crate::error::{Context, Result};
use crate::format::{BLOCK, Header, Tag, block_sums, blocks_of};
use crate::row::Row;
use std::io;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::mpsc;
use zerocopy::IntoBytes;
use zerocopy::little_endian::U64;

/// Bytes of a piece: three blocks are 512 rows of 24 bytes or 256 of 48, so that no row is in two pieces. About a quarter of a megabyte.
const PIECE: u64 = 3 * 22 * BLOCK;

/// How many pieces a thread reads ahead.
const PIECES_AHEAD: usize = 2;

/// How many pieces are not worth a thread.
const FEW: u64 = 4;

/// How many threads read ahead at most.
const THREADS: usize = 8;

/// A piece of a table.
pub(crate) struct Piece<R> {
    /// Where it starts in the table.
    at: u64,
    slots: Vec<R>,
    expected: Vec<U64>,
    sums: Vec<u64>,
}

impl<R> Default for Piece<R> {
    fn default() -> Self {
        Self { at: 0, slots: Vec::new(), expected: Vec::new(), sums: Vec::new() }
    }
}

impl<R: Row> Piece<R> {
    /// Reads the piece that starts at this byte of a book's table; empty behind its end.
    pub fn read(&mut self, bytes: &dyn Bytes, header: &Header, at: u64) -> io::Result<()> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let table = header.table_of::<R>().ok_or_else(missing)?;
        let sums = header.section(Tag::sums(R::TABLE)).ok_or_else(missing)?;
        let len = (table.length - at).min(PIECE);
        self.at = at;
        self.slots.resize((len / R::SIZE) as usize, R::EMPTY);
        bytes.read_exact_at(self.slots.as_mut_bytes(), table.offset + at)?;
        self.expected.resize(blocks_of(len) as usize, U64::ZERO);
        bytes.read_exact_at(self.expected.as_mut_bytes(), sums.offset + 8 * (at / BLOCK))?;
        self.sums.clear();
        self.sums.extend(block_sums(self.slots.as_bytes()));
        Ok(())
    }

    /// Where the piece starts that this slot is in.
    pub fn start_of_slot(slot: u64) -> u64 {
        slot * R::SIZE / PIECE * PIECE
    }

    /// Its length in bytes.
    pub fn len(&self) -> u64 {
        self.slots.len() as u64 * R::SIZE
    }

    /// The checksums of its blocks as they are.
    pub fn sums(&self) -> &[u64] {
        &self.sums
    }

    /// The numbers of its blocks whose checksum is not the one stored for them.
    pub fn damaged(&self) -> impl Iterator<Item = u64> {
        let first = self.at / BLOCK;
        let pairs = self.sums.iter().zip(&self.expected).enumerate();
        pairs.filter(|(_, (sum, expected))| **sum != expected.get()).map(move |(index, _)| first + index as u64)
    }

    /// Its slots with their numbers.
    pub fn slots(&self) -> impl Iterator<Item = (u64, &R)> {
        (self.at / R::SIZE..).zip(&self.slots)
    }

    /// The number of its first slot, and its slots.
    pub fn start_and_slots(&self) -> (u64, &[R]) {
        (self.at / R::SIZE, &self.slots)
    }

    /// Makes a chunk of its rows, without the slots between them. Which those are can't be foreseen, so this has no branch that depends on it.
    pub fn take_rows(&self, chunk: &mut Vec<R>) {
        chunk.resize(self.slots.len(), R::EMPTY);
        let mut rows = 0;
        for slot in &self.slots {
            chunk[rows] = *slot;
            rows += usize::from(!slot.is_empty());
        }
        chunk.truncate(rows);
    }

    /// Whether no block that a slot touches is damaged.
    pub fn is_sound(&self, slot: u64) -> bool {
        !self.damaged().any(|block| blocks_of_slot::<R>(slot).contains(&block))
    }
}

/// Goes through the pieces of a book's table in order. They are read, hashed and looked at by several threads meanwhile, each its share of
/// the pieces in turn; what a look gave comes with the piece.
pub(crate) fn read_ahead<R: Row, L: Send>(
    bytes: &dyn Bytes,
    path: &Path,
    header: &Header,
    look: impl Fn(&Piece<R>) -> L + Sync,
    mut take: impl FnMut(&Piece<R>, L) -> Result<()>,
) -> Result<()> {
    let length = header.table(R::TABLE).map_or(0, |table| table.length);
    let pieces = length.div_ceil(PIECE);
    if pieces <= FEW {
        let mut piece = Piece::default();
        return (0..pieces).try_for_each(|number| {
            piece.read(bytes, header, number * PIECE).at("read", path)?;
            let seen = look(&piece);
            take(&piece, seen)
        });
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS).min(pieces as usize);
    let look = &look;
    // What the closure owns is dropped before the threads are waited for, so that the readers stop if `take` fails.
    std::thread::scope(move |scope| {
        let readers: Vec<_> = (0..threads as u64)
            .map(|share| {
                let (to_read, free) = mpsc::channel::<Piece<R>>();
                let (to_take, read) = mpsc::sync_channel(PIECES_AHEAD);
                (0..=PIECES_AHEAD).for_each(|_| drop(to_read.send(Piece::default())));
                scope.spawn(move || {
                    for number in (share..pieces).step_by(threads) {
                        let Ok(mut piece) = free.recv() else { return };
                        let read = piece.read(bytes, header, number * PIECE).map(|()| {
                            let seen = look(&piece);
                            (piece, seen)
                        });
                        if to_take.send(read).is_err() {
                            return;
                        }
                    }
                });
                (to_read, read)
            })
            .collect();
        for (_, (to_read, read)) in (0..pieces).zip(readers.iter().cycle()) {
            // A reader goes away early only by a panic, which the scope passes on.
            let Ok(read) = read.recv() else { return Ok(()) };
            let (piece, seen) = read.at("read", path)?;
            take(&piece, seen)?;
            // The reader may be done, and then needs no more.
            let _ = to_read.send(piece);
        }
        Ok(())
    })
}

/// The blocks that a slot touches: one or two.
pub(crate) fn blocks_of_slot<R: Row>(slot: u64) -> RangeInclusive<u64> {
    slot * R::SIZE / BLOCK..=(slot * R::SIZE + R::SIZE - 1) / BLOCK
}
