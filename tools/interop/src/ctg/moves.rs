//! Codes of moves: which piece goes, and where.
//!
//! A code says which piece of its kind moves, by its number, and by how many files to the right and
//! ranks forward, both modulo 8: a step beyond an edge comes in at the other one.

/// Where a piece may go by a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The piece's letter.
    pub piece: u8,
    /// Its number among those of its kind, from 0.
    pub number: usize,
    /// Files to the right, modulo 8.
    pub right: u8,
    /// Ranks forward, modulo 8.
    pub forward: u8,
}

/// By pawn: a step to the left and forward, forward, to the right and forward, two forward.
const PAWNS: [[u8; 4]; 8] = [
    [12, 236, 139, 219],
    [209, 4, 150, 98],
    [39, 85, 124, 155],
    [6, 207, 235, 230],
    [222, 187, 0, 95],
    [130, 203, 45, 177],
    [199, 24, 92, 200],
    [36, 163, 20, 74],
];
const PAWN_STEPS: [(u8, u8); 4] = [(7, 1), (0, 1), (1, 1), (0, 2)];

const KNIGHTS: [[u8; 8]; 2] =
    [[218, 138, 15, 233, 247, 54, 133, 52], [48, 42, 1, 224, 211, 210, 243, 76]];
const KNIGHT_STEPS: [(u8, u8); 8] =
    [(7, 6), (1, 6), (6, 7), (2, 7), (6, 1), (2, 1), (7, 2), (1, 2)];

/// Around the king from behind on the left, then castling long and short.
const KING: [u8; 10] = [140, 10, 68, 151, 190, 223, 19, 103, 246, 107];
const KING_STEPS: [(u8, u8); 10] =
    [(7, 7), (0, 7), (1, 7), (7, 0), (1, 0), (7, 1), (0, 1), (1, 1), (6, 0), (2, 0)];

/// By rook: 1 to 7 to the right.
const ROOKS_ASIDE: [[u8; 7]; 2] =
    [[127, 205, 152, 239, 110, 82, 134], [196, 169, 14, 173, 181, 216, 33]];
/// By rook: 1 to 7 forward.
const ROOKS_FORWARD: [[u8; 7]; 2] =
    [[129, 232, 122, 153, 135, 80, 225], [125, 244, 227, 197, 165, 123, 105]];
/// By bishop: 1 to 7 to the right and forward.
const BISHOPS_RIGHT: [[u8; 7]; 2] =
    [[46, 193, 13, 106, 21, 58, 18], [245, 194, 185, 159, 50, 9, 29]];
/// By bishop: 1 to 7 to the left and forward; 4 of them is 4 to the right.
const BISHOPS_LEFT: [[u8; 7]; 2] =
    [[27, 195, 102, 106, 60, 178, 38], [84, 34, 202, 159, 204, 121, 114]];
/// Codes of queens' moves. The second queen's six to the right and six forward are 26 and 249 or
/// 249 and 26.
const QUEENS_ASIDE: [[u8; 7]; 2] =
    [[47, 116, 49, 229, 57, 41, 143], [248, 3, 250, 8, 188, 26, 240]];
const QUEENS_FORWARD: [[u8; 7]; 2] =
    [[5, 157, 148, 55, 183, 154, 253], [77, 189, 160, 176, 198, 249, 201]];
const QUEENS_RIGHT: [[u8; 7]; 2] =
    [[241, 162, 69, 231, 40, 97, 237], [146, 251, 174, 56, 65, 35, 111]];
const QUEENS_LEFT: [[u8; 7]; 2] =
    [[215, 217, 126, 231, 75, 128, 66], [238, 142, 254, 56, 59, 171, 99]];
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
    let single = |piece, list: &[u8], steps: &[(u8, u8)], number| {
        let index = list.iter().position(|&listed| listed == code)?;
        let (right, forward) = *steps.get(index)?;
        Some(Step { piece, number, right, forward })
    };
    let king = single(b'K', &KING, &KING_STEPS, 0);
    let pawn = || (0..8).find_map(|number| single(b'P', &PAWNS[number], &PAWN_STEPS, number));
    let knight = || (0..2).find_map(|number| single(b'N', &KNIGHTS[number], &KNIGHT_STEPS, number));
    let slider = |piece, lists: [&[[u8; 7]; 2]; 2], directions: [(u8, u8); 2]| {
        (0..2).flat_map(|number| [(number, 0), (number, 1)]).find_map(|(number, way)| {
            let distance = lists[way][number].iter().position(|&listed| listed == code)? as u8 + 1;
            let (right, forward) = directions[way];
            Some(Step {
                piece,
                number,
                right: right * distance % 8,
                forward: forward * distance % 8,
            })
        })
    };
    king.or_else(pawn)
        .or_else(knight)
        .or_else(|| slider(b'R', [&ROOKS_ASIDE, &ROOKS_FORWARD], STRAIGHT))
        .or_else(|| slider(b'B', [&BISHOPS_RIGHT, &BISHOPS_LEFT], DIAGONAL))
        .or_else(|| slider(b'Q', [&QUEENS_ASIDE, &QUEENS_FORWARD], STRAIGHT))
        .or_else(|| slider(b'Q', [&QUEENS_RIGHT, &QUEENS_LEFT], DIAGONAL))
}

const STRAIGHT: [(u8, u8); 2] = [(1, 0), (0, 1)];
const DIAGONAL: [(u8, u8); 2] = [(1, 1), (7, 1)];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// A piece's steps are all ways on a board whose edges meet, each once: 27 of a queen, 14 of a
    /// rook, 13 of a bishop (four to the left and four to the right are one).
    #[test]
    fn codes_are_all_steps_each_once() {
        let all: Vec<Step> = (0..=255)
            .filter(|code| !UNCLEAR.contains(code))
            .flat_map(steps)
            .chain(steps(UNCLEAR[0]))
            .collect();
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
