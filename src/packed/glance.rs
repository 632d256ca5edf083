//! The short way to what most probes ask for: a short entry in its home page. Section 5 of
//! `format-spec/packed.md`.
//!
//! What this doesn't tell (long entries, those with evals, groups that stand behind their home) is
//! looked for by the way that covers all cases ([`super::group`]). There are no branches on what a
//! page says but those to it, and whether the hash is there at all: one that can't be predicted, on
//! bytes that are still on their way from memory, keeps the processor from beginning the next probe.

use super::page::{Page, place_of};
use super::params::{Home, Params};
use super::select::select;
use crate::format::PAGE_LEN;
use crate::row::Counts;

/// The most bits that a load of eight bytes gives from any bit on.
const MOST_BITS: u32 = 57;
/// How many entries of a bucket are compared: one in a hundred buckets has more.
const AT_ONCE: usize = 4;

/// What a glance at a page says of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glance {
    /// The book doesn't have it.
    Absent,
    /// Its counts, those of its positions row and of its only move, as far as the book has such
    /// rows, and the code of that move, if it was asked for.
    Short(Counts, u16),
    /// That takes a longer look.
    Unsaid,
}

/// What a glance takes, worked out when a book is opened.
#[derive(Clone, Debug)]
pub(super) struct Glancer {
    group_buckets: u32,
    page_buckets: u32,
    class_bits: usize,
    /// Bits of a remainder and of a move's number, each with its mask.
    remainder: (usize, u64),
    number: (usize, u64),
    salt: u32,
    /// Whether an entry can have an evaluation.
    has_evaluations: bool,
    classes: Box<[Counts]>,
    codes: Box<[u16]>,
    /// Whether the processor has the instructions of [`with_bits`].
    #[cfg(target_arch = "x86_64")]
    has_bits: bool,
}

/// The lowest `width` bits, less than 64.
#[inline(always)]
fn low(width: usize) -> u64 {
    (1 << width) - 1
}

/// The eight bytes at this place, or the last ones of the page.
#[inline(always)]
fn word(page: &[u8; PAGE_LEN], byte: usize) -> u64 {
    let byte = byte.min(PAGE_LEN - 8);
    page[byte..].first_chunk().map_or(0, |word: &[u8; 8]| u64::from_le_bytes(*word))
}

/// At least 57 bits of a page from bit `at` on.
#[inline(always)]
fn bits(page: &[u8; PAGE_LEN], at: usize) -> u64 {
    word(page, at / 8) >> (at % 8)
}

impl Glancer {
    /// For books of these parameters, if they can be glanced at.
    pub fn new(params: &Params) -> Option<Self> {
        let (remainder, number) = (params.remainder_bits(), params.move_bits);
        if remainder > MOST_BITS {
            return None;
        }
        let with_mask = |width: u32| (width as usize, low(width as usize));
        let codes = if params.form.moves { params.codes.clone() } else { vec![0] };
        Some(Self {
            group_buckets: params.group_buckets,
            page_buckets: params.page_buckets,
            class_bits: params.class_bits as usize,
            remainder: with_mask(remainder),
            number: with_mask(number),
            salt: params.salt,
            has_evaluations: params.has_evaluations(),
            classes: params.classes.iter().flatten().copied().collect(),
            codes: codes.into(),
            #[cfg(target_arch = "x86_64")]
            has_bits: has_bits(),
        })
    }

    /// Looks for a hash in its home page, by its home and its bits; the code of its move is only
    /// looked at if `MOVE`.
    #[inline(always)]
    pub fn glance<const MOVE: bool>(&self, page: &[u8; PAGE_LEN], home: Home, h: u64) -> Glance {
        #[cfg(target_arch = "x86_64")]
        if self.has_bits {
            #[expect(unsafe_code, reason = "the instructions are not on all processors")]
            // SAFETY: this one has them.
            return unsafe { with_bits::<MOVE>(self, page, home, h) };
        }
        self.look::<MOVE>(page, home, h, select)
    }

