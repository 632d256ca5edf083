//! Drop-out expansion (Fierz 2005) against an enumeration: the cheapest end that is found is the
//! best over all simple lines that may be played, in games with circles in which sides needn't
//! alternate, with some positions full and some not. What positions are worth is computed here anew.

use crate::laws::places;
use crate::oracle::Oracle;
use crate::shelf::{Nobody, Shelf, grow_by, plan};
use crate::toy::{Place, Toy, key};
use crate::worth::{Known, worth};
use proptest::prelude::*;
use tabia::{Book, Counts, Flags, PositionRow};
use tabia_games::Side;
use tabia_grow::{LineCosts, Method, Plan, Stop, Tree, cheapest_end};
use tabia_play::choice::GameHistory;
use tabia_play::negamax::DrawValue;

/// A ply, in thousandths.
const PLY: i64 = 20_000;

/// A game, and a book of it.
#[derive(Clone, Debug)]
pub struct Shelved {
    pub places: Vec<Place>,
    pub known: Vec<Known>,
}

fn known() -> impl Strategy<Value = Known> {
    let proof = prop_oneof![
        12 => Just(None),
        1 => Just(Some(Flags::PROVEN_WIN)),
        1 => Just(Some(Flags::PROVEN_DRAW)),
        1 => Just(Some(Flags::PROVEN_LOSS)),
    ];
    let eval = prop_oneof![4 => (-60i16..60).prop_map(Some), 1 => Just(None)];
    (prop::bool::weighted(0.9), eval, 0u8..3, prop::bool::weighted(0.6), proof).prop_map(
        |(is_there, eval, depth, is_expanded, proof)| Known {
            is_there,
            eval,
            depth,
            is_expanded,
            proof,
        },
    )
}

fn shelved() -> impl Strategy<Value = Shelved> {
    (3usize..10).prop_flat_map(|all| {
        (places(all, 4), prop::collection::vec(known(), all)).prop_map(|(mut places, mut known)| {
            if places[0].moves.is_empty() {
                places[0] = Place { moves: vec![1, 2], outcome: None, ..places[0].clone() };
            }
            // The book has the start, and knows how games ended.
            known[0] = Known { is_there: true, is_expanded: true, proof: None, ..known[0] };
            for (place, known) in places.iter().zip(&mut known) {
                if let Some(outcome) = place.outcome {
                    *known = Known::ended(place.side, outcome);
                }
            }
            Shelved { places, known }
        })
    })
}

impl Shelved {
    fn rows(&self) -> Vec<PositionRow> {
        let row = |(at, known): (usize, &Known)| {
            let won_once = Counts { wins: 1, draws: 0, losses: 0 };
            let row = PositionRow::new(key(at), won_once).with_flags(known.flags());
            known.eval.map_or(row, |eval| row.with_eval(eval, known.depth))
        };
        let rows = self.known.iter().enumerate().filter(|(_, known)| known.is_there);
        rows.map(row).collect()
    }

    /// Whether the values of all moves are there, or it is sure how the game ends.
    fn is_full(&self, at: usize) -> bool {
        let known = self.known[at];
        let is_valued = |&to: &usize| {
            let to = self.known[to];
            to.is_there && (to.eval.is_some() || to.is_expanded || to.proof.is_some())
        };
        known.proof.is_some() || known.is_expanded && self.places[at].moves.iter().all(is_valued)
    }

    /// Where lines go on, and what it costs (Fierz 2005: a line's priority is minus the errors of
    /// the opponent, minus a constant for every ply), in thousandths.
    fn steps(&self, worth: &[Option<i32>], at: usize, by: &Reading) -> Vec<(usize, i64)> {
        let place = &self.places[at];
        if self.known[at].proof.is_some() {
            return Vec::new();
        }
        let sign = if place.side == Side::First { 1 } else { -1 };
        let valued = place
            .moves
            .iter()
            .filter_map(|&to| Some((to, sign * crate::worth::a_move_earlier(worth[to]?))));
        let valued: Vec<(usize, i32)> = valued.collect();
        let Some(best) = valued.iter().map(|&(_, value)| value).max() else { return Vec::new() };
        let is_sure = |value: i32| value.abs() > i32::from(i16::MAX);
        let is_forced = valued.iter().filter(|&&(_, value)| value == best).count() == 1;
        let second = valued.iter().map(|&(_, value)| value).filter(|&value| value != best).max();
        let mut steps = Vec::new();
        for &(to, value) in &valued {
            let error = i64::from(best - value);
            if error > 0 && (by.book_side == Some(place.side) || is_sure(best) || is_sure(value)) {
                continue;
            }
            let lead = match second.filter(|_| is_forced && error == 0) {
                Some(second) if is_sure(best) || is_sure(second) => i64::MAX / 1000,
                Some(second) => i64::from(best - second),
                None => 0,
            };
            // A part of the ply goes for each `PLY` of the lead: half of it, or nothing.
            let saved = if by.is_singular { lead * 500 } else { 0 };
            steps.push((to, error * 1000 + (PLY - saved).max(PLY / 4)));
        }
        steps
    }

