//! Groups on their way into pages: the entries of one, and its bits. Section 5 of
//! `format-spec/packed.md`.

use super::bits::{BitSink, BitWriter, ones};
use super::dictionary::Dictionary;
use super::entry::Entry;
use super::group::LONG_RECORD;
use super::params::{CANDIDATE, Evaluation, Params};
use super::record::{MoveNumbers, put_record};
use super::told::Coded;
use crate::column::Columns;
use crate::key::Hash;
use crate::row::{Counts, MoveRow, NO_EVAL, PositionRow, Row};

/// The most entries of a group that isn't large.
const MOST_ENTRIES: usize = 254;
/// The most bytes of a group that isn't large, and of a record.
const MOST_BYTES: usize = 4076;

/// What a group is written with, beside the parameters.
struct Numbers {
    /// By code of a move.
    moves: Vec<u16>,
    /// By wins, draws and losses of four bits each; the class of long entries if there is no other.
    classes: Vec<u8>,
    /// By depth and flags of eight bits each.
    pairs: Vec<u16>,
}

impl Numbers {
    fn of(params: &Params) -> Self {
        let mut numbers = Self {
            moves: vec![0; 1 << 16],
            classes: vec![params.long_class() as u8; (CANDIDATE * CANDIDATE * CANDIDATE) as usize],
            pairs: vec![0; if params.has_evaluations() { 1 << 16 } else { 0 }],
        };
        for (&code, number) in params.codes.iter().zip(0..=u16::MAX) {
            numbers.moves[usize::from(code)] = number;
        }
        for (class, number) in params.classes.iter().zip(0..=u8::MAX) {
            if let Some(class) = class {
                numbers.classes[triple_index(*class)] = number;
            }
        }
        for (&(depth, flags), number) in params.pairs.iter().zip(0..=u16::MAX) {
            numbers.pairs[usize::from(depth) << 8 | usize::from(flags)] = number;
        }
        numbers
    }

    #[inline]
    fn class(&self, entry: &Entry<'_>, params: &Params) -> u32 {
        match entry.triple(&params.form) {
            Some(triple) => self.classes[triple_index(triple)].into(),
            None => params.long_class(),
        }
    }
}

/// The number of the counts of a candidate among those of all.
#[inline(always)]
pub(super) fn triple_index(counts: Counts) -> usize {
    (counts.wins << 8 | counts.draws << 4 | counts.losses) as usize
}

/// The entries of a group on their way into a page.
#[derive(Default)]
pub(super) struct GroupBuffer {
    hashes: Vec<Hash>,
    positions: Vec<Option<PositionRow>>,
    /// Where each entry's moves end.
    ends: Vec<usize>,
    moves: Vec<MoveRow>,
    cells: Vec<u8>,
}

impl GroupBuffer {
    /// More moves than a group has that isn't large.
    const MOST_MOVES: usize = 8 * MOST_BYTES + MOST_ENTRIES;

    pub fn clear(&mut self) {
        self.hashes.clear();
        self.positions.clear();
        self.ends.clear();
        self.moves.clear();
        self.cells.clear();
    }

    pub fn push(&mut self, entry: &Entry<'_>) {
        self.hashes.push(entry.h);
        self.positions.push(entry.position.copied());
        self.moves.extend_from_slice(entry.moves);
        self.cells.extend_from_slice(entry.cells);
        self.ends.push(self.moves.len());
    }

    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Whether the group is large, whatever its bytes.
    pub fn is_large(&self) -> bool {
        self.hashes.len() > MOST_ENTRIES || self.moves.len() > Self::MOST_MOVES
    }

    /// Its positions rows.
    pub fn positions(&self) -> impl Iterator<Item = &PositionRow> {
        self.positions.iter().flatten()
    }

    /// Its moves rows, and their cells.
    pub fn moves(&self) -> (&[MoveRow], &[u8]) {
        (&self.moves, &self.cells)
    }

    fn entry(&self, index: usize, columns: Columns) -> Entry<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let (end, stride) = (self.ends[index], columns.stride());
        Entry {
            h: self.hashes[index],
            position: self.positions[index].as_ref(),
            moves: &self.moves[start..end],
            cells: &self.cells[start * stride..end * stride],
        }
    }
}

/// What writing groups takes, kept from one to the next.
pub(super) struct GroupWriter<'a> {
    params: &'a Params,
    games: &'a Dictionary,
    numbers: Numbers,
    /// How the cells of the short entries are written.
    coded: Vec<Coded>,
    bits: BitWriter,
    records: BitWriter,
    classes: Vec<u32>,
    lengths: Vec<usize>,
}

