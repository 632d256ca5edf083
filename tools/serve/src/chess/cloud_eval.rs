//! `/api/cloud-eval`, as lichess answers it, from a book's evals.

use super::Found;
use super::eval::for_white;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::sources::Sources;
use serde_json::json;
use tabia_games::{Chess, Game, Side};

const MISSING: &str = "No cloud evaluation available for that position";
const MOST: usize = 5;

/// The eval of a position, with the lines of the best evals that go on from it.
pub fn answer(sources: &Sources, request: &Request) -> Answered {
    let missing = || Refusal::Missing(MISSING.to_owned());
    let lines = request.number("multiPv", 1_usize)?.clamp(1, MOST);
    let found = Found::first(sources, request)?;
    let position = &found.explored.position;
    let is_whites = found.history.present().position.side() == Side::First;
    let mut pvs = Vec::new();
    for valued in found.valued().iter().take(lines) {
        let line = found.line(&valued.played, Chess::king_takes_rook)?;
        pvs.push((valued.eval, line));
    }
    // An eval without a move is none: clients play the first move of the first line.
    let best = pvs.first_mut().ok_or_else(missing)?;
    // Its own eval is of a deeper search than the first move's.
    best.0 = position.eval.unwrap_or(best.0);
    let depth = match position.eval {
        Some(_) => position.depth,
        None => found
            .valued()
            .first()
            .and_then(|best| best.known.position.as_ref())
            .map_or(0, |behind| behind.depth),
    };
    let pvs: Vec<_> = pvs
        .into_iter()
        .map(|(eval, line)| {
            let mut pv = for_white(eval, is_whites);
            pv.insert("moves".to_owned(), json!(line.uci.join(" ")));
            pv
        })
        .collect();
    let body = json!({ "fen": found.explored.fen, "knodes": 0, "depth": depth, "pvs": pvs });
    Ok(Reply::json(&body)?.of_books(&found.books))
}
