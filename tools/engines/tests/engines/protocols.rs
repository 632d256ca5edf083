//! UCI and GTP with an engine that speaks both: handshakes, options, moves of all games, refusals.

use crate::shared::{game, history, launch, rank as rank_in};
use std::time::Duration;
use tabia_engines::{Answer, Engine, Error, Eval, Fault, Limit, MoveHistory};
use tabia_games::go::Symmetry;
use tabia_games::{Chess, Game, Go, Othello};

const LONG: Duration = Duration::from_secs(20);

/// Plays so many plies of an engine against itself.
fn plies<G: Game>(engine: &mut dyn Engine<G>, start: &G, count: usize) -> MoveHistory<G> {
    let mut history = MoveHistory::new(start.clone());
    engine.new_game(start).unwrap();
    for ply in 0..count {
        if history.position().outcome().is_some() {
            break;
        }
        match engine.think(&history, &Limit::default(), LONG).unwrap().answer {
            Answer::Move(played) => history.play(&played),
            other => panic!("ply {ply}: {other:?}"),
        }
    }
    history
}

#[test]
fn a_uci_engine_says_who_it_is_and_what_can_be_set() {
    let mut uci = launch("uci chess --seed 5").uci().unwrap();
    assert_eq!(uci.name(), "Mock 5");
    uci.set("hash", "32").unwrap();
    uci.ready().unwrap();
    for (name, value, why) in [("Hash", "65", "from 1 to 64"), ("Hsah", "1", "no such option")] {
        let error = uci.set(name, value).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("Mock 5"), "{error}");
    }
}

#[test]
fn what_it_says_of_its_move_is_kept() {
    let mut engine: Box<dyn Engine<Chess>> =
        launch("uci chess --eval -31 --book 1").start().unwrap();
    let mut history = MoveHistory::new(Chess::start());
    let first = engine.think(&history, &Limit::default(), LONG).unwrap();
    assert!(first.is_book && first.eval.is_none());
    let Answer::Move(played) = first.answer else { panic!("no move") };
    history.play(&played);
    let second = engine.think(&history, &Limit::default(), LONG).unwrap();
    let found = (second.is_book, second.eval, second.depth, second.nodes);
    assert_eq!(found, (false, Some(Eval::Hundredths(-31)), Some(7), Some(1000)));
}

#[test]
fn chess960_is_switched_on_and_castling_is_understood() {
    let start =
        Chess::from_setup("bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1").unwrap();
    let mut engine = launch("uci chess --seed 3").start().unwrap();
    assert!(plies(engine.as_mut(), &start, 60).plies().len() > 20);
}

#[test]
fn games_of_all_boards_over_gtp() {
    let mut othello = launch("gtp othello").start().unwrap();
    let history = plies(othello.as_mut(), &Othello::start(), 60);
    assert!(history.position().outcome().is_some(), "played to its end");
    let mut go = launch("gtp go-5 --length 6").start().unwrap();
    let history = plies(go.as_mut(), &Go::start(5, Symmetry::Board).unwrap(), 40);
    assert_eq!(history.plies().len(), 8, "six moves and two passes");
}

#[test]
fn a_board_follows_a_game_that_takes_another_way() {
    let start = Go::start(5, Symmetry::Board).unwrap();
    let mut engine: Box<dyn Engine<Go>> = launch("gtp go-5").start().unwrap();
    engine.new_game(&start).unwrap();
    // The mock refuses a stone on a stone and a move out of turn: a board that isn't the game's
    // would show.
    for moves in [&["C3", "B2"][..], &["C3", "B2", "D4", "B4"], &["C3", "B4", "D4"], &["B4"], &[]] {
        let thought = engine.think(&history(&start, moves), &Limit::default(), LONG).unwrap();
        assert!(matches!(thought.answer, Answer::Move(_)), "{moves:?}");
    }
}

#[test]
fn resigning_and_illegal_moves_are_answers() {
    let mut engine: Box<dyn Engine<Go>> = launch("gtp go-5 resign@1").start().unwrap();
    let start = Go::start(5, Symmetry::Board).unwrap();
    let found = engine.think(&MoveHistory::new(start), &Limit::default(), LONG).unwrap().answer;
    assert_eq!(found, Answer::Resigns);
    for (arguments, text) in [("uci chess illegal@1", "a1a8"), ("uci chess nothing@1", "")] {
        let mut engine: Box<dyn Engine<Chess>> = launch(arguments).start().unwrap();
        let thought =
            engine.think(&MoveHistory::new(Chess::start()), &Limit::default(), LONG).unwrap();
        assert_eq!(thought.answer, Answer::Illegal(text.to_owned()));
    }
}

