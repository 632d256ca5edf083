//! What a candidate is worth, compared without rounding.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// A number of the form `a - √b` with fractions a and b: scores, counts and evals have b = 0, the
/// lower ends of confidence intervals have not.
///
/// Two of them are compared exactly, so that no rounding decides a tie.
#[derive(Clone, Debug)]
pub struct Surd {
    whole: BigRational,
    root: BigRational,
}

impl Surd {
    /// A fraction; 0 if `under` is 0.
    pub fn fraction(over: i128, under: u128) -> Self {
        Self { whole: ratio(over, under), root: BigRational::zero() }
    }

    /// `a - √b`. A negative b is 0.
    pub fn less_root(whole: BigRational, root: BigRational) -> Self {
        Self { whole, root: if root.is_negative() { BigRational::zero() } else { root } }
    }

    /// The nearest floating-point number or one beside it, for people; the same on all machines.
    pub fn to_f64(&self) -> f64 {
        let number = |ratio: &BigRational| ratio.to_f64().unwrap_or(f64::NAN);
        if self.root.is_zero() {
            number(&self.whole)
        } else {
            number(&self.whole) - number(&self.root).sqrt()
        }
    }

    /// This value with a fraction taken from it.
    pub fn less(&self, over: u32, under: u32) -> Self {
        Self { whole: &self.whole - ratio(over, under), root: self.root.clone() }
    }
}

/// A fraction of integers; 0 if `under` is 0.
pub fn ratio(over: impl Into<BigInt>, under: impl Into<BigInt>) -> BigRational {
    let under = under.into();
    if under.is_zero() { BigRational::zero() } else { BigRational::new(over.into(), under) }
}

impl Ord for Surd {
    /// `a - √b` and `c - √d` as `a - c` and `√b - √d`: by signs, then by squares.
    fn cmp(&self, other: &Self) -> Ordering {
        let gap = &self.whole - &other.whole;
        let by_gap = gap.cmp(&BigRational::zero());
        let by_root = self.root.cmp(&other.root);
        if by_gap != by_root || by_gap.is_eq() {
            return by_gap.cmp(&by_root);
        }
        let further = compare_squares(&gap, &self.root, &other.root);
        if by_gap.is_gt() { further } else { further.reverse() }
    }
}

/// `gap²` against `(√b - √d)²`, which is `b + d - √(4bd)`.
fn compare_squares(gap: &BigRational, b: &BigRational, d: &BigRational) -> Ordering {
    let rest = b + d - gap * gap;
    if rest.is_negative() {
        Ordering::Greater
    } else {
        (BigRational::from_integer(4.into()) * b * d).cmp(&(&rest * &rest))
    }
}

impl PartialOrd for Surd {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Surd {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Surd {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn surd(over: i64, under: u64, root_over: i64, root_under: u64) -> Surd {
        Surd::less_root(ratio(over, under), ratio(root_over, root_under))
    }

    /// The value times 2^400, rounded down or one below: by whole square roots, not by squaring.
    fn scaled(value: &Surd) -> BigInt {
        let scale = BigInt::from(1) << 400;
        let whole: BigRational = &value.whole * &scale;
        let root: BigRational = &value.root * (&scale * &scale);
        whole.floor().to_integer() - root.floor().to_integer().sqrt()
    }

    #[test]
    fn equal_numbers_are_equal_however_they_are_written() {
        // 1 - 2/√4, 1/2 - 2/√16 and 2/3 - 2/√9 are 0.
        let zeros = [
            surd(1, 1, 4, 4),
            surd(1, 2, 4, 16),
            surd(2, 3, 4, 9),
            Surd::fraction(0, 7),
            Surd::fraction(1, 0),
        ];
        assert!(zeros.iter().all(|a| zeros.iter().all(|b| a == b)));
        // 1 - √2 and 1 - √(8/4).
        assert_eq!(surd(1, 1, 2, 1), surd(3, 3, 8, 4));
        assert!(surd(1, 1, 2, 1) < surd(1, 1, 1, 1) && surd(0, 1, 1, 4) < Surd::fraction(0, 1));
        // √18 - √8 is √2, and no fraction near it.
        assert!(surd(0, 1, 18, 1) > surd(-141_421_357, 100_000_000, 8, 1));
        assert!(surd(0, 1, 18, 1) < surd(-141_421_356, 100_000_000, 8, 1));
        assert_eq!(Surd::less_root(ratio(1, 2), ratio(-1, 2)), Surd::fraction(1, 2));
    }

    proptest! {
        #[test]
        fn values_are_ordered_as_their_first_four_hundred_bits_are(
            a in (-9i64..9, 1u64..9, 0i64..9, 1u64..9), b in (-9i64..9, 1u64..9, 0i64..9, 1u64..9),
            c in (any::<i64>(), 1u64.., 0i64.., 1u64..), nudge in -1i64..2,
        ) {
            let near = (c.0.saturating_add(nudge), c.1, c.2, c.3);
            let deeper = (c.0, c.1, c.2.saturating_add(nudge.abs()), c.3);
            for (one, other) in [(a, b), (c, near), (c, deeper), (near, deeper)] {
                let [one, other] = [one, other].map(|(over, under, root, below)| surd(over, under, root, below));
                let difference = scaled(&one) - scaled(&other);
                // Numbers of this size that differ do so long before the 400th bit.
                let expected = if difference.abs() <= BigInt::from(2) { Ordering::Equal } else { difference.cmp(&BigInt::zero()) };
                prop_assert_eq!(one.cmp(&other), expected, "{:?} {:?}", one, other);
                prop_assert_eq!(other.cmp(&one), expected.reverse());
            }
        }
    }
}
