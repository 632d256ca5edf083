//! The short way to what most probes ask for: a short entry in its home page. Section 5 of
//! `format-spec/packed.md`.
//!
//! What this doesn't tell (long entries, those with evals, groups that stand behind their home) is
//! looked for by the way that covers all cases ([`super::group`]). There are no branches on what a
//! page says but those to it, and whether the hash is there at all: one that can't be predicted, on
//! bytes that are still on their way from memory, keeps the processor from beginning the next probe.
//! So do instructions that wait for these bytes, once there are more than the processor can put off:
//! four remainders are compared at once, and the bits of a class are read at once
//! ([`super::steps`]).

use super::homes::Homes;
use super::page::{Page, place_of};
use super::params::{Home, Params};
use super::steps::{AT_ONCE, Remainders, Steps, Window, bits, word};
#[cfg(target_arch = "x86_64")]
use super::steps::{has_bits, with_bits};
use crate::format::{PAGE, PAGE_LEN};
use crate::key::{Hash, Key};
use crate::row::Counts;
use crate::table::{BATCH, prefetch, prefetch_for_now};

/// The most bits that a load of eight bytes gives from any bit on.
const MOST_BITS: u32 = 57;
/// The most bits of a class that are read at once.
const CLASS_AT_ONCE: u32 = 3;
/// The most buckets and entries of a group that are looked at: their bits and the number of entries
/// are eight bytes.
const MOST_IN_GROUP: u32 = 56;

/// Bytes of a cache line, and lines of nearly all groups.
const LINE: usize = 64;
const GROUP_LINES: usize = 4;
/// Lines of a page that are asked for where a group is thought to be, and how many of them are
/// before that place.
const GUESSED_LINES: usize = 8;
const LINES_BEFORE: usize = 3;

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
pub(crate) struct Glancer {
    /// The bits of a hash that tell its share, and what they are in this book.
    share: (u64, u64),
    homes: Homes,
    /// Where the first page is in the file.
    start: usize,
    /// Where the first line is that is asked for where a group is thought to be: of the first group
    /// of a page, and how much further for each that follows.
    guess: (usize, usize),
    /// Buckets of a group; the last group of a page, and its buckets.
    buckets: usize,
    last: (u32, usize),
    class_bits: usize,
    /// For each number of entries of a group that is looked at: where the bits of a class are from
    /// that of the first plane on, if they are read at once.
    planes: Box<[u64]>,
    remainders: Remainders,
    /// Bits of a move's number, and their mask.
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

/// The bit `at` of a page.
#[inline(always)]
fn bit(page: &Window, at: usize) -> u64 {
    word(page, at / 64 * 8) >> (at % 64) & 1
}

/// Where in a page the group of a home begins, of which so many groups of other homes are before
/// the first one.
#[inline(always)]
fn group_start(page: &Window, back: usize, home: Home) -> usize {
    (word(page, Page::start_of(home.group as usize + back)) & 0xffff) as usize % PAGE_LEN
}

impl Glancer {
    /// For books of these parameters whose first page is here, if they can be glanced at.
    pub fn new(params: &Params, start: u64) -> Option<Self> {
        let (remainder, number) = (params.remainder_bits(), params.move_bits);
        if remainder > MOST_BITS {
            return None;
        }
        let share = params.form.share;
        let codes = if params.form.moves { params.codes.clone() } else { vec![0] };
        let groups = params.groups();
        let starts = Page::start_of(groups as usize);
        Some(Self {
            share: (!(u64::MAX >> share.bits()), share.hashes().start().get()),
            homes: Homes::of(params),
            start: usize::try_from(start).ok()?,
            guess: (
                starts.saturating_sub(LINES_BEFORE * LINE),
                (PAGE_LEN * 24 / 25 - starts) / groups as usize,
            ),
            buckets: params.group_buckets as usize,
            last: (groups - 1, params.buckets_of(groups - 1) as usize),
            class_bits: params.class_bits as usize,
            planes: planes(params),
            remainders: Remainders::of(remainder),
            number: (number as usize, low(number as usize)),
            salt: params.salt,
            has_evaluations: params.has_evaluations(),
            classes: params.classes.iter().flatten().copied().collect(),
            codes: codes.into(),
            #[cfg(target_arch = "x86_64")]
            has_bits: has_bits(),
        })
    }

    /// Looks for a hash in its home page, in a book in memory; the code of its move is only looked
    /// at if `MOVE`.
    #[inline(always)]
    pub fn glance<const MOVE: bool>(&self, book: &[u8], h: Hash) -> Glance {
        #[cfg(target_arch = "x86_64")]
        if self.has_bits {
            #[expect(unsafe_code, reason = "the instructions are not on all processors")]
            // SAFETY: this one has them.
            return unsafe { one_with_bits::<MOVE>(self, book, h) };
        }
        self.portable::<MOVE>(book, h)
    }

