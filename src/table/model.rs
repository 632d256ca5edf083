//! Tests of tables against a model: tables of all loads, tiny ones, crowded homes, shares; with
//! tags and without.

use super::tags::{self, Scale, Tags, Wanted, candidates};
use super::{ProbeShape, Table, window};
use crate::format::{TableShape, tag_of_empty, tag_of_row};
use crate::key::{Hash, Key, home, unmix};
use crate::row::{Counts, PositionRow, Row};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;
use zerocopy::little_endian::U16;
use zerocopy::{FromBytes, IntoBytes};

/// A table while it is made.
struct Made {
    share_bits: u32,
    shape: TableShape,
    slots: Vec<PositionRow>,
    tags: Vec<U16>,
}

impl Made {
    /// The table of these hashes, all of one share.
    fn of(hashes: &BTreeSet<u64>, homes: u64, share_bits: u32) -> Self {
        let mut slots: Vec<PositionRow> = Vec::new();
        let mut max_displacement = 0;
        for &h in hashes {
            let home = home(h << share_bits, homes);
            while (slots.len() as u64) < home {
                slots.push(PositionRow::EMPTY);
            }
            max_displacement = max_displacement.max(slots.len() as u64 - home);
            slots.push(row(h));
        }
        let shape = TableShape {
            rows: hashes.len() as u64,
            homes,
            max_displacement,
            ..TableShape::default()
        };
        slots.resize(shape.slots() as usize, PositionRow::EMPTY);
        let tag = |(slot, row): (u64, &PositionRow)| {
            if row.is_empty() {
                tag_of_empty(slot)
            } else {
                tag_of_row(row.hash().get() << share_bits, homes)
            }
        };
        let tags = (0..).zip(&slots).map(tag).map(U16::new).collect();
        Self { share_bits, shape, slots, tags }
    }

    fn table(&self, tagged: bool) -> Table<'_, PositionRow> {
        let tags = tagged.then(|| Tags::new(self.tags.as_bytes()).unwrap());
        let shape = ProbeShape::of(&self.shape, self.share_bits).unwrap();
        Table::new(self.slots.as_bytes(), &shape, tags).unwrap()
    }

    /// The slots to look at for a hash by its tags, counted from its home, as a reader does that
    /// has only a piece of them.
    fn candidates(&self, h: u64) -> Vec<usize> {
        let wanted = Wanted::of(h << self.share_bits, Scale::of(self.shape.homes));
        let window = window(h << self.share_bits, self.shape.homes, self.shape.max_displacement);
        candidates(&self.tags[window.start as usize..window.end as usize], wanted).collect()
    }
}

fn row(h: u64) -> PositionRow {
    PositionRow::of_hash(Hash::from_bits(h), Counts::new(h as u32, (h >> 32) as u32, 1))
}

/// Hashes of one share: some anywhere, some at one place, one after the other or a little apart,
/// and some at the very end.
fn hashes(share_bits: u32) -> impl Strategy<Value = BTreeSet<u64>> {
    let crowd = (any::<u64>(), 0u64..300, prop_oneof![Just(1u64), Just(1 << 40), Just(1 << 54)]);
    (vec(any::<u64>(), 0..600), crowd, 0u64..20, any::<u64>()).prop_map(
        move |(spread, (first, crowd, apart), last, share)| {
            let crowd = (0..crowd).map(|i| first.wrapping_add(i.wrapping_mul(apart)));
            let last = (0..last).map(|i| u64::MAX - i);
            let number = share.checked_shl(u64::BITS - share_bits).unwrap_or(0);
            spread.into_iter().chain(crowd).chain(last).map(|h| number | h >> share_bits).collect()
        },
    )
}

/// What is asked: all rows, what is next to them, and what may look like them by its tag.
fn asked(hashes: &BTreeSet<u64>, homes: u64, others: &[u64]) -> Vec<u64> {
    let step = (u64::MAX / homes).wrapping_mul(128);
    let near = |&h: &u64| {
        [
            h,
            h.wrapping_add(1),
            h.wrapping_sub(1),
            h.wrapping_add(step),
            h.wrapping_sub(step),
            h ^ 1 << 63,
        ]
    };
    hashes.iter().flat_map(near).chain(others.iter().copied()).chain([0, u64::MAX]).collect()
}

/// A table answers as the model does, one at a time and in batches.
fn answers_as(
    hashes: &BTreeSet<u64>,
    made: &Made,
    asked: &[u64],
    tagged: bool,
) -> Result<(), TestCaseError> {
    let table = made.table(tagged);
    let expected: Vec<_> = asked.iter().map(|h| hashes.contains(h).then(|| row(*h))).collect();
    let keys: Vec<Key> = asked.iter().map(|&h| unmix(h)).collect();
    let mut batch = vec![None; keys.len()];
    table.get_batch(&keys, &mut batch);
    for ((&key, expected), batch) in keys.iter().zip(&expected).zip(&batch) {
        prop_assert_eq!(table.get(key), expected.as_ref());
        prop_assert_eq!(*batch, expected.as_ref());
        prop_assert_eq!(table.rows(key), expected.as_slice());
    }
    Ok(())
}

