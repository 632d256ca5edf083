//! Solving graphs against brute force: every pair of ways to play is tried.

use proptest::prelude::*;
use std::collections::BTreeSet;
use tabia_games::Side;
use tabia_play::negamax::{Arena, End, Paths, Solved, Value, solve, variation};

/// A graph of few positions.
#[derive(Clone, Debug)]
pub struct Tiny {
    pub places: Vec<TinyPlace>,
    pub repetition: Value,
}

#[derive(Clone, Debug)]
pub struct TinyPlace {
    pub side: Side,
    pub moves: Vec<u32>,
    /// As the first player sees it.
    pub own: Option<Value>,
    pub own_is_a_move: bool,
}

impl Arena for Tiny {
    fn len(&self) -> u32 {
        self.places.len() as u32
    }

    fn side(&self, at: u32) -> Side {
        self.places[at as usize].side
    }

    fn moves(&self, at: u32) -> impl Iterator<Item = u32> {
        self.places[at as usize].moves.iter().copied()
    }

    fn own(&self, at: u32) -> Option<Value> {
        self.places[at as usize].own
    }

    fn own_is_a_move(&self, at: u32) -> bool {
        self.places[at as usize].own_is_a_move
    }

    fn name(&self, at: u32) -> (u64, usize) {
        // Some order that isn't that of the numbers.
        (u64::from(at).wrapping_mul(5) % 8, 0)
    }

    fn repetition(&self) -> Value {
        self.repetition
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    To(u32),
    Stop(Value),
}

impl Tiny {
    /// Positions of which something is known: without those that have no value and no known moves.
    fn known(&self) -> BTreeSet<u32> {
        let mut known: BTreeSet<u32> = (0..self.len()).collect();
        loop {
            let is_known =
                |&at: &u32| self.own(at).is_some() || self.moves(at).any(|to| known.contains(&to));
            let left: BTreeSet<u32> = known.iter().copied().filter(is_known).collect();
            if left == known {
                return known;
            }
            known = left;
        }
    }

    fn ways(&self, at: u32, known: &BTreeSet<u32>) -> Vec<Way> {
        let moves: Vec<Way> = self.moves(at).filter(|to| known.contains(to)).map(Way::To).collect();
        let own =
            self.own(at).filter(|_| moves.is_empty() || self.own_is_a_move(at)).map(Way::Stop);
        moves.into_iter().chain(own).collect()
    }

    /// What a position is worth so many moves before one that is worth this: a mate is longer, but
    /// where endless play is better than mating.
    fn before(&self, mut value: Value, moves: usize) -> Value {
        for _ in 0..moves {
            let earlier = value.a_move_earlier();
            let is_nearer = (earlier < value) == (self.repetition < value);
            value = if is_nearer { earlier } else { value };
        }
        value
    }

    /// What comes of it if both sides play as they decided in each position.
    fn outcome(&self, from: u32, decided: &[Option<Way>]) -> Value {
        let (mut at, mut moves) = (from, 0);
        loop {
            match decided[at as usize] {
                Some(Way::Stop(value)) => return self.before(value, moves),
                Some(Way::To(to)) if moves < self.places.len() => at = to,
                _ => return self.repetition,
            }
            moves += 1;
        }
    }

    /// All that one side may decide, the other side's positions left open.
    fn decisions(&self, side: Side, known: &BTreeSet<u32>) -> Vec<Vec<Option<Way>>> {
        let mut all = vec![vec![None; self.places.len()]];
        for &at in known.iter().filter(|&&at| self.side(at) == side) {
            let ways = self.ways(at, known);
            all = all
                .into_iter()
                .flat_map(|one| {
                    ways.iter().map(move |&way| with(&one, at, way)).collect::<Vec<_>>()
                })
                .collect();
        }
        all
    }

