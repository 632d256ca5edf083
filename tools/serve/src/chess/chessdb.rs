//! `/cdb.php`, as chessdb.cn answers its queries, from a book's evals
//! (<https://www.chessdb.cn/cloudbookc_api_en.html>).

use super::Found;
use super::eval::MOST;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::sources::Sources;
use serde_json::{Value, json};
use tabia_games::{Chess, Game, Outcome};
use tabia_play::explore::Move;

/// How much less than the best a move may be worth to be fair.
const FAIR: i16 = 25;

pub fn answer(sources: &Sources, request: &Request) -> Answered {
    let is_asked = |name| request.text(name).is_some_and(|value| value != "0");
    let is_json = is_asked("json");
    let mut asked = request.clone();
    asked.query.retain(|(name, _)| name != "play" && name != "fen");
    match request.text("board") {
        Some(board) => asked.query.push(("fen".to_owned(), board.to_owned())),
        None => return status("invalid board", is_json),
    }
    let found = match Found::first(sources, &asked) {
        Err(Refusal::Bad(_)) => return status("invalid board", is_json),
        found => found?,
    };
    let position = &found.history.present().position;
    if position.legal().is_empty() {
        let is_mate = matches!(position.outcome(), Some(Outcome::FirstWins | Outcome::SecondWins));
        return status(if is_mate { "checkmate" } else { "stalemate" }, is_json);
    }
    match request.text("action").unwrap_or_default() {
        "queryall" => all(&found, is_asked("showall"), is_json),
        "querybest" | "query" | "querysearch" => best(&found, is_json),
        "queryscore" => score(&found, is_json),
        "querypv" => line(&found, is_json),
        _ => status("invalid parameters", is_json),
    }
}

/// A word in place of moves.
fn status(status: &str, is_json: bool) -> Answered {
    either(is_json, &json!({ "status": status }), || status.to_owned())
}

/// As JSON, or as chessdb ends its texts: by a zero byte.
fn either(is_json: bool, value: &Value, text: impl FnOnce() -> String) -> Answered {
    match is_json {
        true => Reply::json(value),
        false => Ok(Reply::new("text/plain; charset=utf-8", text() + "\0")),
    }
}

/// An eval as chessdb counts: a mate is 30,000 less the plies to go, where a book has 32,000.
fn counted(eval: i16) -> i16 {
    if eval.abs() > MOST { eval - 2000 * eval.signum() } else { eval }
}

/// A move as it is told.
struct Told {
    uci: String,
    san: String,
    /// None if it isn't known.
    score: Option<i16>,
    rank: u8,
    note: String,
    winrate: String,
}

/// The moves with evals, the best one first, and behind them, if they are asked for, the others.
fn told(found: &Found<'_>, with_others: bool) -> Vec<Told> {
    let (node, valued) = (found.history.present(), found.valued());
    let top = valued.first().map(|best| best.eval);
    let of = |known: &Move, eval: Option<i16>| {
        let played = node.move_of_code(known.code)?;
        let rank = match eval.zip(top).map(|(eval, top)| top.saturating_sub(eval)) {
            Some(0) => 2,
            Some(..=FAIR) => 1,
            _ => 0,
        };
        let sign = ["?", "*", "!"][usize::from(rank)];
        let winrate = |eval| 100.0 / (1.0 + (-f64::from(eval) / 330.0).exp());
        Some(Told {
            uci: node.position.coordinates(&played),
            san: node.position.notation(&played),
            score: eval.map(counted),
            rank,
            note: eval
                .map_or(sign.to_owned(), |_| format!("{sign} ({:02}-00)", known.games.min(99))),
            winrate: eval.map_or("??".to_owned(), |eval| format!("{:.2}", winrate(eval))),
        })
    };
    let with_evals = valued.iter().filter_map(|valued| of(valued.known, Some(valued.eval)));
    let others = found.explored.moves.iter().filter(|known| with_others && known.eval().is_none());
    with_evals.chain(others.filter_map(|known| of(known, None))).collect()
}

fn all(found: &Found<'_>, with_others: bool, is_json: bool) -> Answered {
    let moves = told(found, with_others);
    if moves.is_empty() {
        return status("unknown", is_json);
    }
    let entry = |told: &Told| {
        let Told { uci, san, score, rank, note, winrate } = told;
        let score = score.map_or(json!("??"), |score| json!(score));
        json!({
            "uci": uci, "san": san, "score": score, "rank": rank, "note": note, "winrate": winrate,
        })
    };
    let line = |told: &Told| {
        let score = told.score.map_or("??".to_owned(), |score| score.to_string());
        let Told { uci, rank, note, winrate, .. } = told;
        format!("move:{uci},score:{score},rank:{rank},note:{note},winrate:{winrate}")
    };
    let json = json!({ "status": "ok", "moves": moves.iter().map(entry).collect::<Vec<_>>() });
    either(is_json, &json, || moves.iter().map(line).collect::<Vec<_>>().join("|"))
}

fn best(found: &Found<'_>, is_json: bool) -> Answered {
    let Some(best) = told(found, false).into_iter().next() else {
        return status(if found.explored.is_in_book() { "nobestmove" } else { "unknown" }, is_json);
    };
    let json = json!({ "status": "ok", "move": best.uci });
    either(is_json, &json, || format!("move:{}", best.uci))
}

fn score(found: &Found<'_>, is_json: bool) -> Answered {
    let best = || found.valued().first().map(|best| best.eval);
    let Some(eval) = found.explored.position.eval.or_else(best) else {
        return status("unknown", is_json);
    };
    let eval = counted(eval);
    either(is_json, &json!({ "status": "ok", "eval": eval }), || format!("eval:{eval}"))
}

fn line(found: &Found<'_>, is_json: bool) -> Answered {
    let valued = found.valued();
    let Some(best) = valued.first() else { return status("unknown", is_json) };
    let line = found.line(&best.played, Chess::coordinates)?;
    let (score, depth) = (counted(best.eval), line.uci.len());
    let json = json!({
        "status": "ok", "score": score, "depth": depth, "pv": line.uci, "pvSAN": line.san,
    });
    let text = || format!("score:{score},depth:{depth},pv:{}", line.uci.join("|"));
    either(is_json, &json, text)
}
