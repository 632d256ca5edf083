//! Evals of positions, the line of best evals that goes on from one, and `/api/cloud-eval` of them.

use super::Found;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::sources::Sources;
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::HashSet;
use tabia_games::{Chess, Game, Node, Side};
use tabia_play::explore::{Explored, Move};

/// The most moves of a line.
const LONGEST: usize = 40;
/// Above it evals are mates: 32,000 less the plies to go.
pub const MOST: i16 = 30_000;
/// A mate on the board.
const MATE: i16 = 32_000;

const MISSING: &str = "No cloud evaluation available for that position";
const MOST_LINES: usize = 5;

/// A move with the eval of the position behind it, as the side that plays it sees it.
pub struct Valued<'a> {
    pub known: &'a Move,
    pub played: <Chess as Game>::Move,
    pub eval: i16,
}

/// The moves whose positions have evals, the best one first.
pub fn valued<'a>(explored: &'a Explored, node: &Node<Chess>) -> Vec<Valued<'a>> {
    let of = |known: &'a Move| {
        Some(Valued { known, played: node.move_of_code(known.code)?, eval: known.eval()? })
    };
    let mut all: Vec<_> = explored.moves.iter().filter_map(of).collect();
    all.sort_by_key(|one| (Reverse(one.eval), Reverse(one.known.games), one.known.code));
    all
}

/// A line of moves, from a position on.
#[derive(Default)]
pub struct Line {
    /// As whoever asked for the line writes moves.
    pub uci: Vec<String>,
    pub san: Vec<String>,
}

/// An eval as White sees it: `cp` in centipawns, or `mate` in moves.
pub fn for_white(eval: i16, is_whites: bool) -> Map<String, Value> {
    let sign = if is_whites { 1 } else { -1 };
    let (name, number) = match i32::from(eval) {
        eval if eval.abs() > i32::from(MOST) => {
            ("mate", sign * eval.signum() * ((i32::from(MATE) - eval.abs() + 1) / 2))
        }
        eval => ("cp", sign * eval),
    };
    Map::from_iter([(name.to_owned(), json!(number))])
}

/// `/api/cloud-eval`, as lichess answers it: the eval of a position, with the lines of the best evals that go on from it.
pub fn cloud_eval(sources: &Sources, request: &Request) -> Answered {
    let lines = request.number("multiPv", 1_usize)?.clamp(1, MOST_LINES);
    let found = Found::first(sources, request)?;
    let position = &found.explored.position;
    let is_whites = found.history.present().position.side() == Side::First;
    let valued = found.valued();
    // An eval without a move is none: clients play the first move of the first line.
    let best = valued.first().ok_or_else(|| Refusal::Missing(MISSING.to_owned()))?;
    let depth = match position.eval {
        Some(_) => position.depth,
        None => best.known.position.as_ref().map_or(0, |behind| behind.depth),
    };
    let mut pvs = Vec::new();
    for (place, valued) in valued.iter().take(lines).enumerate() {
        let line = found.line(&valued.played, Chess::king_takes_rook)?;
        // Its own eval is of a deeper search than the first move's.
        let eval = position.eval.filter(|_| place == 0).unwrap_or(valued.eval);
        let mut pv = for_white(eval, is_whites);
        pv.insert("moves".to_owned(), json!(line.uci.join(" ")));
        pvs.push(pv);
    }
    let body = json!({ "fen": found.explored.fen, "knodes": 0, "depth": depth, "pvs": pvs });
    Ok(Reply::json(&body)?.of_books(&found.books))
}

impl Found<'_> {
    pub fn valued(&self) -> Vec<Valued<'_>> {
        valued(&self.explored, self.history.present())
    }

    /// This move, and after it always the one with the best eval, as far as evals are known and no
    /// position comes again; the moves written so.
    pub fn line(
        &self,
        first: &<Chess as Game>::Move,
        written: fn(&Chess, &<Chess as Game>::Move) -> String,
    ) -> Result<Line, Refusal> {
        let (mut node, mut next) = (self.history.present().clone(), Some(*first));
        let (mut line, mut seen) = (Line::default(), HashSet::from([node.key]));
        while let Some(played) = next.take() {
            line.uci.push(written(&node.position, &played));
            line.san.push(node.position.notation(&played));
            node = node.after(&played);
            if line.uci.len() < LONGEST && seen.insert(node.key) {
                let explored = Explored::new(&self.books, &node)?;
                next = valued(&explored, &node).first().map(|best| best.played);
            }
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evals_are_white_s_and_mates_are_in_moves() {
        let shown = |eval, is_whites| serde_json::to_string(&for_white(eval, is_whites)).unwrap();
        assert_eq!(shown(35, true), r#"{"cp":35}"#);
        assert_eq!(shown(35, false), r#"{"cp":-35}"#);
        // Mates in one and in two; mated by the answer to any move.
        assert_eq!(shown(31_999, true), r#"{"mate":1}"#);
        assert_eq!(shown(31_997, false), r#"{"mate":-2}"#);
        assert_eq!(shown(-31_998, true), r#"{"mate":-1}"#);
    }
}
