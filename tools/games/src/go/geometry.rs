//! All that follows from the size of a board alone: what lies beside what, where the eight
//! symmetries take a point, and the numbers of which keys are made.
//!
//! A point is `row * size + column`, counted from 0 at the top left as in SGF (`aa` is 0).

use crate::outcome::Side;
use crate::zobrist::Stream;
use std::sync::OnceLock;

/// The smallest board.
pub const LEAST: usize = 2;
/// The largest board: that of the game, and as far as `tt` can mean a pass in SGF.
pub const LARGEST: usize = 19;

/// The numbers that keys are made of. Number `2 * (19 * row + column) + side` is that of a stone, 0
/// black and 1 white; then come one for White to move and one for each size.
const NUMBERS: Stream = Stream::named("go");
const WHITE_TO_MOVE: u64 = 2 * (LARGEST * LARGEST) as u64;
const SIZES: u64 = WHITE_TO_MOVE + 1;

/// The number in the keys of all positions with White to move.
pub const WHITE: u64 = NUMBERS.number(WHITE_TO_MOVE);

/// A number for each of the eight images of a board.
pub type Row = [u64; 8];

/// The geometry of boards of one size.
#[derive(Debug)]
pub struct Geometry {
    /// Rows, and points in a row.
    pub size: u16,
    /// The game's name in books.
    pub name: &'static str,
    neighbors: Vec<Neighbors>,
    images: Vec<[u16; 8]>,
    ranks: Vec<u16>,
    rows: [Vec<Row>; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Neighbors {
    points: [u16; 4],
    count: u8,
}

impl Geometry {
    /// That of boards of this size, which must be from [`LEAST`] to [`LARGEST`]. Made once.
    pub fn of(size: usize) -> &'static Self {
        static MADE: [OnceLock<Geometry>; LARGEST + 1] = [const { OnceLock::new() }; LARGEST + 1];
        MADE[size].get_or_init(|| Self::new(size as u16))
    }

    fn new(size: u16) -> Self {
        let points = 0..size * size;
        let images_of = |point| std::array::from_fn(|symmetry| image(size, point, symmetry));
        let images: Vec<[u16; 8]> = points.clone().map(images_of).collect();
        let row = |side: Side, images: &[u16; 8]| images.map(|point| stone(size, point, side));
        let mut names = crate::names().filter(|(_, feature)| *feature == "go");
        Self {
            size,
            name: names.nth(usize::from(size) - LEAST).map_or("", |(name, _)| name),
            neighbors: points.clone().map(|point| neighbors(size, point)).collect(),
            ranks: points.map(|point| type_index(size, point)).collect(),
            rows: [Side::First, Side::Second]
                .map(|side| images.iter().map(|images| row(side, images)).collect()),
            images,
        }
    }

    /// How many points the board has. A pass is given this code.
    #[inline]
    pub fn points(&self) -> u16 {
        self.size * self.size
    }

    /// The points beside a point, at most four.
    #[inline]
    pub fn neighbors(&self, point: u16) -> &[u16] {
        let Neighbors { points, count } = &self.neighbors[usize::from(point)];
        &points[..usize::from(*count)]
    }

    #[inline]
    pub fn image(&self, point: u16, symmetry: u32) -> u16 {
        self.images[usize::from(point)][symmetry as usize % 8]
    }

    /// The index of a point's type, see [`type_index`].
    #[inline]
    pub fn rank(&self, point: u16) -> u16 {
        self.ranks[usize::from(point)]
    }

    /// What a stone adds to the keys of the eight images of a board.
    #[inline]
    pub fn stone(&self, point: u16, side: Side) -> &Row {
        &self.rows[side.index()][usize::from(point)]
    }

    /// The key of the empty board, Black to move.
    pub fn empty(&self) -> u64 {
        NUMBERS.number(SIZES + u64::from(self.size))
    }
}

fn stone(size: u16, point: u16, side: Side) -> u64 {
    let (row, column) = (point / size, point % size);
    NUMBERS.number(2 * (LARGEST as u64 * u64::from(row) + u64::from(column)) + side.index() as u64)
}

fn neighbors(size: u16, point: u16) -> Neighbors {
    let (row, column) = (point / size, point % size);
    let mut found = Neighbors::default();
    let beside = [
        (row > 0, -i32::from(size)),
        (column > 0, -1),
        (column + 1 < size, 1),
        (row + 1 < size, i32::from(size)),
    ];
    for (_, step) in beside.into_iter().filter(|&(is_there, _)| is_there) {
        found.points[usize::from(found.count)] = (i32::from(point) + step) as u16;
        found.count += 1;
    }
    found
}

/// A point's place as seen from the center, in half steps: to the right, and up.
fn place(size: u16, point: u16) -> (i32, i32) {
    let (row, column) = (i32::from(point / size), i32::from(point % size));
    let last = i32::from(size) - 1;
    (2 * column - last, last - 2 * row)
}

/// The image of a point under `f_0` to `f_7` of Chen and Zhang 2012: the identity, clockwise turns
/// by 90, 180 and 270 degrees, each also followed by the reflection in the vertical center line.
fn image(size: u16, point: u16, symmetry: usize) -> u16 {
    let (right, up) = place(size, point);
    let (right, up) = match symmetry % 4 {
        0 => (right, up),
        1 => (up, -right),
        2 => (-right, -up),
        _ => (-up, right),
    };
    let right = if symmetry < 4 { right } else { -right };
    let last = i32::from(size) - 1;
    ((last - up) / 2 * i32::from(size) + (right + last) / 2) as u16
}

/// The index of a point's type, Figure 2 of Chen and Zhang 2012 for any size: 1 for the center, 1
/// to 4 for the axes (up, right, down, left) and the diagonals (from the upper right, clockwise), 1
/// to 8 for the pies between them (from the one right of the upper axis, clockwise).
fn type_index(size: u16, point: u16) -> u16 {
    let (right, up) = place(size, point);
    let is_steep = up.abs() > right.abs();
    match (right.signum(), up.signum()) {
        (0, 0 | 1) => 1,
        (1, 0) => 2,
        (0, _) => 3,
        (_, 0) => 4,
        (1, 1) if right == up => 1,
        (1, 1) => 2 - u16::from(is_steep),
        (1, _) if right == -up => 2,
        (1, _) => 3 + u16::from(is_steep),
        (_, -1) if right == up => 3,
        (_, -1) => 6 - u16::from(is_steep),
        (_, _) if right == -up => 4,
        (_, _) => 7 + u16::from(is_steep),
    }
}
