//! The parameters of a packed book, counted from its entries. Section 3 of
//! `format-spec/packed.md`.

use super::bits::{BitCount, bits};
use super::dictionary::Dictionary;
use super::entry::Entry;
use super::group_writer::triple_index;
use super::params::{
    CANDIDATE, FieldCode, Form, MOST_CLASS_BITS, MOST_GROUP_BUCKETS, MOST_GROUPS, Params,
};
use super::record::{MoveNumbers, put_cells, put_record};
use super::told::{CellForm, Coded};
use crate::column::Columns;
use crate::key::Hash;
use crate::row::{Counts, MoveRow, NO_EVAL, PositionRow};
use std::cmp::Reverse;

/// Bits beside its record that a long entry takes: of its length, and to fill its last byte.
const BESIDE_RECORD: u64 = 12;
/// Bits beside its entries that a group takes: its number of entries, its start, and to fill its
/// last byte.
const BESIDE_GROUP: u128 = 28;
/// Bits of a page that groups and their starts have.
const ROOM: u128 = 32_640;
/// The least part of it that is taken to be of use.
const LEAST_ROOM: u128 = 8_160;

/// The least and the greatest of no values.
const NO_VALUES: (u64, u64) = (u64::MAX, 0);

/// What is known of all candidates of one triple.
#[derive(Clone, Debug, Default)]
struct Candidates {
    count: u64,
    /// Bits of their cells in records.
    cell_bits: u64,
    /// Those whose fields are spelled out, and the least and the greatest value that isn't 0 of each
    /// field.
    spelled: u64,
    fields: Vec<(u64, u64)>,
}

/// What is counted of all entries of a book.
#[derive(Clone, Debug)]
pub(super) struct Census<'a> {
    form: Form,
    games: &'a Dictionary,
    cells: CellForm,
    entries: u64,
    /// By code of a move.
    codes: Vec<u64>,
    /// By triple.
    candidates: Vec<Candidates>,
    /// Entries that aren't candidates, the bits of their records without the numbers of moves, and
    /// how many of those there are.
    long: u64,
    long_bits: u128,
    long_moves: u64,
    evaluated: u64,
    /// The least and the greatest eval.
    evals: Option<(i16, i16)>,
    /// By depth and flags of eight bits each.
    pairs: Vec<bool>,
}

impl<'a> Census<'a> {
    /// Of entries of this form, whose cells name these games.
    pub fn new(form: Form, games: &'a Dictionary) -> Self {
        Self {
            form,
            games,
            cells: CellForm::of(&form, games.len()),
            entries: 0,
            codes: vec![0; 1 << 16],
            candidates: vec![Candidates::default(); (CANDIDATE * CANDIDATE * CANDIDATE) as usize],
            long: 0,
            long_bits: 0,
            long_moves: 0,
            evaluated: 0,
            evals: None,
            pairs: vec![false; 1 << 16],
        }
    }

    /// How many entries were counted.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Counts an entry.
    #[inline]
    pub fn add(&mut self, entry: &Entry<'_>) {
        self.entries += 1;
        for row in entry.moves {
            self.codes[usize::from(row.code())] += 1;
        }
        if let Some(evaluation) = entry.evaluation() {
            self.evaluated += 1;
            self.pairs[usize::from(evaluation.depth) << 8 | usize::from(evaluation.flags)] = true;
            if evaluation.eval != NO_EVAL {
                let (least, most) = self.evals.unwrap_or((evaluation.eval, evaluation.eval));
                self.evals = Some((least.min(evaluation.eval), most.max(evaluation.eval)));
            }
        }
        match entry.triple(&self.form) {
            Some(triple) => {
                let candidates = &mut self.candidates[triple_index(triple)];
                candidates.count += 1;
                if !entry.cells.is_empty() {
                    let coded = self.cells.code(self.games, triple, entry.cells);
                    candidates.add_cells(coded, entry.cells, &self.form, &self.cells);
                }
            }
            None => {
                self.long += 1;
                self.long_moves += entry.moves.len() as u64;
                self.long_bits += u128::from(self.record_bits(entry, 0));
            }
        }
    }

