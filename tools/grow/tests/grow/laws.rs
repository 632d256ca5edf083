//! What holds for every game: the invariant after each batch, the same bytes however growing is
//! interrupted and whoever is how fast, and proofs that an independent solver confirms.

use crate::oracle::Oracle;
use crate::shelf::{Looks, Nobody, Shelf, bytes, grow_by, plan};
use crate::toy::{Place, Toy, key};
use proptest::prelude::*;
use std::cell::Cell;
use std::path::Path;
use tabia::{Book, Flags, Row};
use tabia_engines::Ending;
use tabia_games::{Outcome, Side};
use tabia_grow::{Method, Plan, Progress, Stop, Worker};
use tabia_play::choice::RowLookup;
use tabia_play::negamax::Value;

/// A game with circles, and what its positions seem to be worth.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub places: Vec<Place>,
    pub evals: Vec<i16>,
    /// Whether its oracle is sure of all wins and losses.
    pub is_sure: bool,
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::First), Just(Side::Second)]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![Just(Outcome::FirstWins), Just(Outcome::Draw), Just(Outcome::SecondWins)]
}

/// Places of a game with circles. No move leads to where it was made.
pub fn places(all: usize, most_moves: usize) -> impl Strategy<Value = Vec<Place>> {
    let place = (side(), prop::collection::vec(0..all, 0..most_moves), outcome());
    prop::collection::vec(place, all).prop_map(|places| {
        let place = |(at, (side, mut moves, outcome)): (usize, (Side, Vec<usize>, Outcome))| {
            moves.retain(|&to| to != at);
            let outcome = moves.is_empty().then_some(outcome);
            Place { side, moves, outcome }
        };
        places.into_iter().enumerate().map(place).collect()
    })
}

pub fn drawn() -> impl Strategy<Value = Drawn> {
    (2usize..14).prop_flat_map(|all| {
        let evals = prop::collection::vec(-500i16..500, all);
        (places(all, 5), evals, any::<bool>()).prop_map(|(places, evals, is_sure)| Drawn {
            places,
            evals,
            is_sure,
        })
    })
}

impl Drawn {
    pub fn toy(&self) -> Toy {
        Toy::new(self.places.clone())
    }

    pub fn oracle(&self) -> Oracle {
        let mut oracle = Oracle::new(&self.toy(), &self.evals);
        if self.is_sure {
            oracle.sure = self.endings();
        }
        oracle
    }

    /// Positions that are expanded, have legal moves that aren't in the book, and no deviation.
    pub fn lacking(&self, book: &dyn RowLookup) -> Vec<usize> {
        let row = |at: usize| book.position(key(at)).unwrap();
        let is_lacking = |at: &usize| {
            let place = &self.places[*at];
            let is_expanded = row(*at).is_some_and(|row| row.flags().contains(Flags::EXPANDED));
            let is_open = |to: usize| {
                let row = row(to).unwrap();
                row.eval().is_some()
                    && !row.flags().intersects(Flags::EXPANDED | Flags::PROOFS)
                    && self.places[to].outcome.is_none()
            };
            let has_all = place.moves.iter().all(|&to| row(to).is_some());
            let moves = book.moves(key(*at)).unwrap();
            let is_unplayed = |code: usize| {
                let row = moves.iter().find(|row| usize::from(row.code()) == code);
                row.is_some_and(|row| row.counts().games() == 0)
            };
            let has_one = place
                .moves
                .iter()
                .enumerate()
                .any(|(code, &to)| is_unplayed(code) && row(to).is_some() && is_open(to));
            let wins = |to: usize| {
                let turns = self.places[to].side != place.side;
                let proof = if turns { Flags::PROVEN_LOSS } else { Flags::PROVEN_WIN };
                let is_proven = row(to).is_some_and(|row| row.flags().contains(proof));
                let winner = self.places[to].outcome.and_then(Outcome::winner);
                is_proven || row(to).is_some() && winner == Some(place.side)
            };
            is_expanded && !has_all && !has_one && !place.moves.iter().any(|&to| wins(to))
        };
        (0..self.places.len()).filter(is_lacking).collect()
    }

    /// From where a side wins by force, going round being a draw: by counting up from the ends.
    fn forced(&self, winner: Side) -> Vec<bool> {
        let mut won: Vec<bool> = (self.places.iter())
            .map(|place| place.outcome.and_then(Outcome::winner) == Some(winner))
            .collect();
        loop {
            let is_won = |place: &Place| match place.side == winner {
                true => place.moves.iter().any(|&to| won[to]),
                false => !place.moves.is_empty() && place.moves.iter().all(|&to| won[to]),
            };
            let next: Vec<bool> =
                self.places.iter().zip(&won).map(|(place, &won)| won || is_won(place)).collect();
            if next == won {
                return won;
            }
            won = next;
        }
    }

    /// How the game ends from each position on that is won by force, seen by the side to move.
    fn endings(&self) -> Vec<Option<Ending>> {
        let [first, second] = [Side::First, Side::Second].map(|side| self.forced(side));
        let ending = |(at, place): (usize, &Place)| match (first[at], second[at]) {
            (false, false) => None,
            (first, _) if first == (place.side == Side::First) => Some(Ending::Win),
            _ => Some(Ending::Loss),
        };
        self.places.iter().enumerate().map(ending).collect()
    }

