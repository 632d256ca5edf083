//! Searching ascending numbers that are spread evenly, as hashes are: by a guess, and from there.

use crate::error::Result;

/// The least index to `count` whose value isn't less than `target`; values ascend below `range`.
pub(crate) fn lower_bound(
    count: u64,
    target: u64,
    range: u64,
    value: impl Fn(u64) -> Result<u64>,
) -> Result<u64> {
    let (mut low, mut high) = (0, count);
    let guess = (u128::from(target) * u128::from(count) / u128::from(range)) as u64;
    let mut step = 32;
    while low < high {
        // From the guess by steps that double, until the target is between two of them.
        let at = match (low, high) {
            (0, high) if high == count => guess.min(count - 1),
            (low, high) if high == count => (low - 1 + step).min(count - 1),
            (0, high) => high.saturating_sub(step),
            (low, high) => low + (high - low) / 2,
        };
        if value(at)? < target {
            low = at + 1;
        } else {
            high = at;
        }
        if low == 0 || high == count {
            step = 2 * step.min(count);
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_million_numbers_spread_evenly_few_are_read() {
        for target in (0..1 << 30).step_by(99_991_003) {
            let read = std::cell::Cell::new(0);
            let value = |at| {
                read.set(read.get() + 1);
                Ok(at << 10)
            };
            // Beside the guess, and far from it.
            for (guessed, most) in [(target, 9), (target / 3, 99)] {
                read.set(0);
                assert!(lower_bound(1 << 20, guessed, 1 << 30, value).is_ok());
                assert!(read.get() <= most, "{} reads for {target}", read.get());
            }
        }
    }

    #[test]
    fn the_first_that_is_not_less_is_found() {
        for values in
            [vec![], vec![0], vec![5, 5, 5], (0..1000).map(|n| n * n).collect::<Vec<u64>>()]
        {
            for target in (0..1_000_010).step_by(997).chain([0, 1, 4, 5, 6, 998_001, 998_002]) {
                let found =
                    lower_bound(values.len() as u64, target, 1 << 20, |at| Ok(values[at as usize]));
                let expected = values.partition_point(|&value| value < target) as u64;
                assert_eq!(found.unwrap(), expected, "{target} in {} values", values.len());
            }
        }
    }
}