    #[inline(always)]
    fn look<const MOVE: bool>(
        &self,
        bytes: &[u8; PAGE_LEN],
        home: Home,
        h: u64,
        select: impl FnOnce(u64, u32) -> u32,
    ) -> Glance {
        let page = Page::head(bytes);
        let place = home.group as usize + page.0;
        if place >= page.1 || page.2 != place_of(home.page, self.salt) {
            return Glance::Unsaid;
        }
        let start = (word(bytes, Page::start_of(place)) & 0xffff) as usize;
        let buckets = self.group_buckets.min(self.page_buckets - home.group * self.group_buckets);
        let buckets = buckets as usize;
        let (len, ones) = ((word(bytes, start) & 0xff) as usize, word(bytes, start + 1));
        // The entries of a bucket are the ones before its zero.
        let zero = select(!ones, home.bucket);
        let end = zero.wrapping_sub(home.bucket) as usize;
        let mine = (ones << 1 << (63 - zero % 64)).leading_ones() as usize;
        if len > MOST_BITS as usize || len + buckets > 64 || mine > AT_ONCE || end > len {
            return Glance::Unsaid;
        }
        let planes = 8 * start + 8 + buckets + len;
        let remainders = planes + self.class_bits * len;
        let (width, mask) = self.remainder;
        let (first, wanted, mut found) = (end - mine, h & mask, 0);
        for place in 0..AT_ONCE {
            let other = bits(bytes, remainders + width * (first + place)) & mask;
            found |= u64::from(other == wanted) << place;
        }
        found &= low(mine);
        if found == 0 {
            return Glance::Absent;
        }
        let index = first + found.trailing_zeros() as usize;
        let (mut class, mut long) = (0, low(len));
        for plane in 0..self.class_bits {
            let plane_bits = bits(bytes, planes + plane * len);
            class |= (plane_bits >> index & 1) << plane;
            long &= plane_bits;
        }
        let Some(&counts) = self.classes.get(class as usize) else { return Glance::Unsaid };
        let (codes, (width, mask)) = (remainders + width * len, self.number);
        if self.has_evaluations {
            let evaluated = codes + width * (len - long.count_ones() as usize);
            if bits(bytes, evaluated + index) & 1 != 0 {
                return Glance::Unsaid;
            }
        }
        if !MOVE {
            return Glance::Short(counts, 0);
        }
        let short = index - (long & low(index)).count_ones() as usize;
        let number = bits(bytes, codes + width * short) & mask;
        match self.codes.get(number as usize) {
            Some(&code) => Glance::Short(counts, code),
            None => Glance::Unsaid,
        }
    }
}

/// Whether the processor has the instructions of [`with_bits`], and all of them are fast: PDEP isn't
/// on AMD's before Zen 3 (family 19h), which need up to a few hundred cycles for it.
#[cfg(target_arch = "x86_64")]
fn has_bits() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0).ebx.to_le_bytes();
    let version = __cpuid(1).eax;
    let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt")
        && (family >= 0x19 || !matches!(&vendor, b"Auth" | b"Hygo"))
}

/// [`Glancer::look`] with instructions that count, find and spread bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn with_bits<const MOVE: bool>(
    glancer: &Glancer,
    page: &[u8; PAGE_LEN],
    home: Home,
    h: u64,
) -> Glance {
    let select = |word, rank| std::arch::x86_64::_pdep_u64(1u64 << rank, word).trailing_zeros();
    glancer.look::<MOVE>(page, home, h, select)
}

#[cfg(test)]
mod tests {
    use super::super::dictionary::Dictionary;
    use super::super::entry::Entry;
    use super::super::group::Found;
    use super::super::group_writer::{GroupBuffer, GroupWriter};
    use super::super::page::PageWriter;
    use super::super::params::tests::params;
    use super::*;
    use crate::key::{Hash, mix};
    use crate::row::{MoveRow, PositionRow, Row};