#[test]
fn a_refused_command_is_an_error_with_the_engines_words() {
    let mut launch = launch("gtp go-9 --seed 2");
    launch.setup.push("undo".to_owned());
    let mut engine = launch.gtp().unwrap();
    let start = Go::start(9, Symmetry::Board).unwrap();
    assert_eq!(Engine::<Go>::name(&engine), "Mock 2");
    let error = engine.new_game(&start).unwrap_err();
    let is_it = matches!(&error.fault, Fault::Refused { why, .. } if why == "unknown command");
    assert!(is_it, "{error}");
    assert_eq!(engine.final_score(&MoveHistory::new(start), LONG).unwrap(), "B+3.5");
}

#[test]
fn what_a_book_played_is_asked_for() {
    let start = Go::start(5, Symmetry::Board).unwrap();
    let mut engine: Box<dyn Engine<Go>> = launch("gtp go-5 --book 2").start().unwrap();
    assert_eq!(plies(engine.as_mut(), &start, 6).plies().len(), 6);
    let used = engine.book_use().unwrap().unwrap();
    assert_eq!((used.book_moves, used.engine_moves), (2, 4));
    let mut without: Box<dyn Engine<Go>> = launch("gtp go-5").start().unwrap();
    assert_eq!(without.book_use().unwrap(), None);
}

#[test]
fn what_a_protocol_cannot_say_is_refused() {
    let mut engine: Box<dyn Engine<Go>> = launch("gtp go-5").start().unwrap();
    let start = Go::start(5, Symmetry::Board).unwrap();
    let nodes = Limit { nodes: Some(5), ..Limit::default() };
    let refused = engine.think(&MoveHistory::new(start), &nodes, LONG).unwrap_err();
    assert!(matches!(refused.fault, Fault::Unsupported(_)), "{refused}");
    let mut engine: Box<dyn Engine<Chess>> = launch("gtp chess").start().unwrap();
    let refused = engine.new_game(&Chess::start()).unwrap_err();
    assert!(matches!(refused.fault, Fault::Unsupported(_)), "{refused}");
}

/// Ranks moves of a position some plies into a game, but for some.
fn rank<G: Game>(
    arguments: &str,
    start: &G,
    left_out: &[G::Move],
    count: usize,
) -> Result<Vec<(G::Move, Eval)>, Error> {
    let history = game(start, 3);
    let mut moves = history.position().legal();
    moves.retain(|played| !left_out.contains(played));
    let ranked = rank_in(arguments, &history, &moves, count)?;
    Ok(ranked.into_iter().map(|one| (one.played, one.eval)).collect())
}

#[test]
fn moves_are_ranked_whatever_the_engine_can_say_at_once() {
    let start = Chess::start();
    let all = rank("uci chess --lines 300", &start, &[], 300).unwrap();
    assert!(all.len() > 15, "{}", all.len());
    assert!(all.is_sorted_by(|a, b| a.1.hundredths() >= b.1.hundredths()));
    for lines in [1, 2, 5] {
        let arguments = format!("uci chess --lines {lines}");
        assert_eq!(rank(&arguments, &start, &[], 3).unwrap(), all[..3], "{lines}");
        let rest = rank(&arguments, &start, &[all[0].0, all[2].0], 2).unwrap();
        assert_eq!(rest, [all[1], all[3]]);
        let none: Vec<_> = all.iter().map(|(played, _)| *played).collect();
        assert_eq!(rank(&arguments, &start, &none, 2).unwrap(), []);
    }
}

#[test]
fn gtp_engines_rank_moves_by_playing_them() {
    let start = Go::start(9, Symmetry::Board).unwrap();
    let by_uci = rank("uci go-9 --lines 300", &start, &[], 300).unwrap();
    for lines in [1, 2, 3] {
        let arguments = format!("gtp go-9 --lines {lines}");
        let ranked = rank(&arguments, &start, &[], 4).unwrap();
        let values = |all: &[(_, Eval)]| all.iter().map(|(_, eval)| *eval).collect::<Vec<_>>();
        assert_eq!(values(&ranked), values(&by_uci[..4]), "{lines}");
        let rest = rank(&arguments, &start, &[ranked[0].0], 1).unwrap();
        assert_eq!(rest, ranked[1..2]);
    }
    let error = rank("gtp go-9", &start, &[], 1).unwrap_err().to_string();
    assert!(error.contains("`estimate_score`"), "{error}");
}

#[test]
fn an_engine_that_ranks_other_moves_or_gives_no_score_is_an_error() {
    for (fault, said) in [("outside@1", "a1a8"), ("scoreless@1", "no score")] {
        let error = rank(&format!("uci chess --lines 3 {fault}"), &Chess::start(), &[], 2);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(said) && error.contains("asked for"), "{error}");
    }
    let ended = rank("uci chess --lines 3 crash@1", &Chess::start(), &[], 2).unwrap_err();
    assert!(matches!(ended.fault, Fault::Ended(_)), "{ended}");
}
