//! Tags: sixteen bits beside each slot of the positions table that show which slots may hold a key,
//! so that probes read no row for absent positions and only the right one for present ones. Section
//! 5.2 of the format specification.
//!
//! Tags ascend with the slots, modulo 2^16, as the rows do. So those of a search are: less than the
//! key's own (rows of earlier homes that were displaced into it), equal, and beyond, where the
//! search ends; an empty slot has the least tag of the home after it, which is beyond for each key
//! that passes by.

use super::prefetch::prefetch;
use crate::format::TAG_LOW_BITS;
use crate::key::home;
use zerocopy::FromBytes;
use zerocopy::little_endian::U16;

/// Tags that are looked at together: at a load of 0.80 one key of a thousand is displaced further.
pub(crate) const LANES: usize = 16;

/// The greatest displacement for which a tag shows where a search ends: with a greater one a row of
/// an earlier home may look as if it were of a later one, since tags have seven bits of the home.
const MOST_DISPLACED: u64 = 126;

/// How many homes a table has, if each were parted into as many as the lower bits of a tag can
/// count. A table has less than 2^55 homes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale(u64);

impl Scale {
    /// Of a table with `homes` homes.
    #[inline(always)]
    pub fn of(homes: u64) -> Self {
        Self(homes << TAG_LOW_BITS)
    }
}

/// What a key asks tags for: where its search begins, and its own tag, by one multiplication.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted(u64);

impl Wanted {
    /// Of a hash, shifted by the bits of the book's share.
    #[inline(always)]
    pub fn of(h: u64, scale: Scale) -> Self {
        Self(home(h, scale.0))
    }

    /// The slot at which the search begins.
    #[inline(always)]
    pub fn home(self) -> usize {
        (self.0 >> TAG_LOW_BITS) as usize
    }

    /// The tag that the key's row has.
    #[inline(always)]
    pub fn tag(self) -> u16 {
        self.0 as u16
    }
}

/// The slots that may hold a key, counted from its home, by the tags of as many slots from there on
/// as are at hand, at most as many as the table's greatest displacement and one; [`are_of_use`]
/// first.
pub(crate) fn candidates(tags: &[U16], wanted: Wanted) -> impl Iterator<Item = usize> {
    let searched =
        (0..).zip(tags).take_while(move |&(lane, tag)| !is_beyond(lane, tag.get(), wanted.tag()));
    searched.filter(move |(_, tag)| tag.get() == wanted.tag()).map(|(lane, _)| lane as usize)
}

/// Whether tags are of use in a table with this greatest displacement.
pub(crate) fn are_of_use(max_displacement: u64) -> bool {
    max_displacement <= MOST_DISPLACED
}

/// The tags of a table in memory; a table without tags has none of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tags<'a>(&'a [U16]);

impl<'a> Tags<'a> {
    /// The tags in these bytes, two bytes for each slot; none if there is half a one.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        <[U16]>::ref_from_bytes(bytes).ok().map(Self)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the table has no tags.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first tags of a search; none if the table ends before them.
    #[inline(always)]
    pub fn lanes(&self, home: usize) -> Option<Lanes<'a>> {
        self.0.get(home..home + LANES)?.first_chunk().map(Lanes)
    }

    /// Starts loading what [`Tags::lanes`] gives.
    #[inline(always)]
    pub fn prefetch(&self, home: usize) {
        let first = self.0.as_ptr().wrapping_add(home);
        prefetch(first);
        prefetch(first.wrapping_add(LANES - 1));
    }
}

/// The tags of the first slots of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes<'a>(&'a [U16; LANES]);

impl Lanes<'_> {
    /// The slots whose tag is this one, each as a bit.
    #[inline(always)]
    pub fn equal(self, tag: u16) -> u32 {
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "vectors ask for SSE2 by name, though it is always there")]
        // SAFETY: every x86_64 has SSE2, and that is all that is asked for.
        return unsafe { vectors::equal(self.0, tag) };
        #[cfg(not(target_arch = "x86_64"))]
        portable::equal(self.0, tag)
    }

    /// Whether the search for this tag ends among these slots, if none of them has it.
    #[inline(always)]
    pub fn end(self, tag: u16) -> bool {
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "vectors ask for SSE2 by name, though it is always there")]
        // SAFETY: as in `equal`.
        return unsafe { vectors::end(self.0, tag) };
        #[cfg(not(target_arch = "x86_64"))]
        portable::end(self.0, tag)
    }
}