    /// The same for the keys of a batch, and no more: what they look at is loaded together.
    pub fn glance_at_all<const MOVE: bool>(&self, book: &[u8], keys: &[Key]) -> [Glance; BATCH] {
        #[cfg(target_arch = "x86_64")]
        if self.has_bits {
            #[expect(unsafe_code, reason = "the instructions are not on all processors")]
            // SAFETY: this one has them.
            return unsafe { all_with_bits::<MOVE>(self, book, keys) };
        }
        self.find_all::<MOVE>(book, keys, self.remainders.portable())
    }

    #[inline(never)]
    fn portable<const MOVE: bool>(&self, book: &[u8], h: Hash) -> Glance {
        self.find::<MOVE>(book, h, self.remainders.portable())
    }

    #[inline(always)]
    fn find<const MOVE: bool>(&self, book: &[u8], h: Hash, steps: impl Steps) -> Glance {
        let home = self.homes.home(h);
        self.prefetch_guess(book, home);
        self.find_at::<MOVE>(book, h, home, steps)
    }

    /// Starts loading the heads of all pages, then the groups, and then looks.
    #[inline(always)]
    fn find_all<const MOVE: bool>(
        &self,
        book: &[u8],
        keys: &[Key],
        steps: impl Steps,
    ) -> [Glance; BATCH] {
        let (mut homes, mut said) = ([Home::default(); BATCH], [Glance::Unsaid; BATCH]);
        for (&key, home) in keys.iter().zip(&mut homes) {
            *home = self.homes.home(Hash::of(key));
            let page = book.as_ptr().wrapping_add(self.page(*home));
            prefetch(page);
            prefetch(page.wrapping_add(Page::start_of(home.group as usize)));
        }
        for &home in &homes[..keys.len().min(BATCH)] {
            let Some(page) = self.window(book, home) else { continue };
            let start = page.as_ptr().wrapping_add(group_start(page, Page::head(page).0, home));
            for line in 0..GROUP_LINES {
                prefetch(start.wrapping_add(line * LINE));
            }
        }
        for ((&key, &home), said) in keys.iter().zip(&homes).zip(&mut said) {
            *said = self.find_at::<MOVE>(book, Hash::of(key), home, steps);
        }
        said
    }

    #[inline(always)]
    fn find_at<const MOVE: bool>(
        &self,
        book: &[u8],
        h: Hash,
        home: Home,
        steps: impl Steps,
    ) -> Glance {
        let (share, mine) = self.share;
        if h.get() & share != mine {
            return Glance::Absent;
        }
        match self.window(book, home) {
            Some(page) => self.look::<MOVE>(page, home, h.get(), steps),
            None => Glance::Unsaid,
        }
    }

    /// Where a home page is in the file.
    #[inline(always)]
    fn page(&self, home: Home) -> usize {
        self.start + home.page as usize * PAGE as usize
    }

    #[inline(always)]
    fn window<'a>(&self, book: &'a [u8], home: Home) -> Option<&'a Window> {
        book.get(self.page(home)..)?.first_chunk()
    }

    /// Starts loading the lines of a page in which a group is most often, so that they come with the
    /// page's head and not after it.
    #[inline(always)]
    fn prefetch_guess(&self, book: &[u8], home: Home) {
        let (first, each) = self.guess;
        let guess = (first + home.group as usize * each) & !(LINE - 1);
        let start = book.as_ptr().wrapping_add(self.page(home) + guess);
        for line in 0..GUESSED_LINES {
            prefetch_for_now(start.wrapping_add(line * LINE));
        }
    }

    #[inline(always)]
    fn look<const MOVE: bool>(
        &self,
        bytes: &Window,
        home: Home,
        h: u64,
        steps: impl Steps,
    ) -> Glance {
        let (back, count, said) = Page::head(bytes);
        let place = home.group as usize + back;
        if place >= count || said != place_of(home.page, self.salt) {
            return Glance::Unsaid;
        }
        let start = group_start(bytes, back, home);
        let len = usize::from(bytes[start]);
        let Some(&planes) = self.planes.get(len) else { return Glance::Unsaid };
        let (last, of_last) = self.last;
        let buckets = if home.group == last { of_last } else { self.buckets };
        // The entries of a bucket are the ones between two zeros. Bit 7, the highest one of a number
        // below 128, is the zero before the first bucket.
        let around = steps.around(!word(bytes, start) & !0x7f, home.bucket);
        let prev = around.trailing_zeros() as usize;
        let mine = 62usize.wrapping_sub(around.leading_zeros() as usize).wrapping_sub(prev);
        if mine > MOST_IN_GROUP as usize {
            return Glance::Unsaid;
        }
        let first = prev - 7 - home.bucket as usize;
        let planes_at = 8 * start + 8 + buckets + len;
        let remainders = planes_at + self.class_bits * len;
        let width = self.remainders.width;
        let at = remainders + width * first;
        let mut found = steps.among(bytes, at, h);
        if found >= mine {
            if mine <= AT_ONCE {
                return Glance::Absent;
            }
            found = self.among_others(bytes, at, mine, h);
            if found >= mine {
                return Glance::Absent;
            }
        }
        let index = first + found;
        let at = planes_at + index;
        let class = match planes {
            0 => (0..self.class_bits).map(|plane| bit(bytes, at + plane * len) << plane).sum(),
            planes => steps.class(bits(bytes, at), planes),
        };
        let Some(&counts) = self.classes.get(class as usize) else { return Glance::Unsaid };
        if !MOVE && !self.has_evaluations {
            return Glance::Short(counts, 0);
        }
        let mut long = low(len);
        for plane in 1..=self.class_bits {
            long &= bits(bytes, remainders - plane * len);
        }
        let (codes, (width, mask)) = (remainders + width * len, self.number);
        if self.has_evaluations {
            let evaluated = codes + width * (len - long.count_ones() as usize);
            if bit(bytes, evaluated + index) != 0 {
                return Glance::Unsaid;
            }
        }
        if !MOVE {
            return Glance::Short(counts, 0);
        }
        let before = index - (long & low(index)).count_ones() as usize;
        let number = bits(bytes, codes + width * before) & mask;
        match self.codes.get(number as usize) {
            Some(&code) => Glance::Short(counts, code),
            None => Glance::Unsaid,
        }
    }

    /// Which of the entries of a bucket behind the first few has the remainder of a hash, if any.
    #[cold]
    #[inline(never)]
    fn among_others(&self, bytes: &Window, at: usize, all: usize, h: u64) -> usize {
        let width = self.remainders.width;
        let is_at = |&place: &usize| self.remainders.is_at(bytes, at + place * width, h);
        (AT_ONCE..all).find(is_at).unwrap_or(usize::MAX)
    }
}

