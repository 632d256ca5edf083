//! Opponents with books of their own (Buro 1999, section 7).

use crate::memory::Memory;
use crate::negamax::solving::side;
use crate::negamax::toy::{Place, Step, Toy, key};
use crate::negamax::trees::{chosen, drawn, history};
use proptest::prelude::*;
use std::collections::BTreeMap;
use tabia::row::Flags;
use tabia_games::Side;
use tabia_play::choice::{Decision, Limits, Negamax, NegamaxOptions, Player, Seed};
use tabia_play::negamax::{
    DrawPolicy, Graph, GraphOptions, GraphView, Replies, Unexpanded, Unit, Value, solve,
};

fn decide(ours: &Memory, theirs: &Memory, toy: &Toy) -> Decision<Step> {
    let rule =
        Negamax::prepare(ours, Some(theirs), &toy.node(), NegamaxOptions::default()).unwrap();
    Player::new(ours, Box::new(rule), Seed::default())
        .decide(&history(toy, &[]), &Limits::default())
        .unwrap()
}

/// The first player has lost everything but a hopeless deviation. The refutation of one of the lost
/// lines isn't in the opponent's book.
#[test]
fn the_hopeless_deviation_is_left_for_a_line_that_the_opponent_does_not_know() {
    // 0: 1 loses to 3 and wins against 4; 2 is the deviation.
    let (toy, ours) = drawn("F12:! S34 S:900 F:l F:w");
    assert_eq!(chosen(&ours, &toy, "").0, Some(2), "plain negamax takes what is worth -900");
    let theirs = Memory::default()
        .with_moves(key(0), [0])
        .with_moves(key(1), [1])
        .worth(&[(4, -50)])
        .flagged(Flags::EXPANDED, &[1]);
    let decision = decide(&ours, &theirs, &toy);
    let found = (decision.played(), decision.choice.why.as_str());
    assert_eq!(found, (Some(&Step(0)), "best by negamax, worth win"));
    // An opponent who knows both, or whose book says that something else is better than 4, or who
    // has no book there, is expected to find it.
    let informed = theirs.clone().with_moves(key(1), [0]).flagged(Flags::PROVEN_LOSS, &[3]);
    assert_eq!(decide(&ours, &informed, &toy).played(), Some(&Step(1)));
    let mut doubting = theirs.clone();
    doubting.positions.remove(&key(1));
    let doubting = doubting.worth(&[(1, 51)]);
    assert_eq!(decide(&ours, &doubting, &toy).played(), Some(&Step(1)));
    assert_eq!(decide(&ours, &Memory::default(), &toy).played(), Some(&Step(1)));
    // Of moves that they hold for equal any may come.
    let undecided = theirs.with_moves(key(1), [0]).worth(&[(3, -50)]);
    assert_eq!(decide(&ours, &undecided, &toy).played(), Some(&Step(1)));
}

/// A position of a tree: who is to move, where the moves lead, and the evals in both books.
#[derive(Clone, Debug)]
struct Leafy {
    side: Side,
    moves: Vec<usize>,
    ours: i16,
    /// In their book the position is there, with this eval, and so are the moves to such positions.
    theirs: Option<i16>,
}

fn tree() -> impl Strategy<Value = Vec<Leafy>> {
    let place = |at: usize, all: usize| {
        let moves = prop::collection::vec(at + 1..(all).max(at + 2), 0..4);
        (side(), moves, -4i16..5, prop::option::weighted(0.8, -4i16..5)).prop_map(
            move |(side, mut moves, ours, theirs)| {
                moves.retain(|&to| to < all);
                Leafy { side, moves, ours, theirs }
            },
        )
    };
    (1usize..9)
        .prop_flat_map(move |all| (0..all).map(|at| place(at, all).boxed()).collect::<Vec<_>>())
}

/// Values as the side to move sees them, by recursion.
struct Naive<'a>(&'a [Leafy]);

impl Naive<'_> {
    fn turned(&self, at: usize, to: usize, value: i32) -> i32 {
        if self.0[at].side == self.0[to].side { value } else { -value }
    }

    /// By their book: all positions are expanded there.
    fn theirs(&self, at: usize) -> i32 {
        let values = self.in_their_book(at).map(|(_, value)| value);
        values.max().unwrap_or_else(|| self.0[at].theirs.map_or(0, i32::from))
    }

    fn in_their_book(&self, at: usize) -> impl Iterator<Item = (usize, i32)> {
        let known = move |to: &usize| self.0[at].theirs.is_some() && self.0[*to].theirs.is_some();
        self.0[at]
            .moves
            .iter()
            .copied()
            .filter(known)
            .map(move |to| (to, self.turned(at, to, self.theirs(to))))
    }

    /// By ours against them: they are the second player.
    fn ours(&self, at: usize, reached: &[bool]) -> i32 {
        let mut to: Vec<usize> = self.0[at].moves.clone();
        if self.0[at].side == Side::Second && reached[at] {
            let best = self.in_their_book(at).map(|(_, value)| value).max();
            let best: Vec<usize> = self
                .in_their_book(at)
                .filter(|&(_, value)| Some(value) == best)
                .map(|(to, _)| to)
                .collect();
            if !best.is_empty() {
                to = best;
            }
        }
        let values = to.into_iter().map(|to| self.turned(at, to, self.ours(to, reached)));
        values.max().unwrap_or(i32::from(self.0[at].ours))
    }

    /// Which positions their book knows by moves from its start.
    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.0.len()];
        reached[0] = true;
        for at in 0..self.0.len() {
            if reached[at] {
                self.in_their_book(at).for_each(|(to, _)| reached[to] = true);
            }
        }
        reached
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn values_against_their_book_are_those_of_brute_force(tree in tree()) {
        let place = |leafy: &Leafy| Place { side: leafy.side, moves: leafy.moves.clone(), outcome: None };
        let toy = Toy::new(tree.iter().map(place).collect());
        let (mut ours, mut theirs) = (Memory::default(), Memory::default());
        for (at, leafy) in tree.iter().enumerate() {
            ours = ours.with_moves(key(at), 0..leafy.moves.len() as u16);
            ours = ours.with_eval(key(at), leafy.ours, Flags::EXPANDED);
            if let Some(eval) = leafy.theirs {
                theirs = theirs.with_eval(key(at), eval, Flags::EXPANDED);
                let known = (0u16..).zip(&leafy.moves).filter(|(_, to)| tree[**to].theirs.is_some()).map(|(code, _)| code);
                theirs = theirs.with_moves(key(at), known);
            }
        }
        let read = |memory: &Memory| Graph::read(memory, &toy.node(), GraphOptions { transpositions: Some(false), ..GraphOptions::default() }).unwrap();
        let (ours, theirs) = (read(&ours), read(&theirs));
        let view = |graph, side, replies| GraphView { graph, unit: Unit::Eval, side, draws: DrawPolicy::default(), unexpanded: Unexpanded::Own, replies };
        let seen = view(&theirs, Side::Second, None);
        let replies = Replies::new(&ours, Unit::Eval, &seen, &solve(&seen));
        let solved = solve(&view(&ours, Side::First, Some(&replies)));
        let (naive, mut memo) = (Naive(&tree), BTreeMap::new());
        let reached = naive.reached();
        for (at, leafy) in tree.iter().enumerate() {
            if let Some(number) = ours.find(key(at), leafy.side) {
                memo.insert(at, naive.ours(at, &reached));
                prop_assert_eq!(solved.value(number, leafy.side), Some(Value::new(memo[&at] as i16)), "position {}", at);
            }
        }
    }
}