/// How far the tag of the slot at this distance from the home can be beyond that of a key: it
/// belongs to a home no later than the slot, or, if the slot is empty, to the one after it.
const fn farthest(lane: u32) -> u32 {
    (lane + 1) << TAG_LOW_BITS
}

/// Whether the slot at this distance from the home ends the search for a tag.
fn is_beyond(lane: u32, tag: u16, wanted: u16) -> bool {
    let beyond = tag.wrapping_sub(wanted);
    beyond != 0 && u32::from(beyond) <= farthest(lane)
}

/// Two vectors of eight lanes: SSE2, which every x86-64 has. One vector of sixteen (AVX2) was
/// slower.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::{LANES, U16, farthest};
    use std::arch::x86_64::*;

    /// Lanes of a vector.
    const HALF: usize = LANES / 2;

    #[inline]
    #[target_feature(enable = "sse2")]
    pub fn equal(tags: &[U16; LANES], tag: u16) -> u32 {
        let wanted = _mm_set1_epi16(tag as i16);
        bits(load(tags).map(|half| _mm_cmpeq_epi16(half, wanted)))
    }

    /// Whether any of the tags is beyond, if none is equal. Differences are counted from the least
    /// number of sixteen bits, so that comparing them as signed numbers gives the order of unsigned
    /// ones.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub fn end(tags: &[U16; LANES], tag: u16) -> bool {
        let least = _mm_set1_epi16((tag ^ 1 << 15) as i16);
        let [low, high] = load(tags).map(|half| _mm_sub_epi16(half, least));
        bits([_mm_cmplt_epi16(low, ends(0)), _mm_cmplt_epi16(high, ends(HALF))]) != 0
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn load(tags: &[U16; LANES]) -> [__m128i; 2] {
        zerocopy::transmute!(*tags)
    }

    /// For the lanes from this one on: what a difference has to be less than.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn ends(from: usize) -> __m128i {
        let end =
            |lane: usize| (farthest((from + lane) as u32) as u16 ^ 1 << 15).wrapping_add(1) as i16;
        _mm_setr_epi16(end(0), end(1), end(2), end(3), end(4), end(5), end(6), end(7))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn bits([low, high]: [__m128i; 2]) -> u32 {
        _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
    }
}

/// Lane after lane: for other processors, and to test the vectors against.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable {
    use super::{LANES, U16, is_beyond};

    #[inline(always)]
    pub fn equal(tags: &[U16; LANES], tag: u16) -> u32 {
        (0..).zip(tags).fold(0, |all, (lane, other)| all | u32::from(other.get() == tag) << lane)
    }

    #[inline(always)]
    pub fn end(tags: &[U16; LANES], tag: u16) -> bool {
        (0..).zip(tags).fold(false, |any, (lane, other)| any | is_beyond(lane, other.get(), tag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn vectors_are_as_lane_after_lane(near in proptest::array::uniform16(-40i32..40), any in proptest::array::uniform16(any::<u16>()), tag: u16, which: u16) {
            let mut tags = [U16::ZERO; LANES];
            for (lane, out) in tags.iter_mut().enumerate() {
                let close = tag.wrapping_add((near[lane] * 256) as u16).wrapping_add(any[lane] & 1);
                *out = U16::new(if which >> lane & 1 == 0 { close } else { any[lane] });
            }
            let lanes = Lanes(&tags);
            prop_assert_eq!(lanes.equal(tag), portable::equal(&tags, tag));
            if lanes.equal(tag) == 0 {
                prop_assert_eq!(lanes.end(tag), portable::end(&tags, tag));
            }
        }
    }
}
