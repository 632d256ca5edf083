//! Othello to the last disc, where sides don't always alternate: whole trees against a search over
//! boards that knows no keys and no graph.

use crate::memory::Memory;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tabia::{Counts, MoveRow, PositionRow, TableKind};
use tabia_games::{Game, Node, Othello, Outcome, Side};
use tabia_play::negamax::{
    DrawPolicy, DrawValue, Graph, GraphOptions, GraphView, Unexpanded, Unit, Value, solve,
};
use tabia_testing::Rng;

/// A position with so few empty squares by moves that a seed chose; none if the game ended before.
fn late(start: &Othello, seed: u64, empty: u32) -> Option<Othello> {
    let (mut board, mut random) = (start.clone(), Rng::new(seed));
    loop {
        let legal = board.legal();
        let [black, white] = board.discs();
        if 64 - (black | white).count_ones() == empty {
            return Some(board).filter(|_| !legal.is_empty());
        }
        board.play(legal.get(random.index(legal.len().max(1)))?);
    }
}

/// How the game ends if both play well: 1 if Black wins, `draw` or -1.
fn search(board: &Othello, draw: i8, all: &mut BTreeMap<([u64; 2], usize), i8>) -> i8 {
    let name = (board.discs(), board.side().index());
    if let Some(&known) = all.get(&name) {
        return known;
    }
    let legal = board.legal();
    let values: Vec<i8> =
        legal.iter().map(|played| search(&board.after(played), draw, all)).collect();
    let value = match (board.outcome(), board.side()) {
        (Some(Outcome::FirstWins), _) => 1,
        (Some(Outcome::Draw), _) => draw,
        (Some(Outcome::SecondWins), _) => -1,
        (None, Side::First) => values.into_iter().max().expect("a move"),
        (None, Side::Second) => values.into_iter().min().expect("a move"),
    };
    all.insert(name, value);
    value
}

/// All boards behind one.
fn walk(board: &Othello, found: &mut BTreeMap<([u64; 2], usize), Othello>) {
    if found.insert((board.discs(), board.side().index()), board.clone()).is_none() {
        board.legal().iter().for_each(|played| walk(&board.after(played), found));
    }
}

fn sure(value: i8) -> Value {
    [Value::LOSS, Value::EVEN, Value::WIN][usize::try_from(value + 1).expect("a value")]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn endgames_are_worth_what_a_search_finds(seed: u64, empty in 4u32..8, folded: bool, has_no_moves: bool, worth in 0usize..3) {
        let start = if folded { Othello::start() } else { Othello::without_symmetry() };
        let Some(board) = late(&start, seed, empty) else { return Ok(()) };
        let (mut boards, mut searched) = (BTreeMap::new(), BTreeMap::new());
        walk(&board, &mut boards);
        let mut memory = Memory::default();
        if has_no_moves {
            memory = memory.only(TableKind::Positions);
        }
        for board in boards.values() {
            if has_no_moves {
                memory.add_position(PositionRow::new(board.key(), Counts::new(1, 0, 0)));
            } else {
                board.legal().iter().for_each(|played| memory.add_move(MoveRow::new(board.key(), board.code(played), Counts::new(1, 0, 0))));
            }
        }
        let graph = Graph::read(&memory, &Node::start(board.clone(), false), GraphOptions::default()).unwrap();
        // Draws as Black sees them.
        let draw = [DrawValue::Loss, DrawValue::Even, DrawValue::Win][worth];
        let draws = DrawPolicy { public: draw, private: draw, side: Some(Side::First) };
        let view = GraphView { graph: &graph, unit: Unit::Eval, side: Side::Second, draws, unexpanded: Unexpanded::Moves, replies: None };
        let solved = solve(&view);
        for board in boards.values() {
            let number = graph.find(board.key(), board.side()).expect("reached");
            let expected = sure(search(board, worth as i8 - 1, &mut searched));
            prop_assert_eq!(solved.value(number, Side::First), Some(expected), "{}", board.diagram());
        }
    }
}

#[test]
fn one_side_moves_twice_in_these_endgames() {
    let twice =
        (0..20u64).filter_map(|seed| late(&Othello::start(), seed * 7919, 6)).any(|board| {
            let mut boards = BTreeMap::new();
            walk(&board, &mut boards);
            boards.values().any(Othello::has_passed)
        });
    assert!(twice);
}
