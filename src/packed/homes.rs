//! Where the group of a hash is looked for, without divisions.

use super::params::{Home, Params};
use crate::key::Hash;

/// Where hashes belong, by multiplications in place of divisions: with the reciprocals of the
/// buckets of a page and of a group, rounded up. The error of the first one, times a bucket, has to
/// be less than 2^64; a page has less than 2^13 buckets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Homes {
    /// Bits of the share, and those of a hash that are behind the ones of its bucket.
    share_bits: u32,
    behind: u32,
    page_buckets: u64,
    group_buckets: u32,
    /// 0 if the buckets are too many for it.
    of_page: u64,
    of_group: u64,
}

impl Homes {
    pub fn of(params: &Params) -> Self {
        let (page_buckets, group_buckets) = (u64::from(params.page_buckets), params.group_buckets);
        let exact = page_buckets > 1 && params.bucket_bits <= 51;
        let of_page = (u64::MAX / page_buckets).wrapping_add(1);
        Self {
            share_bits: params.form.share.bits().into(),
            behind: 64 - params.bucket_bits,
            page_buckets,
            group_buckets,
            of_page: if exact { of_page } else { 0 },
            of_group: u64::from(u32::MAX) / u64::from(group_buckets) + 1,
        }
    }

    /// The home of a hash of the book's share.
    #[inline(always)]
    pub fn home(&self, h: Hash) -> Home {
        let bucket = (h.get() << self.share_bits) >> self.behind;
        let page = match self.of_page {
            0 => bucket / self.page_buckets,
            of_page => ((u128::from(bucket) * u128::from(of_page)) >> 64) as u64,
        };
        let in_page = bucket - page * self.page_buckets;
        let group = ((in_page * self.of_group) >> 32) as u32;
        Home { page, group, bucket: in_page as u32 - group * self.group_buckets }
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::tests::params;
    use super::*;

    #[test]
    fn homes_by_multiplication_are_those_by_division() {
        for page_buckets in [1, 2, 3, 31, 200, 737, 4095, 4096, 4799] {
            for (group_buckets, bucket_bits) in [(32, 13), (21, 24), (4, 51), (7, 56)] {
                let params = Params { page_buckets, group_buckets, bucket_bits, ..params() };
                let homes = Homes::of(&params);
                let last = (1u64 << bucket_bits) - 1;
                let near = |bucket: u64| [bucket.saturating_sub(1), bucket, (bucket + 1).min(last)];
                let page = u64::from(page_buckets);
                let tried = [0, page, 7 * page, last / page * page, last / 2, last];
                for bucket in tried.into_iter().flat_map(near).filter(|&bucket| bucket <= last) {
                    let h = params.hash(bucket, 0);
                    assert_eq!(homes.home(h), params.home(bucket), "{page_buckets} {bucket}");
                }
            }
        }
    }
}
