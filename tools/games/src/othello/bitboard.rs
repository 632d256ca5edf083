//! Sets of squares as 64 bits, a1 the lowest, b1 the next, h8 the highest: which squares can be
//! played on, and what a disc there flips.

/// Squares from one square to the edge, in the eight directions: first the four that lead to higher
/// bits, then the four that lead to lower ones.
static RAYS: [[u64; 8]; 64] = {
    let steps: [(i32, i32); 8] =
        [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (right, up) = steps[direction];
            let (mut file, mut rank) = (square % 8 + right, square / 8 + up);
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                rays[square as usize][direction] |= 1 << (rank * 8 + file);
                (file, rank) = (file + right, rank + up);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// The opponent's discs that a disc of one's own on this empty square flips. None: the square can't
/// be played on. Bit 0 is a1, bit 1 is b1, bit 63 is h8; `square` must be below 64.
#[inline]
pub fn flips(own: u64, opponent: u64, square: u8) -> u64 {
    let rays = &RAYS[usize::from(square)];
    let mut flips = 0;
    for ray in &rays[..4] {
        // The carry runs through all but the ray, and the opponent's discs, to the square behind.
        let end = (opponent | !ray).wrapping_add(1) & ray & own;
        flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for ray in &rays[4..] {
        let end = (1 << 63 >> (ray & !opponent | 1).leading_zeros()) & ray & own;
        flips |= end.wrapping_neg() << 1 & ray;
    }
    flips
}

/// The empty squares on which a disc of one's own flips something; bits as in [`flips`].
#[inline]
pub fn moves(own: u64, opponent: u64) -> u64 {
    // Lines along a rank and the diagonals don't go on through the a and h files.
    let inner = opponent & 0x7e7e_7e7e_7e7e_7e7e;
    let ends = behind(own, inner, 1)
        | behind(own, inner, 7)
        | behind(own, opponent, 8)
        | behind(own, inner, 9);
    ends & !(own | opponent)
}

/// The squares behind one to six of the opponent's discs in a row that starts beside a disc of
/// one's own, up and down by this many bits a step.
#[inline]
fn behind(own: u64, opponent: u64, step: u32) -> u64 {
    let (mut up, mut down) = (opponent & own << step, opponent & own >> step);
    up |= opponent & up << step;
    down |= opponent & down >> step;
    let (two_up, two_down) = (opponent & opponent << step, opponent & opponent >> step);
    up |= two_up & up << (2 * step);
    down |= two_down & down >> (2 * step);
    up |= two_up & up << (2 * step);
    down |= two_down & down >> (2 * step);
    up << step | down >> step
}
