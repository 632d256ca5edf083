//! What all pages of a packed book have in common: the section PACK. Section 3 of
//! `format-spec/packed.md`.

use super::bits::{bits, ones};
use super::told::CellForm;
use crate::column::{Column, Columns, Field};
use crate::format::{Header, Share};
use crate::key::Hash;
use crate::row::{Counts, Flags, NO_EVAL, TableKind};
use xxhash_rust::xxh3::xxh3_64;

/// Counts of short entries are below this.
pub(super) const CANDIDATE: u32 = 16;
pub(super) const MOST_CLASS_BITS: u32 = 6;
pub(super) const MOST_GROUP_BUCKETS: u32 = 32;
/// The most groups of a home page: so many large ones fit into one.
pub(super) const MOST_GROUPS: u32 = 150;
/// Bytes before the tables.
const FIXED: usize = 40;
/// Bytes of a class, of a code, of a pair, of a field.
const CLASS: usize = 12;
const CODE: usize = 2;
const PAIR: usize = 2;
const FIELD: usize = 16;

/// What the rows of a book consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub share: Share,
    pub positions: bool,
    pub moves: bool,
    /// Those of the moves.
    pub columns: Columns,
}

impl Form {
    /// That of a book with this header.
    pub fn of(header: &Header) -> Self {
        Self {
            share: header.share,
            positions: header.table(TableKind::Positions).is_some(),
            moves: header.table(TableKind::Moves).is_some(),
            columns: header.columns(TableKind::Moves),
        }
    }

    /// The fields of a move's cells that are spelled out: those of all columns but GAME, each with
    /// where it begins in the cells.
    pub fn fields(&self) -> impl Iterator<Item = (usize, &'static Field)> {
        let columns = self.columns;
        let others = columns.places().filter(|(_, column)| *column != Column::GAME);
        others
            .flat_map(|(start, column)| column.fields().map(move |(at, field)| (start + at, field)))
    }

    /// Bits of a hash that are not those of the share.
    pub fn hash_bits(&self) -> u32 {
        64 - u32::from(self.share.bits())
    }
}

/// How a field of the cells of short entries is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldCode {
    /// The value whose number is 1.
    pub least: u64,
    /// Bits of a number.
    pub width: u32,
}

impl FieldCode {
    /// For values from `least` to `most`, and 0.
    pub fn of(least: u64, most: u64) -> Self {
        if most == 0 {
            return Self::default();
        }
        // `least` is at least 1, so nothing overflows.
        Self { least, width: bits(most - least + 1) }
    }

    /// The number of a value that it was made for.
    #[inline]
    pub fn number(&self, value: u64) -> u64 {
        if value == 0 {
            0
        } else {
            value.wrapping_sub(self.least).wrapping_add(1) & ones(self.width)
        }
    }

    /// The value of a number.
    #[inline]
    pub fn value(&self, number: u64) -> u64 {
        if number == 0 { 0 } else { self.least.wrapping_add(number - 1) }
    }
}

/// An eval with its depth and flags, as a positions row has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evaluation {
    pub eval: i16,
    pub depth: u8,
    pub flags: u8,
}

impl Evaluation {
    pub const NONE: Self = Self { eval: NO_EVAL, depth: 0, flags: 0 };
}

/// The parameters of a packed book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Params {
    pub(super) form: Form,
    /// There are two to the power of this many buckets.
    pub(super) bucket_bits: u32,
    pub(super) group_buckets: u32,
    pub(super) page_buckets: u32,
    pub(super) class_bits: u32,
    pub(super) move_bits: u32,
    pub(super) eval_bits: u32,
    pub(super) pair_bits: u32,
    pub(super) least_eval: i16,
    /// The counts of each class but the last, which is that of long entries; none where no triple
    /// was left.
    pub(super) classes: Vec<Option<Counts>>,
    pub(super) codes: Vec<u16>,
    pub(super) pairs: Vec<(u8, u8)>,
    pub(super) fields: Vec<FieldCode>,
    /// What of the cells isn't in fields; it follows from the columns and the number of games.
    pub(super) cells: CellForm,
    /// A number that follows from all entries.
    pub(super) sum: u64,
    /// Half of the checksum of all this, which is in what each page says of itself.
    pub(super) salt: u32,
}

