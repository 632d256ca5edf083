//! Rows as Python has them: the layouts of `tabia.positions_dtype()` and `tabia.moves_dtype()`,
//! little-endian and without gaps.

use crate::failure::Failure;
use tabia::stream::Chunk;
use tabia::{
    Cells, Column, Columns, Counts, Flags, Key, Marks, MoveRow, NO_EVAL, PositionRow, Row,
};

/// Bytes of a position: key, counts, eval, depth, flags.
pub const POSITION: usize = 24;
/// Bytes of a move without columns: key, counts, code, marks.
const MOVE: usize = 23;

/// Bytes of a field in an array: those of 6 bytes have 8 there.
fn width(bytes: usize) -> usize {
    if bytes == 6 { 8 } else { bytes }
}

/// Bytes of a move with these columns.
pub fn move_width(columns: Columns) -> usize {
    let fields = columns.iter().flat_map(|column| column.fields);
    MOVE + fields.map(|field| width(field.bytes)).sum::<usize>()
}

/// The columns with these names.
pub fn columns_of(names: &[String]) -> Result<Columns, Failure> {
    let column = |name: &String| {
        Column::of_name(name).ok_or_else(|| Failure::Data(format!("no book has a column {name:?}")))
    };
    names.iter().map(column).collect()
}

fn put_counts(out: &mut Vec<u8>, counts: Counts) {
    for count in [counts.wins, counts.draws, counts.losses] {
        out.extend(count.to_le_bytes());
    }
}

/// Appends a position; with `found`, as arrays of answers have it, if that is said.
pub fn put_position(out: &mut Vec<u8>, key: Key, row: Option<&PositionRow>, found: bool) {
    out.extend(key.to_le_bytes());
    let counts = row.map_or(Counts::default(), Row::counts);
    put_counts(out, counts);
    let eval = row.and_then(PositionRow::eval).unwrap_or(NO_EVAL);
    out.extend(eval.to_le_bytes());
    out.extend(row.map_or([0, 0], |row| [row.depth(), row.flags().bits()]));
    if found {
        out.push(row.is_some().into());
    }
}

/// Appends a move, and the fields of its cells if the book has columns.
pub fn put_move(out: &mut Vec<u8>, key: Key, row: &MoveRow, cells: Option<&Cells>) {
    out.extend(key.to_le_bytes());
    put_counts(out, row.counts());
    out.extend(row.code().to_le_bytes());
    out.push(row.marks().bits());
    let Some(cells) = cells else { return };
    for column in cells.columns().iter() {
        let cell = cells.of(column).unwrap_or_default();
        let mut at = 0;
        for field in column.fields {
            out.extend(&cell[at..at + field.bytes]);
            out.resize(out.len() + width(field.bytes) - field.bytes, 0);
            at += field.bytes;
        }
    }
}

/// Reads numbers from bytes whose length was compared.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk().expect("rows are of their length");
        self.0 = rest;
        *taken
    }

    fn counts(&mut self) -> Counts {
        let [wins, draws, losses] = [(); 3].map(|()| u32::from_le_bytes(self.take()));
        Counts { wins, draws, losses }
    }
}

fn rows(bytes: &[u8], width: usize) -> Result<impl Iterator<Item = Cursor<'_>>, Failure> {
    if !bytes.len().is_multiple_of(width) {
        return Err(Failure::Data(format!("rows of {width} bytes are wanted")));
    }
    Ok(bytes.chunks_exact(width).map(Cursor))
}

/// Keys.
pub fn keys(bytes: &[u8]) -> Result<Vec<Key>, Failure> {
    Ok(rows(bytes, 8)?.map(|mut key| u64::from_le_bytes(key.take())).collect())
}

/// Positions; an error for flags that don't exist and a depth without an eval.
pub fn positions(bytes: &[u8]) -> Result<Vec<PositionRow>, Failure> {
    let position = |mut row: Cursor<'_>| {
        let made = PositionRow::new(u64::from_le_bytes(row.take()), row.counts());
        let eval = i16::from_le_bytes(row.take());
        let [depth, flags] = row.take();
        let flags = Flags::from_bits(flags)
            .ok_or_else(|| Failure::Data(format!("flags are from 0 to 31, not {flags}")))?;
        if eval == NO_EVAL && depth != 0 {
            return Err(Failure::Data("a position without an eval has no depth".to_owned()));
        }
        let made = if eval == NO_EVAL { made } else { made.with_eval(eval, depth) };
        Ok(made.with_flags(flags))
    };
    rows(bytes, POSITION)?.map(position).collect()
}

/// Moves with the cells of these columns.
pub fn moves(bytes: &[u8], columns: Columns) -> Result<Vec<(MoveRow, Cells)>, Failure> {
    let one = |mut row: Cursor<'_>| {
        let (key, counts) = (u64::from_le_bytes(row.take()), row.counts());
        let made = MoveRow::new(key, u16::from_le_bytes(row.take()), counts);
        let [marks] = row.take();
        let mut cells = Vec::with_capacity(columns.stride());
        for field in columns.iter().flat_map(|column| column.fields) {
            let (value, rest) = row.0.split_at(width(field.bytes));
            if value[field.bytes..] != [0; 8][field.bytes..value.len()] {
                return Err(Failure::Data(format!("{} is above its greatest value", field.name)));
            }
            cells.extend(&value[..field.bytes]);
            row.0 = rest;
        }
        let cells = if columns.is_empty() { Cells::NONE } else { Cells::of_bytes(columns, &cells) };
        Ok((made.with_marks(Marks::from_bits_retain(marks)), cells))
    };
    rows(bytes, move_width(columns))?.map(one).collect()
}

/// Positions as a set that a book can be made of.
pub fn position_set(bytes: &[u8]) -> Result<Chunk<PositionRow>, Failure> {
    let mut set = Chunk::of_rows(positions(bytes)?);
    set.sort_and_merge();
    Ok(set)
}

/// Moves as a set that a book can be made of.
pub fn move_set(bytes: &[u8], columns: Columns) -> Result<Chunk<MoveRow>, Failure> {
    let mut set = Chunk::new(columns);
    for (row, cells) in moves(bytes, columns)? {
        set.push(row, &cells);
    }
    set.sort_and_merge();
    Ok(set)
}
