//! Every game: limits hold, and equal questions have equal answers.

use crate::shared::{Rng, depth, nodes, random};
use std::time::Duration;
use tabia_engines::{Answer, Engine, Limit, MoveHistory, Ranking};
use tabia_games::{Game, Known, with_game};

const PATIENCE: Duration = Duration::from_secs(60);

/// A small board is enough where there are several.
fn games() -> impl Iterator<Item = Known> {
    let names = [
        "chess",
        "othello",
        "go-5",
        "go-13",
        "checkers",
        "draughts-10",
        "connect4-7x6",
        "tic-tac-toe",
    ];
    names.into_iter().map(|name| Known::all().find(|known| known.name() == name).expect("a game"))
}

fn limits_hold<G: Game>(start: &G) {
    let (mut engine, mut rng) = (tabia_search::engine::<G>(), Rng::new(6));
    for plies in [0, 3, 12] {
        let history = MoveHistory::new(random(start, plies, &mut rng));
        let moves = history.position().legal();
        for most in [0, 1, 2, 5, 37, 500, 3_000] {
            for count in [1, 3, moves.len()] {
                let ranking = engine.rank(&history, &moves, count, &nodes(most), PATIENCE).unwrap();
                assert!(ranking.nodes.is_some_and(|nodes| nodes <= most), "{ranking:?}");
                assert_eq!(ranking.moves.len(), count.min(moves.len()));
                check(&ranking, &moves);
            }
        }
        let ranking = engine.rank(&history, &moves[..1], 5, &depth(2), PATIENCE).unwrap();
        assert_eq!(ranking.moves.len(), 1);
        assert!(ranking.moves[0].depth.is_some_and(|depth| depth <= 2));
        let thought = engine.think(&history, &nodes(100), PATIENCE).unwrap();
        assert!(matches!(thought.answer, Answer::Move(played) if moves.contains(&played)));
    }
}

/// The moves are different ones of those asked for, and those with values are in order.
fn check<M: PartialEq + std::fmt::Debug>(ranking: &Ranking<M>, among: &[M]) {
    for (place, ranked) in ranking.moves.iter().enumerate() {
        assert!(among.contains(&ranked.played));
        let before = &ranking.moves[..place];
        assert!(before.iter().all(|other| other.played != ranked.played), "{ranking:?}");
        let worse = |other: &&tabia_engines::Ranked<M>| {
            other.depth == ranked.depth && other.eval.hundredths() < ranked.eval.hundredths()
        };
        assert!(before.iter().find(worse).is_none(), "{ranking:?}");
    }
}

#[test]
fn limits_hold_in_every_game() {
    games().for_each(|known| with_game!(known, start => limits_hold(start)));
}

fn answers_are_equal<G: Game>(start: &G) {
    let mut rng = Rng::new(7);
    let histories: Vec<MoveHistory<G>> =
        [0, 5, 10, 15].map(|plies| MoveHistory::new(random(start, plies, &mut rng))).into();
    let ask = |engine: &mut dyn Engine<G>, history: &MoveHistory<G>| {
        let moves = history.position().legal();
        let ranking = engine.rank(history, &moves, 3, &nodes(4_000), PATIENCE).unwrap();
        // What doesn't depend on the clock.
        (ranking.moves, ranking.nodes)
    };
    let mut engine = tabia_search::engine::<G>();
    let fresh: Vec<_> =
        histories.iter().map(|history| ask(&mut *tabia_search::engine::<G>(), history)).collect();
    for _ in 0..2 {
        let again: Vec<_> =
            histories.iter().rev().map(|history| ask(&mut *engine, history)).collect();
        assert!(again.iter().eq(fresh.iter().rev()), "{}", start.name());
    }
}

#[test]
fn equal_questions_have_equal_answers() {
    games().for_each(|known| with_game!(known, start => answers_are_equal(start)));
}

/// Without any limit a number of positions is the limit; what can't be played is said.
#[test]
fn questions_without_a_limit_or_a_move_are_answered() {
    let start = tabia_games::TicTacToe::start();
    let mut engine = tabia_search::engine();
    let thought =
        engine.think(&MoveHistory::new(start.clone()), &Limit::default(), PATIENCE).unwrap();
    assert!(thought.nodes.is_some_and(|nodes| nodes <= 100_000));
    assert_eq!(engine.name(), "tabia-search 1");
    let over = start.set_up("XXX/OO./...").unwrap();
    let thought = engine.think(&MoveHistory::new(over.clone()), &nodes(10), PATIENCE).unwrap();
    assert_eq!(thought.answer, Answer::Illegal("O has no move".to_owned()));
    let ranking = engine.rank(&MoveHistory::new(over), &[], 3, &nodes(10), PATIENCE).unwrap();
    assert!(ranking.moves.is_empty());
}
