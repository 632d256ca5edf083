//! `/masters`, `/lichess`, `/player` and cloud evals, field by field.

use crate::served;
use crate::served::Served;
use serde_json::json;
use tabia::{Book, Env, MergeOptions, Results, merge};
use tabia_serve::Sources;

#[test]
fn a_position_is_told_as_lichess_tells_it() {
    let served = Served::new(1);
    let answer = served.get("/masters");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let node = answer.json();
    // The sums of the moves; the counts of the position are others.
    assert_eq!((&node["white"], &node["draws"], &node["black"]), (&json!(9), &json!(6), &json!(3)));
    assert_eq!(
        node["moves"][0],
        json!({
            "uci": "e2e4", "san": "e4", "averageRating": 2500, "white": 5, "draws": 3, "black": 2,
            "game": null, "opening": {"eco": "B00", "name": "King's Pawn <script>"},
        })
    );
    let moves: Vec<_> =
        node["moves"].as_array().unwrap().iter().map(|m| m["san"].clone()).collect();
    assert_eq!(moves, ["e4", "d4", "c4"]);
    assert_eq!((&node["opening"], &node["topGames"]), (&json!(null), &json!([])));
    assert!(node.get("recentGames").is_none() && node.get("history").is_none());
    // Black's wins are Black's.
    let node = served.get("/masters?play=e2e4").json();
    assert_eq!((&node["white"], &node["draws"], &node["black"]), (&json!(4), &json!(3), &json!(2)));
    assert_eq!(node["opening"], json!({"eco": "B00", "name": "King's Pawn <script>"}));
    assert_eq!(node["moves"][0]["opening"]["eco"], "C20");
    // A move that is cut is among the games of the node.
    let node = served.get("/lichess?moves=1").json();
    assert_eq!((node["moves"].as_array().unwrap().len(), &node["white"]), (1, &json!(9)));
    assert_eq!(node["recentGames"], json!([]));
    assert_eq!(served.get("/lichess?history=True").json()["history"], json!([]));
    assert_eq!(served.get("/lichess/history").json()["history"], json!([]));
}

/// lichess's format has no place for games of unknown results but draws: the answer says so.
#[test]
fn a_book_without_results_says_so_and_has_no_performance() {
    let served = Served::with(1, |_, folder| {
        let (known, unknown) = (folder.join("masters.tabia"), folder.join("unknown.tabia"));
        let options = MergeOptions { results: Some(Results::Unknown), ..MergeOptions::default() };
        merge(&Env::default(), &unknown, &[Book::open(&known).unwrap()], options).unwrap();
        Sources::new(vec![served::source("masters", &unknown)]).unwrap()
    });
    let node = served.get("/masters").json();
    assert_eq!(
        [&node["results"], &node["white"], &node["draws"], &node["black"]],
        [&json!("unknown"), &json!(0), &json!(18), &json!(0)]
    );
    let answer = served.get("/v1/chess/explore").json();
    assert_eq!([&answer["results"], &answer["moves"][0]["wins"]], [&json!(false), &json!(null)]);
    assert_eq!(answer["moves"][0]["games"], 10);
    let answer = served.get("/v1/chess/play?rule=games").json();
    assert_eq!(answer["candidates"][0]["figures"], json!({"games": 10}));
    assert!(Served::new(1).get("/masters").json().get("results").is_none());
}

#[test]
fn castling_is_the_king_s_move_to_its_rook() {
    let served = Served::new(1);
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1";
    for target in [format!("/masters?fen={fen}"), format!("/masters?fen={}", fen.replace('_', "+"))]
    {
        let node = served.get(&target).json();
        assert_eq!(
            (&node["moves"][0]["uci"], &node["moves"][0]["san"]),
            (&json!("e1h1"), &json!("O-O"))
        );
    }
    for played in ["e1g1", "e1h1", "O-O"] {
        let answer = served.get(&format!("/masters?fen={fen}&play={played}"));
        assert_eq!((answer.status, &answer.json()["moves"]), (200, &json!([])), "{played}");
    }
}

#[test]
fn what_clients_send_besides_is_passed_over_or_named() {
    let served = Served::new(1);
    let answer =
        served.get("/lichess?variant=standard&speeds=&ratings=&play=&fen=&x=1&source=analysis");
    assert_eq!((answer.status, answer.header("x-tabia-ignored")), (200, None));
    let answer = served.ask("GET", "/masters", "Accept: application/x-chess-pgn\r\n");
    assert_eq!(answer.status, 200);
    for bad in ["fen=x", "play=e2e5", "moves=many", "moves=-1", "history=maybe", "variant=duck"] {
        let answer = served.get(&format!("/lichess?{bad}"));
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (400, Some("text/plain; charset=utf-8"))
        );
        assert!(answer.body.starts_with("bad request: "), "{bad}: {answer:?}");
    }
    assert_eq!(served.get("/player?player=Carlsen").status, 400);
    assert_eq!(served.get("/player?player=Carlsen&color=green").status, 400);
    let answer = served.get("/player?player=Carlsen&color=white");
    assert_eq!(
        (answer.status, answer.body.as_str()),
        (404, "no book is called carlsen-white here")
    );
}

#[test]
fn evals_are_white_s_with_the_lines_behind_them() {
    let served = Served::new(1);
    let answer = served
        .get("/api/cloud-eval?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1")
        .json();
    assert_eq!(answer["depth"], 20);
    // e4 leaves Black at -25; Black's best there is c5, which leaves White at -20.
    assert_eq!(answer["pvs"], json!([{"cp": 25, "moves": "e2e4 c7c5"}]));
    let answer = served.get("/api/cloud-eval?play=e2e4&multiPv=3").json();
    assert_eq!(answer["pvs"], json!([{"cp": 25, "moves": "c7c5"}, {"cp": 30, "moves": "e7e5"}]));
    let missing = served.get("/api/cloud-eval?fen=8/8/8/4k3/8/4K3/8/8_w_-_-_0_1");
    assert_eq!(missing.status, 404);
    assert_eq!(missing.json(), json!({"error": "No cloud evaluation available for that position"}));
}
