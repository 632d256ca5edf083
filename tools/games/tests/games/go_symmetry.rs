//! The images of positions and lines: that they alone count together; Chen and Zhang's figures.

use crate::laws::{codes, keys_are_of_one_board};
use std::collections::BTreeSet;
use tabia_games::go::{Go, Move, Symmetry};
use tabia_games::{Game, Line, set_bits};

fn start(size: usize, symmetry: Symmetry) -> Go {
    Go::start(size, symmetry).expect("a size")
}

/// The image of a point by turning and reflecting, written apart from the crate's own.
fn image(size: u16, point: u16, symmetry: usize) -> u16 {
    let (mut row, mut column) = (point / size, point % size);
    for _ in 0..symmetry % 4 {
        (row, column) = (column, size - 1 - row);
    }
    if symmetry % 8 >= 4 { row * size + size - 1 - column } else { row * size + column }
}

/// A move's image; from 8 on the colors are exchanged.
pub fn moved(size: u16, played: &Move, symmetry: usize) -> Move {
    let side = if symmetry < 8 { played.side } else { played.side.other() };
    Move { side, point: played.point.map(|point| image(size, point, symmetry)) }
}

/// A board as text, the least of its images.
fn canonical(go: &Go, images: usize) -> String {
    let size = go.size() as u16;
    let text = |symmetry: usize| -> String {
        let mut cells = vec!['.'; usize::from(size * size)];
        for point in 0..size * size {
            let stone = go.at(point).map(|side| if symmetry < 8 { side } else { side.other() });
            cells[usize::from(image(size, point, symmetry))] =
                stone.map_or('.', |side| if side.index() == 0 { 'X' } else { 'O' });
        }
        let side = if symmetry < 8 { go.side() } else { go.side().other() };
        cells.into_iter().chain([if side.index() == 0 { 'b' } else { 'w' }]).collect()
    };
    (0..images).map(text).min().expect("an image")
}

#[test]
fn what_is_no_image_has_another_key() {
    for (symmetry, images) in
        [(Symmetry::None, 1), (Symmetry::Board, 8), (Symmetry::BoardAndColors, 16)]
    {
        let boards = [3, 5, 9].map(|size| {
            keys_are_of_one_board(&start(size, symmetry), 100, 100, |go| canonical(go, images))
        });
        assert!(boards.iter().sum::<usize>() > 12_000, "{boards:?}");
    }
}

#[test]
fn first_moves_on_nine_by_nine_are_fifteen() {
    let go = start(9, Symmetry::Board);
    let led = (0..81).map(|point| {
        let mut after = go;
        after.try_play(&Move { side: go.side(), point: Some(point) }).expect("legal");
        after.key()
    });
    let led: BTreeSet<u64> = led.collect();
    assert_eq!((led.len(), codes(&go).len(), codes(&start(9, Symmetry::None)).len()), (15, 16, 82));
    let sixteen = start(9, Symmetry::BoardAndColors);
    assert_eq!(sixteen.key(), sixteen.turned(sixteen.side().other()).key());
    assert_eq!(codes(&sixteen).len(), 16);
    assert_ne!(go.key(), go.turned(go.side().other()).key());
}

/// Empty boards of different sizes have different keys, whatever counts together.
#[test]
fn sizes_differ() {
    let keys: BTreeSet<u64> = Go::all().map(|go| go.key()).collect();
    assert!(keys.len() >= 18 && !keys.contains(&0));
}

/// Chen and Zhang 2012, Figure 2, from the top row.
const FIGURE_2: [&str; 9] = [
    "d4 p8 p8 p8 a1 p1 p1 p1 d1",
    "p7 d4 p8 p8 a1 p1 p1 d1 p2",
    "p7 p7 d4 p8 a1 p1 d1 p2 p2",
    "p7 p7 p7 d4 a1 d1 p2 p2 p2",
    "a4 a4 a4 a4 c1 a2 a2 a2 a2",
    "p6 p6 p6 d3 a3 d2 p3 p3 p3",
    "p6 p6 d3 p5 a3 p4 d2 p3 p3",
    "p6 d3 p5 p5 a3 p4 p4 d2 p3",
    "d3 p5 p5 p5 a3 p4 p4 p4 d2",
];

fn location_type(point: u16) -> &'static str {
    FIGURE_2[usize::from(point / 9)].split(' ').nth(usize::from(point % 9)).expect("a type")
}

#[test]
fn ranks_are_the_indices_of_figure_2() {
    let go = start(9, Symmetry::Board);
    for point in 0..81 {
        assert_eq!(go.rank(point).to_string(), location_type(point)[1..], "{point}");
    }
}

