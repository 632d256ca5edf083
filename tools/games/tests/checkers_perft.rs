//! English and international draughts by perft: counts of leaves against published tables
//! (`reference/known_counts.md`).

#![cfg(feature = "draughts")]

use tabia_games::{Checkers, Game, perft};

/// OEIS A133046, from depth 1 on. It takes every way of a capture for a move of its own, which
/// makes a difference from depth 12 on.
const ENGLISH: [u64; 13] = [
    7,
    49,
    302,
    1_469,
    7_361,
    36_768,
    179_740,
    845_931,
    3_963_680,
    18_391_564,
    85_242_128,
    388_623_673,
    1_766_623_630,
];

/// Aart Bik's, from depth 1 on. Ways over the same pieces are one move.
const INTERNATIONAL: [u64; 9] =
    [9, 81, 658, 4_265, 27_117, 167_140, 1_049_442, 6_483_961, 41_022_423];

/// Leaves if every way of a capture is a move of its own.
fn perft_of_ways(game: &Checkers, depth: u32) -> u64 {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    if depth == 1 && moves.iter().all(|played| played.captures() < 2) {
        return moves.len() as u64;
    }
    let after = |played| {
        let mut next = game.clone();
        next.play(played);
        let leaves = if depth == 1 { 1 } else { perft_of_ways(&next, depth - 1) };
        game.ways(played) as u64 * leaves
    };
    moves.iter().map(after).sum()
}

fn counts(start: &Checkers, depths: std::ops::RangeInclusive<u32>) -> Vec<u64> {
    depths.map(|depth| perft(start, depth)).collect()
}

#[test]
fn english_to_depth_8() {
    assert_eq!(counts(&Checkers::english(), 1..=8), ENGLISH[..8]);
}

#[test]
#[ignore = "a hundred million leaves"]
fn english_to_depth_11() {
    assert_eq!(counts(&Checkers::english(), 9..=11), ENGLISH[8..11]);
}

#[test]
fn english_by_ways_to_depth_8() {
    let start = Checkers::english();
    assert_eq!((1..=8).map(|depth| perft_of_ways(&start, depth)).collect::<Vec<_>>(), ENGLISH[..8]);
}

#[test]
#[ignore = "two billion leaves"]
fn english_by_ways_to_depth_13() {
    let start = Checkers::english();
    assert_eq!(
        (12..=13).map(|depth| perft_of_ways(&start, depth)).collect::<Vec<_>>(),
        ENGLISH[11..]
    );
    assert_eq!(perft(&start, 12), 388_617_999, "without the second ways");
}

#[test]
fn international_to_depth_6() {
    assert_eq!(counts(&Checkers::international(), 1..=6), INTERNATIONAL[..6]);
}

#[test]
#[ignore = "fifty million leaves"]
fn international_to_depth_9() {
    assert_eq!(counts(&Checkers::international(), 7..=9), INTERNATIONAL[6..]);
}

/// Positions with many captures and kings, the first from the game Woldouby-Springer, with the
/// counts that authors of draughts programs hand on (written down from memory, not looked up).
#[test]
fn international_with_kings() {
    let cases: [(&str, &[u64]); 2] = [
        (
            "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
            &[6, 12, 30, 73, 215, 590, 1_944, 6_269, 22_369],
        ),
        (
            "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
            &[14, 55, 1_168, 5_432, 87_195, 629_010],
        ),
    ];
    for (setup, expected) in cases {
        let start = Checkers::international().set_up(setup).expect("a position");
        assert_eq!(counts(&start, 1..=expected.len() as u32), expected, "{setup}");
    }
}