    /// Counts the entries that another one has counted.
    pub fn join(&mut self, other: &Self) {
        self.entries += other.entries;
        self.codes.iter_mut().zip(&other.codes).for_each(|(mine, other)| *mine += other);
        for (mine, other) in self.candidates.iter_mut().zip(&other.candidates) {
            mine.join(other);
        }
        self.long += other.long;
        self.long_bits += other.long_bits;
        self.long_moves += other.long_moves;
        self.evaluated += other.evaluated;
        self.evals = match (self.evals, other.evals) {
            (Some((least, most)), Some((a, b))) => Some((least.min(a), most.max(b))),
            (mine, other) => mine.or(other),
        };
        self.pairs.iter_mut().zip(&other.pairs).for_each(|(mine, other)| *mine |= other);
    }

    /// The parameters that follow, for entries of this sum ([`Entry::sum`]).
    pub fn params(&self, sum: u64) -> Params {
        let form = self.form;
        let entries = u128::from(self.entries);
        let most_bits = 56.min(form.hash_bits());
        let log = (128 - (entries * entries).leading_zeros()) / 2;
        let bucket_bits = log.max(4).min(most_bits);
        let buckets = 1u128 << bucket_bits;
        let group_buckets = match self.entries {
            0 => MOST_GROUP_BUCKETS,
            _ => ((32 * buckets + entries) / (2 * entries)).clamp(4, MOST_GROUP_BUCKETS.into())
                as u32,
        };
        let mut codes: Vec<u16> =
            (0..=u16::MAX).filter(|&code| self.codes[usize::from(code)] > 0).collect();
        codes.sort_by_key(|&code| (Reverse(self.codes[usize::from(code)]), code));
        let move_bits = bits(codes.len().saturating_sub(1) as u64);
        let (class_bits, classes) = self.classes(move_bits);
        let pairs = (0..=u16::MAX).filter(|&pair| self.pairs[usize::from(pair)]);
        let pairs: Vec<(u8, u8)> = pairs.map(|pair| ((pair >> 8) as u8, pair as u8)).collect();
        let pair_bits = bits(pairs.len().saturating_sub(1) as u64);
        let (least_eval, eval_bits) = self.evals.map_or((0, 0), |(least, most)| {
            (least, bits((i32::from(most) - i32::from(least) + 1) as u64))
        });
        let mut params = Params {
            form,
            bucket_bits,
            group_buckets,
            page_buckets: 1,
            class_bits,
            move_bits,
            eval_bits,
            pair_bits,
            least_eval,
            fields: self.fields(&classes),
            cells: self.cells,
            classes,
            codes,
            pairs,
            sum,
            salt: 0,
        };
        let all = self.bits(&params);
        let groups = buckets.div_ceil(group_buckets.into());
        let room = (ROOM.saturating_sub(all / (2 * groups)) * 39 / 40).max(LEAST_ROOM);
        let most = buckets.min((MOST_GROUPS * group_buckets).into());
        params.page_buckets = (buckets * room / all).max(1).min(most) as u32;
        params.salted()
    }

    /// The bits of the class of an entry, and the classes' counts.
    fn classes(&self, move_bits: u32) -> (u32, Vec<Option<Counts>>) {
        let mut triples: Vec<Counts> =
            triples().filter(|&triple| self.candidates[triple_index(triple)].count > 0).collect();
        triples.sort_by_key(|&triple| {
            let count = self.candidates[triple_index(triple)].count;
            (Reverse(count), triple.wins, triple.draws, triple.losses)
        });
        let long_bits = |triple: &Counts| {
            let record = self.record_of_triple(*triple, move_bits);
            let count = u128::from(self.candidates[triple_index(*triple)].count);
            count * u128::from(record + BESIDE_RECORD)
        };
        let cost = |class_bits: u32| {
            let long: u128 = triples.iter().skip(class_count(class_bits)).map(long_bits).sum();
            u128::from(self.entries) * u128::from(class_bits) + long
        };
        let class_bits = (0..=MOST_CLASS_BITS).min_by_key(|&bits| cost(bits)).unwrap_or_default();
        let mut classes: Vec<_> = triples.into_iter().map(Some).collect();
        classes.resize(class_count(class_bits), None);
        (class_bits, classes)
    }

    /// How the fields of the cells of short entries are written.
    fn fields(&self, classes: &[Option<Counts>]) -> Vec<FieldCode> {
        let of_classes = || {
            classes.iter().flatten().map(|&triple| &self.candidates[triple_index(triple)].fields)
        };
        let code = |place: usize| {
            let of_field = || of_classes().filter_map(|fields| fields.get(place));
            let known = || of_field().filter(|(_, most)| *most > 0);
            let least = known().map(|&(least, _)| least).min().unwrap_or_default();
            FieldCode::of(least, known().map(|&(_, most)| most).max().unwrap_or_default())
        };
        (0..self.form.fields().count()).map(code).collect()
    }

