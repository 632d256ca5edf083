//! A graph that is changed when its book grows is what reading the grown book makes.

use crate::memory::Memory;
use crate::negamax::solving::side;
use crate::negamax::toy::{Place, Toy, key};
use proptest::prelude::*;
use tabia::{Counts, Flags, Marks, MoveRow, PositionRow};
use tabia_games::{Outcome, Side};
use tabia_play::negamax::{Graph, GraphOptions};

/// When rows come into the book: at one of these steps.
const STEPS: usize = 4;

/// A position, and its rows with their steps.
#[derive(Clone, Debug)]
struct Coming {
    place: Place,
    rows: Vec<(usize, Option<i16>, Flags)>,
    moves: Vec<(u16, usize, u32, Marks)>,
}

fn coming(all: usize) -> impl Strategy<Value = Coming> {
    let outcome = prop::option::weighted(0.3, Just(Outcome::FirstWins));
    let flags = prop_oneof![
        3 => Just(Flags::empty()),
        3 => Just(Flags::EXPANDED),
        1 => Just(Flags::PROVEN_DRAW),
    ];
    let row = (0..STEPS, prop::option::weighted(0.7, -2i16..3), flags);
    let marks = prop_oneof![5 => Just(Marks::empty()), 1 => Just(Marks::ALWAYS)];
    let rows = prop::collection::vec(row, 0..3);
    let moves = prop::collection::vec((0..all, prop::option::of((0..STEPS, 0u32..2, marks))), 0..4);
    (side(), outcome, rows, moves).prop_map(|(side, outcome, rows, moves)| {
        let outcome = outcome.filter(|_| moves.is_empty());
        let place = Place { side, moves: moves.iter().map(|(to, _)| *to).collect(), outcome };
        let known = (0u16..).zip(&moves).filter_map(|(code, (_, known))| {
            known.map(|(step, games, marks)| (code, step, games, marks))
        });
        Coming { place, rows, moves: known.collect() }
    })
}

fn all_coming() -> impl Strategy<Value = Vec<Coming>> {
    (1usize..9).prop_flat_map(|all| (0..all).map(|_| coming(all).boxed()).collect::<Vec<_>>())
}

/// Adds the rows of a step; the keys of positions of which something is new.
fn add(memory: &mut Memory, all: &[Coming], step: usize) -> Vec<u64> {
    let mut keys = Vec::new();
    for (at, coming) in all.iter().enumerate() {
        for &(_, eval, flags) in coming.rows.iter().filter(|row| row.0 == step) {
            let row = PositionRow::new(key(at), Counts::default()).with_flags(flags);
            memory.add_position(eval.map_or(row, |eval| row.with_eval(eval, step as u8)));
            keys.push(key(at));
        }
        for &(code, _, games, marks) in coming.moves.iter().filter(|row| row.1 == step) {
            memory
                .add_move(MoveRow::new(key(at), code, Counts::new(games, 0, 0)).with_marks(marks));
            keys.push(key(at));
        }
    }
    keys
}

/// All that a graph says of a position, with positions by their names.
fn said(graph: &Graph, key: u64, side: Side) -> Option<String> {
    use tabia_play::negamax::Unit;
    let at = graph.find(key, side)?;
    let name = |at: u32| (graph.key(at), graph.side(at));
    let moves: Vec<_> = (graph.moves(at).iter())
        .map(|edge| (edge.code, name(edge.to), edge.is_barred, edge.record))
        .collect();
    let flags = [
        graph.is_expanded(at),
        graph.has_row(at),
        graph.has_always(at),
        graph.is_full(at),
        graph.was_played_on(at),
    ];
    let own = graph.own(at, Unit::Eval);
    Some(format!("{moves:?} {:?} {own:?} {} {flags:?}", graph.proof(at), graph.depth(at)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn a_changed_graph_is_that_of_the_changed_book(all in all_coming(), only_backed_up: bool) {
        let toy = Toy::new(all.iter().map(|coming| coming.place.clone()).collect());
        let reading = GraphOptions { only_backed_up, can_change: true, ..GraphOptions::default() };
        let mut memory = Memory::default();
        add(&mut memory, &all, 0);
        let mut changed = Graph::read(&memory, &toy.node(), reading).unwrap();
        for step in 1..STEPS {
            let keys = add(&mut memory, &all, step);
            changed.refresh(&memory, &toy.node(), reading, &keys).unwrap();
            let read = Graph::read(&memory, &toy.node(), reading).unwrap();
            // What was behind a position that is proven by now stays, and counts no more.
            prop_assert!(changed.len() >= read.len());
            for (at, coming) in all.iter().enumerate() {
                let of = |graph: &Graph| said(graph, key(at), coming.place.side);
                if of(&read).is_some() {
                    prop_assert_eq!(of(&changed), of(&read), "position {}", at);
                }
            }
            for at in 0..changed.len() {
                let node = changed.node(&toy.node(), at);
                prop_assert_eq!((node.key, changed.line(0).len()), (changed.key(at), 0));
            }
        }
    }
}
