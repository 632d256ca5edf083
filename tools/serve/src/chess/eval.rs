//! Evals of positions, and the line of best evals that goes on from one.

use super::Found;
use crate::reply::Refusal;
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::HashSet;
use tabia_games::{Chess, Game, Node};
use tabia_play::explore::{Explored, Move};

/// The most moves of a line.
const LONGEST: usize = 40;
/// Above it evals are mates: 32,000 less the plies to go.
pub const MOST: i16 = 30_000;
/// A mate on the board.
const MATE: i16 = 32_000;

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
