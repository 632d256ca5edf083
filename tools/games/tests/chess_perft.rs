//! Chess by perft: node counts against published tables.

#![cfg(feature = "chess")]

mod shared;

use tabia_games::{Chess, Game, perft};

fn count(setup: &str, depth: u32) -> u64 {
    perft(&Chess::from_setup(setup).expect("a position"), depth)
}

#[test]
fn from_the_start_to_depth_4() {
    assert_eq!([1, 2, 3, 4].map(|depth| count("startpos", depth)), [20, 400, 8_902, 197_281]);
}

#[test]
#[ignore = "a hundred and twenty million leaves"]
fn from_the_start_to_depth_6() {
    assert_eq!([5, 6].map(|depth| count("startpos", depth)), [4_865_609, 119_060_324]);
}

#[test]
fn kiwipete_to_depth_3() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!([1, 2, 3].map(|depth| count(kiwipete, depth)), [48, 2_039, 97_862]);
}

/// The position, or none where it has more material than any game could bring about, which we
/// refuse.
fn playable(fen: &str) -> Option<Chess> {
    match Chess::from_setup(fen) {
        Ok(game) => Some(game),
        Err(error) if error.why.contains("too much material") => None,
        Err(error) => panic!("{error}"),
    }
}

/// Every entry of a suite whose count is within a bound, until the budget of leaves for the whole
/// suite is used up.
fn suite(path: &str, bound: u64, mut budget: u64) {
    let Some(text) = shared::text(path) else { return };
    let (mut game, mut checked) = (None, 0);
    for line in text.lines() {
        match line.trim().split_once(' ') {
            Some(("epd", fen)) => game = playable(fen),
            Some(("perft", entry)) => {
                let Some(game) = &game else { continue };
                let (depth, nodes) = entry.trim().split_once(' ').expect("depth and nodes");
                let (depth, nodes) = (
                    depth.parse().expect("a depth"),
                    nodes.trim().parse::<u64>().expect("a count"),
                );
                if nodes <= bound && nodes <= budget {
                    assert_eq!(perft(game, depth), nodes, "{} at depth {depth}", game.setup());
                    budget -= nodes;
                    checked += 1;
                }
            }
            _ => {}
        }
    }
    println!("{path}: {checked} entries");
    assert!(checked > 10);
}

#[test]
fn random_positions() {
    suite("reference/chess_shakmaty/random.perft", 10_000, 20_000_000);
}

#[test]
fn tricky_positions() {
    suite("reference/chess_shakmaty/tricky.perft", 100_000, 10_000_000);
}

#[test]
fn chess960_positions() {
    suite("reference/chess_shakmaty/chess960.perft", 15_000, 10_000_000);
}
