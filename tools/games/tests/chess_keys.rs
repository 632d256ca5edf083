//! Chess keys are Polyglot's: against published ones, and kept up to date move by move as if
//! computed afresh.

#![cfg(feature = "chess")]

mod shared;

use proptest::prelude::*;
use tabia_games::{Chess, Game};

/// The nine positions of Polyglot's book format text: the moves that lead there, the FEN, the key.
const POLYGLOT: [(&str, &str, u64); 9] = [
    ("", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
    ("e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
    (
        "e2e4 d7d5",
        "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2",
        0x0756_b944_61c5_0fb0,
    ),
    (
        "e2e4 d7d5 e4e5",
        "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
        0x662f_afb9_65db_29d4,
    ),
    (
        "e2e4 d7d5 e4e5 f7f5",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        0x22a4_8b5a_8e47_ff78,
    ),
    (
        "e2e4 d7d5 e4e5 f7f5 e1e2",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3",
        0x652a_607c_a3f2_42c1,
    ),
    (
        "e2e4 d7d5 e4e5 f7f5 e1e2 e8f7",
        "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4",
        0x00fd_d303_c946_bdd9,
    ),
    (
        "a2a4 b7b5 h2h4 b5b4 c2c4",
        "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
        0x3c81_23ea_7b06_7637,
    ),
    (
        "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3",
        "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
        0x5c3f_9b82_9b27_9560,
    ),
];

fn after(moves: &str) -> Chess {
    let mut game = Chess::start();
    for text in moves.split_whitespace() {
        let played = game.parse_move(text).expect("a legal move");
        game.play(&played);
    }
    game
}

#[test]
fn polyglots_nine_keys_by_fen_and_by_moves() {
    for (moves, fen, key) in POLYGLOT {
        assert_eq!(Chess::from_setup(fen).expect("a position").key(), key, "{fen}");
        assert_eq!(after(moves).key(), key, "{moves}");
    }
}

#[test]
fn en_passant_counts_if_a_pawn_stands_beside_whether_or_not_it_may_take() {
    // The taking pawn is pinned to its king along the rank: not legal, counted all the same.
    let pushed = "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1";
    let quiet = "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1";
    let key = |fen| Chess::from_setup(fen).expect("a position").key();
    assert_ne!(key(pushed), key(quiet));
    // Nobody stands beside: not counted, whatever the FEN says.
    assert_eq!(key("8/8/8/8/k2P3R/8/8/4K3 b - d3 0 1"), key("8/8/8/8/k2P3R/8/8/4K3 b - - 0 1"));
    // And by moves.
    let mut game = Chess::from_setup("8/8/8/8/k3p2R/8/3P4/4K3 w - - 0 1").expect("a position");
    let push = game.parse_move("d4").expect("a legal move");
    game.play(&push);
    assert_eq!(game.key(), key(pushed));
    assert_eq!(Chess::from_setup(&game.setup()).expect("its own text").key(), game.key());
}

#[test]
fn polyglot_keys_of_the_reference_file() {
    let Some(text) = shared::text("reference/polyglot_keys.tsv") else { return };
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (fen, key) = line.split_once('\t').expect("two columns");
        assert_eq!(
            format!("{:016x}", Chess::from_setup(fen).expect("a position").key()),
            key,
            "{fen}"
        );
    }
}

/// The reference file holds 128-bit values; the lower half is the 64-bit key, with en passant
/// counted only where it is legal. So where the last move leaves an en passant capture that isn't
/// legal, the file's key lacks what ours has, and only there.
#[test]
fn shakmatys_zobrist_reference_of_chess() {
    let Some(text) = shared::text("reference/chess_shakmaty/zobrist.csv") else { return };
    let mut checked = 0;
    for line in text.lines() {
        let mut columns = line.split(',');
        let (Some("chess" | "chess960"), Some(moves), Some(value)) =
            (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let value =
            u128::from_str_radix(value.trim_start_matches("0x"), 16).expect("a hexadecimal number");
        assert_eq!(legal_en_passant_key(&after(moves)), value as u64, "{moves}");
        checked += 1;
    }
    assert_eq!(checked, 100);
}

fn legal_en_passant_key(game: &Chess) -> u64 {
    use shakmaty::Position;
    use shakmaty::zobrist::{Zobrist64, ZobristValue};
    let position = game.position();
    match (position.pseudo_legal_ep_square(), position.legal_ep_square()) {
        (Some(square), None) => {
            game.key() ^ Zobrist64::zobrist_for_en_passant_file(square.file()).0
        }
        _ => game.key(),
    }
}

/// Start positions that stress castling, en passant and promotion.
const STARTS: [&str; 5] = [
    "startpos",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "nrnbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNQBRKBR w KQkq - 0 1",
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "r3k2r/8/8/pPpPpPpP/PpPpPpPp/8/8/R3K2R w KQkq a6 0 1",
];

proptest! {
    #[test]
    fn the_key_kept_up_to_date_is_the_key_computed_afresh(start in 0..STARTS.len(), choices in prop::collection::vec(any::<u16>(), 1..120)) {
        let mut game = Chess::from_setup(STARTS[start]).expect("a position");
        let mut moves = Vec::new();
        for choice in choices {
            game.legal_moves(&mut moves);
            let Some(played) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
            game.play(played);
            prop_assert_eq!(Chess::from_setup(&game.setup()).expect("its own text").key(), game.key());
        }
    }
}
