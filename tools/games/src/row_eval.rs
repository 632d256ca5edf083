//! The eval of a position's row: a number in the unit of its game, or a mate.

/// A mate on the board; a mate in so many plies is as much less.
const MATE: i32 = 32_000;
/// The most that an eval is that isn't a mate.
const MOST: i32 = 30_000;
/// The most plies of a mate that is told from longer ones.
const LONGEST: i32 = MATE - MOST - 1;

/// An eval that is no mate, in the unit of the game, bounded by ±30,000.
///
/// ```
/// assert_eq!(tabia_games::row_eval::of_number(-1_000_000), -30_000);
/// ```
pub fn of_number(number: i32) -> i16 {
    number.clamp(-MOST, MOST) as i16
}

/// A mate in n plies, at most 1,999: 32,000 - n, or -(32,000 - n) for the side that is mated.
pub fn of_mate_in_plies(wins: bool, plies: i32) -> i16 {
    let eval = MATE - plies.clamp(0, LONGEST);
    (if wins { eval } else { -eval }) as i16
}

/// A mate in so many moves of the mating side, as engines tell it: 0 or less for the mated side.
///
/// ```
/// use tabia_games::row_eval::of_mate_in_moves;
///
/// // It mates at once; it is mated by the answer to any move; it has been mated.
/// assert_eq!([1, -1, 0].map(of_mate_in_moves), [31_999, -31_998, -32_000]);
/// ```
pub fn of_mate_in_moves(moves: i32) -> i16 {
    // The side that mates makes the last move, the side that is mated the first.
    let moves = moves.clamp(-LONGEST, LONGEST);
    of_mate_in_plies(moves > 0, 2 * moves.abs() - i32::from(moves > 0))
}
