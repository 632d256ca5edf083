//! What an estimate of an Othello position goes by.

use tabia_games::othello::moves;

/// How many features there are.
pub const COUNT: usize = 12;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const EDGES: u64 = 0x3c00_8181_8181_003c;
const CENTER: u64 = 0x0000_3c3c_3c3c_0000;

/// A corner, the squares diagonally and straight beside it, and the steps of the edges from it.
const AT_CORNERS: [(u64, u64, u64, [i32; 2]); 4] = [
    (1, 1 << 9, 1 << 1 | 1 << 8, [1, 8]),
    (1 << 7, 1 << 14, 1 << 6 | 1 << 15, [-1, 8]),
    (1 << 56, 1 << 49, 1 << 57 | 1 << 48, [1, -8]),
    (1 << 63, 1 << 54, 1 << 62 | 1 << 55, [-1, -8]),
];

/// The features of the side to move less those of its opponent, and one that is always 1.
///
/// In this order: legal moves; moves to corners; empty squares beside the other's discs; corners;
/// squares diagonally and straight beside empty corners; discs of an edge that goes on from an own
/// corner; other squares of edges; the 16 in the center; discs; discs beside no empty square;
/// and the 1.
pub fn features([own, opponent]: [u64; 2]) -> [i32; COUNT] {
    let empty = !(own | opponent);
    let (mine, others) = (moves(own, opponent), moves(opponent, own));
    let (diagonal, straight, stable) = corners([own, opponent]);
    let inner = !around(empty);
    [
        less(mine, others),
        less(mine & CORNERS, others & CORNERS),
        less(around(opponent) & empty, around(own) & empty),
        less(own & CORNERS, opponent & CORNERS),
        diagonal,
        straight,
        stable,
        less(own & EDGES, opponent & EDGES),
        less(own & CENTER, opponent & CENTER),
        less(own, opponent),
        less(own & inner, opponent & inner),
        1,
    ]
}

fn less(own: u64, opponent: u64) -> i32 {
    own.count_ones() as i32 - opponent.count_ones() as i32
}

/// Squares beside these, diagonally too.
fn around(squares: u64) -> u64 {
    let wide =
        squares | squares << 1 & 0xfefe_fefe_fefe_fefe | squares >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
    wide | wide << 8 | wide >> 8
}

/// What depends on corners: the squares diagonally and straight beside empty ones, and discs of
/// edges that go on from one's own.
fn corners([own, opponent]: [u64; 2]) -> (i32, i32, i32) {
    let (mut diagonal, mut straight, mut stable) = (0, 0, 0);
    for (corner, beside, near, steps) in AT_CORNERS {
        if (own | opponent) & corner == 0 {
            diagonal += less(own & beside, opponent & beside);
            straight += less(own & near, opponent & near);
        } else if own & corner != 0 {
            stable += steps.map(|step| run(own, corner, step)).iter().sum::<i32>();
        } else {
            stable -= steps.map(|step| run(opponent, corner, step)).iter().sum::<i32>();
        }
    }
    (diagonal, straight, stable)
}

/// How many discs go on from a corner, six at most.
fn run(discs: u64, corner: u64, step: i32) -> i32 {
    let (mut at, mut count) = (corner, 0);
    loop {
        at = if step > 0 { at << step } else { at >> -step };
        if at & discs == 0 || count == 6 {
            return count;
        }
        count += 1;
    }
}