    /// What the first player is sure of, and the second can keep them to, in each position.
    pub fn by_force(&self) -> Vec<Option<(Value, Value)>> {
        let known = self.known();
        let [first, second] = [Side::First, Side::Second].map(|side| self.decisions(side, &known));
        let of = |from: u32| {
            let value = |a: &[Option<Way>], b: &[Option<Way>]| {
                let both: Vec<Option<Way>> = a.iter().zip(b).map(|(a, b)| a.or(*b)).collect();
                self.outcome(from, &both)
            };
            let sure =
                first.iter().map(|a| second.iter().map(|b| value(a, b)).min()).max().flatten();
            let kept =
                second.iter().map(|b| first.iter().map(|a| value(a, b)).max()).min().flatten();
            sure.zip(kept)
        };
        (0..self.len()).map(|at| known.contains(&at).then(|| of(at)).flatten()).collect()
    }

    /// The paths from here on with all positions within bounds, one by one.
    fn paths(
        &self,
        at: u32,
        solved: &Solved,
        side: Side,
        bounds: (Value, Value),
        together: &dyn Fn(u32, u32) -> bool,
    ) -> u128 {
        let is_within = |value: Option<Value>| {
            value.is_some_and(|value| bounds.0 <= value && value <= bounds.1)
        };
        if !is_within(solved.value(at, side)) {
            return 0;
        }
        let known = self.known();
        let of_way = |way| match way {
            Way::Stop(value) => {
                u128::from(is_within(Some(if side == Side::First { value } else { -value })))
            }
            Way::To(to) if !is_within(solved.value(to, side)) => 0,
            Way::To(to) if together(at, to) && self.name(to) <= self.name(at) => 1,
            Way::To(to) => self.paths(to, solved, side, bounds, together),
        };
        self.ways(at, &known).into_iter().map(of_way).sum()
    }
}

fn with(decided: &[Option<Way>], at: u32, way: Way) -> Vec<Option<Way>> {
    let mut decided = decided.to_vec();
    decided[at as usize] = Some(way);
    decided
}

/// Few numbers, so that some are equal, and short mates.
fn value_or_mate(has_mates: bool) -> impl Strategy<Value = Value> {
    let mate = prop_oneof![31_995i16..32_000, -31_999i16..-31_994].prop_map(Value::new);
    prop_oneof![4 => value(), if has_mates { 3 } else { 0 } => mate]
}

pub fn value() -> impl Strategy<Value = Value> {
    prop_oneof![2 => Just(Value::WIN), 2 => Just(Value::LOSS), 6 => (-2i16..3).prop_map(Value::new)]
}

pub fn side() -> impl Strategy<Value = Side> {
    any::<bool>().prop_map(|is_first| if is_first { Side::First } else { Side::Second })
}

fn tiny(has_circles: bool, has_mates: bool) -> impl Strategy<Value = Tiny> {
    let repetition =
        prop_oneof![3 => Just(Value::EVEN), 1 => Just(Value::WIN), 1 => Just(Value::LOSS)];
    let place = move |at: usize, all: usize| {
        let moves = prop::collection::vec(
            if has_circles {
                0..all as u32
            } else {
                at as u32 + 1..(all as u32).max(at as u32 + 2)
            },
            0..3,
        );
        (
            side(),
            moves,
            prop::option::weighted(0.5, value_or_mate(has_mates)),
            prop::bool::weighted(0.3),
        )
            .prop_map(move |(side, mut moves, own, own_is_a_move)| {
                moves.retain(|&to| (to as usize) < all);
                TinyPlace { side, moves, own, own_is_a_move }
            })
    };
    let places = (1usize..7)
        .prop_flat_map(move |all| (0..all).map(|at| place(at, all).boxed()).collect::<Vec<_>>());
    (places, repetition).prop_map(|(places, repetition)| Tiny { places, repetition })
}

/// What a side plays that goes by the solution.
fn decided_by(tiny: &Tiny, solved: &Solved, side: Side) -> Vec<Option<Way>> {
    let even = if side == Side::First { tiny.repetition } else { -tiny.repetition };
    let decide = |at: u32| {
        let value = solved.value(at, side)?;
        let equal = || tiny.moves(at).filter(|&to| solved.value_of_move(to, side) == Some(value));
        let stop = solved.own(tiny, at, side).filter(|&own| own == value);
        let stop = stop.map(|_| Way::Stop(tiny.own(at).expect("there is one")));
        let by_moves =
            equal().min_by_key(|&to| if value > even { solved.steps(to) } else { 0 }).map(Way::To);
        if value > even && solved.steps(at) == 0 { stop } else { by_moves.or(stop) }
    };
    (0..tiny.len()).map(|at| if tiny.side(at) == side { decide(at) } else { None }).collect()
}

fn bounds() -> impl Strategy<Value = (Value, Value)> {
    (value(), value()).prop_map(|(a, b)| (a.min(b), a.max(b)))
}

/// Whether positions can be reached from each other, by positions within bounds.
fn reach(tiny: &Tiny, is_within: impl Fn(u32) -> bool) -> Vec<Vec<bool>> {
    let all = tiny.places.len();
    let mut reached: Vec<Vec<bool>> =
        (0..all).map(|from| (0..all).map(|to| from == to).collect()).collect();
    for _ in 0..all {
        for row in &mut reached {
            for via in 0..all {
                for to in
                    tiny.moves(via as u32).filter(|&to| is_within(to) && is_within(via as u32))
                {
                    row[to as usize] |= row[via];
                }
            }
        }
    }
    reached
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn both_sides_can_reach_the_value_and_no_more(tiny in tiny(true, true)) {
        let solved = solve(&tiny);
        for (at, by_force) in (0..).zip(tiny.by_force()) {
            prop_assert_eq!(by_force.map(|(sure, _)| sure), by_force.map(|(_, kept)| kept));
            prop_assert_eq!(solved.value(at, Side::First), by_force.map(|(sure, _)| sure), "position {}", at);
            prop_assert_eq!(solved.value(at, Side::Second), by_force.map(|(sure, _)| -sure));
        }
    }

    #[test]
    fn playing_by_it_reaches_the_value_whatever_the_other_side_does(tiny in tiny(true, true)) {
        let (solved, known) = (solve(&tiny), tiny.known());
        for side in [Side::First, Side::Second] {
            let own = decided_by(&tiny, &solved, side);
            for other in tiny.decisions(side.other(), &known) {
                let both: Vec<Option<Way>> = own.iter().zip(&other).map(|(own, other)| own.or(*other)).collect();
                for at in known.iter().copied() {
                    let came = tiny.outcome(at, &both);
                    let came = if side == Side::First { came } else { -came };
                    prop_assert!(Some(came) >= solved.value(at, side), "{:?} at {}: {}", side, at, came);
                }
            }
        }
    }

    #[test]
    fn the_order_of_positions_and_moves_does_not_matter(tiny in tiny(true, true), shift in 0u32..7) {
        let all = tiny.len();
        let to_new = |at: u32| (all - 1 - at + shift) % all;
        let mut other = tiny.clone();
        for at in 0..all {
            let mut place = tiny.places[at as usize].clone();
            place.moves = place.moves.iter().rev().map(|&to| to_new(to)).collect();
            other.places[to_new(at) as usize] = place;
        }
        let (one, other) = (solve(&tiny), solve(&other));
        for at in 0..all {
            prop_assert_eq!(one.value(at, Side::First), other.value(to_new(at), Side::First));
            prop_assert_eq!(one.steps(at), other.steps(to_new(at)));
        }
    }

    #[test]
    fn a_variation_ends_where_its_value_stands(tiny in tiny(true, true)) {
        let solved = solve(&tiny);
        for at in tiny.known() {
            let line = variation(&tiny, &solved, at);
            prop_assert!(line.positions.windows(2).all(|pair| tiny.moves(pair[0]).any(|to| to == pair[1])));
            let (last, value) = (line.positions[line.positions.len() - 1], solved.value(at, Side::First));
            let is_played = |pair: &[u32]| {
                solved.value(pair[0], Side::First) == solved.value_of_move(pair[1], Side::First)
            };
            prop_assert!(line.positions.windows(2).all(is_played));
            let moves = line.positions.len() - 1;
            match line.end {
                End::Repetition => prop_assert_eq!(value, Some(tiny.repetition)),
                _ => {
                    let own = solved.own(&tiny, last, Side::First);
                    prop_assert_eq!(own.map(|own| tiny.before(own, moves)), value);
                }
            }
            let knows_moves = tiny.moves(last).any(|to| solved.value(to, Side::First).is_some());
            prop_assert_eq!(knows_moves, line.end != End::Leaf);
            if line.end != End::Repetition && value != Some(tiny.repetition) {
                prop_assert!(line.positions.len() as u32 <= solved.steps(at) + 1);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn paths_are_counted_one_by_one_or_in_circles_as_said_wherever_counting_starts(
        tiny in any::<bool>().prop_flat_map(|has_circles| tiny(has_circles, false)),
        side in side(), bounds in bounds(), from in 0u32..6,
    ) {
        let solved = solve(&tiny);
        let is_within = |at: u32| solved.value(at, side).is_some_and(|value| bounds.0 <= value && value <= bounds.1);
        let reached = reach(&tiny, is_within);
        let together = |a: u32, b: u32| reached[a as usize][b as usize] && reached[b as usize][a as usize];
        let mut paths = Paths::new(&tiny, &solved, side, bounds.0..=bounds.1);
        for at in (0..tiny.len()).map(|at| (at + from) % tiny.len()) {
            prop_assert_eq!(paths.from(at), tiny.paths(at, &solved, side, bounds, &together));
            prop_assert!(!is_within(at) || paths.from(at) > 0, "there is a way on within bounds");
        }
    }

    /// Positions are changed and come up, and others lose their moves.
    #[test]
    fn an_update_says_what_solving_again_does(
        tiny in tiny(true, true), other in tiny(true, true), places in prop::collection::vec((0u32..9, 0u32..9), 1..5)
    ) {
        let mut solved = solve(&tiny);
        let mut now = tiny.clone();
        now.places.extend(other.places.iter().skip(tiny.places.len()).take(1).cloned());
        let mut changed: Vec<u32> = (tiny.len()..now.len()).collect();
        for (to, from) in places {
            let (to, from) = (to % now.len(), from as usize % other.places.len());
            now.places[to as usize] = other.places[from].clone();
            changed.push(to);
        }
        let all = now.len();
        now.places.iter_mut().for_each(|place| place.moves.iter_mut().for_each(|to| *to %= all));
        let before = |at: u32| (0..all).filter(|&from| now.moves(from).any(|to| to == at)).collect::<Vec<_>>();
        solved.update(&now, changed, before);
        prop_assert_eq!(solved, solve(&now));
    }
}

fn chain(length: u32, moves: impl Fn(u32) -> Vec<u32>) -> Tiny {
    let side = |at: u32| if at.is_multiple_of(2) { Side::First } else { Side::Second };
    let place = |at: u32| TinyPlace {
        side: side(at),
        moves: if at + 1 < length { moves(at) } else { Vec::new() },
        own: (at + 1 == length).then_some(Value::new(7)),
        own_is_a_move: false,
    };
    Tiny { places: (0..length).map(place).collect(), repetition: Value::EVEN }
}

#[test]
fn lines_may_be_very_long() {
    let line = chain(300_000, |at| vec![at + 1]);
    let solved = solve(&line);
    assert_eq!((solved.value(0, Side::First), solved.steps(0)), (Some(Value::new(7)), 299_999));
    assert_eq!(variation(&line, &solved, 0).positions.len(), 300_000);
    let bounds = Value::new(7)..=Value::new(7);
    assert_eq!(Paths::new(&line, &solved, Side::First, bounds.clone()).from(0), 1);
    // Two ways each time: 2^299,999 paths.
    let wide = chain(300_000, |at| vec![at + 1, at + 1]);
    assert_eq!(Paths::new(&wide, &solve(&wide), Side::First, bounds).from(0), u128::MAX);
}