proptest! {
    #[test]
    fn tables_answer_as_a_set_does(
        (share_bits, hashes) in prop_oneof![Just(0u32), 1u32..=32].prop_flat_map(|bits| (Just(bits), hashes(bits))),
        load in prop_oneof![500u64..=980, Just(10)],
        others in vec(any::<u64>(), 0..200),
    ) {
        let homes = (hashes.len() as u64 * 1000).div_ceil(load).max(1);
        let made = Made::of(&hashes, homes, share_bits);
        let asked = asked(&hashes, homes, &others);
        answers_as(&hashes, &made, &asked, false)?;
        answers_as(&hashes, &made, &asked, true)?;
        for &h in &asked {
            let present = hashes.contains(&h);
            let slot = home(h << share_bits, homes) as usize;
            if tags::are_of_use(made.shape.max_displacement) {
                let found = made.candidates(h).into_iter().any(|offset| made.slots[slot + offset] == row(h));
                prop_assert_eq!(found, present);
            }
            if present {
                prop_assert!(made.table(true).page_of(h).is_some());
            }
        }
    }

    /// With any bytes in place of tags, answers may be missing, but none is wrong and nothing is
    /// read out of bounds.
    #[test]
    fn damaged_tags_make_no_rows(hashes in hashes(0), noise in vec(any::<u16>(), 1..50)) {
        let homes = (hashes.len() as u64 * 1000).div_ceil(800).max(1);
        let mut made = Made::of(&hashes, homes, 0);
        made.tags.iter_mut().zip(noise.iter().cycle()).for_each(|(tag, &noise)| *tag = U16::new(noise));
        let table = made.table(true);
        for h in asked(&hashes, homes, &[]) {
            if let Some(found) = table.get(unmix(h)) {
                // All ones is the hash of an empty slot too, and only its tag tells which it is.
                prop_assert!((hashes.contains(&h) && *found == row(h)) || (h == u64::MAX && found.is_empty()));
            }
        }
    }
}

/// Tags are of use up to a displacement of 126, and at that one too.
#[test]
fn a_crowd_at_one_home_displaces_as_far_as_tags_tell() {
    for crowd in [126u64, 127, 128, 129, 200] {
        // So many rows at the first home, then one at each of the homes that they cover and behind.
        let homes = 1000u64;
        let first_of = |home: u64| ((u128::from(home) << 64).div_ceil(u128::from(homes))) as u64;
        let hashes: BTreeSet<u64> = (0..crowd).chain((1..400).map(first_of)).collect();
        let made = Made::of(&hashes, homes, 0);
        assert_eq!(made.shape.max_displacement, crowd - 1);
        assert_eq!(tags::are_of_use(made.shape.max_displacement), crowd <= 127);
        let asked: Vec<u64> = hashes
            .iter()
            .copied()
            .chain((0..homes).flat_map(|home| [1, 2, 1 << 40].map(|more| first_of(home) + more)))
            .collect();
        answers_as(&hashes, &made, &asked, true).unwrap();
        let found = |h: u64| {
            made.candidates(h)
                .iter()
                .any(|offset| made.slots[home(h, homes) as usize + offset].hash().get() == h)
        };
        assert_eq!(crowd <= 127, asked.iter().all(|&h| found(h) == hashes.contains(&h)), "{crowd}");
    }
}

#[test]
fn an_absent_position_costs_no_row_where_tags_tell() {
    let hashes: BTreeSet<u64> = (0..10_000u64).map(crate::key::mix).collect();
    let made = Made::of(&hashes, 12_500, 0);
    let table = made.table(true);
    let pages = |from: u64| {
        (from..from + 10_000).filter(|&key| table.page_of(crate::key::mix(key)).is_some()).count()
    };
    assert_eq!(pages(0), 10_000);
    // 0.8 / 512 of them have a tag that stands at their home, and as many at no load but by chance.
    assert!(pages(1 << 40) < 60, "{}", pages(1 << 40));
    assert_eq!(<[U16]>::ref_from_bytes(made.tags.as_bytes()).unwrap().len(), made.slots.len());
}

/// All ones is the hash of a key too.
#[test]
fn an_empty_slot_is_no_row_whatever_is_asked() {
    for rows in [0, 1, 3, 100, 5000] {
        let others: BTreeSet<u64> = (0..rows).map(crate::key::mix).collect();
        let all: BTreeSet<u64> = others.iter().copied().chain([u64::MAX]).collect();
        for hashes in [others, all] {
            let made = Made::of(&hashes, (hashes.len() as u64 * 2).max(1), 0);
            for tagged in [false, true] {
                answers_as(&hashes, &made, &[u64::MAX, 0, 1], tagged).unwrap();
            }
        }
    }
}
