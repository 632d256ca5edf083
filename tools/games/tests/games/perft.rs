//! Counts of the leaves of the move tree against published tables, the largest in whole proofs.

#[cfg(any(feature = "chess", feature = "draughts", feature = "othello"))]
use tabia_games::{Game, perft};
#[cfg(any(feature = "chess", feature = "draughts", feature = "othello"))]
use tabia_testing::whole;

/// Counts from depth 1 on. Those from depth `slow` on take long.
#[cfg(any(feature = "chess", feature = "draughts"))]
fn counts<G: Game>(start: &G, expected: &[u64], slow: usize) {
    let depths = if whole() { expected.len() } else { expected.len().min(slow - 1) };
    for (depth, &leaves) in (1..).zip(&expected[..depths]) {
        assert_eq!(perft(start, depth), leaves, "{} at depth {depth}", start.setup());
    }
}

#[cfg(feature = "chess")]
mod chess {
    use super::*;
    use tabia_games::Chess;

    #[test]
    fn start_and_kiwipete() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let leaves = [20, 400, 8_902, 197_281, 4_865_609, 119_060_324];
        counts(&Chess::start(), &leaves, 5);
        counts(&Chess::from_setup(kiwipete).expect("a position"), &[48, 2_039, 97_862], 4);
    }

    /// The position, or none where it has more material than any game could bring about.
    fn playable(start: &Chess, fen: &str) -> Option<Chess> {
        match start.set_up(fen) {
            Ok(game) => Some(game),
            Err(error) if error.why.contains("too much material") => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Every entry of a suite of this game whose count is within a bound, until the budget of leaves
    /// for the whole suite is used up; of these there must be more than `least`.
    fn suite(start: &Chess, name: &str, least: u64, [bound, mut budget]: [u64; 2]) {
        let path = format!("reference/chess_shakmaty/{name}.perft");
        let Some(path) = tabia_testing::data(&path) else { return };
        let (mut game, mut checked) = (None, 0);
        for line in std::fs::read_to_string(path).expect("a text").lines() {
            match line.trim().split_once(' ') {
                Some(("epd", fen)) => game = playable(start, fen),
                Some(("perft", entry)) => {
                    let Some(game) = &game else { continue };
                    let (depth, nodes) = entry.trim().split_once(' ').expect("depth and nodes");
                    let depth = depth.parse().expect("a depth");
                    let nodes = nodes.trim().parse::<u64>().expect("a count");
                    if nodes <= bound && nodes <= budget {
                        assert_eq!(perft(game, depth), nodes, "{} at depth {depth}", game.setup());
                        budget -= nodes;
                        checked += 1;
                    }
                }
                _ => {}
            }
        }
        println!("{name}: {checked} entries");
        assert!(checked > least, "{name}: {checked}");
    }

    #[test]
    fn positions_of_many_kinds() {
        suite(&Chess::start(), "random", 10, [10_000, 20_000_000]);
        suite(&Chess::start(), "tricky", 10, [100_000, 10_000_000]);
        suite(&Chess::start(), "chess960", 10, [15_000, 10_000_000]);
    }

    /// King of the Hill has no suite: its moves are those of chess.
    #[test]
    fn variants() {
        for start in Chess::all().skip(1).filter(|start| start.name() != "king-of-the-hill") {
            suite(&start, start.uci_variant(), 5, [100_000, 3_000_000]);
        }
    }
}

#[cfg(feature = "draughts")]
mod draughts {
    use super::*;
    use tabia_games::Checkers;

    /// OEIS A133046, from depth 1 on (`reference/known_counts.md`). It takes every way of a capture
    /// for a move of its own, which makes a difference from depth 12 on.
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

    /// Leaves if every way of a capture is a move of its own.
    fn perft_of_ways(game: &Checkers, depth: u32) -> u64 {
        let moves = game.legal();
        if depth == 1 && moves.iter().all(|played| played.captures() < 2) {
            return moves.len() as u64;
        }
        let after = |played| {
            let leaves = if depth == 1 { 1 } else { perft_of_ways(&game.after(played), depth - 1) };
            game.ways(played) as u64 * leaves
        };
        moves.iter().map(after).sum()
    }

    #[test]
    fn english() {
        let start = Checkers::english();
        counts(&start, &ENGLISH[..11], 9);
        let depths = if whole() { ENGLISH.len() } else { 8 };
        for (depth, &leaves) in (1..).zip(&ENGLISH[..depths]) {
            assert_eq!(perft_of_ways(&start, depth), leaves, "{depth}");
        }
        if whole() {
            assert_eq!(perft(&start, 12), 388_617_999, "without the second ways");
        }
    }

    /// Aart Bik's counts. Then positions with many captures and kings, the first from the game
    /// Woldouby-Springer, with the counts that authors of draughts programs hand on (written down
    /// from memory, not looked up). Ways over the same pieces are one move.
    #[test]
    fn international() {
        let leaves = [9, 81, 658, 4_265, 27_117, 167_140, 1_049_442, 6_483_961, 41_022_423];
        counts(&Checkers::international(), &leaves, 7);
        let woldouby = "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26";
        let kings = "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24";
        for (setup, leaves) in [
            (woldouby, &[6, 12, 30, 73, 215, 590, 1_944, 6_269, 22_369][..]),
            (kings, &[14, 55, 1_168, 5_432, 87_195, 629_010]),
        ] {
            counts(&Checkers::international().set_up(setup).expect("a position"), leaves, 10);
        }
    }
}

#[cfg(feature = "othello")]
mod othello {
    use super::*;
    use tabia_games::Othello;

    /// Leaves where a pass counts as no ply, and where it does, from depth 1 on; a game that is over
    /// before stays one leaf. Bik, <https://aartbik.blogspot.com/2009/02/perft-for-reversi.html>.
    const LEAVES: [[u64; 11]; 2] = [
        [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_320, 24_571_420, 212_260_880],
        [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800],
    ];

    /// Games that are over after nine discs.
    const OVER_AFTER_9: u64 = 228;

    /// Leaves at this depth. If passes count, each is a ply of its own.
    fn leaves(game: &Othello, depth: u32, passes_count: bool) -> u64 {
        if depth == 0 || game.outcome().is_some() {
            return 1;
        }
        let after = |played| {
            let next = game.after(played);
            let passes = u32::from(passes_count && next.has_passed());
            leaves(&next, (depth - 1).saturating_sub(passes), passes_count)
        };
        game.legal().iter().map(after).sum()
    }

    #[test]
    fn start() {
        let start = Othello::start();
        for depth in 1..=if whole() { 11 } else { 9 } {
            let expected = LEAVES.map(|leaves| leaves[depth as usize - 1]);
            assert_eq!([false, true].map(|passes| leaves(&start, depth, passes)), expected);
        }
        assert_eq!(perft(&start, 9), LEAVES[0][8]);
        if whole() {
            assert_eq!(perft(&start, 10), LEAVES[0][9] - OVER_AFTER_9);
        }
    }
}
