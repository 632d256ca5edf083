//! Workers that lie, refuse, break and give up: beside a good one they change no byte of the book;
//! alone they end growing after a bounded number of tries, with a sound book that grows on.

use crate::laws::{Drawn, drawn, method, place, start, whole};
use crate::oracle::Oracle;
use crate::shelf::{Nobody, Shelf, batches, bytes, grow_by, plan, rest, sound};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tabia::Book;
use tabia_engines::Eval;
use tabia_games::Side;
use tabia_grow::{Answer, Error, Plan, Stop, Task, Worker, WorkerError};

/// What a bad worker does, and what becomes of its answers by that.
type Lie = (&'static str, fn(&mut Vec<Answer>));

const REFUSES: &str = "it says that it can't";

/// Each is found out: a plausible value that is wrong can't be.
const LIES: [Lie; 11] = [
    ("a move that isn't legal", |answers| answers[0].moves[0].played = "m999".to_owned()),
    ("a word that no game has", |answers| {
        answers[0].moves[0].played = "\u{1b}[2J".repeat(1000);
    }),
    ("the same move twice", |answers| answers[0].moves.extend_from_within(..1)),
    ("a move less than was wanted", |answers| answers[0].moves.clear()),
    ("an answer to a question that wasn't put", |answers| answers.push(Answer::default())),
    ("no answers at all", Vec::clear),
    ("a score that no game has", |answers| {
        answers[0].moves[0].eval = Eval::Hundredths(i32::MIN);
    }),
    ("a mate that no game has", |answers| answers[0].moves[0].eval = Eval::Mate(i32::MAX)),
    ("a hundred thousand moves", |answers| {
        let moves = vec![answers[0].moves[0].clone(); 100_000];
        answers[0].moves.extend(moves);
    }),
    (REFUSES, |_| {}),
    ("it breaks", |_| std::panic::resume_unwind(Box::new("it breaks"))),
];

/// A worker that is honest a few times and then isn't.
struct Liar {
    oracle: Oracle,
    lie: Lie,
    honest: u32,
    /// How often it was asked.
    asked: Arc<AtomicU32>,
}

impl Worker for Liar {
    fn name(&self) -> &str {
        "oracle"
    }

    fn answer(&mut self, task: &Task) -> Result<Vec<Answer>, WorkerError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.oracle.answer(task)?;
        if self.honest > 0 {
            self.honest -= 1;
            return Ok(answers);
        }
        let (what, lie) = self.lie;
        if what == REFUSES {
            let (worker, why) = ("oracle".to_owned(), "not today".to_owned());
            return Err(WorkerError::Refused { worker, why });
        }
        lie(&mut answers);
        Ok(answers)
    }
}

fn liar(drawn: &Drawn, lie: Lie, honest: u32) -> Liar {
    Liar { oracle: drawn.oracle(), lie, honest, asked: Arc::default() }
}

