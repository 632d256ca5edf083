//! Groups: some sixteen entries as a string of bits, in which one is found without a look at the
//! others. Section 5 of `format-spec/packed.md`.

use super::bits::{BitSink, BitWriter, get, ones};
use super::entry::Entry;
use super::params::{CANDIDATE, Evaluation, Home, Params};
use super::record::{MoveNumbers, Record, put_record};
use crate::column::Columns;
use crate::format::PAGE_LEN;
use crate::key::Hash;
use crate::row::{Counts, MoveRow, PositionRow, Row};
use std::ops::Range;

/// The most entries of a group that isn't large.
pub(super) const MOST_ENTRIES: usize = 254;
/// The most bytes of a group that isn't large, and of a record.
pub(super) const MOST_BYTES: usize = 4080;
/// The first byte of a large group.
const LARGE: u8 = 255;
/// Bytes of a large group.
pub(super) const LARGE_BYTES: usize = 25;
/// A record of so many bytes or more has its length in two more bytes.
const LONG_RECORD: usize = 255;

/// Where the rows of a large group are in the bodies of POSN and MOVE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LargeGroup {
    pub positions: Range<u64>,
    pub moves: Range<u64>,
}

impl LargeGroup {
    /// Its bytes in a page; none if it has too many rows.
    pub fn encode(&self) -> Option<[u8; LARGE_BYTES]> {
        let mut bytes = [0; LARGE_BYTES];
        let len = |range: &Range<u64>| u32::try_from(range.end - range.start).ok();
        bytes[0] = LARGE;
        bytes[1..9].copy_from_slice(&self.positions.start.to_le_bytes());
        bytes[9..17].copy_from_slice(&self.moves.start.to_le_bytes());
        bytes[17..21].copy_from_slice(&len(&self.positions)?.to_le_bytes());
        bytes[21..25].copy_from_slice(&len(&self.moves)?.to_le_bytes());
        Some(bytes)
    }

    /// Reads what comes behind the first byte, at this place of a page; none if its end overflows.
    fn decode(page: &[u8; PAGE_LEN], at: usize) -> Option<Self> {
        let range = |start: usize, len: usize| {
            let start = get(page, 8 * (at + start), 64);
            Some(start..start.checked_add(get(page, 8 * (at + len), 32))?)
        };
        Some(Self { positions: range(1, 17)?, moves: range(9, 21)? })
    }
}

/// What a group is written with, beside the parameters.
pub(super) struct Numbers {
    /// By code of a move.
    moves: Vec<u16>,
    /// By wins, draws and losses of four bits each; the class of long entries if there is no other.
    classes: Vec<u8>,
    /// By depth and flags of eight bits each.
    pairs: Vec<u16>,
}

