//! Entries: all that a book says of one hash, its positions row and its moves rows. Section 2 of
//! `format-spec/packed.md`.

use super::params::{CANDIDATE, Evaluation, Form};
use crate::column::Columns;
use crate::error::Result;
use crate::key::{Hash, mix};
use crate::row::{Counts, Flags, MoveRow, PositionRow, Row};
use crate::stream::{Cursor, Rows};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

/// An entry. At least one of its rows is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub h: Hash,
    pub position: Option<&'a PositionRow>,
    /// In ascending order of their codes.
    pub moves: &'a [MoveRow],
    /// The cells of the moves, those of a move after those of the one before it.
    pub cells: &'a [u8],
}

/// What tells a moves row from a positions row of the same bytes.
const OF_MOVES: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number that follows from the bytes of a row.
#[inline(always)]
fn sum_of(row: &[u8], table: u64) -> u64 {
    let word =
        |at: usize| row[at..].first_chunk().map_or(0, |word: &[u8; 8]| u64::from_le_bytes(*word));
    mix(word(0) ^ mix(word(8) ^ mix(word(16) ^ table)))
}

impl Entry<'_> {
    /// Its counts, if it is a candidate for a short entry.
    #[inline]
    pub fn triple(&self, form: &Form) -> Option<Counts> {
        let counts = match (form.positions, form.moves) {
            (true, false) => self.position?.counts(),
            (with_positions, _) => {
                let &[only] = self.moves else { return None };
                let plain = only.marks().is_empty()
                    && (!with_positions || self.position?.counts() == only.counts());
                plain.then(|| only.counts())?
            }
        };
        let most = counts.wins.max(counts.draws).max(counts.losses);
        (most < CANDIDATE).then_some(counts)
    }

    /// Its part of a number that follows from all entries, in whatever order they are seen: section
    /// 3.4 of the specification.
    #[inline]
    pub fn sum(&self) -> u64 {
        let of_position = self.position.map_or(0, |row| sum_of(row.as_bytes(), 0));
        let of_cells = match self.cells {
            [] => 0,
            cells => mix(self.h.get() ^ xxh3_64(cells)),
        };
        self.moves.iter().fold(of_position.wrapping_add(of_cells), |sum, row| {
            sum.wrapping_add(sum_of(row.as_bytes(), OF_MOVES))
        })
    }

    /// Its eval, depth and flags, if there is anything to say.
    #[inline]
    pub fn evaluation(&self) -> Option<Evaluation> {
        let evaluation = Evaluation::of(self.position?);
        (evaluation != Evaluation::NONE).then_some(evaluation)
    }

    /// The cells of one of its moves.
    pub fn cells_of(&self, index: usize, columns: Columns) -> &[u8] {
        &self.cells[index * columns.stride()..(index + 1) * columns.stride()]
    }
}

impl Evaluation {
    /// That of a positions row.
    #[inline]
    pub fn of(row: &PositionRow) -> Self {
        let eval = row.eval().unwrap_or(Self::NONE.eval);
        Self { eval, depth: row.depth(), flags: row.flags().bits() }
    }

    /// A positions row with it.
    #[inline]
    pub fn row(self, h: Hash, counts: Counts) -> PositionRow {
        PositionRow::of_hash(h, counts)
            .with_eval(self.eval, self.depth)
            .with_flags(Flags::from_bits_retain(self.flags))
    }
}

/// A stream of entries, made of one of positions and one of moves.
pub(super) struct Entries<'a> {
    positions: Option<Cursor<'a, PositionRow>>,
    moves: Option<Cursor<'a, MoveRow>>,
    columns: Columns,
    h: Hash,
    position: Option<PositionRow>,
    /// The moves of the entry at hand, with their cells.
    rows: Vec<MoveRow>,
    cells: Vec<u8>,
}

impl<'a> Entries<'a> {
    /// The entries of these rows; a table that the book doesn't have has no stream.
    pub fn new(
        positions: Option<Box<dyn Rows<PositionRow> + 'a>>,
        moves: Option<Box<dyn Rows<MoveRow> + 'a>>,
    ) -> Self {
        let columns = moves.as_ref().map_or(Columns::NONE, |moves| moves.columns());
        Self {
            positions: positions.map(Cursor::new),
            moves: moves.map(Cursor::new),
            columns,
            h: Hash::MIN,
            position: None,
            rows: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Reads the next entry; none at the end.
    #[inline]
    pub fn next(&mut self) -> Result<Option<Entry<'_>>> {
        self.next_to(Hash::MAX)
    }

    /// Reads the next entry, if its hash is at most this; none if not, or at the end.
    #[inline]
    pub fn next_to(&mut self, last: Hash) -> Result<Option<Entry<'_>>> {
        let position = head(&mut self.positions)?;
        let of_moves = head(&mut self.moves)?;
        let position_at = position.as_ref().map(Row::hash);
        let moves_at = of_moves.as_ref().map(Row::hash);
        let next = [position_at, moves_at].into_iter().flatten().min();
        let Some(h) = next.filter(|h| *h <= last) else { return Ok(None) };
        self.h = h;
        self.position = position.filter(|_| position_at == Some(h));
        if let Some(cursor) = self.positions.as_mut().filter(|_| self.position.is_some()) {
            cursor.pass(1);
        }
        self.rows.clear();
        self.cells.clear();
        if let Some(cursor) = self.moves.as_mut().filter(|_| moves_at == Some(h)) {
            let stride = self.columns.stride();
            while !cursor.at_end()? {
                let rest = cursor.rest();
                let more = rest.iter().take_while(|row| row.hash() == h).count();
                self.rows.extend_from_slice(&rest[..more]);
                let is_last = more < rest.len();
                self.cells.extend_from_slice(&cursor.cells()[..more * stride]);
                cursor.pass(more);
                if is_last {
                    break;
                }
            }
        }
        Ok(Some(Entry {
            h,
            position: self.position.as_ref(),
            moves: &self.rows,
            cells: &self.cells,
        }))
    }
}

/// The next row of a stream, if there is one.
#[inline]
fn head<R: Row>(cursor: &mut Option<Cursor<'_, R>>) -> Result<Option<R>> {
    let Some(cursor) = cursor else { return Ok(None) };
    Ok(if cursor.at_end()? { None } else { Some(cursor.rest()[0]) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{InMemory, RowSet};

    #[test]
    fn rows_of_one_hash_are_one_entry_wherever_chunks_end() -> Result<()> {
        let counts = |wins| Counts::new(wins, 0, 0);
        let of = |h| Hash::from_bits(h);
        let positions: Vec<_> =
            [2, 3, 9].map(|h| PositionRow::of_hash(of(h), counts(h as u32))).to_vec();
        let row = |i| MoveRow::of_hash(of(1 + u64::from(i / 9_000)), (i % 9_000) as u16, counts(i));
        let moves: Vec<_> = (0..20_000u32).map(row).collect();
        let mut entries =
            Entries::new(Some(RowSet::rows(&positions)?), Some(Box::new(InMemory::new(&moves))));
        let mut seen = Vec::new();
        while let Some(entry) = entries.next()? {
            assert!(entry.moves.iter().all(|row| row.hash() == entry.h));
            seen.push((entry.h.get(), entry.position.is_some(), entry.moves.len()));
        }
        let expected = [(1, false, 9_000), (2, true, 9_000), (3, true, 2_000), (9, true, 0)];
        assert_eq!(seen, expected);
        Ok(())
    }
}
