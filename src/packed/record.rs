//! Records: what is said of a long entry beside its place. Section 6 of `format-spec/packed.md`.

use super::bits::{BitReader, BitSink, bits, ones};
use super::dictionary::{Dictionary, Games};
use super::entry::Entry;
use super::params::{Form, Params};
use super::told::{CellForm, Coded};
use crate::column::Columns;
use crate::key::Hash;
use crate::row::{Counts, Marks, MoveRow, Row};
use std::ops::Range;

/// Bits of a game count that is left, one for each result.
#[derive(Clone, Copy)]
struct Left {
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Left {
    /// Nothing bounds what comes.
    const ANY: Self = Self { wins: u64::MAX, draws: u64::MAX, losses: u64::MAX };

    fn of(counts: Counts) -> Self {
        Self { wins: counts.wins.into(), draws: counts.draws.into(), losses: counts.losses.into() }
    }

    /// What is left when these are gone; none if they are more.
    fn without(self, counts: Counts) -> Option<Self> {
        Some(Self {
            wins: self.wins.checked_sub(counts.wins.into())?,
            draws: self.draws.checked_sub(counts.draws.into())?,
            losses: self.losses.checked_sub(counts.losses.into())?,
        })
    }

    fn is_nothing(self) -> bool {
        (self.wins, self.draws, self.losses) == (0, 0, 0)
    }

    /// The counts that are all of it.
    fn all(self) -> Option<Counts> {
        counts_of(self.wins, self.draws, self.losses)
    }
}

fn counts_of(wins: u64, draws: u64, losses: u64) -> Option<Counts> {
    Some(Counts::new(wins.try_into().ok()?, draws.try_into().ok()?, losses.try_into().ok()?))
}

/// Writes counts of which no more than `left` can be; `more` is added to the number of games.
fn put_counts(sink: &mut impl BitSink, counts: Counts, left: Left, more: u64) {
    let games = counts.games();
    sink.put_gamma(games + more);
    sink.put(counts.wins.into(), bits(games.min(left.wins)));
    let others = games - u64::from(counts.wins);
    sink.put(counts.draws.into(), bits(others.min(left.draws)));
}

/// Reads what [`put_counts`] wrote.
#[inline]
fn take_counts(reader: &mut BitReader<'_>, left: Left, more: u64) -> Option<Counts> {
    let games = reader.gamma().checked_sub(more)?;
    let wins = reader.take(bits(games.min(left.wins)));
    let others = games.checked_sub(wins)?;
    let draws = reader.take(bits(others.min(left.draws)));
    counts_of(wins, draws, others.checked_sub(draws)?)
}

/// What the moves of a record have in common.
#[derive(Clone, Copy)]
struct MoveForm {
    within: bool,
    exact: bool,
    marks: bool,
    zero: bool,
}

impl MoveForm {
    fn of(entry: &Entry<'_>) -> Self {
        let start = entry.position.map(|row| Left::of(row.counts()));
        let left = entry
            .moves
            .iter()
            .try_fold(start, |left, row| Some(left?.without(row.counts())))
            .flatten();
        Self {
            within: left.is_some(),
            exact: left.is_some_and(Left::is_nothing),
            marks: entry.moves.iter().any(|row| !row.marks().is_empty()),
            zero: entry.moves.iter().any(|row| row.counts().games() == 0),
        }
    }

    fn to_bits(self) -> u64 {
        [self.within, self.exact, self.marks, self.zero]
            .iter()
            .zip(0..)
            .fold(0, |all, (&bit, place)| all | u64::from(bit) << place)
    }

    fn from_bits(bits: u64) -> Self {
        let bit = |place: u32| bits >> place & 1 != 0;
        Self { within: bit(0), exact: bit(1), marks: bit(2), zero: bit(3) }
    }
}

/// The number of a move's code, in a number of bits, and that of its game.
pub(super) struct MoveNumbers<'a> {
    /// By code; empty where records are only measured.
    pub numbers: &'a [u16],
    pub width: u32,
    pub cells: &'a CellForm,
    pub games: &'a Dictionary,
}

/// Writes the record of an entry.
pub(super) fn put_record(
    sink: &mut impl BitSink,
    entry: &Entry<'_>,
    form: &Form,
    moves: &MoveNumbers<'_>,
) {
    if form.positions && form.moves {
        sink.put(entry.position.is_some().into(), 1);
    }
    if let Some(position) = entry.position {
        put_counts(sink, position.counts(), Left::ANY, 1);
    }
    if !form.moves {
        return;
    }
    sink.put_gamma(entry.moves.len() as u64 + u64::from(entry.position.is_some()));
    if entry.moves.is_empty() {
        return;
    }
    let of_moves = MoveForm::of(entry);
    sink.put(of_moves.to_bits(), 4);
    let position = entry.position.filter(|_| of_moves.within);
    let mut left = position.map_or(Left::ANY, |row| Left::of(row.counts()));
    for (index, row) in entry.moves.iter().enumerate() {
        let number = moves.numbers.get(usize::from(row.code())).copied().unwrap_or_default();
        sink.put(number.into(), moves.width);
        if of_moves.marks {
            sink.put(row.marks().bits().into(), 8);
        }
        if !(of_moves.exact && index + 1 == entry.moves.len()) {
            put_counts(sink, row.counts(), left, of_moves.zero.into());
        }
        if of_moves.within {
            left = left.without(row.counts()).unwrap_or(Left::ANY);
        }
        let cells = entry.cells_of(index, form.columns);
        let coded = moves.cells.code(moves.games, row.counts(), cells);
        put_cells(sink, coded, cells, form, moves.cells);
    }
}

