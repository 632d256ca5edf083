//! Ratings: reading them from tags, and bounds for them.

use super::number;
use crate::named;
use std::ops::RangeInclusive;

/// What counts as a rating; anything else in its tag is none.
const POSSIBLE: RangeInclusive<u16> = 100..=9999;

/// The rating a tag says: a number from 100 to 9999; none for `?`, `-`, `0` and `2690:2222`.
pub fn rating(tag: &[u8]) -> Option<u16> {
    let value = number(tag.trim_ascii(), 3..=4)? as u16;
    Some(value).filter(|value| POSSIBLE.contains(value))
}

named! {
    /// Whose rating has to be within the bounds.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum RatingOf {
        /// That of both players; both must be known.
        #[default]
        Both = "both",
        /// That of at least one player whose rating is known.
        Either = "either",
        /// The average of both, rounded down; both must be known. So neighboring ranges (to 1599,
        /// from 1600) share no game, and leave none out.
        Average = "average",
    }
}

/// Bounds for ratings, both inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingRange {
    /// The lowest wanted.
    pub min: Option<u16>,
    /// The highest wanted.
    pub max: Option<u16>,
    /// Whose.
    pub of: RatingOf,
}

impl RatingRange {
    /// Whether there is a bound.
    pub fn is_set(&self) -> bool {
        self.min.is_some() || self.max.is_some()
    }

    /// Whether a game between players of these ratings is wanted.
    pub fn take(&self, ratings: [Option<u16>; 2]) -> bool {
        if !self.is_set() {
            return true;
        }
        match (self.of, ratings) {
            (RatingOf::Either, ratings) => {
                ratings.into_iter().flatten().any(|rating| self.hold(rating.into()))
            }
            (RatingOf::Both, [Some(one), Some(other)]) => {
                self.hold(one.into()) && self.hold(other.into())
            }
            (RatingOf::Average, [Some(one), Some(other)]) => {
                self.hold((u32::from(one) + u32::from(other)) / 2)
            }
            _ => false,
        }
    }

    fn hold(&self, rating: u32) -> bool {
        self.min.is_none_or(|min| rating >= min.into())
            && self.max.is_none_or(|max| rating <= max.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_numbers_are_ratings() {
        for (tag, value) in [
            ("2851", 2851),
            (" 2400 ", 2400),
            ("999", 999),
            ("100", 100),
            ("9999", 9999),
            ("0999", 999),
        ] {
            assert_eq!(rating(tag.as_bytes()), Some(value), "{tag}");
        }
        let none = "|?|-|0|0000|99|099|10000|99999999999999999999|2690:2222|-2400|+2400|2400?|unknown|24.5";
        for tag in none.split('|') {
            assert_eq!(rating(tag.as_bytes()), None, "{tag}");
        }
        assert_eq!(rating(b"24\xff0"), None);
    }

    #[test]
    fn bounds_are_inclusive_and_want_what_they_judge() {
        let both = |min, max, of| RatingRange { min, max, of };
        let (low, high) = (Some(2000), Some(2500));
        let cases = [
            (both(None, None, RatingOf::Both), [None, None], true),
            (both(low, None, RatingOf::Both), [Some(2000), Some(2000)], true),
            (both(low, None, RatingOf::Both), [Some(1999), Some(2800)], false),
            (both(low, None, RatingOf::Both), [Some(2800), Some(1999)], false),
            (both(low, None, RatingOf::Both), [Some(2800), None], false),
            (both(None, high, RatingOf::Both), [Some(2500), Some(2500)], true),
            (both(None, high, RatingOf::Both), [Some(2501), Some(100)], false),
            (both(low, high, RatingOf::Both), [Some(2100), Some(2600)], false),
            (both(low, None, RatingOf::Either), [Some(1999), Some(2000)], true),
            (both(low, None, RatingOf::Either), [None, Some(2000)], true),
            (both(low, None, RatingOf::Either), [Some(1999), None], false),
            (both(low, None, RatingOf::Either), [None, None], false),
            (both(low, high, RatingOf::Either), [Some(1900), Some(2600)], false),
            (both(low, None, RatingOf::Average), [Some(1900), Some(2100)], true),
            (both(low, None, RatingOf::Average), [Some(1900), Some(2099)], false),
            (both(None, high, RatingOf::Average), [Some(9999), Some(100)], false),
            (both(None, high, RatingOf::Average), [Some(2400), None], false),
        ];
        for (bounds, ratings, wanted) in cases {
            assert_eq!(bounds.take(ratings), wanted, "{bounds:?} {ratings:?}");
        }
    }
}
