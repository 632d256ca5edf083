//! Groups: some sixteen entries as a string of bits, in which one is found without a look at the
//! others. Section 5 of `format-spec/packed.md`.

use super::bits::{get, ones};
use super::dictionary::Games;
use super::entry::Entry;
use super::large::{LARGE, LargeGroup};
use super::params::{Evaluation, Home, MOST_CLASS_BITS, Params};
use super::record::Record;
use super::told::{CellForm, Coded};
use crate::column::Columns;
use crate::format::PAGE_LEN;
use crate::key::Hash;
use crate::row::{Counts, MoveRow, PositionRow, Row};
use crate::stream::Chunk;
use std::ops::Range;

/// A record of so many bytes or more has its length in two more bytes.
pub(super) const LONG_RECORD: usize = 255;

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
    /// The short entries all of whose cells their games tell, by their places among those.
    told: Mask,
    games: usize,
    fields: usize,
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
        let (mut told, mut games, mut fields) = (Mask([0; 4]), next, next);
        if !params.form.columns.is_empty() {
            let CellForm { told_bits, game_bits, .. } = params.cells;
            told = Mask::read(self.page, next, told_bits as usize * short);
            games = next + told_bits as usize * short;
            fields = games + game_bits as usize * short;
            next = fields + params.field_bits() as usize * (short - told.count(short));
        }
        let lengths = next.div_ceil(8);
        Parts { long, evaluated, codes, evaluations, told, games, fields, lengths }
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
    #[inline]
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
            return self.moves_of(&self.parts(), index, h, &Games::Unasked, |row, _| take(row));
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
        games: &Games<'_>,
        mut take: impl FnMut(MoveRow, &[u8]),
    ) -> Result<(), Damaged> {
        let params = self.params;
        if !params.form.moves {
            return Ok(());
        }
        let class = self.class(index);
        if class == params.long_class() {
            let record = self.record(parts, index, h).ok_or(Damaged)?;
            return record.moves(games, take).ok_or(Damaged);
        }
        let counts = params.classes[class as usize].ok_or(Damaged)?;
        let short = index - parts.long.count(index);
        let code = self.code(parts.codes, short)?;
        let mut cells = [0; Columns::MOST];
        let cells = &mut cells[..params.form.columns.stride()];
        if !cells.is_empty() {
            let CellForm { told_bits, game_bits, .. } = params.cells;
            let told = told_bits > 0 && parts.told.has(short);
            let game = get(self.page, parts.games + game_bits as usize * short, game_bits);
            params.cells.read(games, Coded { told, game }, counts, cells)?;
            if !told {
                let spelled = short - parts.told.count(short);
                let mut at = parts.fields + params.field_bits() as usize * spelled;
                for ((place, field), code) in params.form.fields().zip(&params.fields) {
                    field.set(&mut cells[place..], code.value(get(self.page, at, code.width)));
                    at += code.width as usize;
                }
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
        Record::new(self.page, at + before..at + before + length, h, self.params)
    }

    /// Hands on all entries in order, by their places, hashes and classes, given the group's first
    /// bucket.
    #[inline(always)]
    fn each(
        &self,
        first: u64,
        mut take: impl FnMut(usize, Hash, u32) -> Result<(), Damaged>,
    ) -> Result<(), Damaged> {
        let (params, len, width) = (self.params, self.len, self.params.remainder_bits());
        let (planes, class_bits) = (self.planes(), params.class_bits as usize);
        let mut classes = [0; MOST_CLASS_BITS as usize];
        for (plane, word) in classes.iter_mut().enumerate().take(class_bits) {
            *word = get(self.page, planes + plane * len, len.min(64) as u32);
        }
        let class = |index: usize| {
            if index >= 64 {
                return self.class_of_many(index);
            }
            let words = classes.iter().take(class_bits).enumerate();
            words.fold(0, |class, (plane, word)| class | ((word >> index & 1) as u32) << plane)
        };
        let (mut remainder, mut next) = (self.remainders(), self.start + 8);
        let (mut word, mut left, mut bucket) = (0, 0, 0);
        for index in 0..len {
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
            let h = params.hash(first + u64::from(bucket), get(self.page, remainder, width));
            remainder += width as usize;
            take(index, h, class(index))?;
        }
        Ok(())
    }

    /// Hands on all rows of a table, with their cells, in order, given the group's first bucket.
    pub fn each_row<R: Unpack>(
        &self,
        first: u64,
        games: &Games<'_>,
        mut take: impl FnMut(R, &[u8]),
    ) -> Result<(), Damaged> {
        let (params, parts, long) = (self.params, self.parts(), self.params.long_class());
        if !R::is_simple(params) {
            return self
                .each(first, |index, h, _| R::unpack(self, &parts, index, h, games, &mut take));
        }
        let mut short = 0;
        self.each(first, |index, h, class| {
            if class == long {
                return self.long_row(&parts, index, h, games, &mut take);
            }
            let counts = params.classes[class as usize].ok_or(Damaged)?;
            take(R::of_short(self, &parts, short, h, counts)?, &[]);
            short += 1;
            Ok(())
        })
    }

    /// Hands on the rows of a long entry; kept out of the way of the short ones.
    #[inline(never)]
    fn long_row<R: Unpack>(
        &self,
        parts: &Parts,
        index: usize,
        h: Hash,
        games: &Games<'_>,
        take: impl FnMut(R, &[u8]),
    ) -> Result<(), Damaged> {
        R::unpack(self, parts, index, h, games, take)
    }
}

impl Group<'_> {
    /// Hands on all entries in order, given the group's first bucket.
    pub(super) fn each_entry(
        &self,
        first: u64,
        games: &Games<'_>,
        mut take: impl FnMut(&Entry<'_>) -> Result<(), Damaged>,
    ) -> Result<(), Damaged> {
        let (parts, columns) = (self.parts(), self.params.form.columns);
        let mut moves = Chunk::<MoveRow>::new(columns);
        self.each(first, |index, h, _| {
            let mut position = None;
            moves.clear(columns);
            PositionRow::unpack(self, &parts, index, h, games, |row, _| position = Some(row))?;
            let push = |row, cells: &[u8]| moves.push_from(row, cells);
            MoveRow::unpack(self, &parts, index, h, games, push)?;
            let (moves, cells) = (moves.rows(), moves.cells());
            take(&Entry { h, position: position.as_ref(), moves, cells })
        })
    }
}

/// Rows that stand in groups: those of positions or of moves.
pub(crate) trait Unpack: Row {
    /// Whether a class says all of the rows of a short entry, but for the code of a move.
    fn is_simple(params: &Params) -> bool;

    /// The row of a short entry where that is so, by its place among those.
    fn of_short(
        group: &Group<'_>,
        parts: &Parts,
        short: usize,
        h: Hash,
        counts: Counts,
    ) -> Result<Self, Damaged>;

    /// Hands on the rows of an entry with their cells, the games of which are there.
    fn unpack(
        group: &Group<'_>,
        parts: &Parts,
        index: usize,
        h: Hash,
        games: &Games<'_>,
        take: impl FnMut(Self, &[u8]),
    ) -> Result<(), Damaged>;
}

impl Unpack for PositionRow {
    fn is_simple(params: &Params) -> bool {
        params.form.positions && !params.has_evaluations()
    }

    #[inline(always)]
    fn of_short(
        _: &Group<'_>,
        _: &Parts,
        _: usize,
        h: Hash,
        counts: Counts,
    ) -> Result<Self, Damaged> {
        Ok(Self::of_hash(h, counts))
    }

    #[inline]
    fn unpack(
        group: &Group<'_>,
        parts: &Parts,
        index: usize,
        h: Hash,
        _: &Games<'_>,
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
    fn is_simple(params: &Params) -> bool {
        params.form.moves && params.form.columns.is_empty()
    }

    #[inline(always)]
    fn of_short(
        group: &Group<'_>,
        parts: &Parts,
        short: usize,
        h: Hash,
        counts: Counts,
    ) -> Result<Self, Damaged> {
        Ok(Self::of_hash(h, group.code(parts.codes, short)?, counts))
    }

    #[inline]
    fn unpack(
        group: &Group<'_>,
        parts: &Parts,
        index: usize,
        h: Hash,
        games: &Games<'_>,
        take: impl FnMut(Self, &[u8]),
    ) -> Result<(), Damaged> {
        group.moves_of(parts, index, h, games, take)
    }
}

/// A group, a record or a page doesn't say what it could say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damaged;