    /// Entries of some buckets, most of them short, and their page.
    fn page(params: &Params, seed: u64) -> ([u8; PAGE_LEN], Vec<Hash>) {
        let none = Dictionary::default();
        let (mut groups, mut pages) = (GroupWriter::new(params, &none), PageWriter::new(params));
        let (mut all, mut hashes) = ([0; PAGE_LEN], Vec::new());
        for group in 0..params.groups() {
            let first = params.first_bucket(0, group);
            let mut in_group: Vec<Hash> = (0..mix(seed ^ u64::from(group)) % 24)
                .map(|entry| mix(seed + 100 * u64::from(group) + entry))
                .map(|random| {
                    let bucket = first + random % u64::from(params.buckets_of(group));
                    params.hash(bucket, mix(random) >> 8 & low(params.remainder_bits() as usize))
                })
                .collect();
            in_group.sort_unstable();
            in_group.dedup();
            let mut buffer = GroupBuffer::default();
            for &h in &in_group {
                let (is_long, is_evaluated) =
                    (h.get().is_multiple_of(10), (h.get() / 10).is_multiple_of(12));
                let counts = Counts::new(1 + u32::from(is_long), 0, 0);
                let code = params.codes[(mix(h.get()) / 10) as usize % params.codes.len()];
                let position = PositionRow::of_hash(h, counts);
                let position = match is_evaluated && params.has_evaluations() {
                    true => position.with_eval(-5, 9),
                    false => position,
                };
                let moves = [MoveRow::of_hash(h, code, counts)];
                buffer.push(&Entry { h, position: Some(&position), moves: &moves, cells: &[] });
            }
            let bytes = groups.write(&buffer, first, params.buckets_of(group)).unwrap();
            pages.push(bytes, |_| Err("there is room for all")).unwrap();
            hashes.extend(in_group);
        }
        let keep = |page: &[u8; PAGE_LEN]| {
            all = *page;
            Ok::<(), ()>(())
        };
        pages.finish(keep).unwrap();
        (all, hashes)
    }

    /// What the way that covers all cases says.
    fn at_length(params: &Params, bytes: &[u8; PAGE_LEN], home: Home, h: Hash) -> Glance {
        let page = Page::new(bytes, params);
        let place = page.place(home, 0).unwrap();
        match page.group(place, params.buckets_of(home.group)).unwrap() {
            Found::Large(_) => Glance::Unsaid,
            Found::Group(group) => match group.find(home, params.remainder(h)) {
                None => Glance::Absent,
                Some(index) => {
                    let mut code = 0;
                    group.moves(index, h, |row| code = row.code()).unwrap();
                    Glance::Short(group.position(index, h).unwrap().unwrap().counts(), code)
                }
            },
        }
    }

    #[test]
    fn a_glance_says_what_a_longer_look_does_or_nothing() {
        let evaluated = params();
        let plain = Params { pairs: Vec::new(), pair_bits: 0, eval_bits: 0, ..params() };
        let (mut said, mut unsaid) = (0, 0);
        for seed in 0..200 {
            let params = [&evaluated, &plain][seed as usize / 2 % 2].clone();
            let params = match seed % 2 {
                0 => params,
                _ => Params { group_buckets: 21, bucket_bits: 24, ..params },
            };
            let glancer = Glancer::new(&params).unwrap();
            let (bytes, hashes) = page(&params, seed << 32);
            let absent = hashes.iter().map(|h| Hash::from_bits(h.get() ^ 1 << (seed % 30)));
            for h in hashes.iter().copied().chain(absent) {
                let home = params.home(params.bucket(h));
                let expected = at_length(&params, &bytes, home, h);
                let portable = glancer.look::<true>(&bytes, home, h.get(), select);
                assert_eq!(glancer.glance::<true>(&bytes, home, h.get()), portable);
                match (portable, glancer.look::<false>(&bytes, home, h.get(), select)) {
                    (Glance::Unsaid, alone) => {
                        assert_eq!(alone, Glance::Unsaid);
                        unsaid += 1;
                    }
                    (portable, alone) => {
                        assert_eq!(portable, expected, "{h}");
                        let without_code = match expected {
                            Glance::Short(counts, _) => Glance::Short(counts, 0),
                            other => other,
                        };
                        assert_eq!(alone, without_code);
                        said += 1;
                    }
                }
            }
            // Whatever a page says, nothing is read beyond it.
            for flip in 0..2000u64 {
                let (mut damaged, random) = (bytes, mix(flip ^ seed << 40));
                damaged[(random % 300) as usize] ^= 1 << (random >> 20 & 7);
                let h = hashes[(random >> 30) as usize % hashes.len()];
                let home = params.home(params.bucket(h));
                let portable = glancer.look::<true>(&damaged, home, h.get(), select);
                assert_eq!(glancer.glance::<true>(&damaged, home, h.get()), portable);
            }
        }
        assert!(said > 5 * unsaid, "{said} {unsaid}");
        assert!(unsaid > 0);
    }
}