    /// The best end of all simple lines: what it costs, its key, whose it is.
    fn best_end(
        &self,
        worth: &[Option<i32>],
        left_out: &[bool],
        by: &Reading,
    ) -> Option<(i64, u64, usize)> {
        let (mut best, mut lines) = (None, vec![(vec![0usize], 0i64)]);
        while let Some((line, cost)) = lines.pop() {
            let at = line[line.len() - 1];
            if !self.is_full(at) {
                let end = (cost, key(at), self.places[at].side.index());
                if !left_out[at] && best.is_none_or(|best| end < best) {
                    best = Some(end);
                }
                continue;
            }
            for (to, more) in self.steps(worth, at, by) {
                if !line.contains(&to) {
                    lines.push(([line.as_slice(), &[to]].concat(), cost + more));
                }
            }
        }
        best
    }
}

/// How lines are read: whose book it is, and whether forced moves cost less.
struct Reading {
    book_side: Option<Side>,
    is_singular: bool,
}

impl Reading {
    fn costs(&self) -> LineCosts {
        let singularity = if self.is_singular { 0.5 } else { 0.0 };
        LineCosts { ply: PLY as f64 / 1000.0, singularity, book_side: self.book_side }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_cheapest_end_is_the_best_over_all_lines(
        shelved in shelved(),
        left_out in prop::collection::vec(prop::bool::weighted(0.15), 10),
        is_singular in any::<bool>(),
    ) {
        let (shelf, toy) = (Shelf::new(), Toy::new(shelved.places.clone()));
        let path = shelf.book("book.tabia", &shelved.rows(), &[]);
        let book = Book::open(&path).unwrap();
        let opening = GameHistory::start(toy, tabia::format::Keyed::Position);
        let tree = Tree::read(&book, opening, 1).unwrap();
        let solved = tree.solved(&Default::default(), DrawValue::Even).0;
        let worth = worth(&shelved.places, &shelved.known);
        let graph = tree.graph();
        let place_of = |at: u32| usize::try_from(graph.key(at) - 1).unwrap();
        for at in 0..graph.len() {
            let expected = worth[place_of(at)];
            let found = solved.value(at, Side::First);
            let number = |value: tabia_play::negamax::Value| match value {
                tabia_play::negamax::Value::WIN => i32::from(i16::MAX) + 1,
                tabia_play::negamax::Value::LOSS => -i32::from(i16::MAX) - 1,
                other => i32::from(other.number().unwrap()),
            };
            prop_assert_eq!(found.map(number), expected, "the value of {}", place_of(at));
            prop_assert_eq!(tree.is_full(at), shelved.is_full(place_of(at)));
        }
        let numbers_out = (0..graph.len()).filter(|&at| left_out[place_of(at)]).collect();
        for book_side in [None, Some(Side::First), Some(Side::Second)] {
            let by = Reading { book_side, is_singular };
            let expected = shelved.best_end(&worth, &left_out, &by);
            let found = cheapest_end(&tree, &solved, &numbers_out, by.costs());
            let found = found.map(|(cost, (key, side), at)| {
                assert_eq!((graph.key(at), graph.side(at).index()), (key, side));
                (i64::try_from(cost).unwrap(), key, side)
            });
            prop_assert_eq!(found, expected, "{:?}", book_side);
        }
    }

    /// The verb's way there: of books for both sides the line that costs less is expanded.
    #[test]
    fn growing_expands_that_end(shelved in shelved(), errors_of in 0usize..4) {
        let (shelf, toy) = (Shelf::new(), Toy::new(shelved.places.clone()));
        let path = shelf.book("book.tabia", &shelved.rows(), &[]);
        let worth = worth(&shelved.places, &shelved.known);
        let sides = [None, Some(Side::First), Some(Side::Second)];
        let wanted = match errors_of {
            3 => &sides[1..],
            one => &sides[one..=one],
        };
        let nothing = vec![false; 10];
        let end = |&book_side: &Option<Side>| {
            shelved.best_end(&worth, &nothing, &Reading { book_side, is_singular: false })
        };
        let expected = wanted.iter().filter_map(end).min();
        let method = Method::DropOut {
            cost: PLY as f64 / 1000.0,
            side: sides[errors_of % 3],
            both_err: errors_of == 0,
            singularity: 0.0,
        };
        let oracle = Oracle::new(&toy, &[7; 10]);
        let plan = Plan { method, ..plan(1) };
        let (grown, stop) = grow_by(&path, &toy, &plan, vec![Box::new(oracle)], &Nobody).unwrap();
        prop_assert_eq!(grown.expansions, u64::from(expected.is_some()));
        prop_assert_eq!(stop, if expected.is_some() { Stop::Budget } else { Stop::Exhausted });
        let book = Book::open(&path).unwrap();
        let Some((_, end, _)) = expected else { return Ok(()) };
        let at = usize::try_from(end - 1).unwrap();
        let row = book.position(end).unwrap().unwrap();
        prop_assert!(row.flags().contains(Flags::EXPANDED));
        for &to in &shelved.places[at].moves {
            let row = book.position(key(to)).unwrap().unwrap();
            let is_valued = row.eval().is_some() || row.flags().intersects(Flags::PROOFS | Flags::EXPANDED);
            prop_assert!(is_valued, "{} is full now, but for {}", at, to);
        }
    }
}
