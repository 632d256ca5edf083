//! What negamax makes of all that a book has behind positions, read as far as that was asked: what the
//! rule [`Negamax`](crate::choice::Negamax) goes by if nothing is said of it.

use crate::choice::RowLookup;
use crate::error::Error;
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
    use std::borrow::Cow;
    use std::collections::HashMap;
    use tabia::{Counts, Flags, Key, MoveRow, PositionRow, Results, TableKind};
    use tabia_games::TicTacToe;

    struct Known(HashMap<Key, PositionRow>);

    impl RowLookup for Known {
        fn position(&self, key: Key) -> Result<Option<PositionRow>> {
            Ok(self.0.get(&key).copied())
        }

        fn moves(&self, _: Key) -> Result<Cow<'_, [MoveRow]>> {
            Ok(Cow::Owned(Vec::new()))
        }

        fn has(&self, _: TableKind) -> bool {
            true
        }

        fn results(&self) -> Results {
            Results::Known
        }
    }

    #[test]
    fn where_there_is_too_much_behind_it_a_position_has_no_value() {
        let root = Node::start(TicTacToe::start(), false);
        let row = |key| PositionRow::new(key, Counts::default());
        let mut rows = HashMap::from([(root.key, row(root.key).with_flags(Flags::EXPANDED))]);
        let next: Vec<_> = ["a1", "b1", "b2"]
            .map(|text| root.after(&root.position.parse_move(text).unwrap()))
            .into();
        for (at, eval) in next.iter().zip([5, -7, 2]) {
            rows.insert(at.key, row(at.key).with_eval(eval, 3));
        }
        let known = Known(rows);
        let mut whole = BackedUp::within(1_000);
        assert!(whole.read(&known, &root).unwrap());
        assert_eq!(whole.value(&root).map(|value| value.to_string()), Some("7".to_owned()));
        let of_move = whole.value_of_move(&next[2], Side::First).map(|value| value.to_string());
        assert_eq!((of_move, whole.positions()), (Some("-2".to_owned()), 4));
        let mut bounded = BackedUp::within(2);
        assert!(!bounded.read(&known, &root).unwrap());
        assert_eq!((bounded.value(&root), bounded.positions()), (None, 0));
        assert_eq!(bounded.value_of_move(&next[2], Side::First), None);
    }
}
