//! Columns: data that not every book has about its rows, in sections beside their table. A column
//! has one cell of fixed size for each slot; how two cells of the same row merge follows from its
//! definition, and nothing else in the engine knows what a cell means.
//!
//! Section 6 of the format specification. The cells of a row travel beside it: through sorting,
//! merging, journals, checks and salvage they are bytes, those of its columns one after the other.

#[cfg(test)]
mod carried;
mod cells;
mod defined;

pub use cells::{Cell, Cells, WithCells};
pub use defined::{BestGame, Ratings, Years};

use crate::format::Tag;
use crate::row::TableKind;

/// A column: its name, where its cells are, and of which fields they consist.
///
/// ```
/// use tabia::{Column, TableKind};
///
/// let column = Column::of_name("years").expect("version 1 of the format has this column");
/// assert_eq!(column, Column::YEARS);
/// assert_eq!((column.table, column.tag.to_string(), column.size()), (TableKind::Moves, "YEAR".to_owned(), 4));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Column {
    /// The column's name for people.
    pub name: &'static str,
    /// The tag of its section.
    pub tag: Tag,
    /// The table it belongs to.
    pub table: TableKind,
    /// The fields of a cell, one after the other.
    pub fields: &'static [Field],
}

/// A field of a cell: an unsigned integer, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// The field's name where rows are written as text.
    pub name: &'static str,
    /// Its bytes, at most 8.
    pub bytes: usize,
    /// How two values of the field merge.
    pub rule: FieldRule,
}

/// How two values of a field merge. Each rule is commutative and associative, and zero says nothing
/// in all of them.
///
/// ```
/// use tabia::{Cells, Column, FieldRule, Years};
///
/// // The first year is the least that is known, the last year the greatest.
/// assert_eq!([0, 1].map(|field| Column::YEARS.fields[field].rule), [FieldRule::LeastKnown, FieldRule::Greatest]);
/// let [a, b] = [1972, 1985].map(|year| Cells::NONE.with(Years::of_game(year)));
/// assert_eq!(a.merged(&b).get(), Some(Years { first: Some(1972), last: Some(1985) }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRule {
    /// The sum, saturating at the field's greatest value.
    Add,
    /// The greater one.
    Greatest,
    /// The lesser one of those that are not zero.
    LeastKnown,
}

impl Field {
    /// The greatest value that the field holds.
    #[must_use]
    pub const fn most(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes)
    }

    /// What two values become.
    const fn merge(&self, a: u64, b: u64) -> u64 {
        match self.rule {
            FieldRule::Add => {
                let sum = a.saturating_add(b);
                if sum > self.most() { self.most() } else { sum }
            }
            FieldRule::Greatest => {
                if a > b {
                    a
                } else {
                    b
                }
            }
            FieldRule::LeastKnown => {
                if b == 0 || (a != 0 && a < b) {
                    a
                } else {
                    b
                }
            }
        }
    }

    /// Its value at the start of these bytes. The usual sizes are loads of a length that the
    /// compiler knows.
    #[inline]
    pub(crate) fn get(&self, bytes: &[u8]) -> u64 {
        match self.bytes {
            2 => read::<2>(bytes),
            4 => read::<4>(bytes),
            6 => read::<6>(bytes),
            8 => read::<8>(bytes),
            size => {
                let mut word = [0; 8];
                word[..size].copy_from_slice(&bytes[..size]);
                u64::from_le_bytes(word)
            }
        }
    }

    /// Writes a value, or the greatest there is, to the start of these bytes.
    #[inline]
    pub(crate) fn set(&self, bytes: &mut [u8], value: u64) {
        let word = value.min(self.most()).to_le_bytes();
        match self.bytes {
            2 => write::<2>(bytes, word),
            4 => write::<4>(bytes, word),
            6 => write::<6>(bytes, word),
            8 => write::<8>(bytes, word),
            size => bytes[..size].copy_from_slice(&word[..size]),
        }
    }
}

#[inline(always)]
fn read<const SIZE: usize>(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..SIZE].copy_from_slice(&bytes[..SIZE]);
    u64::from_le_bytes(word)
}

#[inline(always)]
fn write<const SIZE: usize>(bytes: &mut [u8], word: [u8; 8]) {
    bytes[..SIZE].copy_from_slice(&word[..SIZE]);
}

