//! `/cdb.php`.

use crate::served::Served;
use serde_json::json;

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1";

fn ask(served: &Served, action: &str, board: &str, more: &str) -> String {
    let answer = served.get(&format!("/cdb.php?action={action}&board={board}{more}"));
    assert_eq!((answer.status, answer.header("cache-control")), (200, Some("no-cache")));
    answer.body
}

#[test]
fn queries_are_answered_as_chessdb_answers_them() {
    let served = Served::new(1);
    let all: serde_json::Value =
        serde_json::from_str(&ask(&served, "queryall", AFTER_E4, "&json=1")).unwrap();
    assert_eq!(all["status"], "ok");
    assert_eq!(
        all["moves"][0],
        json!({"uci": "c7c5", "san": "c5", "score": 20, "rank": 2, "note": "! (03-00)", "winrate": "51.51"})
    );
    assert_eq!((&all["moves"][1]["score"], &all["moves"][1]["rank"]), (&json!(-30), &json!(0)));
    // Texts end with a zero byte.
    assert_eq!(ask(&served, "querybest", AFTER_E4, ""), "move:c7c5\0");
    assert!(
        ask(&served, "queryall", AFTER_E4, "")
            .starts_with("move:c7c5,score:20,rank:2,note:! (03-00),winrate:51.51|move:e7e5")
    );
    assert_eq!(ask(&served, "queryscore", AFTER_E4, ""), "eval:-25\0");
    assert_eq!(ask(&served, "querypv", AFTER_E4, ""), "score:20,depth:1,pv:c7c5\0");
    // Mates count from 30,000; the king castles to where it stands then.
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1";
    assert_eq!(ask(&served, "querypv", castling, ""), "score:29997,depth:1,pv:e1g1\0");
    // Moves without an eval are there where they are asked for.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1";
    let moves = |more| ask(&served, "queryall", start, more).matches("move:").count();
    assert_eq!((moves(""), moves("&showall=0"), moves("&showall=1")), (1, 1, 3));
}

#[test]
fn what_has_no_answer_has_a_word() {
    let served = Served::new(1);
    let empty = "8/8/8/4k3/8/4K3/8/R7_w_-_-_0_1";
    for (action, board, word) in [
        ("queryall", "nonsense", "invalid board"),
        ("queryall", empty, "unknown"),
        ("querybest", empty, "unknown"),
        ("queryscore", empty, "unknown"),
        ("store", empty, "invalid parameters"),
        ("queryall", "7k/5Q2/6K1/8/8/8/8/8_b_-_-_0_1", "stalemate"),
        ("queryall", "7k/6Q1/6K1/8/8/8/8/8_b_-_-_0_1", "checkmate"),
    ] {
        assert_eq!(ask(&served, action, board, ""), format!("{word}\0"));
        let json = json!({ "status": word }).to_string();
        assert_eq!(ask(&served, action, board, "&json=1"), json);
    }
}