fn moves(go: &Go, text: &str) -> Vec<Move> {
    let mut go = *go;
    let read = |text| {
        let played = go.parse_move(text).expect("a legal move");
        go.play(&played);
        played
    };
    text.split(' ').map(read).collect()
}

/// Figure 1 shows eight images of a sequence, Table 1 those of `<E5, D3, C5>` (Figure 3) under
/// `f_0` to `f_7`, with types and indices.
const TABLE_1: [(&str, &str, &str); 8] = [
    ("E5 D3 C5", "c1 p5 a4", "154"),
    ("E5 C6 E7", "c1 p7 a1", "171"),
    ("E5 F7 G5", "c1 p1 a2", "112"),
    ("E5 G4 E3", "c1 p3 a3", "133"),
    ("E5 F3 G5", "c1 p4 a2", "142"),
    ("E5 G6 E7", "c1 p2 a1", "121"),
    ("E5 D7 C5", "c1 p8 a4", "184"),
    ("E5 C4 E3", "c1 p6 a3", "163"),
];

#[test]
fn images_are_those_of_table_1() {
    let go = start(9, Symmetry::Board);
    let sequence = moves(&go, "E5 D3 C5");
    for (symmetry, (image, types, indices)) in (0..).zip(TABLE_1) {
        let codes: Vec<u16> = sequence.iter().map(|played| go.image(played, symmetry)).collect();
        let each = |name: &dyn Fn(u16) -> String| -> Vec<String> {
            codes.iter().map(|&point| name(point)).collect()
        };
        let names = each(&|point| go.notation(&Move { point: Some(point), ..sequence[0] }));
        assert_eq!(names.join(" "), image, "f_{symmetry}");
        assert_eq!(each(&|point| location_type(point).into()).join(" "), types, "f_{symmetry}");
        assert_eq!(each(&|point| go.rank(point).to_string()).concat(), indices, "f_{symmetry}");
    }
}

/// Figure 4: the canonical form of all eight images is `<E5, F7, G5>`, of the first by `f_2`.
#[test]
fn the_canonical_form_is_that_of_figure_4() {
    let empty = start(9, Symmetry::Board);
    for (image, _, _) in TABLE_1 {
        let (mut go, mut line, mut form) = (empty, Line::start(&empty), Vec::new());
        for played in moves(&empty, image) {
            let code = line.code(&go, &played);
            form.push(go.notation(&Move { point: Some(code), ..played }));
            line = line.after(&go, &played);
            go.play(&played);
        }
        assert_eq!(form.join(" "), "E5 F7 G5", "{image}");
        let symmetries: Vec<u32> = set_bits(line.symmetries()).collect();
        if image == "E5 D3 C5" {
            assert_eq!(symmetries, [2]);
        }
        assert_eq!(symmetries.len(), 1);
    }
}

#[test]
fn a_pie_move_decides_and_others_may_not() {
    let empty = start(9, Symmetry::Board);
    let left = |text: &str| {
        let mut go = empty;
        let line = moves(&empty, text).iter().fold(Line::start(&empty), |line, played| {
            let next = line.after(&go, played);
            go.play(played);
            next
        });
        set_bits(line.symmetries()).count()
    };
    let lines = ["E5", "E3", "C3", "C4", "E5 pass", "E5 E3", "E3 E7", "E3 C3"];
    assert_eq!(lines.map(left), [8, 2, 2, 1, 8, 2, 2, 1]);
}

/// `f_1` and `f_3` are inverse to each other, the others to themselves. On every size.
#[test]
fn inverses_are_as_listed() {
    const INVERSE: [u32; 8] = [0, 3, 2, 1, 4, 5, 6, 7];
    for size in 2..=19 {
        let go = start(size, Symmetry::Board);
        for point in 0..(size * size) as u16 {
            for symmetry in 0..8 {
                let there = go.image(&Move { side: go.side(), point: Some(point) }, symmetry);
                assert_eq!(there, image(size as u16, point, symmetry as usize));
                let back = Move { side: go.side(), point: Some(there) };
                assert_eq!(go.image(&back, INVERSE[symmetry as usize]), point);
            }
        }
        let ranks = |point: u16| (0..8).map(move |symmetry| image(size as u16, point, symmetry));
        for point in 0..(size * size) as u16 {
            let images: BTreeSet<u16> = ranks(point).collect();
            let ordered: BTreeSet<u16> = images.iter().map(|&point| go.rank(point)).collect();
            let what = format!("size {size}, point {point}: images differ in their ranks");
            assert_eq!(images.len(), ordered.len(), "{what}");
        }
    }
}
