//! Reading records as rows.

use super::record::{Link, Record, Records};
use super::{ReadError, lost};
use crate::Losses;
use crate::row::{AnyRow, seen_from};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use tabia::{Counts, Key, MoveRow, PositionRow};
use tabia_games::{Game, Othello, Side};

/// The square that means a pass, and the one that means no move.
const PASS: u8 = 64;
const NO_MOVE: u8 = 65;

/// The result of reading an Edax book: what was read, and what was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Records.
    pub positions: u64,
    /// Links that made rows.
    pub links: u64,
    /// Leaves that made rows.
    pub leaves: u64,
    /// Records in which the side to move must pass: they are those after the pass.
    pub passes: u64,
    /// What the book holds and the rows don't say.
    pub lost: Losses,
}

/// What becomes of the lines of the book that a position's side to move wins, draws and loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lines {
    /// They are no games, and left out: rows have evals.
    #[default]
    LeaveOut,
    /// Each counts as a game.
    Count,
}

/// Reads an Edax book, and hands on the rows that it makes for a book of Othello keyed by position;
/// `start` says whether images of a board count together. They have to be sorted and merged.
///
/// Memory: the file's bytes, and for each position an entry of a hash table.
///
/// # Errors
/// [`ReadError`]; whatever `take` gives.
pub fn read<E: From<ReadError>>(
    bytes: &[u8],
    start: &Othello,
    lines: Lines,
    take: impl FnMut(AnyRow) -> Result<(), E>,
) -> Result<Read, E> {
    let (counted, records) = Records::new(bytes)?;
    let mut reader = Reader {
        start,
        lines,
        positions: HashMap::new(),
        read: Read { lost: Losses::new(lost::ALL), ..Read::default() },
        take,
    };
    for (number, record) in records.clone().enumerate() {
        reader.learn(number as u64, &record?);
    }
    for (number, record) in records.enumerate() {
        reader.emit(number as u64, &record?)?;
    }
    let counted = u64::try_from(counted).unwrap_or(0);
    reader.read.lost.add(lost::MISSING, counted.saturating_sub(reader.read.positions));
    Ok(reader.read)
}

/// What a book says of a position, for the side to move there.
#[derive(Clone, Copy)]
struct Recorded {
    counts: Counts,
    value: i16,
    /// The record that says so.
    record: u64,
    /// It says so of the position before a pass.
    by_pass: bool,
}

struct Reader<'a, T> {
    start: &'a Othello,
    lines: Lines,
    positions: HashMap<Key, Recorded>,
    read: Read,
    take: T,
}