/// Where a hash belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Home {
    pub page: u64,
    /// The group's place in its home page.
    pub group: u32,
    /// The bucket's place in the group.
    pub bucket: u32,
}

impl Params {
    /// Bits of a remainder.
    #[inline(always)]
    pub fn remainder_bits(&self) -> u32 {
        self.form.hash_bits() - self.bucket_bits
    }

    /// The bucket of a hash.
    #[inline(always)]
    pub fn bucket(&self, h: Hash) -> u64 {
        (h.get() << self.form.share.bits()) >> (64 - self.bucket_bits)
    }

    /// The remainder of a hash.
    #[inline(always)]
    pub fn remainder(&self, h: Hash) -> u64 {
        h.get() & ones(self.remainder_bits())
    }

    /// The hash with this bucket and remainder.
    #[inline(always)]
    pub fn hash(&self, bucket: u64, remainder: u64) -> Hash {
        let low = bucket << self.remainder_bits() | remainder;
        Hash::from_bits(self.form.share.hashes().start().get() | low)
    }

    /// The last hash before this bucket, which may be the one behind the last.
    #[inline]
    pub fn last_hash(&self, bucket: u64) -> Hash {
        match bucket >> self.bucket_bits {
            0 => Hash::from_bits(self.hash(bucket, 0).get().wrapping_sub(1)),
            _ => Hash::MAX,
        }
    }

    /// Where a bucket is.
    #[inline(always)]
    pub fn home(&self, bucket: u64) -> Home {
        let of_page = u64::from(self.page_buckets);
        let (page, in_page) = (bucket / of_page, (bucket % of_page) as u32);
        Home { page, group: in_page / self.group_buckets, bucket: in_page % self.group_buckets }
    }

    /// The groups of a home page.
    #[inline(always)]
    pub fn groups(&self) -> u32 {
        self.page_buckets.div_ceil(self.group_buckets)
    }

    /// The buckets of a group, by its place in its home page.
    #[inline(always)]
    pub fn buckets_of(&self, group: u32) -> u32 {
        self.group_buckets.min(self.page_buckets.saturating_sub(group * self.group_buckets))
    }

    /// The first bucket of a group.
    #[inline(always)]
    pub fn first_bucket(&self, page: u64, group: u32) -> u64 {
        page * u64::from(self.page_buckets) + u64::from(group * self.group_buckets)
    }

    /// How many pages are the home of a bucket.
    pub fn home_pages(&self) -> u64 {
        (1u64 << self.bucket_bits).div_ceil(self.page_buckets.into())
    }

    /// The class of long entries.
    #[inline(always)]
    pub fn long_class(&self) -> u32 {
        (1 << self.class_bits) - 1
    }

    /// Bits of the fields of a short entry whose fields are spelled out.
    pub fn field_bits(&self) -> u32 {
        self.fields.iter().map(|field| field.width).sum()
    }