impl<'a> GroupWriter<'a> {
    /// For books of these parameters, whose cells name these games.
    pub fn new(params: &'a Params, games: &'a Dictionary) -> Self {
        Self {
            params,
            games,
            numbers: Numbers::of(params),
            coded: Vec::new(),
            bits: BitWriter::default(),
            records: BitWriter::default(),
            classes: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// The bytes of a group, by its first bucket and its number of buckets; none if it is a large
    /// one.
    pub fn write(&mut self, group: &GroupBuffer, first: u64, buckets: u32) -> Option<&[u8]> {
        let (params, columns, len) = (self.params, self.params.form.columns, group.hashes.len());
        self.bits.clear();
        if len == 0 {
            self.bits.put(0, 8);
            return Some(self.bits.finish());
        }
        if group.is_large() {
            return None;
        }
        self.bits.put(len as u64, 8);
        let mut bucket = first;
        for &h in &group.hashes {
            let mine = params.bucket(h);
            self.bits.put(0, (mine - bucket) as u32);
            self.bits.put(1, 1);
            bucket = mine;
        }
        self.bits.put(0, (first + u64::from(buckets) - bucket) as u32);
        self.classes.clear();
        self.classes
            .extend((0..len).map(|index| self.numbers.class(&group.entry(index, columns), params)));
        for plane in 0..params.class_bits {
            self.classes.iter().for_each(|class| self.bits.put((class >> plane & 1).into(), 1));
        }
        for &h in &group.hashes {
            self.bits.put(params.remainder(h), params.remainder_bits());
        }
        let is_short = |class: &u32| *class != params.long_class();
        if params.form.moves {
            for (index, _) in self.classes.iter().enumerate().filter(|(_, class)| is_short(class)) {
                let code = group.entry(index, columns).moves[0].code();
                let number = self.numbers.moves[usize::from(code)];
                self.bits.put(number.into(), params.move_bits);
            }
        }
        if params.has_evaluations() {
            let evaluation = |index| group.entry(index, columns).evaluation();
            (0..len).for_each(|index| self.bits.put(evaluation(index).is_some().into(), 1));
            for Evaluation { eval, depth, flags } in (0..len).filter_map(evaluation) {
                let number = match eval {
                    NO_EVAL => 0,
                    _ => {
                        (i64::from(eval) - i64::from(params.least_eval) + 1) as u64
                            & ones(params.eval_bits)
                    }
                };
                let pair = self.numbers.pairs[usize::from(depth) << 8 | usize::from(flags)];
                self.bits.put(number, params.eval_bits);
                self.bits.put(pair.into(), params.pair_bits);
            }
        }
        if !columns.is_empty() {
            self.write_cells(group);
        }
        self.write_records(group)
    }

    /// Writes the cells of the short entries behind what is there.
    fn write_cells(&mut self, group: &GroupBuffer) {
        let (params, columns) = (self.params, self.params.form.columns);
        let form = &params.cells;
        let short = || {
            let of_class = self.classes.iter().enumerate();
            let short = of_class.filter(|(_, class)| **class != params.long_class());
            short.map(|(index, _)| group.entry(index, columns))
        };
        self.coded.clear();
        self.coded.extend(
            short().map(|entry| form.code(self.games, entry.moves[0].counts(), entry.cells)),
        );
        self.coded.iter().for_each(|coded| self.bits.put(coded.told.into(), form.told_bits));
        self.coded.iter().for_each(|coded| self.bits.put(coded.game, form.game_bits));
        for (entry, _) in short().zip(&self.coded).filter(|(_, coded)| !coded.told) {
            for ((at, field), code) in params.form.fields().zip(&params.fields) {
                self.bits.put(code.number(field.get(&entry.cells[at..])), code.width);
            }
        }
    }

    /// Writes the records of the long entries behind what is there.
    fn write_records(&mut self, group: &GroupBuffer) -> Option<&[u8]> {
        let (params, columns) = (self.params, self.params.form.columns);
        let moves = MoveNumbers {
            numbers: &self.numbers.moves,
            width: params.move_bits,
            cells: &params.cells,
            games: self.games,
        };
        self.records.clear();
        self.lengths.clear();
        let mut last = 0;
        for (index, class) in self.classes.iter().enumerate() {
            if *class == params.long_class() {
                put_record(&mut self.records, &group.entry(index, columns), &params.form, &moves);
                let end = self.records.fill_byte();
                self.lengths.push(end - last);
                last = end;
            }
        }
        self.bits.fill_byte();
        for &length in &self.lengths {
            if length > MOST_BYTES {
                return None;
            }
            self.bits.put(length.min(LONG_RECORD) as u64, 8);
            if length >= LONG_RECORD {
                self.bits.put(length as u64, 16);
            }
        }
        self.bits.fill_byte();
        for &byte in self.records.finish() {
            self.bits.put(byte.into(), 8);
        }
        let bytes = self.bits.finish();
        (bytes.len() <= MOST_BYTES).then_some(bytes)
    }
}