/// For each number of entries of a group that can be glanced at, where the bits of a class are.
fn planes(params: &Params) -> Box<[u64]> {
    let bits = params.class_bits;
    let most = MOST_IN_GROUP - params.group_buckets;
    if bits > CLASS_AT_ONCE {
        return vec![0; 1 + most as usize].into();
    }
    let most = most.min((MOST_BITS - 1) / bits.saturating_sub(1).max(1));
    let of_len = |len| (0..bits).fold(0, |all, plane| all | 1u64 << (plane * len));
    (0..=most).map(of_len).collect()
}

/// A glance by these instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn one_with_bits<const MOVE: bool>(glancer: &Glancer, book: &[u8], h: Hash) -> Glance {
    glancer.find::<MOVE>(book, h, with_bits(&glancer.remainders))
}

/// The same for many keys.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn all_with_bits<const MOVE: bool>(
    glancer: &Glancer,
    book: &[u8],
    keys: &[Key],
) -> [Glance; BATCH] {
    glancer.find_all::<MOVE>(book, keys, with_bits(&glancer.remainders))
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
    use crate::key::mix;
    use crate::row::{MoveRow, PositionRow, Row};

    /// Entries of some buckets, most of them short, and a book of their page.
    fn page(params: &Params, seed: u64) -> (Window, Vec<Hash>) {
        let none = Dictionary::default();
        let (mut groups, mut pages) = (GroupWriter::new(params, &none), PageWriter::new(params));
        let (mut all, mut hashes) = ([0; PAGE_LEN + 16], Vec::new());
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
            all[..PAGE_LEN].copy_from_slice(page);
            Ok::<(), ()>(())
        };
        pages.finish(keep).unwrap();
        (all, hashes)
    }

    /// What the way that covers all cases says.
    fn at_length(params: &Params, book: &Window, h: Hash) -> Glance {
        let (home, page) =
            (params.home(params.bucket(h)), Page::new(book.first_chunk().unwrap(), params));
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
            let glancer = Glancer::new(&params, 0).unwrap();
            let (book, hashes) = page(&params, seed << 32);
            let absent = hashes.iter().map(|h| Hash::from_bits(h.get() ^ 1 << (seed % 30)));
            for h in hashes.iter().copied().chain(absent) {
                let expected = at_length(&params, &book, h);
                let portable = glancer.portable::<true>(&book, h);
                assert_eq!(glancer.glance::<true>(&book, h), portable);
                let [first, .., last] = glancer.glance_at_all::<true>(&book, &[h.key(); BATCH]);
                assert_eq!([first, last], [portable; 2]);
                match (portable, glancer.glance::<false>(&book, h)) {
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
                let (mut damaged, random) = (book, mix(flip ^ seed << 40));
                damaged[(random % 300) as usize] ^= 1 << (random >> 20 & 7);
                let h = hashes[(random >> 30) as usize % hashes.len()];
                glancer.portable::<true>(&damaged, h);
                glancer.glance::<true>(&damaged, h);
                glancer.glance_at_all::<true>(&damaged, &[h.key()]);
            }
        }
        assert!(said > 5 * unsaid, "{said} {unsaid}");
        assert!(unsaid > 0);
    }
}