impl Column {
    /// Sums of the ratings of those who made a move and of their opponents: [`Ratings`].
    pub const RATINGS: &'static Self = &Self {
        name: "ratings",
        tag: Tag(*b"RTNG"),
        table: TableKind::Moves,
        fields: &[
            Field { name: "mover_rating_sum", bytes: 6, rule: FieldRule::Add },
            Field { name: "opponent_rating_sum", bytes: 6, rule: FieldRule::Add },
            Field { name: "rated_games", bytes: 4, rule: FieldRule::Add },
            Field { name: "rated_score", bytes: 8, rule: FieldRule::Add },
        ],
    };

    /// The best game in which a move was made: [`BestGame`].
    pub const GAME: &'static Self = &Self {
        name: "game",
        tag: Tag(*b"GAME"),
        table: TableKind::Moves,
        fields: &[Field { name: "game", bytes: 8, rule: FieldRule::Greatest }],
    };

    /// The first and the last year in which a move was made: [`Years`].
    pub const YEARS: &'static Self = &Self {
        name: "years",
        tag: Tag(*b"YEAR"),
        table: TableKind::Moves,
        fields: &[
            Field { name: "first_year", bytes: 2, rule: FieldRule::LeastKnown },
            Field { name: "last_year", bytes: 2, rule: FieldRule::Greatest },
        ],
    };

    /// A column that only the tests of this crate know: nothing but this definition makes the
    /// engine carry it.
    #[cfg(test)]
    pub(crate) const MADE_UP: &'static Self = &Self {
        name: "made-up",
        tag: Tag(*b"TEST"),
        table: TableKind::Moves,
        fields: &[
            Field { name: "least", bytes: 4, rule: FieldRule::LeastKnown },
            Field { name: "sum", bytes: 6, rule: FieldRule::Add },
            Field { name: "most", bytes: 2, rule: FieldRule::Greatest },
        ],
    };

    /// All columns of version 1, in the order in which their sections are in a file.
    pub const ALL: &'static [&'static Self] = &[
        Self::RATINGS,
        Self::GAME,
        Self::YEARS,
        #[cfg(test)]
        Self::MADE_UP,
    ];

    /// The column whose section has this tag.
    #[must_use]
    pub fn of_tag(tag: Tag) -> Option<&'static Self> {
        Self::ALL.iter().copied().find(|column| column.tag == tag)
    }

    /// The column with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().copied().find(|column| column.name == name)
    }

    /// Bytes of a cell.
    #[must_use]
    pub const fn size(&self) -> usize {
        let (mut size, mut field) = (0, 0);
        while field < self.fields.len() {
            size += self.fields[field].bytes;
            field += 1;
        }
        size
    }

    /// Its fields, each with where it begins in a cell.
    pub fn fields(&self) -> impl Iterator<Item = (usize, &'static Field)> {
        self.fields.iter().scan(0, |next, field| {
            let at = *next;
            *next += field.bytes;
            Some((at, field))
        })
    }

    /// The value of a field in a cell.
    #[must_use]
    pub fn value(&self, cell: &[u8], name: &str) -> Option<u64> {
        let mut fields = self.fields();
        let (at, field) = fields.find(|(_, field)| field.name == name)?;
        Some(field.get(&cell[at..]))
    }

    /// Merges another cell into one.
    #[inline]
    fn merge(&self, cell: &mut [u8], other: &[u8]) {
        for (at, field) in self.fields() {
            let merged = field.merge(field.get(&cell[at..]), field.get(&other[at..]));
            field.set(&mut cell[at..], merged);
        }
    }

    /// Where it is in [`Column::ALL`].
    fn index(&self) -> usize {
        Self::ALL.iter().position(|column| column.tag == self.tag).unwrap_or(usize::MAX)
    }
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        self.tag == other.tag
    }
}

impl Eq for Column {}

/// A set of columns of one table. The cells of a row are those of its columns, one after the other
/// in the order of [`Column::ALL`].
///
/// ```
/// use tabia::{Column, Columns};
///
/// let columns: Columns = [Column::YEARS, Column::RATINGS].into_iter().collect();
/// assert_eq!(columns.to_string(), "ratings, years");
/// assert_eq!((columns.stride(), columns.place(Column::YEARS)), (28, Some(24)));
/// assert!(columns.without(Columns::NONE.with(Column::RATINGS)).has(Column::YEARS));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Columns(u8);

impl Columns {
    /// No column.
    pub const NONE: Self = Self(0);

    /// The most bytes that the cells of a row take.
    pub const MOST: usize = {
        let (mut most, mut index) = (0, 0);
        while index < Column::ALL.len() {
            most += Column::ALL[index].size();
            index += 1;
        }
        most
    };

    /// Bytes of a row's cells, for each set.
    const STRIDES: [u8; 1 << Column::ALL.len()] = {
        let mut strides = [0; 1 << Column::ALL.len()];
        let mut set = 0;
        while set < strides.len() {
            let mut index = 0;
            while index < Column::ALL.len() {
                if set & 1 << index != 0 {
                    strides[set] += Column::ALL[index].size() as u8;
                }
                index += 1;
            }
            set += 1;
        }
        strides
    };

