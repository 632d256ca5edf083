//! The steps of a glance for which some processors have instructions: by these, and for any
//! processor.

use super::bits::ones;
use super::select::select;
use crate::format::PAGE_LEN;

/// How many entries of a bucket are compared at once: one in a hundred buckets has more.
pub(super) const AT_ONCE: usize = 4;

/// A page, and so many bytes of what is behind it that there are sixteen from any byte of the page
/// on.
pub(super) type Window = [u8; PAGE_LEN + 16];

/// The eight bytes at this place. Places are those in a page: of a damaged one that says others it
/// doesn't matter which bytes are read.
#[inline(always)]
pub(super) fn word(page: &Window, byte: usize) -> u64 {
    let word = page[byte % PAGE_LEN..].first_chunk();
    word.map_or(0, |word: &[u8; 8]| u64::from_le_bytes(*word))
}

/// At least 57 bits of a page from bit `at` on.
#[inline(always)]
pub(super) fn bits(page: &Window, at: usize) -> u64 {
    word(page, at / 8) >> (at % 8)
}

/// The steps of a glance for which some processors have instructions.
pub(super) trait Steps: Copy {
    /// Of a word and a number n, a word with its ones number n and n + 1 alone.
    fn around(self, zeros: u64, bucket: u32) -> u64;
    /// Which of the first few remainders from this bit of the page on is that of a hash; 64 or more
    /// if none of them is.
    fn among(self, page: &Window, at: usize, h: u64) -> usize;
    /// The bits of a word that are set in another one, side by side.
    fn class(self, word: u64, planes: u64) -> u64;
}

impl<A, B, C> Steps for (A, B, C)
where
    A: Fn(u64, u32) -> u64 + Copy,
    B: Fn(&Window, usize, u64) -> usize + Copy,
    C: Fn(u64, u64) -> u64 + Copy,
{
    #[inline(always)]
    fn around(self, zeros: u64, bucket: u32) -> u64 {
        self.0(zeros, bucket)
    }

    #[inline(always)]
    fn among(self, page: &Window, at: usize, h: u64) -> usize {
        self.1(page, at, h)
    }

    #[inline(always)]
    fn class(self, word: u64, planes: u64) -> u64 {
        self.2(word, planes)
    }
}

/// How the remainders of a book are found.
#[derive(Clone, Debug)]
pub(super) struct Remainders {
    pub width: usize,
    mask: u64,
    #[cfg(target_arch = "x86_64")]
    lanes: Lanes,
}

impl Remainders {
    /// Of so many bits, at most 57.
    pub fn of(width: u32) -> Self {
        Self {
            width: width as usize,
            mask: ones(width),
            #[cfg(target_arch = "x86_64")]
            lanes: Lanes::of(width),
        }
    }

    /// Whether the remainder of a hash begins at this bit.
    #[inline(always)]
    pub fn is_at(&self, bytes: &Window, at: usize, h: u64) -> bool {
        (bits(bytes, at) ^ h) & self.mask == 0
    }

    /// The steps for any processor.
    #[inline(always)]
    pub fn portable(&self) -> impl Steps {
        let around = |zeros: u64, bucket: u32| {
            let bit = |place| 1u64.checked_shl(place).unwrap_or(0);
            let zero = bit(select(zeros, bucket + 1));
            zero | (zeros & zero.wrapping_sub(1)).checked_ilog2().map_or(0, bit)
        };
        let among = |page: &Window, at: usize, h: u64| {
            let places = (0..AT_ONCE).rev().map(|place| (place, at + place * self.width));
            places.fold(
                usize::MAX,
                |found, (place, at)| {
                    if self.is_at(page, at, h) { place } else { found }
                },
            )
        };
        let class = |word: u64, planes: u64| {
            let next = |&plane: &u64| Some(plane & plane.wrapping_sub(1)).filter(|&rest| rest != 0);
            let each = std::iter::successors(Some(planes), next).enumerate();
            each.fold(0, |class, (plane, rest)| {
                class | u64::from(word & rest & rest.wrapping_neg() != 0) << plane
            })
        };
        (around, among, class)
    }
}

/// How four numbers that stand one behind the other as bits are brought to the beginning of a lane
/// each: for every bit of a byte at which the first of two begins, the bytes of both, and by how
/// many bits they are shifted then.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Debug)]
struct Lanes([([u8; 16], [u64; 2]); 8]);

#[cfg(target_arch = "x86_64")]
impl Lanes {
    fn of(width: u32) -> Self {
        Self(std::array::from_fn(|bit| {
            let second = bit + width as usize;
            let bytes = |lane: usize| if lane < 8 { lane } else { second / 8 + lane - 8 };
            (std::array::from_fn(|lane| bytes(lane).min(15) as u8), [bit as u64, second as u64 % 8])
        }))
    }
}

/// Whether the processor has the instructions of [`with_bits`], and all of them are fast: PDEP isn't
/// on AMD's before Zen 3 (family 19h), which need up to a few hundred cycles for it.
#[cfg(target_arch = "x86_64")]
pub(super) fn has_bits() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0).ebx.to_le_bytes();
    let version = __cpuid(1).eax;
    let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt")
        && (family >= 0x19 || !matches!(&vendor, b"Auth" | b"Hygo"))
}

/// The steps with instructions that find and spread bits, and compare four remainders at once.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn with_bits(remainders: &Remainders) -> impl Steps {
    use std::arch::x86_64::*;
    let around = |zeros, bucket| _pdep_u64(3u64 << bucket, zeros);
    let among = |page: &Window, at: usize, h: u64| {
        let lanes = |at: usize| {
            let bytes: &[u8; 16] = page[at / 8 % PAGE_LEN..].first_chunk().unwrap_or(&[0; 16]);
            let (places, shifts) = &remainders.lanes.0[at % 8];
            let [bytes, places] = [*bytes, *places].map(|bytes| zerocopy::transmute!(bytes));
            (bytes, places, zerocopy::transmute!(*shifts))
        };
        let (a, b) = (lanes(at), lanes(at + 2 * remainders.width));
        let (bytes, places) = (_mm256_set_m128i(b.0, a.0), _mm256_set_m128i(b.1, a.1));
        let others =
            _mm256_srlv_epi64(_mm256_shuffle_epi8(bytes, places), _mm256_set_m128i(b.2, a.2));
        let differing = _mm256_xor_si256(others, _mm256_set1_epi64x(h as i64));
        let differing = _mm256_and_si256(differing, _mm256_set1_epi64x(remainders.mask as i64));
        let same = _mm256_cmpeq_epi64(differing, _mm256_setzero_si256());
        let same = _mm256_movemask_pd(_mm256_castsi256_pd(same)) as u32;
        u64::from(same).trailing_zeros() as usize
    };
    let class = |word, planes| _pext_u64(word, planes);
    (around, among, class)
}
