//! How rows of a journal's parts are laid out: rows first, then the cells of each of the book's
//! columns. Section 8.2 of the format specification.

use crate::column::Columns;
use crate::format::{Header, ROW};
use crate::row::TableKind;

/// The columns of both tables of a book.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layouts {
    positions: Layout,
    moves: Layout,
}

impl Layouts {
    /// Those of the book with this header.
    pub fn of(header: &Header) -> Self {
        Self {
            positions: Layout::of(header, TableKind::Positions),
            moves: Layout::of(header, TableKind::Moves),
        }
    }

    /// Of these tables.
    #[cfg(test)]
    pub fn with(positions: Layout, moves: Layout) -> Self {
        Self { positions, moves }
    }

    pub fn table(&self, kind: TableKind) -> &Layout {
        match kind {
            TableKind::Positions => &self.positions,
            TableKind::Moves => &self.moves,
        }
    }
}

/// The columns of a table, those that this code doesn't know among them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Those that this code knows: rows in memory have cells of these.
    pub columns: Columns,
    /// Of each column in the order of the file: bytes of a cell, and where it begins among the
    /// cells of a row in memory, if it is known.
    cells: Vec<(usize, Option<usize>)>,
}

impl Layout {
    /// Columns with cells of these sizes, known or not.
    #[cfg(test)]
    pub fn with(cells: &[(usize, Option<usize>)]) -> Self {
        use crate::column::Column;
        Self {
            columns: Columns::NONE.with(Column::RATINGS).with(Column::GAME),
            cells: cells.to_vec(),
        }
    }

    fn of(header: &Header, kind: TableKind) -> Self {
        let columns = header.columns(kind);
        let sections = header.beside(kind).filter(|section| section.is_column());
        let cell = |section: &crate::format::Section| {
            (section.cell as usize, section.column().and_then(|column| columns.place(column)))
        };
        Self { columns, cells: sections.map(cell).collect() }
    }

    /// Bytes of a row with its cells.
    pub fn row_size(&self) -> u64 {
        ROW + self.cells.iter().map(|&(size, _)| size as u64).sum::<u64>()
    }

    /// Whether this code doesn't know one of the columns.
    pub fn has_unknown(&self) -> bool {
        self.cells.iter().any(|(_, place)| place.is_none())
    }

    /// Appends the cells of some rows, one column after the other, given those of a row after those
    /// of the one before it. Cells of columns that are not known say nothing.
    pub fn encode(&self, cells: &[u8], rows: usize, bytes: &mut Vec<u8>) {
        for &(size, place) in &self.cells {
            match place {
                None => bytes.resize(bytes.len() + rows * size, 0),
                Some(at) => cells
                    .chunks_exact(self.columns.stride())
                    .for_each(|row| bytes.extend_from_slice(&row[at..at + size])),
            }
        }
    }

    /// Whether the cells of these rows of a part are zero, those of unknown columns too; as
    /// [`Layout::decode`].
    pub fn is_zero<E>(
        &self,
        rows: usize,
        first: u64,
        all: u64,
        mut read: impl FnMut(&mut [u8], u64) -> Result<(), E>,
    ) -> Result<bool, E> {
        let (mut zero, mut start) = (true, 0);
        for &(size, _) in &self.cells {
            let mut column = vec![0; rows * size];
            read(&mut column, start + first * size as u64)?;
            zero &= column.iter().all(|&byte| byte == 0);
            start += all * size as u64;
        }
        Ok(zero)
    }

    /// The cells of some rows of a part, row after row. `read` fills bytes that begin this far
    /// after the rows of the part, which has `all` rows; `first` of them were read before.
    pub fn decode<E>(
        &self,
        rows: usize,
        first: u64,
        all: u64,
        mut read: impl FnMut(&mut [u8], u64) -> Result<(), E>,
    ) -> Result<Vec<u8>, E> {
        let stride = self.columns.stride();
        let mut cells = vec![0; rows * stride];
        let mut start = 0;
        for &(size, place) in &self.cells {
            if let Some(at) = place {
                let mut column = vec![0; rows * size];
                read(&mut column, start + first * size as u64)?;
                for (row, cell) in cells.chunks_exact_mut(stride).zip(column.chunks_exact(size)) {
                    row[at..at + size].copy_from_slice(cell);
                }
            }
            start += all * size as u64;
        }
        Ok(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j5_cells_that_are_not_zero_are_seen_in_every_column_known_or_not() {
        let layout = Layout::with(&[(24, Some(0)), (4, None), (8, Some(24))]);
        // Five rows of a part, looked at from the third on, two of them.
        let part = vec![0; 5 * (24 + 4 + 8)];
        let looked_at = |at: usize| match at {
            0..120 => (48..96).contains(&at),
            120..140 => (128..136).contains(&at),
            _ => (156..172).contains(&at),
        };
        for at in 0..part.len() {
            let mut part = part.clone();
            part[at] = 1;
            let read = |bytes: &mut [u8], from: u64| {
                bytes.copy_from_slice(&part[from as usize..from as usize + bytes.len()]);
                Ok::<(), ()>(())
            };
            assert_eq!(layout.is_zero(2, 2, 5, read), Ok(!looked_at(at)), "{at}");
        }
    }
}