impl Numbers {
    pub fn of(params: &Params) -> Self {
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

    /// The class of an entry.
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
    numbers: Numbers,
    bits: BitWriter,
    records: BitWriter,
    classes: Vec<u32>,
    lengths: Vec<usize>,
}

impl<'a> GroupWriter<'a> {
    pub fn new(params: &'a Params) -> Self {
        Self {
            params,
            numbers: Numbers::of(params),
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
                    crate::row::NO_EVAL => 0,
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
        if !params.fields.is_empty() {
            for (index, _) in self.classes.iter().enumerate().filter(|(_, class)| is_short(class)) {
                let cells = group.entry(index, columns).cells;
                for ((at, field), code) in params.form.fields().zip(&params.fields) {
                    self.bits.put(code.number(field.get(&cells[at..])), code.width);
                }
            }
        }
        self.write_records(group)
    }

    /// Writes the records of the long entries behind what is there.
    fn write_records(&mut self, group: &GroupBuffer) -> Option<&[u8]> {
        let (params, columns) = (self.params, self.params.form.columns);
        let moves = MoveNumbers { numbers: &self.numbers.moves, width: params.move_bits };
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

/// A set of the entries of a group.
#[derive(Clone, Copy)]
struct Mask([u64; 4]);

impl Mask {
    /// All of the first `len` entries.
    fn all(len: usize) -> Self {
        let word = |at: usize| ones(len.saturating_sub(64 * at).min(64) as u32);
        Self([word(0), word(1), word(2), word(3)])
    }

    /// Those whose bit is set among `len` bits from this one on.
    #[inline(always)]
    fn read(bytes: &[u8], at: usize, len: usize) -> Self {
        let mut mask = [0; 4];
        mask[0] = get(bytes, at, len.min(64) as u32);
        if len > 64 {
            for (place, word) in mask.iter_mut().enumerate().skip(1) {
                let width = len.saturating_sub(64 * place).min(64);
                *word = get(bytes, at + 64 * place, width as u32);
            }
        }
        Self(mask)
    }

    fn and(self, other: Self) -> Self {
        let mut mask = self.0;
        mask.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        Self(mask)
    }

    #[inline(always)]
    fn has(self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    /// How many of the first `len` entries are in it.
    #[inline(always)]
    fn count(self, len: usize) -> usize {
        let word = |at: usize| {
            (self.0[at] & ones(len.saturating_sub(64 * at).min(64) as u32)).count_ones() as usize
        };
        if len <= 64 { word(0) } else { (0..4).map(word).sum() }
    }
}

/// A group, for reading.
#[derive(Clone, Copy)]
pub(crate) struct Group<'a> {
    params: &'a Params,
    page: &'a [u8; PAGE_LEN],
    /// Its first bit in the page.
    start: usize,
    len: usize,
    buckets: usize,
}

/// A group as it stands in a page.
pub(crate) enum Found<'a> {
    Group(Group<'a>),
    Large(LargeGroup),
}

/// Where the parts of a group begin, and which of its entries are long.
pub(crate) struct Parts {
    long: Mask,
    evaluated: Mask,
    codes: usize,
    evaluations: usize,
    cells: usize,
    /// The byte of the first record's length.
    lengths: usize,
}

impl<'a> Group<'a> {
    /// The group that begins at this byte of a page; none if it is damaged.
    #[inline(always)]
    pub fn read(
        page: &'a [u8; PAGE_LEN],
        at: usize,
        buckets: u32,
        params: &'a Params,
    ) -> Option<Found<'a>> {
        Some(match *page.get(at)? {
            LARGE => Found::Large(LargeGroup::decode(page, at)?),
            len => {
                let (start, buckets) = (8 * at, buckets as usize);
                Found::Group(Self { params, page, start, len: len.into(), buckets })
            }
        })
    }

    /// The number of its entries.
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn planes(&self) -> usize {
        self.start + 8 + self.buckets + self.len
    }

    #[inline(always)]
    fn remainders(&self) -> usize {
        self.planes() + self.params.class_bits as usize * self.len
    }

    /// The class of an entry.
    #[inline(always)]
    fn class(&self, index: usize) -> u32 {
        let (planes, bits) = (self.planes(), self.params.class_bits);
        let all = bits as usize * self.len;
        if all > 64 || bits == 0 {
            return self.class_of_many(index);
        }
        let word = get(self.page, planes, all as u32) >> index;
        (0..bits).fold(0, |class, plane| {
            class | ((word >> (plane as usize * self.len)) as u32 & 1) << plane
        })
    }

    #[cold]
    fn class_of_many(&self, index: usize) -> u32 {
        let planes = self.planes() + index;
        (0..self.params.class_bits).fold(0, |class, plane| {
            class | (get(self.page, planes + plane as usize * self.len, 1) as u32) << plane
        })
    }

    /// Where its parts begin.
    #[inline(always)]
    pub fn parts(&self) -> Parts {
        let (params, len) = (self.params, self.len);
        let (long, codes) = self.long_and_codes();
        let short = len - long.count(len);
        let mut next = codes + params.move_bits as usize * short;
        let mut evaluated = Mask([0; 4]);
        let mut evaluations = next;
        if params.has_evaluations() {
            evaluated = Mask::read(self.page, next, len);
            evaluations = next + len;
            let width = params.eval_bits + params.pair_bits;
            next = evaluations + width as usize * evaluated.count(len);
        }
        let cells = next;
        let end = cells + params.cell_bits() as usize * short;
        Parts { long, evaluated, codes, evaluations, cells, lengths: end.div_ceil(8) }
    }

    /// The entry of a hash, by the place of its bucket in the group and its remainder.
    #[inline]
    pub fn find(&self, home: Home, remainder: u64) -> Option<usize> {
        if self.len == 0 {
            return None;
        }
        let mut entries = self.entries_of(home.bucket as usize);
        let (width, first) = (self.params.remainder_bits(), self.remainders());
        entries.find(|&index| get(self.page, first + width as usize * index, width) == remainder)
    }

    /// The entries of a bucket, by its place in the group.
    #[inline(always)]
    fn entries_of(&self, bucket: usize) -> Range<usize> {
        let all = self.buckets + self.len;
        if all > 64 {
            return self.entries_of_many(bucket);
        }
        // A zero for each bit beyond the buckets: nothing is found there.
        let zeros = !get(self.page, self.start + 8, all as u32);
        let mut left = zeros;
        for _ in 0..bucket {
            left &= left.wrapping_sub(1);
        }
        // `left` has the zeros from that of the bucket on; the one before it is where its entries
        // begin.
        let before = zeros ^ left;
        let start = (64 - before.leading_zeros()) as usize;
        let end = left.trailing_zeros() as usize;
        let clamp = |bit: usize| bit.saturating_sub(bucket).min(self.len);
        clamp(start)..clamp(end)
    }

    #[cold]
    fn entries_of_many(&self, bucket: usize) -> Range<usize> {
        let mut range = 0..0;
        let (mut at, mut entries) = (0, 0);
        for number in 0..=bucket {
            range = entries..entries;
            while at < self.buckets + self.len && get(self.page, self.start + 8 + at, 1) != 0 {
                range.end += 1;
                at += 1;
            }
            entries = range.end;
            at += 1;
            if number == bucket {
                break;
            }
        }
        range.start.min(self.len)..range.end.min(self.len)
    }

    /// The positions row of an entry, if it has one; an error if the group is damaged.
    #[inline]
    pub fn position(&self, index: usize, h: Hash) -> Result<Option<PositionRow>, Damaged> {
        let params = self.params;
        if !params.form.positions {
            return Ok(None);
        }
        let class = self.class(index);
        if class != params.long_class() && !params.has_evaluations() {
            let counts = params.classes[class as usize].ok_or(Damaged)?;
            return Ok(Some(PositionRow::of_hash(h, counts)));
        }
        self.position_of(&self.parts(), index, h)
    }

    /// As [`Group::position`], where the parts of the group are known.
    #[inline]
    pub fn position_of(
        &self,
        parts: &Parts,
        index: usize,
        h: Hash,
    ) -> Result<Option<PositionRow>, Damaged> {
        let params = self.params;
        let class = self.class(index);
        let counts = if class == params.long_class() {
            match self.record(parts, index, h).ok_or(Damaged)?.position {
                Some(counts) => counts,
                None => return Ok(None),
            }
        } else {
            params.classes[class as usize].ok_or(Damaged)?
        };
        Ok(Some(self.evaluation(parts, index)?.row(h, counts)))
    }

    /// The eval, depth and flags of an entry.
    fn evaluation(&self, parts: &Parts, index: usize) -> Result<Evaluation, Damaged> {
        if !parts.evaluated.has(index) {
            return Ok(Evaluation::NONE);
        }
        let (eval_bits, pair_bits) = (self.params.eval_bits, self.params.pair_bits);
        let at =
            parts.evaluations + (eval_bits + pair_bits) as usize * parts.evaluated.count(index);
        let eval = get(self.page, at, eval_bits);
        let pair = get(self.page, at + eval_bits as usize, pair_bits);
        self.params.evaluation(eval, pair).ok_or(Damaged)
    }

    /// Hands on the moves of an entry, without their cells.
    #[inline]
    pub fn moves(
        &self,
        index: usize,
        h: Hash,
        mut take: impl FnMut(MoveRow),
    ) -> Result<(), Damaged> {
        let params = self.params;
        let class = self.class(index);
        if !params.form.moves || class == params.long_class() {
            return self.moves_of(&self.parts(), index, h, |row, _| take(row));
        }
        let counts = params.classes[class as usize].ok_or(Damaged)?;
        let (long, codes) = self.long_and_codes();
        take(MoveRow::of_hash(h, self.code(codes, index - long.count(index))?, counts));
        Ok(())
    }

    /// The code of the move of a short entry, by its place among those.
    #[inline(always)]
    fn code(&self, codes: usize, short: usize) -> Result<u16, Damaged> {
        let width = self.params.move_bits;
        let number = get(self.page, codes + width as usize * short, width);
        self.params.codes.get(number as usize).copied().ok_or(Damaged)
    }

    /// The long entries, and where the numbers of the moves of the others begin.
    #[inline(always)]
    fn long_and_codes(&self) -> (Mask, usize) {
        let (params, len) = (self.params, self.len);
        let mut long = Mask::all(len);
        for plane in 0..params.class_bits as usize {
            long = long.and(Mask::read(self.page, self.planes() + plane * len, len));
        }
        (long, self.remainders() + params.remainder_bits() as usize * len)
    }

    /// Hands on the moves of an entry with their cells.
    #[inline]
    pub fn moves_of(
        &self,
        parts: &Parts,
        index: usize,
        h: Hash,
        mut take: impl FnMut(MoveRow, &[u8]),
    ) -> Result<(), Damaged> {
        let params = self.params;
        if !params.form.moves {
            return Ok(());
        }
        let class = self.class(index);
        if class == params.long_class() {
            let record = self.record(parts, index, h).ok_or(Damaged)?;
            return record.moves(take).ok_or(Damaged);
        }
        let counts = params.classes[class as usize].ok_or(Damaged)?;
        let short = index - parts.long.count(index);
        let code = self.code(parts.codes, short)?;
        let mut cells = [0; Columns::MOST];
        let cells = &mut cells[..params.form.columns.stride()];
        if !cells.is_empty() {
            let mut at = parts.cells + params.cell_bits() as usize * short;
            for ((place, field), code) in params.form.fields().zip(&params.fields) {
                field.set(&mut cells[place..], code.value(get(self.page, at, code.width)));
                at += code.width as usize;
            }
        }
        take(MoveRow::of_hash(h, code, counts), cells);
        Ok(())
    }

    /// The record of a long entry; none if it isn't within the group.
    fn record(&self, parts: &Parts, index: usize, h: Hash) -> Option<Record<'a>> {
        let (mine, all) = (parts.long.count(index), parts.long.count(self.len));
        let mut at = parts.lengths;
        let (mut before, mut length) = (0, 0);
        for place in 0..all {
            let mut this = usize::from(*self.page.get(at)?);
            at += 1;
            if this == LONG_RECORD {
                this = get(self.page, 8 * at, 16) as usize;
                at += 2;
            }
            match place.cmp(&mine) {
                std::cmp::Ordering::Less => before += this,
                std::cmp::Ordering::Equal => length = this,
                std::cmp::Ordering::Greater => {}
            }
        }
        Record::new(self.page.get(at + before..at + before + length)?, h, self.params)
    }

    /// Hands on all entries in order, by their places and hashes, given the group's first bucket.
    pub fn each(
        &self,
        first: u64,
        mut take: impl FnMut(usize, Hash) -> Result<(), Damaged>,
    ) -> Result<(), Damaged> {
        let (params, width) = (self.params, self.params.remainder_bits());
        let (remainders, mut next) = (self.remainders(), self.start + 8);
        let (mut word, mut left, mut bucket) = (0, 0, 0);
        for index in 0..self.len {
            loop {
                if left == 0 {
                    (word, left, next) = (get(self.page, next, 64), 64, next + 64);
                }
                let zeros = word.trailing_zeros().min(left);
                bucket += zeros;
                left -= zeros;
                if left > 0 {
                    (word, left) = (word >> zeros >> 1, left - 1);
                    break;
                }
                if bucket as usize >= self.buckets {
                    break;
                }
            }
            if bucket as usize >= self.buckets {
                return Err(Damaged);
            }
            let remainder = get(self.page, remainders + width as usize * index, width);
            take(index, params.hash(first + u64::from(bucket), remainder))?;
        }
        Ok(())
    }
}

/// Rows that stand in groups: those of positions or of moves.
pub(crate) trait Unpack: Row {
    /// Hands on the rows of an entry with their cells.
    fn unpack(
        group: &Group<'_>,
        parts: &Parts,
        index: usize,
        h: Hash,
        take: impl FnMut(Self, &[u8]),
    ) -> Result<(), Damaged>;
}

impl Unpack for PositionRow {
    #[inline]
    fn unpack(
        group: &Group<'_>,
        parts: &Parts,
        index: usize,
        h: Hash,
        mut take: impl FnMut(Self, &[u8]),
    ) -> Result<(), Damaged> {
        if group.params.form.positions
            && let Some(row) = group.position_of(parts, index, h)?
        {
            take(row, &[]);
        }
        Ok(())
    }
}

impl Unpack for MoveRow {
    #[inline]
    fn unpack(
        group: &Group<'_>,
        parts: &Parts,
        index: usize,
        h: Hash,
        take: impl FnMut(Self, &[u8]),
    ) -> Result<(), Damaged> {
        group.moves_of(parts, index, h, take)
    }
}

/// A group, a record or a page doesn't say what it could say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damaged;
