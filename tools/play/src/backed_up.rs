//! What negamax makes of all that a book has behind positions, read as far as that was asked: what the
//! rule [`Negamax`](crate::choice::Negamax) goes by if nothing is said of it.

use crate::Error;
use crate::choice::RowLookup;
use crate::negamax::{Graph, GraphOptions, GraphView, Solved, Unit, Value, solve};
use tabia::Result;
use tabia_games::{Game, Node, Side};

/// The part of a book that values are backed up through, behind the positions that were read.
#[derive(Debug, Default)]
pub(crate) struct BackedUp {
    graph: Graph,
    /// As each side sees it who chooses.
    solved: [Option<Solved>; 2],
    /// How many legal moves may be looked at.
    most_looked: Option<u64>,
}

impl BackedUp {
    /// Nothing yet; so many legal moves may be looked at in all.
    pub fn within(most_looked: u64) -> Self {
        Self { most_looked: Some(most_looked), ..Self::default() }
    }

    /// Reads what the book has behind a position, unless that is known; false if there is more than may
    /// be looked at, and then nothing is known.
    pub fn read<G: Game>(&mut self, rows: &dyn RowLookup, from: &Node<G>) -> Result<bool> {
        let most_looked = self.most_looked;
        let reading = GraphOptions { only_backed_up: true, most_looked, ..GraphOptions::default() };
        match self.graph.grow(rows, from, reading) {
            Ok(false) => {}
            Ok(true) => self.solved = [None, None],
            Err(Error::Engine(error)) => return Err(error),
            Err(_) => {
                *self = Self { most_looked, ..Self::default() };
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many positions were read.
    pub fn positions(&self) -> u32 {
        self.graph.len()
    }

    /// What a position is worth to the side to move, by evals.
    pub fn value<G: Game>(&mut self, at: &Node<G>) -> Option<Value> {
        let side = at.position.side();
        let place = self.graph.find(at.key, side).filter(|_| self.has_grown())?;
        self.solved(side).value(place, side)
    }

    /// What a move is worth to the side that makes it, by evals.
    pub fn value_of_move<G: Game>(&mut self, to: &Node<G>, by: Side) -> Option<Value> {
        self.behind(to, by).filter(|_| self.has_grown()).map(|(value, _)| value)
    }

    /// Whether there are evals that are backed up.
    fn has_grown(&self) -> bool {
        self.graph.has_expanded() && self.graph.unit() == Unit::Eval
    }

    /// What a move is worth to the side that makes it, be it by proofs alone, and in how many moves it
    /// comes to where that stands.
    pub fn behind<G: Game>(&mut self, to: &Node<G>, by: Side) -> Option<(Value, u32)> {
        let to = self.graph.find(to.key, to.position.side())?;
        let solved = self.solved(by);
        Some((solved.value_of_move(to, by)?, solved.steps(to)))
    }

    fn solved(&mut self, side: Side) -> &Solved {
        let graph = &self.graph;
        self.solved[side.index()].get_or_insert_with(|| solve(&GraphView::of_evals(graph, side)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::book_of_rows;
    use tabia::{Counts, Flags, PositionRow};
    use tabia_games::TicTacToe;

    #[test]
    fn where_there_is_too_much_behind_it_a_position_has_no_value() {
        let root = Node::start(TicTacToe::start(), false);
        let row = |key| PositionRow::new(key, Counts::default());
        let next =
            ["a1", "b1", "b2"].map(|text| root.after(&root.position.parse_move(text).unwrap()));
        let evals = next.iter().zip([5, -7, 2]).map(|(at, eval)| row(at.key).with_eval(eval, 3));
        let expanded = row(root.key).with_flags(Flags::EXPANDED);
        let known = book_of_rows(evals.chain([expanded]).collect(), vec![]);
        let mut whole = BackedUp::within(1_000);
        assert!(whole.read(&known, &root).unwrap());
        assert_eq!(whole.value(&root), Some(Value::new(7)));
        let of_move = whole.value_of_move(&next[2], Side::First);
        assert_eq!((of_move, whole.positions()), (Some(Value::new(-2)), 4));
        let mut bounded = BackedUp::within(2);
        assert!(!bounded.read(&known, &root).unwrap());
        assert_eq!((bounded.value(&root), bounded.positions()), (None, 0));
        assert_eq!(bounded.value_of_move(&next[2], Side::First), None);
    }
}