/// Writes the cells of a move.
pub(super) fn put_cells(
    sink: &mut impl BitSink,
    Coded { told, game }: Coded,
    cells: &[u8],
    form: &Form,
    of_cells: &CellForm,
) {
    sink.put(told.into(), of_cells.told_bits);
    sink.put(game, of_cells.game_bits);
    if told {
        return;
    }
    for (at, field) in form.fields() {
        let value = field.get(&cells[at..]);
        sink.put(bits(value).into(), 7);
        let below = bits(value).saturating_sub(1);
        sink.put(value & ones(below), below);
    }
}

/// Reads the cells of a move with these counts.
fn take_cells(
    reader: &mut BitReader<'_>,
    cells: &mut [u8],
    params: &Params,
    games: &Games<'_>,
    counts: Counts,
) -> Option<()> {
    let CellForm { told_bits, game_bits, .. } = params.cells;
    let (told, game) = (reader.take(told_bits) != 0, reader.take(game_bits));
    // What is read beyond the end of the record is no game.
    if !reader.is_within() {
        return None;
    }
    params.cells.read(games, Coded { told, game }, counts, cells).ok()?;
    if told {
        return Some(());
    }
    for (at, field) in params.form.fields() {
        let width = reader.take(7) as u32;
        if width > 64 {
            return None;
        }
        let value = match width {
            0 => 0,
            _ => reader.take(width - 1) | 1 << (width - 1),
        };
        if value > field.most() {
            return None;
        }
        field.set(&mut cells[at..], value);
    }
    Some(())
}

/// A record that is read.
pub(super) struct Record<'a> {
    reader: BitReader<'a>,
    params: &'a Params,
    /// The counts of the positions row, if there is one.
    pub position: Option<Counts>,
    h: Hash,
}

impl<'a> Record<'a> {
    /// Reads the part of the positions row, given the record's bytes within a page; none if the
    /// record is damaged.
    pub fn new(page: &'a [u8], record: Range<usize>, h: Hash, params: &'a Params) -> Option<Self> {
        let mut reader = BitReader::new(page, record)?;
        let form = params.form;
        let has_position = form.positions && (!form.moves || reader.take(1) != 0);
        let position =
            if has_position { Some(take_counts(&mut reader, Left::ANY, 1)?) } else { None };
        reader.is_within().then_some(Self { reader, params, position, h })
    }

    /// Hands on the moves, each with its cells; none if the record is damaged.
    pub fn moves(mut self, games: &Games<'_>, mut take: impl FnMut(MoveRow, &[u8])) -> Option<()> {
        let (params, form) = (self.params, &self.params.form);
        if !form.moves {
            return self.is_at_end();
        }
        let count = self.reader.gamma().checked_sub(self.position.is_some().into())?;
        if count == 0 {
            return self.is_at_end();
        }
        let of_moves = MoveForm::from_bits(self.reader.take(4));
        let within = self.position.filter(|_| of_moves.within);
        if (of_moves.within && within.is_none()) || (of_moves.exact && !of_moves.within) {
            return None;
        }
        let mut left = within.map_or(Left::ANY, Left::of);
        let mut cells = [0; Columns::MOST];
        let cells = &mut cells[..form.columns.stride()];
        for index in 1..=count {
            let code = *params.codes.get(self.reader.take(params.move_bits) as usize)?;
            let marks = if of_moves.marks { self.reader.take(8) as u8 } else { 0 };
            let counts = if of_moves.exact && index == count {
                left.all()?
            } else {
                take_counts(&mut self.reader, left, of_moves.zero.into())?
            };
            if of_moves.within {
                left = left.without(counts)?;
            }
            take_cells(&mut self.reader, cells, params, games, counts)?;
            // A hostile count of moves ends where the record does.
            if !self.reader.is_within() {
                return None;
            }
            let row = MoveRow::of_hash(self.h, code, counts);
            take(row.with_marks(Marks::from_bits_retain(marks)), cells);
        }
        self.is_at_end()
    }

    /// Whether nothing was read beyond the end.
    fn is_at_end(&self) -> Option<()> {
        self.reader.is_within().then_some(())
    }
}
