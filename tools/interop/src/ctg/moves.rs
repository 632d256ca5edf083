//! Codes of moves: which piece goes, and where.
//!
//! A code says which piece of its kind moves, by its number, and by how many files to the right and
//! ranks forward, both modulo 8: a step beyond an edge comes in at the other one.

/// Where a piece, given by its letter, may go by a code: files to the right and ranks forward, modulo 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub piece: u8,
    /// Its number among those of its kind, from 0.
    pub number: usize,
    pub right: u8,
    pub forward: u8,
}

/// Files to the right and ranks forward.
type Way = (u8, u8);
/// A piece, its number, its steps, and the code of each.
type Near = (u8, usize, &'static [Way], &'static [u8]);
/// A piece, its number, its way, and the codes of 1 to 7 steps.
type Far = (u8, usize, Way, [u8; 7]);

/// Steps of a pawn: to the left and forward, forward, to the right and forward, two forward.
const PAWN: &[Way] = &[(7, 1), (0, 1), (1, 1), (0, 2)];
const KNIGHT: &[Way] = &[(7, 6), (1, 6), (6, 7), (2, 7), (6, 1), (2, 1), (7, 2), (1, 2)];
/// Around the king from behind on the left, then castling long and short.
const KING: &[Way] =
    &[(7, 7), (0, 7), (1, 7), (7, 0), (1, 0), (7, 1), (0, 1), (1, 1), (6, 0), (2, 0)];

const STEPS: [Near; 11] = [
    (b'P', 0, PAWN, &[12, 236, 139, 219]),
    (b'P', 1, PAWN, &[209, 4, 150, 98]),
    (b'P', 2, PAWN, &[39, 85, 124, 155]),
    (b'P', 3, PAWN, &[6, 207, 235, 230]),
    (b'P', 4, PAWN, &[222, 187, 0, 95]),
    (b'P', 5, PAWN, &[130, 203, 45, 177]),
    (b'P', 6, PAWN, &[199, 24, 92, 200]),
    (b'P', 7, PAWN, &[36, 163, 20, 74]),
    (b'N', 0, KNIGHT, &[218, 138, 15, 233, 247, 54, 133, 52]),
    (b'N', 1, KNIGHT, &[48, 42, 1, 224, 211, 210, 243, 76]),
    (b'K', 0, KING, &[140, 10, 68, 151, 190, 223, 19, 103, 246, 107]),
];

/// Ways of pieces that go far. Four to the left and forward are four to the right.
const ASIDE: Way = (1, 0);
const FORWARD: Way = (0, 1);
const RIGHT: Way = (1, 1);
const LEFT: Way = (7, 1);

/// The second queen's six to the right and six forward are 26 and 249 or 249 and 26.
const FAR: [Far; 16] = [
    (b'R', 0, ASIDE, [127, 205, 152, 239, 110, 82, 134]),
    (b'R', 0, FORWARD, [129, 232, 122, 153, 135, 80, 225]),
    (b'R', 1, ASIDE, [196, 169, 14, 173, 181, 216, 33]),
    (b'R', 1, FORWARD, [125, 244, 227, 197, 165, 123, 105]),
    (b'B', 0, RIGHT, [46, 193, 13, 106, 21, 58, 18]),
    (b'B', 0, LEFT, [27, 195, 102, 106, 60, 178, 38]),
    (b'B', 1, RIGHT, [245, 194, 185, 159, 50, 9, 29]),
    (b'B', 1, LEFT, [84, 34, 202, 159, 204, 121, 114]),
    (b'Q', 0, ASIDE, [47, 116, 49, 229, 57, 41, 143]),
    (b'Q', 0, FORWARD, [5, 157, 148, 55, 183, 154, 253]),
    (b'Q', 0, RIGHT, [241, 162, 69, 231, 40, 97, 237]),
    (b'Q', 0, LEFT, [215, 217, 126, 231, 75, 128, 66]),
    (b'Q', 1, ASIDE, [248, 3, 250, 8, 188, 26, 240]),
    (b'Q', 1, FORWARD, [77, 189, 160, 176, 198, 249, 201]),
    (b'Q', 1, RIGHT, [146, 251, 174, 56, 65, 35, 111]),
    (b'Q', 1, LEFT, [238, 142, 254, 56, 59, 171, 99]),
];
/// The two codes of which it isn't known which is which.
const UNCLEAR: [u8; 2] = [26, 249];

/// The steps that a code may mean: none, one, or two.
pub(super) fn steps(code: u8) -> impl Iterator<Item = Step> {
    let codes = if UNCLEAR.contains(&code) { UNCLEAR } else { [code; 2] };
    let other = (codes[0] != codes[1]).then(|| step(codes[1])).flatten();
    step(codes[0]).into_iter().chain(other)
}

/// The step that a code means by the lists above.
fn step(code: u8) -> Option<Step> {
    let place = |codes: &[u8]| codes.iter().position(|&listed| listed == code);
    let near = STEPS.iter().find_map(|&(piece, number, steps, codes)| {
        let (right, forward) = *steps.get(place(codes)?)?;
        Some(Step { piece, number, right, forward })
    });
    near.or_else(|| {
        FAR.iter().find_map(|&(piece, number, (right, forward), codes)| {
            let distance = place(&codes)? as u8 + 1;
            let [right, forward] = [right, forward].map(|way| way * distance % 8);
            Some(Step { piece, number, right, forward })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// A piece's steps are all ways on a board whose edges meet, each once: 27 of a queen, 14 of a
    /// rook, 13 of a bishop (four to the left and four to the right are one).
    #[test]
    fn codes_are_all_steps_each_once() {
        let clear = (0..=255).filter(|code| !UNCLEAR.contains(code));
        let all: Vec<Step> = clear.flat_map(steps).chain(steps(UNCLEAR[0])).collect();
        assert_eq!(all.len(), 8 * 4 + 2 * 8 + 10 + 2 * 14 + 2 * 13 + 2 * 27);
        let different: HashSet<_> =
            all.iter().map(|step| (step.piece, step.number, step.right, step.forward)).collect();
        assert_eq!(different.len(), all.len());
        for step in all {
            let (right, forward) = (
                i32::from(step.right).min(8 - i32::from(step.right)),
                i32::from(step.forward).min(8 - i32::from(step.forward)),
            );
            let is_right = match step.piece {
                b'P' => forward == 1 && right <= 1 || (right, forward) == (0, 2),
                b'N' => right * forward == 2,
                b'K' => right.max(forward) == 1 || (right, forward) == (2, 0),
                b'R' => right * forward == 0,
                b'B' => right == forward,
                _ => right * forward == 0 || right == forward,
            };
            assert!(is_right && (right, forward) != (0, 0), "{step:?}");
        }
        assert_eq!(steps(2).count(), 0);
    }
}