fn lie() -> impl Strategy<Value = Lie> {
    prop::sample::select(LIES.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn beside_a_good_worker_liars_change_nothing(
        drawn in drawn().prop_filter("it ends at once", start),
        method in method(),
        in_flight in 1usize..4,
        lies in prop::collection::vec((lie(), 0u32..4), 1..6),
        place in any::<prop::sample::Index>(),
    ) {
        let shelf = Shelf::new();
        let plan = Plan { in_flight, method, ..plan(30) };
        let path = shelf.book("expected.tabia", &[], &[]);
        let (expected, stop) = whole(&path, &drawn, &plan);
        let path = shelf.book("grows.tabia", &[], &[]);
        let liars: Vec<Liar> = lies.iter().map(|&(lie, honest)| liar(&drawn, lie, honest)).collect();
        let asked: Vec<_> = liars.iter().map(|liar| (Arc::clone(&liar.asked), liar.honest)).collect();
        let mut workers: Vec<Box<dyn Worker>> = Vec::new();
        workers.extend(liars.into_iter().map(|liar| Box::new(liar) as Box<dyn Worker>));
        let good: Box<dyn Worker> = Box::new(drawn.oracle());
        workers.insert(place.index(workers.len() + 1), good);
        let (_, found) = grow_by(&path, &drawn.toy(), &plan, workers, &Nobody).unwrap();
        prop_assert_eq!(found, stop);
        prop_assert_eq!(bytes(&path), expected);
        // After three failures one is asked for the last time, but for what it had been given.
        for (asked, honest) in asked {
            prop_assert!(asked.load(Ordering::SeqCst) <= honest + 4);
        }
    }

    #[test]
    fn liars_alone_end_growing_and_the_book_grows_on(
        drawn in drawn().prop_filter("it ends at once", start),
        method in method(),
        in_flight in 1usize..4,
        lies in prop::collection::vec((lie(), 0u32..4), 1..4),
    ) {
        let shelf = Shelf::new();
        let plan = Plan { in_flight, method, ..plan(30) };
        let path = shelf.book("expected.tabia", &[], &[]);
        let (expected, stop) = whole(&path, &drawn, &plan);
        let all = batches(&path);
        let path = shelf.book("grows.tabia", &[], &[]);
        for turn in 0..3 {
            let workers = lies.iter().map(|&(lie, honest)| {
                Box::new(liar(&drawn, lie, honest)) as Box<dyn Worker>
            });
            let left = rest(&plan, &path);
            match grow_by(&path, &drawn.toy(), &left, workers.collect(), &Nobody) {
                Err(Error::Failed { times, .. }) => prop_assert!(times as usize >= 3 && times as usize <= 3 * lies.len()),
                Err(Error::NoWorkers { .. }) => {}
                // They were asked less often than they were honest.
                Ok((_, found)) => prop_assert_eq!(found, stop),
                Err(other) => prop_assert!(false, "{turn}: {other}"),
            }
            sound(&path);
            prop_assert_eq!(drawn.lacking(&Book::open(&path).unwrap()), Vec::<usize>::new());
            prop_assert!(batches(&path) <= all);
        }
        let good: Vec<Box<dyn Worker>> = vec![Box::new(drawn.oracle())];
        let (_, found) = grow_by(&path, &drawn.toy(), &rest(&plan, &path), good, &Nobody).unwrap();
        prop_assert_eq!(found, stop);
        prop_assert_eq!(bytes(&path), expected);
    }
}

/// Of a game whose first move must be searched.
fn small() -> Drawn {
    let (first, second) = (Side::First, Side::Second);
    let places = vec![place(first, &[1, 2]), place(second, &[0, 2]), place(second, &[0, 1])];
    Drawn { places, evals: vec![0, 10, 20], is_sure: false }
}

#[test]
fn what_failed_is_said_in_one_line_without_control_characters() {
    for lie in LIES {
        let (shelf, drawn) = (Shelf::new(), small());
        let path = shelf.book("grows.tabia", &[], &[]);
        let liar = Box::new(liar(&drawn, lie, 0));
        let error = grow_by(&path, &drawn.toy(), &plan(3), vec![liar], &Nobody).unwrap_err();
        let said = error.to_string();
        assert!(said.starts_with("the start can't be expanded, tried 3 times: "), "{said}");
        assert!(!said.contains(char::is_control) && said.len() < 300, "{}: {said}", lie.0);
        assert_eq!(batches(&path), 0, "nothing was added");
    }
}

#[test]
fn nodes_beyond_all_numbers_are_no_reason_to_break() {
    struct Boaster(Oracle);
    impl Worker for Boaster {
        fn name(&self) -> &str {
            "oracle"
        }
        fn answer(&mut self, task: &Task) -> Result<Vec<Answer>, WorkerError> {
            let mut answers = self.0.answer(task)?;
            answers.iter_mut().for_each(|answer| answer.nodes = Some(u64::MAX));
            let moves = answers.iter_mut().flat_map(|answer| &mut answer.moves);
            moves.for_each(|valued| valued.depth = Some(u32::MAX));
            Ok(answers)
        }
    }
    let (shelf, drawn) = (Shelf::new(), small());
    let path = shelf.book("grows.tabia", &[], &[]);
    let boaster = Box::new(Boaster(drawn.oracle()));
    let (grown, stop) = grow_by(&path, &drawn.toy(), &plan(2), vec![boaster], &Nobody).unwrap();
    assert_eq!((grown.nodes, stop), (u64::MAX, Stop::Budget));
    sound(&path);
}

/// Nobody answers, ever.
#[test]
fn without_workers_growing_ends_at_once() {
    let (shelf, drawn) = (Shelf::new(), small());
    let path = shelf.book("grows.tabia", &[], &[]);
    let error = grow_by(&path, &drawn.toy(), &plan(3), Vec::new(), &Nobody).unwrap_err();
    assert!(matches!(error, Error::NoWorkers { .. }), "{error}");
}