    /// What the start is worth to the first player if both play best and going round is a draw.
    fn solved(&self) -> Value {
        match [Side::First, Side::Second].map(|side| self.forced(side)[0]) {
            [true, _] => Value::WIN,
            [_, true] => Value::LOSS,
            _ => Value::EVEN,
        }
    }

    /// That of the side to move at the start.
    fn value(&self) -> Value {
        if self.places[0].side == Side::First { self.solved() } else { -self.solved() }
    }
}

pub fn method() -> impl Strategy<Value = Method> {
    let drop_out =
        |both_err| Method::DropOut { cost: 20.0, side: None, both_err, singularity: 0.0 };
    prop_oneof![3 => Just(Method::BestFirst), 1 => Just(drop_out(false)), 1 => Just(drop_out(true))]
}

pub fn workers(drawn: &Drawn, count: usize, delays: &[u64]) -> Vec<Box<dyn Worker>> {
    let worker = |number: usize| {
        let mut oracle = drawn.oracle();
        oracle.delays = delays.iter().map(|delay| (delay + number as u64) % 3).collect();
        Box::new(oracle) as Box<dyn Worker>
    };
    (0..count).map(worker).collect()
}

/// A place where the game goes on.
pub fn place(side: Side, moves: &[usize]) -> Place {
    Place { side, moves: moves.to_vec(), outcome: None }
}

pub fn start(drawn: &Drawn) -> bool {
    drawn.places[0].outcome.is_none()
}

/// A book that has grown by a plan, in one go.
pub fn whole(path: &Path, drawn: &Drawn, plan: &Plan) -> (Vec<u8>, Stop) {
    let workers = workers(drawn, plan.in_flight, &[]);
    let (_, stop) = grow_by(path, &drawn.toy(), plan, workers, &Nobody).unwrap();
    (bytes(path), stop)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn after_each_batch_every_expanded_position_has_a_deviation(
        drawn in drawn().prop_filter("it ends at once", start), method in method(), in_flight in prop_oneof![2 => Just(1usize), 1 => 2usize..5],
    ) {
        let shelf = Shelf::new();
        let path = shelf.book("grows.tabia", &[], &[]);
        let one = plan(1).budget;
        let plan = Plan { method, in_flight, ..plan(60) };
        let batches = Cell::new(0);
        let watch = Looks(|progress: &Progress<'_>| {
            if progress.grown.expansions > batches.get() {
                batches.set(batches.get() + 1);
                assert_eq!(drawn.lacking(&Book::open(&path).unwrap()), Vec::<usize>::new());
            }
            true
        });
        let several = workers(&drawn, in_flight, &[]);
        let (grown, stop) = grow_by(&path, &drawn.toy(), &plan, several, &watch).unwrap();
        prop_assert_eq!(batches.get(), grown.expansions, "all batches were looked at");
        match stop {
            Stop::Budget => {}
            Stop::Solved(value) => prop_assert_eq!(value, drawn.value()),
            _ => prop_assert_ne!(method, Method::BestFirst, "best-first ends with a proof"),
        }
        // One expansion after the other, each by a process of its own, makes the same book.
        if in_flight == 1 {
            let again = shelf.book("again.tabia", &[], &[]);
            let plan = Plan { budget: one, ..plan };
            let workers = || workers(&drawn, 1, &[]);
            for _ in 0..grown.expansions {
                grow_by(&again, &drawn.toy(), &plan, workers(), &Nobody).unwrap();
            }
            prop_assert!(bytes(&again) == bytes(&path));
        }
    }

    #[test]
    fn the_bytes_depend_on_nothing_but_how_many_are_in_flight(
        drawn in drawn().prop_filter("it ends at once", start), method in method(), in_flight in 2usize..5, delays in prop::collection::vec(0u64..3, 1..6), looks in prop::collection::vec(0u32..6, 0..4),
    ) {
        let shelf = Shelf::new();
        let expected = shelf.book("expected.tabia", &[], &[]);
        let plan = Plan { in_flight, method, ..plan(40) };
        let (expected, stop) = whole(&expected, &drawn, &plan);
        let slow = shelf.book("slow.tabia", &[], &[]);
        grow_by(&slow, &drawn.toy(), &plan, workers(&drawn, in_flight, &delays), &Nobody).unwrap();
        prop_assert!(bytes(&slow) == expected, "whoever is how fast");
        // Interrupted a few times, by fewer workers in the end.
        let path = shelf.book("interrupted.tabia", &[], &[]);
        let mut left = 40;
        for look in looks {
            let plan = Plan { budget: tabia_grow::Budget { expansions: Some(left), ..plan.budget }, ..plan.clone() };
            // It is stopped after so many looks.
            let left_looks = Cell::new(look);
            let watch = Looks(|_: &Progress<'_>| left_looks.replace(left_looks.get().saturating_sub(1)) > 0);
            let (grown, _) = grow_by(&path, &drawn.toy(), &plan, workers(&drawn, in_flight, &delays), &watch).unwrap();
            left -= grown.expansions;
        }
        let plan = Plan { budget: tabia_grow::Budget { expansions: Some(left), ..plan.budget }, ..plan };
        let (_, last) = grow_by(&path, &drawn.toy(), &plan, workers(&drawn, 1, &[]), &Nobody).unwrap();
        prop_assert!(bytes(&path) == expected, "interrupted");
        prop_assert_eq!(last, stop);
        prop_assert!(!shelf.path("interrupted.tabia-growing").exists(), "nothing is left in flight");
    }
}