impl<T: FnMut(AnyRow) -> Result<(), E>, E> Reader<'_, T> {
    /// Keeps what a record says, if it is the first of its position; one before a pass gives way to
    /// one after it.
    fn learn(&mut self, number: u64, record: &Record<'_>) {
        self.read.positions += 1;
        let Some(position) = self.position(record) else { return };
        let [wins, draws, losses] = record.lines;
        let counts = match self.lines {
            Lines::Count => {
                seen_from(position.side(), Counts::new(wins, draws, losses), Side::First)
            }
            Lines::LeaveOut => Counts::default(),
        };
        let by_pass = position.has_passed() && position.side() == Side::Second;
        let recorded = Recorded {
            counts,
            value: seen(position.side(), record.value, Side::First),
            record: number,
            by_pass,
        };
        self.read.passes += u64::from(by_pass);
        match self.positions.entry(position.key()) {
            Entry::Vacant(entry) => _ = entry.insert(recorded),
            Entry::Occupied(mut entry) if entry.get().by_pass && !by_pass => {
                entry.insert(recorded);
            }
            Entry::Occupied(entry) => {
                self.read.lost.add(lost::REPEATED, u64::from(entry.get().by_pass == by_pass))
            }
        }
    }

    /// Hands on a record, if it is the one of its position.
    fn emit(&mut self, number: u64, record: &Record<'_>) -> Result<(), E> {
        let Some(position) = self.position(record) else { return Ok(()) };
        let Some(&recorded) =
            self.positions.get(&position.key()).filter(|recorded| recorded.record == number)
        else {
            return Ok(());
        };
        let row = PositionRow::new(position.key(), recorded.counts);
        let row = self.judged(row, recorded.value, record.level);
        (self.take)(row.into())?;
        let is_left_out = self.lines == Lines::LeaveOut && record.lines != [0; 3];
        self.read.lost.add(lost::LINES, u64::from(is_left_out));
        let [lower, upper] = record.bounds;
        self.read.lost.add(lost::BOUNDS, u64::from(lower != record.value || upper != record.value));
        let ended = record.lines.iter().map(|&lines| u64::from(lines)).sum();
        self.read.lost.add(lost::OPEN_LINES, u64::from(u64::from(record.all_lines) > ended));
        if recorded.by_pass { Ok(()) } else { self.emit_moves(&position, record) }
    }

    fn emit_moves(&mut self, position: &Othello, record: &Record<'_>) -> Result<(), E> {
        let mut met = 0u64;
        for link in record.links() {
            if self.is_new(position, link, &mut met) {
                self.tell_move(position, link, record.level, true)?;
                self.read.links += 1;
            }
        }
        if record.leaf.square != NO_MOVE && self.is_new(position, record.leaf, &mut met) {
            self.tell_move(position, record.leaf, record.level, false)?;
            self.read.leaves += 1;
        }
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let is_covered =
            record.leaf.square < PASS || legal.iter().all(|played| met >> played.square() & 1 == 1);
        self.read.lost.add(lost::UNCOVERED, u64::from(!is_covered));
        Ok(())
    }

    /// Whether a move is legal and not yet met.
    fn is_new(&mut self, position: &Othello, link: Link, met: &mut u64) -> bool {
        let Some(played) = position.disc_on(link.square) else {
            self.read.lost.add(lost::ILLEGAL, 1);
            return false;
        };
        let is_doubled = *met >> played.square() & 1 == 1;
        self.read.lost.add(lost::DOUBLED, u64::from(is_doubled));
        *met |= 1 << played.square();
        !is_doubled
    }

    /// Hands on a legal move of the first player, and the position it leads to if the book doesn't
    /// have that.
    fn tell_move(
        &mut self,
        position: &Othello,
        link: Link,
        level: u8,
        is_link: bool,
    ) -> Result<(), E> {
        let Some(played) = position.disc_on(link.square) else { return Ok(()) };
        let mut behind = position.clone();
        behind.play(&played);
        let mover = position.side();
        let recorded = self.positions.get(&behind.key()).copied();
        let counts = recorded
            .map_or(Counts::default(), |recorded| seen_from(mover, recorded.counts, behind.side()));
        (self.take)(MoveRow::new(position.key(), position.code(&played), counts).into())?;
        let score = seen(behind.side(), link.score.into(), mover);
        match recorded {
            Some(recorded) => {
                self.read.lost.add(lost::DIFFERING, u64::from(is_link && recorded.value != score))
            }
            None => {
                self.read.lost.add(lost::UNLINKED, u64::from(is_link));
                let row = PositionRow::new(behind.key(), Counts::default());
                let row = self.judged(row, score, level);
                (self.take)(row.into())?;
            }
        }
        Ok(())
    }

    fn judged(&mut self, row: PositionRow, value: i16, level: u8) -> PositionRow {
        if (-64..=64).contains(&value) {
            return row.with_eval(value, level);
        }
        self.read.lost.add(lost::OUT_OF_RANGE, 1);
        row
    }

    /// The position of a record; the side to move is the first one, but where it must pass.
    fn position(&self, record: &Record<'_>) -> Option<Othello> {
        let sign = |square: u32| match (record.player >> square & 1, record.opponent >> square & 1)
        {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '-',
        };
        let text: String = (0..64).map(sign).chain([' ', 'X']).collect();
        self.start.set_up(&text).ok()
    }
}

/// A value as another side sees it, or the same.
fn seen(side: Side, value: i16, of: Side) -> i16 {
    if side == of { value } else { value.saturating_neg() }
}