    /// Whether an entry can have an evaluation.
    #[inline(always)]
    pub fn has_evaluations(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// The evaluation with these numbers.
    pub fn evaluation(&self, eval: u64, pair: u64) -> Option<Evaluation> {
        let &(depth, flags) = self.pairs.get(pair as usize)?;
        let eval = match eval {
            0 => NO_EVAL,
            _ => i16::try_from(i64::from(self.least_eval) + eval as i64 - 1).ok()?,
        };
        Some(Evaluation { eval, depth, flags })
    }

    /// The section's bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FIXED + CODE * self.codes.len());
        for value in [self.bucket_bits, self.group_buckets, self.page_buckets] {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
        let widths = [self.class_bits, self.move_bits, self.eval_bits, self.pair_bits];
        bytes.extend(widths.map(|bits| bits as u8));
        bytes.extend_from_slice(&self.least_eval.to_le_bytes());
        bytes.extend_from_slice(&u16::from(self.form.share.bits()).to_le_bytes());
        for len in [self.pairs.len(), self.codes.len(), self.fields.len()] {
            bytes.extend_from_slice(&(len as u32).to_le_bytes());
        }
        bytes.extend_from_slice(&self.sum.to_le_bytes());
        for class in &self.classes {
            let none = [u32::MAX; 3];
            let counts = class.map_or(none, |counts| [counts.wins, counts.draws, counts.losses]);
            counts.iter().for_each(|count| bytes.extend_from_slice(&count.to_le_bytes()));
        }
        self.codes.iter().for_each(|code| bytes.extend_from_slice(&code.to_le_bytes()));
        self.pairs.iter().for_each(|&(depth, flags)| bytes.extend_from_slice(&[depth, flags]));
        for field in &self.fields {
            bytes.extend_from_slice(&field.least.to_le_bytes());
            bytes.extend_from_slice(&u64::from(field.width).to_le_bytes());
        }
        bytes
    }

    /// The same, with the salt that follows from the rest.
    pub fn salted(self) -> Self {
        Self { salt: xxh3_64(&self.encode()) as u32, ..self }
    }

    /// Reads the section of a book of this form, with so many games in its dictionary; what is wrong
    /// with it, if anything.
    pub fn decode(bytes: &[u8], form: Form, games: u64) -> Result<Self, &'static str> {
        let word = |at: usize| {
            bytes[at..].first_chunk().map_or(0, |chunk: &[u8; 4]| u32::from_le_bytes(*chunk))
        };
        if bytes.len() < FIXED {
            return Err("it is too short");
        }
        let [class_bits, move_bits, eval_bits, pair_bits] =
            [12, 13, 14, 15].map(|at: usize| u32::from(bytes[at]));
        let least_eval = i16::from_le_bytes([bytes[16], bytes[17]]);
        let [pair_count, code_count, field_count] = [20, 24, 28].map(|at| word(at) as usize);
        if class_bits > MOST_CLASS_BITS || pair_count > 1 << 16 || code_count > 1 << 16 {
            return Err("one of its tables is too large");
        }
        if field_count != form.fields().count() {
            return Err("its fields are not those of the columns");
        }
        let class_count = (1 << class_bits) - 1;
        let lengths =
            [CLASS * class_count, CODE * code_count, PAIR * pair_count, FIELD * field_count];
        if bytes.len() != FIXED + lengths.iter().sum::<usize>() {
            return Err("its length is not that of its tables");
        }
        if bytes[18..20] != u16::from(form.share.bits()).to_le_bytes() {
            return Err("it is that of another share");
        }
        let (classes, rest) = bytes[FIXED..].split_at(lengths[0]);
        let (codes, rest) = rest.split_at(lengths[1]);
        let (pairs, fields) = rest.split_at(lengths[2]);
        let class = |bytes: &[u8]| {
            let [wins, draws, losses] = [0, 4, 8].map(|at| {
                bytes[at..].first_chunk().map_or(0, |chunk: &[u8; 4]| u32::from_le_bytes(*chunk))
            });
            Some(Counts::new(wins, draws, losses))
                .filter(|counts| *counts != Counts::new(u32::MAX, u32::MAX, u32::MAX))
        };
        let long = |bytes: &[u8]| {
            bytes.first_chunk().map_or(0, |chunk: &[u8; 8]| u64::from_le_bytes(*chunk))
        };
        let field = |bytes: &[u8]| FieldCode {
            least: long(bytes),
            width: long(&bytes[8..]).min(u32::MAX.into()) as u32,
        };
        let params = Self {
            form,
            bucket_bits: word(0),
            group_buckets: word(4),
            page_buckets: word(8),
            class_bits,
            move_bits,
            eval_bits,
            pair_bits,
            least_eval,
            classes: classes.chunks_exact(CLASS).map(class).collect(),
            codes: codes
                .chunks_exact(CODE)
                .map(|code| u16::from_le_bytes([code[0], code[1]]))
                .collect(),
            pairs: pairs.chunks_exact(PAIR).map(|pair| (pair[0], pair[1])).collect(),
            fields: fields.chunks_exact(FIELD).map(field).collect(),
            cells: CellForm::of(&form, games),
            sum: long(&bytes[32..]),
            salt: xxh3_64(bytes) as u32,
        };
        params.fault().map_or(Ok(params), Err)
    }

