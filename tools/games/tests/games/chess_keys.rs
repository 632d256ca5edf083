//! Chess keys are Polyglot's: against published ones, and kept up to date move by move.

use crate::laws::laws_from;
use crate::shared::after;
use tabia_games::{Chess, Game};
use tabia_testing::{data, rows};

/// The nine positions of Polyglot's book format text: the moves that lead there, the FEN, the key.
const POLYGLOT: &str = "
    start | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 463b96181691fc9c
    e4 | rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 | 823c9b50fd114196
    e4 d5 | rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2 | 0756b94461c50fb0
    e4 d5 e5 | rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2 | 662fafb965db29d4
    e4 d5 e5 f5 | rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3 | 22a48b5a8e47ff78
    e4 d5 e5 f5 Ke2 | rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3 | 652a607ca3f242c1
    e4 d5 e5 f5 Ke2 Kf7 | rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4 | 00fdd303c946bdd9
    a4 b5 h4 b4 c4 | rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3 | 3c8123ea7b067637
    a4 b5 h4 b4 c4 bxc3 Ra3 | rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4 | 5c3f9b829b279560
";

fn key(fen: &str) -> u64 {
    Chess::from_setup(fen).expect("a position").key()
}

#[test]
fn polyglots_nine_keys_by_fen_and_by_moves() {
    for [moves, fen, expected] in rows(POLYGLOT) {
        assert_eq!(format!("{:016x}", key(&fen)), expected, "{fen}");
        let moves = moves.trim_start_matches("start");
        assert_eq!(after(&Chess::start(), moves).key(), key(&fen), "{moves}");
    }
}

#[test]
fn en_passant_counts_if_a_pawn_stands_beside_whether_or_not_it_may_take() {
    // The taking pawn is pinned to its king along the rank: not legal, counted all the same.
    let pushed = "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1";
    let quiet = "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1";
    assert_ne!(key(pushed), key(quiet));
    // Nobody stands beside: not counted, whatever the FEN says.
    assert_eq!(key("8/8/8/8/k2P3R/8/8/4K3 b - d3 0 1"), key("8/8/8/8/k2P3R/8/8/4K3 b - - 0 1"));
    // And by moves.
    let before = Chess::from_setup("8/8/8/8/k3p2R/8/3P4/4K3 w - - 0 1").expect("a position");
    let game = after(&before, "d4");
    assert_eq!([game.key(), key(&game.setup())], [key(pushed); 2]);
}

/// The reference file holds 128-bit values; the lower half is the 64-bit key, with en passant
/// counted only where it is legal. So where the last move leaves an en passant capture that isn't
/// legal, the file's key lacks what ours has, and only there.
#[test]
fn shakmatys_zobrist_reference_of_chess() {
    let Some(path) = data("reference/chess_shakmaty/zobrist.csv") else { return };
    let mut checked = 0;
    for line in std::fs::read_to_string(path).expect("a text").lines() {
        let mut columns = line.split(',');
        let (Some("chess" | "chess960"), Some(moves), Some(value)) =
            (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let value =
            u128::from_str_radix(value.trim_start_matches("0x"), 16).expect("a hexadecimal number");
        assert_eq!(legal_en_passant_key(&after(&Chess::start(), moves)), value as u64, "{moves}");
        checked += 1;
    }
    assert_eq!(checked, 100);
}

fn legal_en_passant_key(game: &Chess) -> u64 {
    use shakmaty::Position;
    use shakmaty::zobrist::{Zobrist64, ZobristValue};
    let position = game.standard().unwrap();
    match (position.pseudo_legal_ep_square(), position.legal_ep_square()) {
        (Some(square), None) => {
            game.key() ^ Zobrist64::zobrist_for_en_passant_file(square.file()).0
        }
        _ => game.key(),
    }
}

/// Keys kept move by move, codes and texts, from positions that stress castling, en passant,
/// promotion, and pieces that could go to one square.
#[test]
fn laws_hold_from_rare_positions_on() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "nrnbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNQBRKBR w KQkq - 0 1",
        "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
        "r3k2r/8/8/pPpPpPpP/PpPpPpPp/8/8/R3K2R w KQkq a6 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "6k1/5p2/8/3N1N2/8/3N1N2/1Q6/K3Q3 w - - 0 1",
    ] {
        laws_from(&Chess::from_setup(fen).expect("a position"), 120, 20);
    }
}
