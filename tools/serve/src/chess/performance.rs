//! Performance ratings as the public explorer gives them: by the table of the FIDE handbook (B.02,
//! 8.1a), linear between its steps.

/// How much better than their opponents players are who score 50, 51 ... 100 %.
const ABOVE: [u16; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// The performance of who scores this share, from 0 to 1, against opponents of this average rating.
pub fn performance(opponents: f64, share: f64) -> f64 {
    let percent = 100.0 * share.max(1.0 - share).min(1.0) - 50.0;
    let step = percent.floor().clamp(0.0, 49.0);
    let [low, high] = [0, 1].map(|next| f64::from(ABOVE[step as usize + next]));
    let above = low + (high - low) * (percent - step);
    opponents + if share < 0.5 { -above } else { above }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With those that the public explorer told berserk: its recorded answers have the counts, and
    /// averages that are rounded.
    #[test]
    fn performances_are_those_of_the_handbook() {
        for (opponents, white, draws, black, expected) in [
            (1500, 1, 0, 0, 2300),
            (1500, 0, 0, 1, 700),
            (987, 123, 10, 123, 987),
            (0, 5, 0, 95, -470),
            (970, 107, 17, 126, 942),
            (1020, 7, 0, 4, 1120),
            (974, 3, 1, 3, 974),
            (973, 92, 14, 115, 935),
            (1028, 6, 0, 4, 1100),
        ] {
            let games = f64::from(white + draws + black);
            let share = (f64::from(white) + f64::from(draws) / 2.0) / games;
            let found = performance(f64::from(opponents), share).round();
            assert!((found - f64::from(expected)).abs() <= 1.0, "{white} {draws} {black}: {found}");
        }
    }
}