    /// This set with one more column.
    #[must_use]
    pub fn with(self, column: &Column) -> Self {
        Self(self.0 | 1 << column.index())
    }

    /// Whether the set has this column.
    #[must_use]
    pub fn has(self, column: &Column) -> bool {
        self.0 & 1 << column.index() != 0
    }

    /// Whether there are no columns.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The columns of both sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The columns that are in this set and not in the other.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The columns, in their order.
    pub fn iter(self) -> impl Iterator<Item = &'static Column> {
        let has = move |index: usize| self.0 & 1 << index != 0;
        Column::ALL
            .iter()
            .copied()
            .enumerate()
            .filter(move |&(index, _)| has(index))
            .map(|(_, column)| column)
    }

    /// The columns, each with where its cell begins among those of a row.
    pub fn places(self) -> impl Iterator<Item = (usize, &'static Column)> {
        self.iter().scan(0, |next, column| {
            let at = *next;
            *next += column.size();
            Some((at, column))
        })
    }

    /// Where the cell of a column begins among those of a row.
    #[must_use]
    pub fn place(self, column: &Column) -> Option<usize> {
        self.places().find(|(_, other)| *other == column).map(|(at, _)| at)
    }

    /// Bytes of a row's cells.
    #[inline]
    #[must_use]
    pub fn stride(self) -> usize {
        Self::STRIDES[usize::from(self.0)].into()
    }

    /// Merges the cells of a row into those of the same row.
    pub fn merge(self, cells: &mut [u8], others: &[u8]) {
        for (at, column) in self.places() {
            let end = at + column.size();
            column.merge(&mut cells[at..end], &others[at..end]);
        }
    }

    /// Copies the cells of a row of this set's columns into those of a row of other columns: cells
    /// that only those have are zero.
    pub fn convert(self, cells: &[u8], to: Self, into: &mut [u8]) {
        for (at, column) in to.places() {
            let into = &mut into[at..at + column.size()];
            match self.place(column) {
                Some(from) => into.copy_from_slice(&cells[from..from + column.size()]),
                None => into.fill(0),
            }
        }
    }
}

impl FromIterator<&'static Column> for Columns {
    fn from_iter<I: IntoIterator<Item = &'static Column>>(columns: I) -> Self {
        columns.into_iter().fold(Self::NONE, |set, column| set.with(column))
    }
}

/// Their names.
impl std::fmt::Display for Columns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.iter().map(|column| column.name).collect();
        f.write_str(&names.join(", "))
    }
}

impl std::fmt::Debug for Columns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EVERY: Columns = Columns((1 << Column::ALL.len()) - 1);

    /// Cells of all columns: small values, zeros, values near the greatest.
    fn cells() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop_oneof![Just(0u8), Just(255), any::<u8>()], EVERY.stride())
    }

    fn merged(a: &[u8], b: &[u8]) -> Vec<u8> {
        let mut cells = a.to_vec();
        EVERY.merge(&mut cells, b);
        cells
    }

    proptest! {
        #[test]
        fn m5_merging_cells_is_commutative_and_associative(a in cells(), b in cells(), c in cells()) {
            prop_assert_eq!(merged(&a, &b), merged(&b, &a));
            prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
            prop_assert_eq!(merged(&a, &vec![0; a.len()]), a);
        }

        #[test]
        fn cells_keep_their_values_in_other_sets(a in cells(), some in 0..1u8 << Column::ALL.len()) {
            let (some, mut there, mut back) = (Columns(some), vec![7; EVERY.stride()], vec![7; EVERY.stride()]);
            EVERY.convert(&a, some, &mut there);
            some.convert(&there, EVERY, &mut back);
            for (at, column) in EVERY.places() {
                let cell = at..at + column.size();
                let expected = if some.has(column) { a[cell.clone()].to_vec() } else { vec![0; column.size()] };
                prop_assert_eq!(&back[cell], &expected[..]);
            }
        }
    }

    #[test]
    fn fields_merge_by_their_rules() {
        let field = |bytes, rule| Field { name: "", bytes, rule };
        let add = field(6, FieldRule::Add);
        assert_eq!([add.merge(2, 3), add.merge(add.most() - 1, 2)], [5, (1 << 48) - 1]);
        assert_eq!(add.most(), (1 << 48) - 1);
        assert_eq!(field(8, FieldRule::Add).merge(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(field(2, FieldRule::Greatest).merge(3, 7), 7);
        let least = field(2, FieldRule::LeastKnown);
        let merged = [(3, 7), (0, 7), (3, 0), (0, 0)].map(|(a, b)| least.merge(a, b));
        assert_eq!(merged, [3, 7, 3, 0]);
    }
}