    /// Whether short entries can have these counts.
    fn is_class(counts: &Counts) -> bool {
        counts.wins.max(counts.draws).max(counts.losses) < CANDIDATE
    }

    /// What is wrong with the values, so that nothing read with them may leave its bounds.
    fn fault(&self) -> Option<&'static str> {
        let of = |len: usize| bits(len.saturating_sub(1) as u64);
        let buckets = 4..=56.min(self.form.hash_bits());
        if !buckets.contains(&self.bucket_bits)
            || !(4..=MOST_GROUP_BUCKETS).contains(&self.group_buckets)
            || self.page_buckets == 0
            || u64::from(self.page_buckets) > 1 << self.bucket_bits
            || self.groups() > MOST_GROUPS
        {
            return Some("there can't be so many buckets");
        }
        if self.move_bits != of(self.codes.len()) || self.pair_bits != of(self.pairs.len()) {
            return Some("its widths are not those of its tables");
        }
        let are_small = self.classes.iter().flatten().all(Self::is_class);
        let are_first = self.classes.is_sorted_by_key(Option::is_none);
        if !are_small || !are_first || !are_distinct(&self.codes) {
            return Some("its classes or codes are not what they can be");
        }
        let flags = |pair: &(u8, u8)| pair.1 & !Flags::all().bits() == 0;
        if !self.pairs.is_sorted_by(|a, b| a < b) || !self.pairs.iter().all(flags) {
            return Some("its pairs of depth and flags are not what they can be");
        }
        if self.eval_bits > 16 || (self.eval_bits == 0 && self.least_eval != 0) {
            return Some("its evals are too wide");
        }
        if (!self.form.moves && !self.codes.is_empty())
            || (!self.form.positions && (!self.pairs.is_empty() || self.eval_bits > 0))
            || (self.pairs.is_empty() && self.eval_bits > 0)
        {
            return Some("it has codes for what the book doesn't have");
        }
        if self
            .fields
            .iter()
            .any(|field| field.width > 64 || (field.width == 0) != (field.least == 0))
        {
            return Some("a field is too wide");
        }
        None
    }
}

/// Whether none of these codes is there twice.
fn are_distinct(codes: &[u16]) -> bool {
    let mut sorted = codes.to_vec();
    sorted.sort_unstable();
    sorted.is_sorted_by(|a, b| a < b)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Parameters of a small book of both tables.
    pub fn params() -> Params {
        Params {
            form: Form {
                share: Share::WHOLE,
                positions: true,
                moves: true,
                columns: Columns::NONE,
            },
            bucket_bits: 8,
            group_buckets: 16,
            page_buckets: 200,
            class_bits: 1,
            move_bits: 2,
            eval_bits: 5,
            pair_bits: 1,
            least_eval: -7,
            classes: vec![Some(Counts::new(1, 0, 0))],
            codes: vec![7, 9, 5],
            pairs: vec![(0, 1), (9, 0)],
            fields: Vec::new(),
            cells: CellForm::default(),
            sum: 0x1234_5678_9abc_def0,
            salt: 0,
        }
        .salted()
    }

    #[test]
    fn parameters_come_back_and_no_other_length_is_taken() {
        let params = params();
        let bytes = params.encode();
        assert_eq!(Params::decode(&bytes, params.form, 0), Ok(params.clone()));
        for len in 0..bytes.len() {
            assert!(Params::decode(&bytes[..len], params.form, 0).is_err(), "{len}");
        }
        assert!(Params::decode(&[&bytes[..], &[0]].concat(), params.form, 0).is_err());
        let moves_only = Form { positions: false, ..params.form };
        assert!(Params::decode(&bytes, moves_only, 0).is_err());
    }
}