    /// Bits of the record of an entry.
    fn record_bits(&self, entry: &Entry<'_>, move_bits: u32) -> u64 {
        let mut counted = BitCount::default();
        let numbers =
            MoveNumbers { numbers: &[], width: move_bits, cells: &self.cells, games: self.games };
        put_record(&mut counted, entry, &self.form, &numbers);
        counted.0
    }

    /// Bits of the record of a candidate with this triple, without those of its cells.
    fn record_of_triple(&self, triple: Counts, move_bits: u32) -> u64 {
        let form = Form { columns: Columns::NONE, ..self.form };
        let position = PositionRow::of_hash(Hash::MIN, triple);
        let moves = [MoveRow::of_hash(Hash::MIN, 0, triple)];
        let entry = Entry {
            h: Hash::MIN,
            position: form.positions.then_some(&position),
            moves: if form.moves { &moves } else { &[] },
            cells: &[],
        };
        let mut counted = BitCount::default();
        let (cells, games) = (&CellForm::default(), self.games);
        let numbers = MoveNumbers { numbers: &[], width: move_bits, cells, games };
        put_record(&mut counted, &entry, &form, &numbers);
        counted.0
    }

    /// The bits of all groups and their starts.
    fn bits(&self, params: &Params) -> u128 {
        let in_class = |triple: &Counts| params.classes.contains(&Some(*triple));
        let (mut short, mut spelled, mut long) = (0, 0, u128::from(self.long));
        let mut records =
            self.long_bits + u128::from(self.long_moves) * u128::from(params.move_bits);
        for triple in triples() {
            let candidates = &self.candidates[triple_index(triple)];
            if candidates.count == 0 {
            } else if in_class(&triple) {
                short += u128::from(candidates.count);
                spelled += u128::from(candidates.spelled);
            } else {
                let record = self.record_of_triple(triple, params.move_bits);
                let count = u128::from(candidates.count);
                long += count;
                records += count * u128::from(record) + u128::from(candidates.cell_bits);
            }
        }
        let entries = u128::from(self.entries);
        let buckets = 1u128 << params.bucket_bits;
        let each = 1 + params.class_bits + params.remainder_bits();
        let CellForm { told_bits, game_bits, .. } = self.cells;
        let each_short = if self.form.moves { params.move_bits } else { 0 } + told_bits + game_bits;
        let evaluations = if params.has_evaluations() {
            entries + u128::from(self.evaluated) * u128::from(params.eval_bits + params.pair_bits)
        } else {
            0
        };
        entries * u128::from(each)
            + short * u128::from(each_short)
            + spelled * u128::from(params.field_bits())
            + evaluations
            + long * u128::from(BESIDE_RECORD)
            + records
            + buckets.div_ceil(params.group_buckets.into()) * BESIDE_GROUP
            + buckets
    }
}

impl Candidates {
    fn join(&mut self, other: &Self) {
        self.count += other.count;
        self.cell_bits += other.cell_bits;
        self.spelled += other.spelled;
        self.fields.resize(self.fields.len().max(other.fields.len()), NO_VALUES);
        for ((least, most), &(a, b)) in self.fields.iter_mut().zip(&other.fields) {
            (*least, *most) = ((*least).min(a), (*most).max(b));
        }
    }

    fn add_cells(&mut self, coded: Coded, cells: &[u8], form: &Form, of_cells: &CellForm) {
        let mut counted = BitCount::default();
        put_cells(&mut counted, coded, cells, form, of_cells);
        self.cell_bits += counted.0;
        if coded.told {
            return;
        }
        self.spelled += 1;
        self.fields.resize(form.fields().count(), NO_VALUES);
        for ((at, field), (least, most)) in form.fields().zip(&mut self.fields) {
            let value = field.get(&cells[at..]);
            if value != 0 {
                (*least, *most) = ((*least).min(value), (*most).max(value));
            }
        }
    }
}

/// All triples that candidates can have.
fn triples() -> impl Iterator<Item = Counts> {
    (0..CANDIDATE).flat_map(|wins| {
        (0..CANDIDATE).flat_map(move |draws| {
            (0..CANDIDATE).map(move |losses| Counts::new(wins, draws, losses))
        })
    })
}

/// How many classes there are but that of long entries.
fn class_count(class_bits: u32) -> usize {
    (1 << class_bits) - 1
}
